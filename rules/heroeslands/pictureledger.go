package heroeslands

import (
	"time"

	"arroba/rules"
)

// Measures of the treasury's picture, in points.
const (
	chartTop    = 40.0
	chartHeight = 130.0
)

// reasonWords are what the treasury's entries are about, in the order of their colours.
var reasonWords = []struct{ reason, en, ru, colour string }{
	{"fine", "fines", "штрафы", "#7a1f2b"},
	{"stake", "stakes", "ставки", "#3c6b48"},
	{"bonus", "bonuses", "премии", "#a67c12"},
	{"prize", "prizes", "призы", "#c08a3e"},
	{"gift", "gifts", "подарки", "#5f8a8b"},
	{"buy-out", "buy-outs", "откупы", "#8c5a3c"},
	{"postponement", "postponements", "переносы войн", "#643a75"},
	{"war-stake", "war stakes", "военные ставки", "#4d4a7a"},
	{"costs", "costs of war", "военные издержки", "#6f6a60"},
	{"credit", "credits", "зачисления", "#2c5984"},
	{"debit", "debits", "списания", "#a02333"},
}

// ledgerChart draws how the treasury fared: its balance as a line, each entry as a point in the colour of what it was
// about, and below what came in and went out by kind. It is false while the book is empty.
func (s *State) ledgerChart(v rules.Viewer) (rules.Picture, bool) {
	entries := s.Book.Entries
	if len(entries) == 0 {
		return rules.Picture{}, false
	}
	zone := v.Zone
	if zone == nil {
		zone = time.UTC
	}
	c := &ledgerChart{timeLine: timeLine{zone: zone, from: entries[0].At, to: entries[len(entries)-1].At}}
	if !v.Now.IsZero() {
		c.reach(v.Now.Truncate(time.Hour))
	}
	c.from, c.to = c.from.Add(-day), c.to.Add(day)
	balance := s.Book.Balance
	c.low, c.high = min(balance, 0), max(balance, 0)
	for i := range entries {
		balance += entries[i].in()
		c.low, c.high = min(c.low, balance), max(c.high, balance)
	}
	c.months(chartTop + chartHeight)
	c.grid()
	c.curve(s.Book.Balance, entries)
	end := c.kinds(entries, chartTop+chartHeight+20)
	return rules.Picture{
		Name:   "ledger",
		Title:  map[string]string{"en": "The treasury", "ru": "Казна"},
		Width:  pageWidth,
		Height: end + margin/2,
		Shapes: c.Shapes,
	}, true
}

// ledgerChart is a time line with heights in @.
type ledgerChart struct {
	timeLine
	low, high int64
}

func (c *ledgerChart) y(balance int64) float64 {
	return chartTop + chartHeight - chartHeight*float64(balance-c.low)/float64(max(c.high-c.low, 1))
}

// grid draws the highest and the lowest balance, and zero.
func (c *ledgerChart) grid() {
	for _, n := range []int64{c.low, 0, c.high} {
		c.Line(goldLine, 0.8, [2]float64{margin, c.y(n)}, [2]float64{pageWidth - margin, c.y(n)})
	}
	c.Text(margin+2, c.y(c.high)-3, 8.5, 0, inkFaint, gold(c.high))
	if c.low < 0 {
		c.Text(margin+2, c.y(c.low)+10, 8.5, 0, inkFaint, gold(c.low))
	}
}

// curve draws the balance after each entry. What lies closer together than can be seen is one point, with the last of
// its balances.
func (c *ledgerChart) curve(balance int64, entries []Entry) {
	points := [][2]float64{{margin, c.y(balance)}}
	var dots []dot
	for i := range entries {
		x, before := c.x(entries[i].At), c.y(balance)
		balance += entries[i].in()
		if n := len(dots); n > 0 && x-dots[n-1].at[0] < 1 {
			at := [2]float64{dots[n-1].at[0], c.y(balance)}
			points[len(points)-1], dots[n-1] = at, dot{at, colourOf(entries[i].Reason)}
			continue
		}
		at := [2]float64{x, c.y(balance)}
		points, dots = append(points, [2]float64{x, before}, at), append(dots, dot{at, colourOf(entries[i].Reason)})
	}
	points = append(points, [2]float64{pageWidth - margin, c.y(balance)})
	c.Line(inkDark, 1.4, points...)
	for _, d := range dots {
		x, y := d.at[0], d.at[1]
		c.Area(d.colour, "", 0, [2]float64{x, y - 3}, [2]float64{x + 3, y}, [2]float64{x, y + 3}, [2]float64{x - 3, y})
	}
	c.Text(pageWidth-margin, c.y(balance)-5, 10, 0, inkDark, gold(balance))
	c.Turned("end", true)
}

// dot is an entry in the curve.
type dot struct {
	at     [2]float64
	colour string
}

// kinds lists what came in and went out by what it was about, and returns where the list ends.
func (c *ledgerChart) kinds(entries []Entry, y float64) float64 {
	in, out := map[string]int64{}, map[string]int64{}
	for i := range entries {
		if n := entries[i].in(); n > 0 {
			in[entries[i].Reason] += n
		} else {
			out[entries[i].Reason] -= n
		}
	}
	for _, r := range reasonWords {
		if in[r.reason] == 0 && out[r.reason] == 0 {
			continue
		}
		c.Box(margin, y, 9, 9, r.colour, "")
		c.Say(margin+14, y+8, 9.5, 130, inkDark, r.en, r.ru)
		for column, n := range []int64{in[r.reason], -out[r.reason]} {
			if n != 0 {
				sign := ""
				if n > 0 {
					sign = "+"
				}
				c.Text(pageWidth-margin-70*float64(1-column), y+8, 9.5, 66, inkFaint, sign+gold(n))
				c.Turned("end", false)
			}
		}
		y += 15
	}
	return y
}

func gold(n int64) string { return count(int(n)) + " @" }

// colourOf is the colour of what an entry is about.
func colourOf(reason string) string {
	for _, r := range reasonWords {
		if r.reason == reason {
			return r.colour
		}
	}
	return inkFaint
}
