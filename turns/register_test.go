package turns

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNextRegister(t *testing.T) {
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, after, want string
		zone              *time.Location
	}{
		{"in the middle of a month", "2026-01-15T12:00:00Z", "2026-02-01T07:00:00Z", time.UTC},
		{"early on the first", "2026-02-01T06:59:59Z", "2026-02-01T07:00:00Z", time.UTC},
		{"at the hour itself", "2026-02-01T07:00:00Z", "2026-03-01T07:00:00Z", time.UTC},
		{"at the end of a long month", "2026-01-31T23:00:00Z", "2026-02-01T07:00:00Z", time.UTC},
		{"over the end of a year", "2026-12-02T00:00:00Z", "2027-01-01T07:00:00Z", time.UTC},
		{"by the game's clock", "2026-06-30T23:30:00Z", "2026-07-01T06:00:00Z", london},
	} {
		after, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := nextRegister(after, c.zone).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s: after %s it is %s, not %s", c.name, c.after, got, c.want)
		}
	}
}

// registered lets everything fall due up to an instant, and returns to whom registers were sent, with their dates.
func (r *rig) registered(until string) (list []string) {
	r.Helper()
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		r.Fatal(err)
	}
	r.now = at
	if _, err := r.Tick(r.Context()); err != nil {
		r.Fatal(err)
	}
	for _, it := range r.sent() {
		if strings.Contains(it.Subject, "the register of") {
			list = append(list, it.To+" "+it.Date.UTC().Format(time.RFC3339))
		}
	}
	return list
}

// The register goes to whom the game says, once a month, also over restarts; after an outage one stands for all of them.
func TestRegister(t *testing.T) {
	const judge, anna, boris = "gm@lands.example ", "anna@x.example ", "boris@x.example "
	for _, c := range []struct {
		name string
		more string
		want []string // on the first of April
	}{
		{"nothing said", "", []string{judge + "2026-04-01T07:00:00Z"}},
		{"gm", `register = "gm"`, []string{judge + "2026-04-01T07:00:00Z"}},
		{"all", `register = "all"`, []string{judge + "2026-04-01T07:00:00Z", anna + "2026-04-01T07:00:00Z", boris + "2026-04-01T07:00:00Z"}},
		{"off", `register = "off"`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := feudal(t, c.more)
			if got := r.registered("2026-04-01T06:59:59Z"); got != nil {
				t.Errorf("before the hour: %v", got)
			}
			if got := r.registered("2026-04-01T07:00:01Z"); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			next := rigOn(t, r.DB)
			next.seq = r.seq
			if got := next.registered("2026-04-30T00:00:00Z"); got != nil {
				t.Errorf("twice, by another engine: %v", got)
			}
			if got := next.registered("2026-08-20T00:00:00Z"); len(got) != len(c.want) {
				t.Errorf("after months without it: %v", got)
			}
			if got := next.registered("2026-09-01T08:00:00Z"); len(got) != len(c.want) {
				t.Errorf("and on: %v", got)
			}
		})
	}
}

// A register is as of its instant: it waits until every letter from before has been read.
func TestRegisterWaitsForItsSources(t *testing.T) {
	r := feudal(t)
	r.Feeds = []Feed{{Name: "box", Address: "lands@play.example"}}
	march := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	r.now = march
	r.take(r.mail(gmOfLands, "lands@play.example", "CREDIT 5 @ TO Anna"))
	if got := r.registered("2026-04-01T09:00:00Z"); got != nil {
		t.Errorf("the mailbox was read up to the day before: %v", got)
	}
	r.read("box", time.Date(2026, 4, 1, 8, 0, 0, 0, time.UTC))
	if got := r.registered("2026-04-01T09:00:01Z"); len(got) != 1 {
		t.Errorf("it was read past the instant: %v", got)
	}
}

// A game that is held by its GM has its register; one that is turned off has none from then on, and turned on it has the next.
func TestRegisterOfAGameThatStands(t *testing.T) {
	r := feudal(t)
	r.order(gmOfLands, "HOLD the snow is deep")
	if got := r.registered("2026-04-01T08:00:00Z"); len(got) != 1 {
		t.Errorf("held: %v", got)
	}
	set := func(to string) {
		t.Helper()
		if _, err := r.Set(t.Context(), "lands", "ops", []Setting{{"register", to}}); err != nil {
			t.Fatal(err)
		}
	}
	set("off")
	if got := r.registered("2026-05-01T08:00:00Z"); got != nil {
		t.Errorf("turned off: %v", got)
	}
	set("all")
	if got := r.registered("2026-06-01T08:00:00Z"); len(got) != 3 {
		t.Errorf("turned on: %v", got)
	}
	r.same("lands")
}
