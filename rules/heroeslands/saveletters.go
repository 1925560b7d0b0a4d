package heroeslands

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// The save letter (HL-68, HL-69): a participant mails his victorious save with its days and points. Its title stands in the
// line, else in the name of a file, else in the subject.

// saveLooks tells the title of a save, folded, in any of its spellings, with any ending that a file has.
var saveLooks = regexp.MustCompile(`^(.+)[_ ](?:save|` + orders.Fold("сейв") + `)[ _#№]*([0-9]+)(?:\.[^ ]+)?$`)

// title is what the title of a save says: <Suzerain>_save<N>.
type title struct {
	suzerain string
	n        int64
}

// readTitle reads a title that stands in a letter, or in a line without one. It is none when its suzerain is nobody known.
func (s *State) readTitle(text string, l *rules.Letter) (t title) {
	m := saveLooks.FindStringSubmatch(orders.Fold(orders.Clean(text)))
	if m == nil {
		return t
	}
	for _, name := range []string{m[1], strings.ReplaceAll(m[1], "_", " ")} {
		if t.suzerain = s.lord(name, l); t.known() {
			break
		}
	}
	var err error
	if t.n, err = strconv.ParseInt(m[2], 10, 64); err != nil {
		t.n = mostAmount // more than any war has
	}
	return t
}

// lord is the inhabitant whom a title names, be it by the nick of who has taken over the seat; "" for none.
func (s *State) lord(name string, l *rules.Letter) string {
	if found := s.names()["nick"].Find(name); len(found) > 0 {
		return found[0]
	}
	if l != nil {
		for nick, seat := range l.Nicks {
			if orders.Fold(nick) == orders.Fold(name) && s.Inhabitants[string(seat)] != nil {
				return string(seat)
			}
		}
	}
	return ""
}

func (t title) known() bool { return t.suzerain != "" }

// titles are those of a letter's files, or else of its subject, each once, as they are written.
func (s *State) titles(l *rules.Letter) map[title]string {
	found := map[title]string{}
	if l == nil {
		return found
	}
	for _, f := range l.Attachments {
		if t := s.readTitle(f.Name, l); t.known() && found[t] == "" {
			found[t] = orders.Clean(f.Name)
		}
	}
	if t := s.readTitle(l.Subject, l); len(found) == 0 && t.known() {
		found[t] = orders.Clean(l.Subject)
	}
	return found
}

// implied is what a player's letter says by a file or a subject that is the title of a save, when no line of it gives the
// figures: that is asked back.
func implied(s *State, l rules.Letter, by rules.Actor, forms []string) []string {
	if by.Role != rules.Player || s.Inhabitants[string(by.Seat)] == nil || slices.Contains(forms, "save") || slices.Contains(forms, "save-title") {
		return nil
	}
	titles := slices.Sorted(maps.Values(s.titles(&l)))
	if len(titles) == 0 {
		return nil
	}
	return []string{"SAVE " + titles[0]}
}

// mailSave takes a save with its figures.
func mailSave(a *act, o orders.Order) (string, *rules.Ruling) {
	at, r := a.savePlace(o)
	if r = first(r, bounded(o.N("days"), 1, mostAmount), bounded(o.N("points"), 0, mostAmount)); r != nil {
		return "", r
	}
	if at.w == nil {
		return "", no("HL-68", "", rules.Data{"save": at.n, "suzerain": at.suzerain})
	}
	switch w := at.w; w.Status {
	case declared:
		return "", no("HL-69", "early", rules.Data{"war": w.ID, "begin": w.Begin})
	case begun:
	default:
		return "", no("HL-69", "late", rules.Data{"war": w.ID, "closed": instant(w.Closed)})
	}
	a.receive(at, &Save{Received: a.At.UTC(), Days: o.N("days"), Points: o.N("points")})
	return "HL-68", nil
}

// rosterPlace is the place on a roster that a title means; without a war there is none of the writer's.
type rosterPlace struct {
	title
	w    *War
	side *Side
}

// savePlace finds the place that a save letter means.
func (a *act) savePlace(o orders.Order) (at rosterPlace, r *rules.Ruling) {
	if at.title, r = a.saveTitle(o); r != nil {
		return at, r
	}
	found := map[string]rosterPlace{} // by Land
	for _, w := range a.Wars {
		for _, side := range w.sides() {
			if side.Suzerain != at.suzerain || at.n < 1 || at.n > int64(len(side.Roster)) || side.Roster[at.n-1] != a.me {
				continue
			}
			if before := found[w.Land]; before.w == nil || cmp.Compare(nearness(before.w), nearness(w)) <= 0 {
				found[w.Land] = rosterPlace{at.title, w, side}
			}
		}
	}
	best := -1
	for _, p := range found {
		best = max(best, nearness(p.w))
	}
	land, r := a.land(o, func(land string) bool { return found[land].w != nil && nearness(found[land].w) == best })
	switch {
	case r != nil && len(found) > 0:
		return at, r
	case found[land].w != nil:
		return found[land], nil
	}
	return at, nil
}

// nearness orders the wars that a title may mean: the begun one is meant, else one that is to begin, else the last.
func nearness(w *War) int { return slices.Index([]string{declared, begun}, w.Status) }

// saveTitle is the title that a save letter has: in the line, else in the name of a file, else in the subject.
func (a *act) saveTitle(o orders.Order) (title, *rules.Ruling) {
	if o.Has("title") {
		t := a.readTitle(o.Arg("title").Text, a.Letter)
		if !t.known() {
			return t, unclear("save-title", rules.Data{"name": o.Arg("title").Text})
		}
		return t, nil
	}
	found := a.titles(a.Letter)
	switch len(found) {
	case 0:
		return title{}, unclear("no-save-title", rules.Data{"slot": "title", "choices": a.ownTitles()})
	case 1:
		for t := range found {
			return t, nil
		}
	}
	return title{}, unclear("save-titles", rules.Data{"slot": "title", "choices": slices.Sorted(maps.Values(found))})
}

// ownTitles are the titles of the saves that the writer plays in begun wars.
func (a *act) ownTitles() (list []string) {
	for _, w := range a.warsOf(a.me) {
		if side := w.fields(a.me); w.Status == begun && side != nil {
			list = append(list, saveTitle(side, slices.Index(side.Roster, a.me)))
		}
	}
	return list
}

// saveTitle is the title of the save that stands at a place of a roster.
func saveTitle(side *Side, i int) string { return side.Suzerain + "_save" + strconv.Itoa(i+1) }

// receive puts a save into its pair, in the place of an earlier one.
func (a *act) receive(at rosterPlace, save *Save) {
	w, p := at.w, &at.w.Pairs[at.n-1]
	save.Name, save.Hash = a.fileOf(at.title)
	w.Received++
	save.Order = w.Received
	own := p.half(at.side == &w.Attacker)
	data := rules.Data{"save": at.n, "nick": a.me, "days": save.Days, "points": save.Points,
		"opponent": orNull(*p.half(at.side != &w.Attacker).nick), "file": orNull(save.Name), "hash": orNull(save.Hash), "replaces": nil}
	if old := *own.save; old != nil {
		data["replaces"] = old.Received
	}
	*own.save = save
	a.say("save-received", "HL-68", a.gm(a.me), warData(w, data))
	if p.AttackerSave != nil && p.DefenderSave != nil {
		a.say("pair-saves", "HL-70", a.gm(), warData(w, rules.Data{"save": at.n, "saves": p.bothSaves()}))
	}
}

// fileOf is the file of the letter that a save came in: the one whose name is its title, or the only one.
func (a *act) fileOf(t title) (name, hash string) {
	if a.Letter == nil {
		return "", ""
	}
	files := a.Letter.Attachments
	i := slices.IndexFunc(files, func(f rules.Attachment) bool {
		return a.readTitle(f.Name, a.Letter) == t
	})
	if i < 0 && len(files) == 1 {
		i = 0
	}
	if i < 0 {
		return "", ""
	}
	return orders.Clean(files[i].Name), files[i].Hash
}

// bothSaves are the saves of a pair side by side, the attacker's first, as the Magistrate is shown them.
func (p *Pair) bothSaves() []any {
	one := func(side, nick string, s *Save) map[string]any {
		row := map[string]any{"side": side, "nick": nick}
		if s != nil {
			row["file"], row["hash"] = orNull(s.Name), orNull(s.Hash)
			row["days"], row["points"], row["received"] = s.Days, s.Points, s.Received
		}
		return row
	}
	return []any{one(byAttacker, p.Attacker, p.AttackerSave), one(byDefender, p.Defender, p.DefenderSave)}
}

// askFigures asks for the figures of a save that came without them.
func askFigures(a *act, o orders.Order) *rules.Ruling {
	if _, r := a.saveTitle(o); r != nil {
		return r
	}
	return unclear("save-figures", rules.Data{"name": o.Arg("title").Text})
}

func noFigures(a *act, o orders.Order) (string, *rules.Ruling) { return "", askFigures(a, o) }

// saveAsks asks for the title, and for the Land when it could be two.
func saveAsks(a *act, o orders.Order) *rules.Ruling {
	_, r := a.savePlace(o)
	return r
}

var letterReasons = []reason{
	{"HL-68", "", []string{"save", "suzerain"}},        // the writer does not play that save of that suzerain's
	{"HL-69", "early", []string{"war", "begin"}},       // the war has not begun
	{"HL-69", "late", []string{"war", "closed"}},       // it is over
	{"", "save-title", []string{"name"}},               // nobody is called what stands before "save"
	{"", "no-save-title", []string{"slot", "choices"}}, // figures without a title
	{"", "save-titles", []string{"slot", "choices"}},   // two different titles
	{"", "save-figures", []string{"name"}},             // a title without figures
}

var letterForms = []form{
	{do: mailSave, asks: saveAsks, Form: orders.Form{ID: "save", Rule: "HL-68", Who: forPlayer, Say: say{
		"en": {"[SAVE <title:save>] DAYS <days:number> POINTS <points:number> $L", "[SAVE <title:save>] POINTS <points:number> DAYS <days:number> $L"},
		"ru": {"[СЕЙВ <title:save>] ДНЕЙ <days:number> ОЧКОВ <points:number> $L", "[СЕЙВ <title:save>] ОЧКОВ <points:number> ДНЕЙ <days:number> $L"},
	}, Help: help{
		"en": "You mail your victorious save of a war, called by its suzerain and number (Oleg_save1), with its days and points. A later one replaces it.",
		"ru": "Вы присылаете победный сейв войны, названный по сюзерену и номеру (Oleg_save1), с днями и очками. Более поздний заменяет его.",
	}}},
	{do: noFigures, asks: askFigures, Form: orders.Form{ID: "save-title", Rule: "HL-68", Who: forPlayer, Alone: true, Say: say{
		"en": {"SAVE <title:save>"},
		"ru": {"СЕЙВ <title:save>"},
	}, Help: help{
		"en": "A save without its days and points is asked back: they stand in the same line.",
		"ru": "О сейве без дней и очков вас переспросят: они стоят в той же строке.",
	}}},
}
