package turns

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func settings(pairs ...string) (list []Setting) {
	for _, p := range pairs {
		key, value, _ := strings.Cut(p, "=")
		list = append(list, Setting{key, value})
	}
	return list
}

func TestSet(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	r.sent()
	changes, err := r.Set(t.Context(), "lands", "root", settings("title=The Lands", "press_copies=true", `tavern.name="The Inn"`, "calendar.remind=24h, 90m",
		"calendar.grace=2h", "calendar.vacation_days=7", "copies=new@x.example", "language=en"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, fmt.Sprintf("%s: %s -> %s", c.Key, c.Was, c.Now))
	}
	equal(t, "changes", got, "title: lands -> The Lands", "press_copies: false -> true", "tavern.name:  -> The Inn", "calendar.remind:  -> 1d, 90m",
		"calendar.grace:  -> 2h", "calendar.vacation_days:  -> 7", "copies: archive@x.example, clara@x.example -> new@x.example")
	g := r.load("lands")
	if s := g.Settings; g.Title != "The Lands" || !s.PressCopies || s.Tavern != "The Inn" || len(s.Calendar.Remind) != 2 || s.Calendar.Grace != 2*time.Hour ||
		*s.Calendar.VacationDays != 7 || len(g.Copies) != 1 || g.Copies[0].Address != "new@x.example" {
		t.Errorf("the game is %+v", g)
	}
	var told []string
	for _, it := range r.sent() {
		told = append(told, it.To)
		member := slices.Contains([]string{"anna@x.example", "boris@x.example", "clara@x.example", "tavern", "new@x.example"}, it.To)
		if !member && it.To != "gm@lands.example" || member == strings.Contains(it.Text, "new@x.example") || !strings.Contains(it.Text, "press_copies") {
			t.Errorf("to %s:\n%s", it.To, it.Text)
		}
	}
	equal(t, "told", told, "anna@x.example", "boris@x.example", "clara@x.example", "gm@lands.example", "new@x.example", "tavern")
	in := r.last("lands")
	e, err := in.Entry("lands")
	if err != nil || e.Who != "root" || len(e.Changes) != 7 {
		t.Errorf("logged is %+v: %v", e, err)
	}
	if !r.sameAgain("lands") || r.CheckLog(t.Context(), "lands") != nil || r.sum("lands") != 1 {
		t.Error("played again it comes out otherwise")
	}
	r.say("anna@x.example", "lands@play.example", "PRESS TO Boris\nmoonstone\nEND PRESS") // it counts from now on
	equal(t, "told", r.told(), "receipt anna@x.example", "press gm@lands.example", "press boris@x.example")
}

func TestSetIsReadAsTheFileIs(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.sent()
	for pairs, want := range map[string]string{
		"titel=x":                              "titel cannot be changed while the game goes on; what can is anonymous_press, authentication,",
		"timezone=Europe/Madrid":               "timezone cannot be changed",
		"seed=x":                               "seed cannot be changed",
		"language=fr":                          `: language: "fr" is not known; write "en" or "ru"`,
		"press_copies=maybe":                   "press_copies: string does not fit here; write true or false",
		"title=a title=b":                      "title stands there twice",
		"title=lands":                          "this is how it is already",
		"authentication=faith":                 `authentication: "faith" is not known`,
		"authentication=dmarc":                 "authserv_id: is missing",
		"authserv_id=mx.example":               "authserv_id: it means something with authentication=dmarc alone",
		"authentication=password":              "neither password nor token: Gareth, Anna, Boris, Clara",
		"copies=nobody":                        "copies.0: write a mail address",
		`copies=[{email="a@b.c",scope=["x"]}]`: `copies.0.scope: "x" is not known here`,
		"calendar.remind=soon":                 `calendar.remind.0: "soon" is no length of time`,
		"calendar.vacation_days=-1":            "calendar.vacation_days: -1 is below 0",
		"title=a\nseed=\"x\"":                  "control characters",
		"tavern.name=a\nHOLD":                  "tavern.name: write it on one line",
	} {
		list := settings(strings.Split(pairs, " ")...)
		if _, err := r.Set(t.Context(), "lands", "root", list); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ":1:") {
			t.Errorf("%s: %v, want %s", pairs, err, want)
		}
	}
	if _, err := r.Set(t.Context(), "sands", "root", settings("title=x")); !errors.Is(err, ErrUnknownGame) {
		t.Error(err)
	}
	if told := r.told(); len(told) > 0 || r.load("lands").LastInput != 0 {
		t.Errorf("told %v", told)
	}
}

func TestSetDrawsTheTokensThatAreNeeded(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	if _, err := r.Set(t.Context(), "lands", "root", settings("authentication=token")); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.load("lands").Members {
		if m.token == "" {
			t.Errorf("%s has no token", m.Nick)
		}
	}
	for _, it := range r.sent() {
		if m := r.load("lands").seat("Anna"); it.To == "anna@x.example" && strings.Contains(it.Text, "authentication") && !strings.Contains(it.ReplyTo, m.token) {
			t.Errorf("Anna does not get hers: %s", it.ReplyTo)
		}
	}
}
