package turns

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/outbox"
	"arroba/rules"
)

// copied is the toy's game with these copies instead of its own.
func copied(copies string, more ...string) (*GameFile, error) {
	text := fmt.Sprintf(toyGame, "lands", "lands@play.example")
	return ReadGameFile("lands.toml", []byte(strings.Join(more, "\n")+"\n"+strings.Replace(text, `["archive@x.example", "clara@x.example"]`, copies, 1)))
}

// copying opens such a game.
func (r *rig) copying(copies string, more ...string) {
	r.Helper()
	f, err := copied(copies, more...)
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
		`[{ email = "a@x.example", scope = ["duel-won"] }]`: `lands.toml:5: copies.0.scope: "duel-won" is not known here; write "public", "official", "land:" and`,
		`[{ email = "a@x.example", scope = "land:" }]`:      `lands.toml:5: copies.0.scope: "land:" is not known here`,
		`[{ email = "a@x.example", scope = [] }]`:           `lands.toml:5: copies.0.scope: an empty list wants nothing`,
		`[{ email = "a@x.example", scope = [7] }]`:          `lands.toml:5: copies.0.scope.0: write a text in quotes`,
		`[{ email = "a@x.example", digest = "daily" }]`:     `lands.toml:5: copies.0.digest: write true for one mail a day`,
		`[{ email = "a@x.example", nick = "A" }]`:           `lands.toml:5: copies.0.nick: this key is not known here; write email, scope or digest`,
		`[{ scope = ["public"] }]`:                          `lands.toml:5: copies.0: write a mail address`,
		"[\n\"a@x.example\",\n\"A@x.example\" ]":            `lands.toml:7: copies.1: A@x.example stands there twice`,
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

// digests lets everything fall due up to an instant, and returns the digests that were sent.
func (r *rig) digests(until string) []outbox.Item {
	r.Helper()
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		r.Fatal(err)
	}
	r.now = at
	if _, err := r.Tick(r.Context()); err != nil {
		r.Fatal(err)
	}
	return slices.DeleteFunc(r.sent(), func(it outbox.Item) bool { return !strings.Contains(it.Subject, "daily news") })
}

// A digest is one mail a day at seven by the clock of the game's zone, whatever the clocks do, and none when nothing
// happened.
func TestDigests(t *testing.T) {
	for _, c := range []struct {
		zone, said, before, due string
	}{
		{"UTC", "2026-03-01T12:00:00Z", "2026-03-02T06:59:59Z", "2026-03-02T07:00:00Z"},
		{"UTC", "2026-03-02T06:59:00Z", "2026-03-02T06:59:59Z", "2026-03-02T07:00:00Z"},
		{"UTC", "2026-03-02T07:00:00Z", "2026-03-03T06:59:59Z", "2026-03-03T07:00:00Z"},
		{"Europe/Madrid", "2026-03-28T12:00:00Z", "2026-03-29T04:59:59Z", "2026-03-29T05:00:00Z"},
		{"Europe/Madrid", "2026-10-24T12:00:00Z", "2026-10-25T05:59:59Z", "2026-10-25T06:00:00Z"},
		{"Asia/Kamchatka", "2026-03-01T18:00:00Z", "2026-03-01T18:59:59Z", "2026-03-01T19:00:00Z"},
	} {
		t.Run(c.zone+" "+c.said, func(t *testing.T) {
			r := newRig(t)
			r.copying(`[{ email = "daily@x.example", digest = true }]`, fmt.Sprintf("timezone = %q", c.zone))
			at, _ := time.Parse(time.RFC3339, c.said)
			r.now = at.Add(-time.Minute)
			r.say("anna@x.example", "lands@play.example", "ADD 1\nTELL Boris")
			if got := r.digests(c.before); len(got) > 0 {
				t.Errorf("before seven: %v", got)
			}
			got := r.digests(c.due)
			if len(got) != 1 {
				t.Fatalf("%d digests, want 1", len(got))
			}
			due, _ := time.Parse(time.RFC3339, c.due)
			if it := got[0]; it.To != "daily@x.example" || it.Kind != outbox.Copy || !it.Date.Equal(due) || !strings.Contains(it.Text, "Anna adds 1") || strings.Contains(it.Text, "secret") {
				t.Errorf("the digest of %v: %+v", due, it)
			}
			if got := r.digests(due.Add(100 * time.Hour).Format(time.RFC3339)); len(got) > 0 {
				t.Errorf("nothing happened, and yet: %v", got)
			}
		})
	}
}

// What is told late is told day by day: each digest has what happened before its own instant, once.
func TestDigestsAfterAnOutage(t *testing.T) {
	r := newRig(t)
	r.copying(`[{ email = "daily@x.example", digest = true }, { email = "sums@x.example", digest = true, scope = "added" }]`)
	r.say("anna@x.example", "lands@play.example", "ADD 1\nBELL a 90000\nBELL b 100000\nBELL c 200000")
	r.Engine = rigOn(t, r.DB).Engine // another program goes on
	r.Engine.Now = func() time.Time { return r.now }
	var got []string
	for _, it := range r.digests("2026-03-10T00:00:00Z") {
		var told []string
		for _, s := range []string{"Anna adds 1", "bell a", "bell b", "bell c"} {
			for range strings.Count(it.Text, s) {
				told = append(told, s)
			}
		}
		got = append(got, it.To+" "+it.Date.Format("02 15:04")+" "+strings.Join(told, ","))
	}
	equal(t, "digests", got, "daily@x.example 02 07:00 Anna adds 1", "sums@x.example 02 07:00 Anna adds 1", "daily@x.example 03 07:00 bell a,bell b", "daily@x.example 04 07:00 bell c")
}

// A digest is sent once, whichever of two programs comes to it, and leaves out what its reader got as a member.
func TestDigestsAreSentOnce(t *testing.T) {
	one := newRig(t)
	one.copying(`[{ email = "boris@x.example", digest = true }]`)
	two := rigOn(t, one.DB)
	one.say("anna@x.example", "lands@play.example", "TELL Boris\nADD 5")
	two.now = one.now
	two.sum("lands") // the game is in its memory
	if got := one.digests("2026-03-02T07:00:00Z"); len(got) != 1 || !strings.Contains(got[0].Text, "Anna adds 5") || strings.Contains(got[0].Text, "secret") {
		t.Errorf("digests: %v", got)
	}
	two.sent()
	if got := two.digests("2026-03-02T07:00:01Z"); len(got) > 0 {
		t.Errorf("sent again by another program: %v", got)
	}
}

// A letter that came before a digest was due, and is ruled on after another that came since, stands in the next one.
func TestADigestOfWhatWasReadLate(t *testing.T) {
	r := newRig(t)
	r.copying(`[{ email = "daily@x.example", digest = true }]`)
	r.anna("ADD 1")
	r.now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	r.take(r.arrives(r.now.Add(-time.Hour), "anna@x.example", "STATUS"))
	r.take(r.arrives(r.now.Add(-3*time.Hour), "anna@x.example", "ADD 2"))
	for _, want := range []struct{ until, has, lacks string }{{"2026-03-02T09:00:00Z", "adds 1", "adds 2"}, {"2026-03-03T07:00:00Z", "adds 2", "adds 1"}} {
		got := r.digests(want.until)
		if len(got) != 1 || !strings.Contains(got[0].Text, want.has) || strings.Contains(got[0].Text, want.lacks) {
			t.Errorf("until %s: %+v", want.until, got)
		}
	}
}
