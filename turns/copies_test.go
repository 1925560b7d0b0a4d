package turns

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"arroba/rules"
)

// copied is the toy's game with these copies instead of its own.
func copied(copies string) (*GameFile, error) {
	text := fmt.Sprintf(toyGame, "lands", "lands@play.example")
	return ReadGameFile("lands.toml", []byte(strings.Replace(text, `["archive@x.example", "clara@x.example"]`, copies, 1)))
}

// copying opens such a game.
func (r *rig) copying(copies string) {
	r.Helper()
	f, err := copied(copies)
	if err == nil {
		err = r.Create(r.Context(), f)
	}
	if err != nil {
		r.Fatal(err)
	}
	r.sent()
}

func TestCopiesThatAreMalformed(t *testing.T) {
	for copies, want := range map[string]string{
		`[{ email = "a@x.example", scope = ["duel-won"] }]`: `lands.toml:4: copies.0.scope: "duel-won" is not known here; write "public", "official", "land:" and`,
		`[{ email = "a@x.example", scope = "land:" }]`:      `lands.toml:4: copies.0.scope: "land:" is not known here`,
		`[{ email = "a@x.example", scope = [] }]`:           `lands.toml:4: copies.0.scope: an empty list wants nothing`,
		`[{ email = "a@x.example", scope = [7] }]`:          `lands.toml:4: copies.0.scope.0: write a text in quotes`,
		`[{ email = "a@x.example", digest = "daily" }]`:     `lands.toml:4: copies.0.digest: write true for one mail a day`,
		`[{ email = "a@x.example", nick = "A" }]`:           `lands.toml:4: copies.0.nick: this key is not known here; write email, scope or digest`,
		`[{ scope = ["public"] }]`:                          `lands.toml:4: copies.0: write a mail address`,
		"[\n\"a@x.example\",\n\"A@x.example\" ]":            `lands.toml:6: copies.1: A@x.example stands there twice`,
	} {
		r := newRig(t)
		f, err := copied(copies)
		if err == nil {
			err = r.Check(f)
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s…", copies, err, want)
		}
	}
}

func TestScopes(t *testing.T) {
	public, official, both, secret := []string{"tavern", "gm"}, []string{"gm", "copies"}, []string{"tavern", "gm", "copies"}, []string{"gm", "member:Anna"}
	for _, c := range []struct {
		scope    []string
		event    string
		land     string
		audience []string
		want     bool
	}{
		{nil, "added", "", public, true},
		{nil, "added", "", official, true},
		{nil, "added", "", secret, false},
		{[]string{"public"}, "added", "", public, true},
		{[]string{"public"}, "added", "", both, true},
		{[]string{"public"}, "added", "", official, false},
		{[]string{"official"}, "added", "", public, false},
		{[]string{"official"}, "added", "", official, true},
		{[]string{"public", "official"}, "added", "", official, true},
		{[]string{"public", "official", "added"}, "added", "", secret, false},
		{[]string{"added"}, "added", "", public, true},
		{[]string{"added"}, "told", "", public, false},
		{[]string{"added", "told"}, "told", "", official, true},
		{[]string{"land:HL3"}, "added", "HL3", official, true},
		{[]string{"land:hl3"}, "added", "HL3", official, true},
		{[]string{"land:HL3"}, "added", "HL2", official, false},
		{[]string{"land:HL3"}, "added", "", official, false},
		{[]string{"land:HL3"}, "added", "HL3", secret, false},
		{[]string{"land:HL3", "told"}, "told", "HL2", public, true},
	} {
		data := rules.Data{}
		if c.land != "" {
			data["land"] = c.land
		}
		to, ev := CopyTo{Scope: c.scope}, Event{Type: c.event, Audience: c.audience, Data: json.RawMessage("{}")}
		if got := to.wants(ev, data); got != c.want {
			t.Errorf("%v of %s in %q for %v: %v, want %v", c.scope, c.event, c.land, c.audience, got, c.want)
		}
	}
}

// One mail a cause goes to each address of copies, with what it wants and nothing else.
func TestCopiesGetWhatTheyWant(t *testing.T) {
	r := newRig(t)
	r.copying(`["all@x.example", { email = "bells@x.example", scope = ["rang"] }, { email = "official@x.example", scope = ["official"] },
		{ email = "boris@x.example", scope = ["official"] }, { email = "daily@x.example", digest = true }]`)
	r.say("anna@x.example", "lands@play.example", "ADD 1\nTELL Boris\nADD 2\nNOTE IT\nBELL a 60")
	got := map[string]string{}
	for _, it := range r.sent() {
		got[it.Kind+" "+it.To] += it.Text
	}
	holds := func(to string, want, lacks []string) {
		t.Helper()
		text, ok := got[to]
		for _, s := range want {
			if !strings.Contains(text, s) {
				t.Errorf("%s lacks %q: %v %s", to, s, ok, text)
			}
		}
		for _, s := range lacks {
			if strings.Contains(text, s) {
				t.Errorf("%s has %q:\n%s", to, s, text)
			}
		}
	}
	secrets := []string{"secret", "секрет", "desk"}
	holds("copy all@x.example", []string{"Anna adds 1", "Anna adds 2"}, secrets)
	holds("copy official@x.example", []string{"Anna adds 1", "Anna adds 2"}, secrets)
	holds("results boris@x.example", []string{"Anna adds 1", "Anna tells Boris a secret", "Anna adds 2"}, []string{"desk"})
	if len(got) != 6 {
		t.Errorf("mails and posts: %d, want 6: receipt, GM, results, two copies, post", len(got))
	}
	r.now = r.now.Add(time.Hour)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "the bell is public and not official", r.told(), "copy gm@lands.example", "copy all@x.example", "copy bells@x.example", "post tavern")
}

func TestDifferencesTellOfScopes(t *testing.T) {
	r := newRig(t)
	r.copying(`[{ email = "a@x.example", scope = ["official"] }]`)
	f, err := copied(`[{ email = "a@x.example", scope = ["public"], digest = true }]`)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "differences", f.Differences(r.load("lands")),
		`copies is "a@x.example for public once a day" in lands.toml and "a@x.example for official" in the game; the game's counts`)
}
