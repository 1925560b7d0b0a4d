// Package roundstest is a small, complete ruleset of simultaneous orders, "muster", for the tests of rounds, of the
// engine and of the commands; no program has it built in.
//
// Its promise: it uses everything that rounds gives, and has one of everything that an engine must keep to: orders kept
// for their round, one that acts at once, one of the GM's, secrets that never come out, chance, and an end. Each round
// every player sends troops to places, unseen; at the close the most troops win a place's worth, and equals draw for it.
package roundstest

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rounds"
)

//go:embed texts
var files embed.FS

// State is the state of a game.
type State struct {
	Rounds    rounds.Rounds
	Most      int           // rounds
	Lasts     time.Duration // a round, where the calendar does not say when deadlines fall
	Troops    int           // that each player has in a round
	Places    []Place
	Points    map[rules.Seat]int
	Watchword map[rules.Seat]string // secret for good
}

// Place is what troops are sent to.
type Place struct {
	Name  string `toml:"name"`
	Worth int    `toml:"worth"`
}

// ids are the rules under which the engine's own orders are refused.
var ids = rules.EngineIDs{Role: "MU-R", Nothing: "MU-N", Past: "MU-P"}

// Ruleset returns the ruleset "muster".
func Ruleset() *rules.Ruleset {
	texts, err := fs.Sub(files, "texts")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return rules.New(rules.Rules[*State]{
		Name: "muster", Version: 1, IDs: ids, Texts: texts, Grammar: grammar(),
		Keeps:   rules.Calendar{Least: 12 * time.Hour, Grace: 12 * time.Hour},
		Open:    open,
		Names:   func(s *State) orders.Lexicon { return s.names() },
		Take:    take,
		Control: control,
		Next:    func(s *State) (rules.Due, bool) { return s.Rounds.Next() },
		Fire:    fire,
		Round:   func(s *State) int { return s.Rounds.Phase.Round },
		Waits:   func(s *State, v rules.Viewer) []rules.Deadline { return s.Rounds.Waits(v) },
		Kept:    func(s *State, v rules.Viewer) []rules.Kept { return s.Rounds.Kept(v) },
		Offers:  offers,
		View:    func(s *State, v rules.Viewer) any { return s.view(v) },
		Over:    func(s *State) bool { return s.Rounds.Phase.Name == "" },
	})
}

// Reasons are the names of the texts of its refusals.
var Reasons = []string{"refused MU-R", "refused MU-R player", "refused MU-R award", "refused MU-N", "refused MU-P", "refused MU-1 troops", "refused MU-1 none", "refused MU-2"}

func grammar() *orders.Grammar {
	form := func(id, rule, who, en, ru, helpEn, helpRu string) orders.Form {
		return orders.Form{ID: id, Rule: rule, Who: who, Say: map[string][]string{"en": {en}, "ru": {ru}}, Help: map[string]string{"en": helpEn, "ru": helpRu}}
	}
	return orders.MustGrammar(orders.Spec{Forms: []orders.Form{
		form("send", "MU-1", "player", "SEND <n:number> TO <place>", "ПОСЛАТЬ <n:number> В <place>",
			"Sends so many of your troops to a place when the round closes; nobody sees it before.",
			"Посылает столько ваших войск в место, когда раунд закроется; до того этого никто не видит."),
		form("spy", "MU-3", "player", "SPY ON <place>", "ШПИОНИТЬ В <place>",
			"When the round closes, you alone learn how many troops each sent to a place.",
			"Когда раунд закроется, вы один узнаете, кто сколько войск послал в место."),
		form("watchword", "MU-4", "player", "WATCHWORD <word>", "ДЕВИЗ <word>",
			"Chooses your watchword at once; it stays your secret.", "Сразу выбирает ваш девиз; он остаётся вашей тайной."),
		form("award", "MU-5", "gm", "AWARD <n:number> TO <nick>", "НАГРАДИТЬ <nick> НА <n:number>",
			"Gives a player points at once.", "Сразу даёт игроку очки."),
	}})
}

func open(w rules.World, _ *rules.Dice) (*State, []rules.Event, error) {
	var world struct {
		Rounds int     `toml:"rounds"`
		Lasts  string  `toml:"lasts"`
		Troops int     `toml:"troops"`
		Places []Place `toml:"places"`
	}
	if err := w.Decode(&world); err != nil {
		return nil, nil, err
	}
	lasts, ok := orders.ParseDuration(cmp.Or(world.Lasts, "2d"))
	switch {
	case !ok || lasts == 0:
		return nil, nil, fmt.Errorf("lasts: %q is no length of time; write one as \"2d\"", world.Lasts)
	case world.Rounds < 0 || world.Troops < 0:
		return nil, nil, fmt.Errorf("rounds: rounds and troops are not below 0")
	case len(world.Places) == 0:
		return nil, nil, fmt.Errorf("places: name at least one place")
	}
	s := &State{Rounds: rounds.New(w), Most: cmp.Or(world.Rounds, 3), Lasts: lasts, Troops: cmp.Or(world.Troops, 10), Places: world.Places,
		Points: map[rules.Seat]int{}, Watchword: map[rules.Seat]string{}}
	for _, seat := range s.Rounds.Players {
		s.Points[seat] = 0
	}
	return s, []rules.Event{s.begin(1, rules.Env{At: w.Start, Now: w.Start, Zone: w.Zone})}, nil
}

// begin begins a round.
func (s *State) begin(n int, e rules.Env) rules.Event {
	s.Rounds.Begin(rounds.Phase{Round: n, Name: "orders", Awaits: s.Rounds.Players, Lasts: s.Lasts}, e)
	return rules.Event{Type: "round-began", Rule: "MU-1", To: s.everybody(), Data: rules.Data{"round": n, "deadline": *s.Rounds.Deadline}}
}

func (s *State) everybody() rules.Audience {
	return rules.Audience{Tavern: true, GM: true, Copies: true, Members: slices.Clone(s.Rounds.Players)}
}

func (s *State) names() orders.Lexicon {
	nicks, places := &orders.Names{}, &orders.Names{}
	for _, seat := range s.Rounds.Players {
		nicks.Add(string(seat))
	}
	for _, p := range s.Places {
		places.Add(p.Name)
	}
	return orders.Lexicon{"nick": nicks, "place": places}
}

func take(s *State, o orders.Order, e rules.Env) (*State, []rules.Event, rules.Ruling) {
	seat := e.By.Seat
	_, plays := s.Points[seat]
	switch {
	case s.Rounds.Phase.Name == "":
		return s, nil, rules.Refuse("MU-N", "no-phase", nil)
	case o.Form == "award" && e.By.Role != rules.GM:
		return s, nil, rules.Refuse("MU-R", "award", nil)
	case o.Form != "award" && !plays:
		return s, nil, rules.Refuse("MU-R", "player", nil)
	}
	switch o.Form {
	case "send":
		if refused := s.canSend(seat, o); refused != nil {
			return s, nil, *refused
		}
		return s, nil, s.Rounds.Keep("MU-1", o, e, "send", o.ID("place"))
	case "spy":
		return s, nil, s.Rounds.Keep("MU-3", o, e, "spy", o.ID("place"))
	case "watchword":
		word := o.Arg("word").Text
		s.Watchword[seat] = word
		return s, []rules.Event{{Type: "watchword-chosen", Rule: "MU-4", To: rules.Audience{GM: true, Members: []rules.Seat{seat}},
			Data: rules.Data{"nick": seat, "word": word}}}, rules.Accept("MU-4")
	}
	to, n := rules.Seat(o.ID("nick")), int(o.N("n"))
	if n < 1 || n > 1000 {
		return s, nil, rules.Refuse("MU-2", "", nil)
	}
	s.Points[to] += n
	return s, []rules.Event{{Type: "awarded", Rule: "MU-5", To: s.everybody(), Data: rules.Data{"nick": to, "points": n}}}, rules.Accept("MU-5")
}

// canSend refuses to send more troops than there are. What the order would replace is free again.
func (s *State) canSend(seat rules.Seat, o orders.Order) *rules.Ruling {
	n, free := o.N("n"), int64(s.Troops)
	for _, k := range s.Rounds.Of(seat) {
		if k.Kind == "send" && k.Order.ID("place") != o.ID("place") {
			free -= k.Order.N("n")
		}
	}
	switch {
	case n < 1:
		return new(rules.Refuse("MU-1", "none", nil))
	case n > free:
		return new(rules.Refuse("MU-1", "troops", rules.Data{"n": n, "free": free}))
	}
	return nil
}

func control(s *State, c rules.Control, e rules.Env) (*State, []rules.Event, rules.Ruling) {
	ev, ru := s.Rounds.Control(c, e, ids)
	return s, ev, ru
}

// fire closes a round and resolves its orders, place by place; then the next begins, or the game ends.
func fire(s *State, d rules.Due, e rules.Env) (*State, []rules.Event) {
	closed, ev := s.Rounds.Fire(d, e)
	if closed == nil {
		return s, ev
	}
	ev = append(ev, rules.Event{Type: "round-closed", Rule: "MU-1", To: s.everybody(),
		Data: rules.Data{"round": closed.Round, "by": closed.By, "missing": append([]rules.Seat{}, closed.Missing...)}})
	for _, p := range s.Places {
		ev = append(ev, s.resolve(p, closed.Round, e)...)
	}
	if closed.Round < s.Most {
		return s, append(ev, s.begin(closed.Round+1, e))
	}
	s.Rounds.End()
	return s, append(ev, rules.Event{Type: "game-over", Rule: "MU-6", To: s.everybody(), Data: rules.Data{"points": maps.Clone(s.Points), "winners": s.leaders()}})
}

// resolve finds out who takes a place.
func (s *State) resolve(p Place, round int, e rules.Env) (ev []rules.Event) {
	sent := map[rules.Seat]int{}
	var spies, best []rules.Seat
	for _, o := range s.Rounds.Orders {
		switch {
		case o.Order.ID("place") != p.Name:
		case o.Kind == "spy":
			spies = append(spies, o.Seat)
		default:
			sent[o.Seat] = int(o.Order.N("n"))
		}
	}
	for _, seat := range slices.Sorted(maps.Keys(sent)) {
		if len(best) == 0 || sent[seat] > sent[best[0]] {
			best = nil
		}
		if len(best) == 0 || sent[seat] == sent[best[0]] {
			best = append(best, seat)
		}
	}
	for _, spy := range spies {
		ev = append(ev, rules.Event{Type: "spied", Rule: "MU-3", To: rules.Audience{GM: true, Members: []rules.Seat{spy}},
			Data: rules.Data{"nick": spy, "place": p.Name, "sent": maps.Clone(sent)}})
	}
	if len(best) == 0 {
		return ev
	}
	won := 0
	if len(best) > 1 {
		draw := e.Dice.Draw(round, "place "+p.Name, uint64(len(best)))
		won = int(draw.Value)
		ev = append(ev, rules.Event{Type: "drawn", Rule: "MU-2", To: s.everybody(), Data: rules.Data{"place": p.Name, "among": best, "winner": best[won],
			"round": round, "purpose": draw.Purpose, "counter": draw.Counter, "of": draw.Of, "value": draw.Value}})
	}
	s.Points[best[won]] += p.Worth
	return append(ev, rules.Event{Type: "place-taken", Rule: "MU-2", To: s.everybody(), Data: rules.Data{"place": p.Name, "nick": best[won], "points": p.Worth}})
}

// leaders are those with the most points.
func (s *State) leaders() (list []rules.Seat) {
	most := slices.Max(slices.Collect(maps.Values(s.Points)))
	for _, seat := range slices.Sorted(maps.Keys(s.Points)) {
		if s.Points[seat] == most {
			list = append(list, seat)
		}
	}
	return list
}

func offers(s *State, v rules.Viewer) (list []rules.Offer) {
	if _, plays := s.Points[v.Seat]; !plays || s.Rounds.Phase.Name == "" {
		return nil
	}
	for _, p := range s.Places {
		list = append(list, rules.Offer{Form: "send", Args: map[string]string{"place": p.Name}})
	}
	return append(list, rules.Offer{Form: "spy"}, rules.Offer{Form: "watchword"})
}

type view struct {
	Round    int                       `json:"round"`
	Phase    string                    `json:"phase"`
	Deadline *time.Time                `json:"deadline"`
	Places   map[string]int            `json:"places"`
	Players  map[rules.Seat]viewPlayer `json:"players"`
}

type viewPlayer struct {
	Points int `json:"points"`
	*viewPrivate
}

// viewPrivate is what only a player himself and the GM see of him.
type viewPrivate struct {
	Ready     bool     `json:"ready"`
	Orders    []string `json:"orders"`
	Watchword string   `json:"watchword"`
}

func (s *State) view(who rules.Viewer) view {
	r := &s.Rounds
	v := view{Round: r.Phase.Round, Phase: r.Phase.Name, Places: map[string]int{}, Players: map[rules.Seat]viewPlayer{}}
	if !r.Held() {
		v.Deadline = r.Deadline
	}
	for _, p := range s.Places {
		v.Places[p.Name] = p.Worth
	}
	for seat, points := range s.Points {
		p := viewPlayer{Points: points}
		if who.GM || who.Seat == seat {
			p.viewPrivate = &viewPrivate{Ready: r.IsReady(seat), Orders: []string{}, Watchword: s.Watchword[seat]}
			for _, o := range r.Of(seat) {
				p.Orders = append(p.Orders, fmt.Sprintf("%d. %s", o.N, o.Order.Line))
			}
		}
		v.Players[seat] = p
	}
	return v
}
