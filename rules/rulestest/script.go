package rulestest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Script is a game in a test, written line by line. A line is a step or a check of what the last step did:
//
//	d5 Oleg: CHALLENGE Boris => HL-32            at 5 days from the start, accepted under HL-32
//	d5+1s Oleg posts: SERVE Ivan => refused HL-03 post
//	+ LEAVE CLAN => HL-82 clan                   the next line of the same letter
//	d6 Oleg: READY => KM-P1                      also WAIT, CANCEL 3, CANCEL ALL, PROCESS NOW, HOLD and RESUME
//	2026-03-01T10:00:00Z                         only time passes
//	! duel-declared gold-held                    these events, in this order; - for none
//	@ duel-declared kind = "vassalage"           of the first event of the type; rule = HL-42; to = tavern,gm,copies,Boris;
//	                                             .to of its data
//	? inhabitants.Oleg.gold = 500                the state, as the GM sees it; a missing path is absent
//
// Every script is also held against the promises of rulesets.
type Script struct {
	Name, World, Play string
	IDs               bool // of verdicts only the ids of their rules are compared, whatever the texts say
}

// Stage is where the scripts of a ruleset are played.
type Stage struct {
	*Suite
	Cast  []rules.Member
	Check func(T, *Game) // after every step; may be nil
	Apart []string       // types of events that come with many steps: a line "!" leaves them out
}

// World opens a script's world, or any other, with the stage's cast.
func (st *Stage) World(file string) rules.World { return World(file, st.Cast...) }

// Run plays a script.
func (st *Stage) Run(t *testing.T, s Script) {
	t.Helper()
	t.Run(s.Name, func(t *testing.T) {
		p := &player{t: t, st: st, g: Open(t, st.r, st.World(s.World)), ids: s.IDs}
		lines := strings.Split(s.Play, "\n")
		for n, line := range lines {
			if line = strings.TrimSpace(line); line != "" {
				p.line = fmt.Sprintf("line %d: %s", n+1, line)
				p.more = goesOn(lines[n+1:])
				p.do(line)
			}
		}
		st.Keep(t, Play{World: st.World(s.World), Steps: p.steps})
	})
}

// goesOn tells whether the letter at hand has a further line among these.
func goesOn(lines []string) bool {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !isCheck(line) {
			return line[0] == '+'
		}
	}
	return false
}

// isCheck tells whether a line is no step.
func isCheck(line string) bool { return strings.ContainsAny(line[:1], "!@?") }

// player plays a script.
type player struct {
	t      *testing.T
	st     *Stage
	g      *Game
	ids    bool
	line   string
	more   bool // the letter goes on
	steps  []Step
	events []rules.Event
}

var (
	stepLine    = regexp.MustCompile(`^(\S+) (.+?)( posts)?: (.*) => (.*)$`)
	furtherLine = regexp.MustCompile(`^\+ (.*) => .*$`)
	verdictLine = regexp.MustCompile(`^.* => (.*)$`)
	eventLine   = regexp.MustCompile(`^@ (\S+) (\S+) = (.*)$`)
	stateLine   = regexp.MustCompile(`^\? (.+) = (.*)$`)
	cancelLine  = regexp.MustCompile(`^CANCEL (ALL|[0-9]+)$`)
)

func (p *player) do(line string) {
	p.t.Helper()
	switch {
	case line[0] == '!':
		want := strings.Fields(line[1:])
		if want[0] == "-" {
			want = nil
		}
		got := slices.DeleteFunc(Types(p.events), func(typ string) bool { return slices.Contains(p.st.Apart, typ) })
		if !slices.Equal(got, want) {
			p.t.Errorf("%s\n\tevents are %v", p.line, got)
		}
	case line[0] == '@':
		m := p.match(eventLine, line)
		p.event(m[1], m[2], m[3])
	case line[0] == '?':
		m := p.match(stateLine, line)
		p.state(m[1], m[2])
	default:
		p.step(line)
	}
}

func (p *player) match(re *regexp.Regexp, line string) []string {
	p.t.Helper()
	m := re.FindStringSubmatch(line)
	if m == nil {
		p.t.Fatalf("%s\n\tthis is no line of a script", p.line)
	}
	return m
}

func (p *player) step(line string) {
	p.t.Helper()
	step := p.stepOf(line)
	step.More = p.more
	p.steps = append(p.steps, step)
	p.events = nil
	if line[0] != '+' { // nothing falls due in the midst of a letter
		for _, h := range p.g.Until(step.At) {
			p.events = append(p.events, h.Events...)
		}
	}
	p.check()
	if step.Line == "" && step.Control.Kind == "" {
		p.told(Answer{})
		return
	}
	a := p.g.do(step)
	a.Events = append(a.Events, p.g.read(step)...)
	p.check()
	p.events = append(p.events, a.Events...)
	p.told(a)
	got := Verdict(a)
	if p.ids {
		got = strings.TrimSpace(strings.TrimSuffix(got, a.Why))
	}
	if want := p.match(verdictLine, line)[1]; got != want {
		p.t.Errorf("%s\n\tit was %s %v %+v", p.line, got, a.Data, a.Unclear)
	}
}

func (p *player) check() {
	p.t.Helper()
	if p.st.Check != nil {
		p.st.Check(p.t, p.g)
	}
}

// stepOf reads the step of a line.
func (p *player) stepOf(line string) Step {
	p.t.Helper()
	if m := furtherLine.FindStringSubmatch(line); m != nil {
		step := p.steps[len(p.steps)-1]
		step.Line, step.Control = m[1], rules.Control{}
		return ofControl(step)
	}
	if m := stepLine.FindStringSubmatch(line); m != nil {
		return ofControl(Step{At: Instant(p.t, m[1]), By: m[2], Line: m[4], Post: m[3] != ""})
	}
	return Step{At: Instant(p.t, line)}
}

// saidControls are the engine's orders as scripts have them.
var saidControls = map[string]rules.Control{
	"READY": {Kind: rules.Ready}, "WAIT": {Kind: rules.Wait}, "PROCESS NOW": {Kind: rules.Close},
	"HOLD": {Kind: rules.Hold}, "RESUME": {Kind: rules.Shift},
}

// ofControl makes a control of a step whose line is one of the engine's orders.
func ofControl(s Step) Step {
	c, ok := saidControls[s.Line]
	if m := cancelLine.FindStringSubmatch(s.Line); m != nil {
		c.N, _ = strconv.Atoi(m[1])
		c.Kind, ok = rules.Cancel, true
	}
	if ok {
		s.Line, s.Control = "", c
	}
	return s
}

// told looks whether what happened can be told in every language.
func (p *player) told(a Answer) {
	p.t.Helper()
	for _, r := range readers {
		for _, e := range p.events {
			text, err := p.st.texts.Event(r, e.Type, p.g.w.Start, e.Data)
			p.read(e.Type, text, err)
		}
		if a.Order != nil && !a.OK() {
			text, err := p.st.texts.Reason(r, a.Ruling)
			p.read("the reason", text, err)
		}
	}
}

func (p *player) read(what, text string, err error) {
	p.t.Helper()
	readable(p.t, p.line+": "+what, text, err)
	for _, bad := range []string{"  ", " .", " ,", "..", "\t", "0001"} {
		if strings.Contains(text, bad) {
			p.t.Errorf("%s: %s: %q in %q", p.line, what, bad, text)
		}
	}
}

// Verdict is what became of a line, as scripts have it: "prose", "unclear", the rule of an accepted order, the name of the
// text of another ruling ("refused HL-33 pair").
func Verdict(a Answer) string {
	switch {
	case a.Verdict == orders.Accepted:
		return a.Rule
	case a.Rule != "":
		return ReasonText(a.Rule, a.Why)
	case a.Prose():
		return "prose"
	case a.Order == nil:
		return "unclear"
	}
	return ReasonText("", a.Why)
}

// start is the first day of the games in tests.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Instant reads the instant of a script's line: "d5", "d5+1h30m" from the start, or one in full.
func Instant(t T, s string) time.Time {
	t.Helper()
	if d, ok := strings.CutPrefix(s, "d"); ok {
		num, more, _ := strings.Cut(d, "+")
		n, err := strconv.Atoi(num)
		if err != nil {
			t.Fatal(err)
		}
		at := start.AddDate(0, 0, n)
		if more != "" {
			extra, err := time.ParseDuration(more)
			if err != nil {
				t.Fatal(err)
			}
			at = at.Add(extra)
		}
		return at
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func (p *player) event(typ, field, want string) {
	p.t.Helper()
	e := Find(p.events, typ)
	if e == nil {
		p.t.Errorf("%s\n\tthere is no such event among %v", p.line, Types(p.events))
		return
	}
	switch field {
	case "rule":
		if e.Rule != want {
			p.t.Errorf("%s\n\tits rule is %s", p.line, e.Rule)
		}
	case "to":
		if got := audience(e.To); got != want {
			p.t.Errorf("%s\n\tits audience is %s", p.line, got)
		}
	default:
		p.equal(Plain(p.t, e.Data)[strings.TrimPrefix(field, ".")], want)
	}
}

func audience(to rules.Audience) string {
	var who []string
	for name, is := range map[string]bool{"tavern": to.Tavern, "gm": to.GM, "copies": to.Copies} {
		if is {
			who = append(who, name)
		}
	}
	slices.SortFunc(who, func(a, b string) int { return strings.Compare(b, a) }) // tavern, gm, copies
	for _, m := range to.Members {
		who = append(who, string(m))
	}
	return strings.Join(who, ",")
}

func (p *player) state(path, want string) {
	p.t.Helper()
	v, err := p.g.State.View(rules.Viewer{GM: true})
	if err != nil {
		p.t.Fatal(err)
	}
	var at any = Plain(p.t, v)
	for _, key := range strings.Split(path, ".") {
		switch x := at.(type) {
		case map[string]any:
			at = x[key]
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(x) {
				p.t.Errorf("%s\n\tthere is no %s in %v", p.line, key, x)
				return
			}
			at = x[n]
		default:
			p.t.Errorf("%s\n\tthere is no %s", p.line, key)
			return
		}
	}
	p.equal(at, want)
}

func (p *player) equal(got any, want string) {
	p.t.Helper()
	var w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		p.t.Fatalf("%s: %v", p.line, err)
	}
	if !reflect.DeepEqual(got, w) {
		p.t.Errorf("%s\n\tit is %s", p.line, asJSON(p.t, got))
	}
}

// Plain returns a value as JSON gives it back.
func Plain(t T, v any) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(asJSON(t, v)), &m); err != nil {
		t.Fatal(err)
	}
	return m
}
