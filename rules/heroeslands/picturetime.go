package heroeslands

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/rules"
)

// matter is a war or a duel as a time line shows it: nothing of it but what is public.
type matter struct {
	en, ru string
	open   bool
	till   time.Time // when it is over, or is to be
	id     int
	stages []stage // by time
}

// stage is an instant of a matter.
type stage struct {
	at     time.Time
	en, ru string
}

const (
	openMatters   = 24 // that are drawn
	closedMatters = 8  // likewise, the latest
	matterRow     = 40.0
)

// matters are the wars and duels of a Land, all there ever were.
func (s *State) matters(land string) (list []matter) {
	for _, w := range s.Wars {
		if w.Land == land {
			list = append(list, w.matter())
		}
	}
	for _, d := range s.Duels {
		if d.Land == land {
			list = append(list, d.matter())
		}
	}
	return list
}

// matter shows a war: declared, rosters, beginning, end.
func (w *War) matter() matter {
	who := fmt.Sprintf(" %d: %s – %s", w.ID, w.Attacker.Suzerain, w.Defender.Suzerain)
	m := matter{en: "War" + who, ru: "Война" + who, open: w.isOpen(), till: w.end(), id: w.ID}
	m.stages = append(m.stages, stage{w.Declared, "declared", "объявлена"})
	if w.Status == annulled || w.Status == boughtOut {
		words := map[string]stage{annulled: {en: "annulled", ru: "отменена"}, boughtOut: {en: "bought out", ru: "откуп"}}[w.Status]
		return m.close(w.Closed, words)
	}
	rosters := w.RostersDue
	if w.RostersClosed != nil {
		rosters = *w.RostersClosed
	}
	m.stages = append(m.stages, stage{rosters, "rosters", "составы"}, stage{w.Begin, "begins", "начало"})
	if w.Closed != nil {
		return m.close(w.Closed, stage{en: "ended", ru: "окончена"})
	}
	m.stages = append(m.stages, stage{w.end(), "ends", "конец"})
	return m
}

// matter shows a duel: declared, due.
func (d *Duel) matter() matter {
	kinds := map[string][2]string{vassalage: {"vassalage", "вассалитет"}, independence: {"independence", "независимость"}, ordinary: {"ordinary", "обычная"}}
	target := cmp.Or(d.StandIn, d.Target)
	who := fmt.Sprintf(" %d: %s – %s", d.ID, d.Initiator, target)
	kind := kinds[d.Kind]
	m := matter{en: "Duel" + who + ", " + kind[0], ru: "Дуэль" + who + ", " + kind[1], open: d.Status == open || d.Status == called, till: d.Due, id: d.ID}
	m.stages = []stage{{d.Declared, "declared", "объявлена"}}
	switch d.Status {
	case called:
		m.stages = append(m.stages, stage{d.Due, "answer by", "ответ до"})
	case open:
		m.stages = append(m.stages, stage{d.Due, "due", "срок"})
	default:
		words := map[string]stage{closed: {en: "fought", ru: "сыграна"}, declined: {en: "declined", ru: "отклонена"}, lapsed: {en: "lapsed", ru: "истекла"}, annulled: {en: "annulled", ru: "отменена"}}
		return m.close(d.Closed, words[d.Status])
	}
	return m
}

// close ends a matter that is over.
func (m matter) close(at *time.Time, words stage) matter {
	if at != nil {
		words.at = *at
		m.till = *at
		m.stages = append(m.stages, words)
	}
	return m
}

// timeLine draws matters with their dates: open ones first, what is to come soonest before the rest, then the latest of
// those that are over. It is false when there are none.
func (s *State) timeLine(land string, v rules.Viewer, all []matter) (rules.Picture, bool) {
	list, left := chosen(all)
	if len(list) == 0 {
		return rules.Picture{}, false
	}
	zone := v.Zone
	if zone == nil {
		zone = time.UTC
	}
	l := &timeLine{zone: zone, from: list[0].stages[0].at, to: list[0].till}
	for _, m := range list {
		for _, k := range m.stages {
			l.reach(k.at)
		}
	}
	if !v.Now.IsZero() && list[0].open {
		l.reach(v.Now)
	}
	pad := max(l.to.Sub(l.from)/25, day)
	l.from, l.to = l.from.Add(-pad), l.to.Add(pad)
	height := margin + 18 + matterRow*float64(len(list))
	l.months(height)
	for i := range list {
		l.row(&list[i], margin+18+matterRow*float64(i))
	}
	if now := v.Now.Truncate(time.Hour); !v.Now.IsZero() && !now.Before(l.from) && !now.After(l.to) {
		l.now(now, len(list))
	}
	if left > 0 {
		l.Say(margin, height+8, 9, inner, inkFaint, "and "+count(left)+" more", "и ещё "+count(left))
		height += 14
	}
	return rules.Picture{
		Name:   "times-" + land,
		Title:  map[string]string{"en": "Wars and duels of " + land, "ru": "Войны и дуэли, " + land},
		Width:  pageWidth,
		Height: height + margin/2,
		Shapes: l.Shapes,
	}, true
}

// chosen are the matters that a time line has place for, in its order, and how many open ones it has none for.
func chosen(all []matter) (list []matter, left int) {
	var over []matter
	for _, m := range all {
		if m.open {
			list = append(list, m)
		} else {
			over = append(over, m)
		}
	}
	slices.SortStableFunc(list, func(a, b matter) int { return a.till.Compare(b.till) })
	slices.SortStableFunc(over, func(a, b matter) int { return b.till.Compare(a.till) })
	left = max(len(list)-openMatters, 0)
	return append(list[:len(list)-left:len(list)-left], over[:min(len(over), closedMatters)]...), left
}

// timeLine is a drawing of some time, which runs to the right.
type timeLine struct {
	canvas
	zone     *time.Location
	from, to time.Time
}

func (l *timeLine) reach(at time.Time) {
	if at.Before(l.from) {
		l.from = at
	}
	if at.After(l.to) {
		l.to = at
	}
}

func (l *timeLine) x(at time.Time) float64 {
	return margin + inner*float64(at.Sub(l.from))/float64(l.to.Sub(l.from))
}

// The months as dates show them.
var (
	monthsEnglish = strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
	monthsRussian = strings.Fields("янв фев мар апр мая июн июл авг сен окт ноя дек")
)

func (l *timeLine) date(at time.Time) (en, ru string) {
	at = at.In(l.zone)
	return fmt.Sprintf("%d %s", at.Day(), monthsEnglish[at.Month()-1]), fmt.Sprintf("%d %s", at.Day(), monthsRussian[at.Month()-1])
}

// months draws a line where each month begins, and names as many as there is place for.
func (l *timeLine) months(height float64) {
	at := l.from.In(l.zone)
	at = time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, l.zone)
	step := 1
	if months := int(l.to.Sub(l.from) / (30 * day)); months > 7 {
		step = months/7 + 1
	}
	for ; at.Before(l.to); at = at.AddDate(0, step, 0) {
		x := l.x(at)
		l.Line(hairline, 0.8, [2]float64{x, margin + 8}, [2]float64{x, height})
		if x < pageWidth-margin-32 {
			l.Text(x+2, margin+6, 8, 0, inkFaint, at.Format("01.2006"))
		}
	}
}

// now marks the present above, and on the bar of each row, so that it crosses no word.
func (l *timeLine) now(now time.Time, rows int) {
	x := l.x(now)
	l.Area(crimson, "", 0, [2]float64{x - 3, margin + 8}, [2]float64{x + 3, margin + 8}, [2]float64{x, margin + 13})
	for i := range rows {
		y := margin + 18 + matterRow*float64(i)
		l.Line(crimson, 1.2, [2]float64{x, y + 11}, [2]float64{x, y + 21})
	}
}

// row draws a matter: what it is, its time as a bar with its instants on it, and their dates.
func (l *timeLine) row(m *matter, y float64) {
	bar, name := azure, inkDark
	if !m.open {
		bar, name = goldLine, inkFaint
	}
	l.Say(margin, y+9, 10, inner, name, m.en, m.ru)
	l.Turned("start", m.open)
	first, last := m.stages[0].at, m.stages[len(m.stages)-1].at
	l.Line(bar, 3, [2]float64{l.x(first), y + 16}, [2]float64{max(l.x(last), l.x(first)+1), y + 16})
	var en, ru []string
	for _, k := range m.stages {
		x := l.x(k.at)
		l.Area("#fdfbf5", bar, 1.4, [2]float64{x, y + 12.5}, [2]float64{x + 3.5, y + 16}, [2]float64{x, y + 19.5}, [2]float64{x - 3.5, y + 16})
		dayEnglish, dayRussian := l.date(k.at)
		en, ru = append(en, k.en+" "+dayEnglish), append(ru, k.ru+" "+dayRussian)
	}
	l.Say(margin, y+29, 8.5, inner, inkFaint, strings.Join(en, "  ·  "), strings.Join(ru, "  ·  "))
}
