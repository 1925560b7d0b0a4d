package turns

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// command gives orders at the command line and returns what became of them as "verdict rule".
func (r *rig) command(game string, lines ...string) (Commanded, []string) {
	r.Helper()
	out, err := r.Command(r.Context(), game, "root", "", lines)
	if err != nil {
		r.Fatal(err)
	}
	var verdicts []string
	for _, l := range out.Lines {
		verdicts = append(verdicts, strings.TrimSpace(string(l.Verdict)+" "+l.Rule))
	}
	return out, verdicts
}

func TestCommand(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []string
		told  []string
	}{
		{"an order", []string{"ADD 5"}, []string{"accepted T-1"}, []string{"copy gm@lands.example", "copy archive@x.example", "copy clara@x.example"}},
		{"a member's", []string{"AS Boris", "TELL Anna"}, []string{"accepted E-AS", "accepted T-2"},
			[]string{"results anna@x.example", "results boris@x.example", "copy gm@lands.example"}},
		{"refused", []string{"ADD 0"}, []string{"refused T-1"}, []string{"copy gm@lands.example"}},
		{"prose is no order", []string{"Hello there", "ADD 5"}, []string{"unclear", "accepted T-1"},
			[]string{"copy gm@lands.example", "copy archive@x.example", "copy clara@x.example"}},
		{"a question", []string{"WHO"}, []string{"accepted E-WHO"}, []string{"copy gm@lands.example"}},
		{"a test", []string{"TEST", "ADD 5"}, []string{"accepted E-TEST", "accepted T-1"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands", `language = "ru"`)
			out, got := r.command("lands", tt.lines...)
			equal(t, "verdicts", got, tt.want...)
			var told []string
			for _, it := range r.sent() {
				if it.Via == viaMail {
					told = append(told, it.Kind+" "+it.To)
				}
				if it.To == "gm@lands.example" && !(strings.Contains(it.Text, "(root)") && strings.Contains(it.Text, "\n> "+tt.lines[0]+"\n")) {
					t.Errorf("the GM reads\n%s", it.Text)
				}
			}
			equal(t, "told", told, tt.told...)
			if out.Told != len(told) {
				t.Errorf("it says that %d are told", out.Told)
			}
			before := r.encoded("lands")
			r.forget("lands")
			if !slices.Equal(before, r.encoded("lands")) {
				t.Error("played again it comes out otherwise")
			}
			list, err := Inputs(t.Context(), r.DB.Read(), "lands", out.Input-1, 1)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := list[0].DecodeLetter(); err != nil || body.Who != "root" || body.Via != "command" || list[0].Seat != "Gareth" {
				t.Errorf("logged is %s by %s: %v", list[0].Body, list[0].Seat, err)
			}
		})
	}
}

func TestCommandIsAnsweredInEnglish(t *testing.T) {
	r := newRig(t)
	r.game("lands", `language = "ru"`)
	out, _ := r.command("lands", "ADD 0", "ADD 5", "WHO", "PRESS TO Boris", "text")
	if out.Lines[0].Reason != "Not below 1." || !slices.Equal(out.News, []string{"Gareth adds 5, which makes 5."}) || !strings.Contains(out.Answers[0], "Members") || !strings.Contains(out.Lines[3].Reason, "END PRESS") {
		t.Errorf("answered %+v", out)
	}
}

func TestCommandNeedsAnOrderAGameAndAGM(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	if _, err := r.Command(t.Context(), "lands", "root", "", []string{""}); !errors.Is(err, ErrNoOrders) {
		t.Error(err)
	}
	if _, err := r.Command(t.Context(), "sands", "root", "", []string{"ADD 1"}); !errors.Is(err, ErrUnknownGame) {
		t.Error(err)
	}
	if _, err := r.Command(t.Context(), "lands", "root", "Anna", []string{"ADD 1"}); err == nil || !strings.Contains(err.Error(), "no such GM") {
		t.Error(err)
	}
	if _, err := r.Command(t.Context(), "lands", "root", "", []string{"BOOM"}); !isFault(err) || r.load("lands").Held != "" {
		t.Errorf("a rule that failed: %v, held %q", err, r.load("lands").Held)
	}
	if got := r.told(); len(got) != 0 || r.sum("lands") != 0 {
		t.Errorf("told %v, sum %d", got, r.sum("lands"))
	}
}

// What waits for its sources, or for a fault to be mended, does not keep the operator from putting the game right.
func TestCommandIsGivenBeforeWhatWaits(t *testing.T) {
	for _, kind := range []string{"BELL x 60", "EARLY x 60"} {
		r := newRig(t, Feed{Name: "box", Address: "lands@play.example"})
		r.game("lands")
		r.say("anna@x.example", "lands@play.example", kind)
		due := r.now.Add(time.Minute)
		r.now = r.now.Add(time.Hour)
		r.command("lands", "ADD 5")
		if at := r.last("lands").At; at.After(due) || at.Before(due.Add(-time.Second)) || at.Equal(due) != strings.HasPrefix(kind, "BELL") {
			t.Errorf("%s: it is given as of %s", kind, at)
		}
		r.take()
		if _, err := r.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		equal(t, kind, r.events("lands"), "added", "rang x")
	}
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "FUSE 60")
	r.now = r.now.Add(time.Hour)
	if _, err := r.Tick(t.Context()); err != nil || r.load("lands").Held == "" {
		t.Fatal("the game is not held", err)
	}
	r.command("lands", "ADD 5")
	if r.sum("lands") != 5 || r.load("lands").Held == "" {
		t.Errorf("sum %d, held %q", r.sum("lands"), r.load("lands").Held)
	}
}

// Another process gives the orders, and the one that runs notices.
func TestCommandBesideARunningEngine(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	beside := rigOn(t, r.DB)
	beside.now = r.now
	beside.command("lands", "ADD 2", "AS Anna", "LANGUAGE ru")
	r.say("anna@x.example", "lands@play.example", "ADD 4")
	if got := r.sum("lands"); got != 7 {
		t.Errorf("sum %d", got)
	}
	if got := r.load("lands").seat("Anna").Language; got != "ru" {
		t.Errorf("Anna's language is %q", got)
	}
}
