package heroeslands

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/templates"
)

var ruleset = Ruleset()

// theCast are the members of the games in tests.
var theCast = rulestest.Members("gm:Magistrate", "observer:Olga", "Petra", "Oleg", "Boris", "Ivan", "Lazar", "Karl", "Vera", "Anna")

// script is a game in a test, a line a step or a check of what the last step did:
//
//	d5 Oleg: CHALLENGE Boris => HL-32            at 5 days from the start, accepted under HL-32
//	d5+1s Oleg posts: SERVE Ivan => refused HL-03 post
//	+ LEAVE CLAN => HL-82 clan                   the next line of the same letter
//	2026-03-01T10:00:00Z                         only time passes
//	! duel-declared gold-held                    these events, in this order; - for none
//	@ duel-declared kind = "vassalage"           of the first event of the type; rule = HL-42; to = tavern,gm,copies,Boris
//	? inhabitants.Oleg.gold = 500                the state, as the GM sees it; a missing path is absent
//
// Every script is also held against the promises of rulesets.
type script struct {
	name, world, play string
}

func (s script) run(t *testing.T) {
	t.Helper()
	t.Run(s.name, func(t *testing.T) {
		p := &player{t: t, g: rulestest.Open(t, ruleset, s.open())}
		lines := strings.Split(s.play, "\n")
		for n, line := range lines {
			if line = strings.TrimSpace(line); line != "" {
				p.line = fmt.Sprintf("line %d: %s", n+1, line)
				p.more = goesOn(lines[n+1:])
				p.do(line)
			}
		}
		written().Keep(t, rulestest.Play{World: s.open(), Steps: s.steps(t)})
	})
}

func (s script) open() rules.World { return rulestest.World(s.world, theCast...) }

// written reads the names of the ruleset's texts, once.
var written = sync.OnceValue(func() *rulestest.Suite { return rulestest.NewSuite(ruleset) })

// goesOn tells whether the letter at hand has a further line among these.
func goesOn(lines []string) bool {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.ContainsAny(line[:1], "!@?") {
			return line[0] == '+'
		}
	}
	return false
}

// steps are the steps of a script without its checks.
func (s script) steps(t *testing.T) (steps []rulestest.Step) {
	lines := strings.Split(s.play, "\n")
	for n, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "!@?") {
			continue
		}
		step := stepOf(t, line, steps)
		step.More = goesOn(lines[n+1:])
		steps = append(steps, step)
	}
	return steps
}

// stepOf reads the step of a line, given those before it.
func stepOf(t *testing.T, line string, before []rulestest.Step) rulestest.Step {
	t.Helper()
	if m := furtherLine.FindStringSubmatch(line); m != nil {
		step := before[len(before)-1]
		step.Line = m[1]
		return step
	}
	if m := stepLine.FindStringSubmatch(line); m != nil {
		return rulestest.Step{At: instantOf(t, m[1]), By: m[2], Line: m[4], Post: m[3] != ""}
	}
	return rulestest.Step{At: instantOf(t, line)}
}

type player struct {
	t      *testing.T
	g      *rulestest.Game
	line   string
	more   bool // the letter goes on
	steps  []rulestest.Step
	events []rules.Event
}

var (
	stepLine    = regexp.MustCompile(`^(\S+) (.+?)( posts)?: (.*) => (.*)$`)
	furtherLine = regexp.MustCompile(`^\+ (.*) => .*$`)
	verdictLine = regexp.MustCompile(`^.* => (.*)$`)
	eventLine   = regexp.MustCompile(`^@ (\S+) (\S+) = (.*)$`)
	stateLine   = regexp.MustCompile(`^\? (.+) = (.*)$`)
)

func (p *player) do(line string) {
	p.t.Helper()
	switch {
	case line[0] == '!':
		want := strings.Fields(line[1:])
		if want[0] == "-" {
			want = nil
		}
		if got := rulestest.Types(p.events); !slices.Equal(got, want) {
			p.t.Errorf("%s\n\tevents are %v", p.line, got)
		}
	case line[0] == '@':
		m := eventLine.FindStringSubmatch(line)
		p.event(m[1], m[2], m[3])
	case line[0] == '?':
		m := stateLine.FindStringSubmatch(line)
		p.state(m[1], m[2+0])
	default:
		p.step(line)
	}
}

func (p *player) step(line string) {
	p.t.Helper()
	step := stepOf(p.t, line, p.steps)
	step.More = p.more
	p.steps = append(p.steps, step)
	p.pass(step.At)
	if step.Line == "" {
		return
	}
	a := p.g.Line(step)
	balanced(p.t, seen(p.t, p.g))
	p.events = append(p.events, a.Events...)
	p.told(a)
	if got, want := verdict(a), verdictLine.FindStringSubmatch(line)[1]; got != want {
		p.t.Errorf("%s\n\tit was %s %v %+v", p.line, got, a.Data, a.Unclear)
	}
}

// told looks whether what happened can be told in every language.
func (p *player) told(a rulestest.Answer) {
	p.t.Helper()
	for _, r := range []templates.Reader{english, russian} {
		for _, e := range p.events {
			text, err := telling().Event(r, e.Type, textsAt, e.Data)
			if err != nil {
				p.t.Errorf("%s: %s: %v", p.line, e.Type, err)
			}
			readable(p.t, p.line+": "+e.Type, text)
		}
		if a.Order != nil && !a.OK() {
			text, err := telling().Reason(r, a.Ruling)
			if err != nil {
				p.t.Errorf("%s: %v", p.line, err)
			}
			readable(p.t, p.line, text)
		}
	}
}

// telling compiles the texts, once.
var telling = sync.OnceValue(func() *templates.Texts {
	x, err := templates.New(ruleset, textGrammar)
	if err != nil {
		panic(err)
	}
	return x
})

func (p *player) pass(at time.Time) {
	p.events = nil
	for _, h := range p.g.Until(at) {
		p.events = append(p.events, h.Events...)
	}
	balanced(p.t, seen(p.t, p.g))
}

func verdict(a rulestest.Answer) string {
	switch {
	case a.Prose():
		return "prose"
	case a.Order == nil:
		return "unclear"
	case a.Verdict == orders.Accepted:
		return a.Rule
	}
	return rulestest.ReasonText(a.Rule, a.Why)
}

func instantOf(t *testing.T, s string) time.Time {
	t.Helper()
	if d, ok := strings.CutPrefix(s, "d"); ok {
		num, more, _ := strings.Cut(d, "+")
		n, err := strconv.Atoi(num)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * day)
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
	e := rulestest.Find(p.events, typ)
	if e == nil {
		p.t.Errorf("%s\n\tthere is no such event among %v", p.line, rulestest.Types(p.events))
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
		p.equal(plain(p.t, e.Data)[field], want)
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
	var at any = plain(p.t, v)
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
		b, _ := json.Marshal(got)
		p.t.Errorf("%s\n\tit is %s", p.line, b)
	}
}

// plain returns a value as JSON gives it back.
func plain(t *testing.T, v any) (m map[string]any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
