// Package canvas is a drawing that grows: what rulesets draw their pictures on, in plain shapes.
//
// Measures are points; x goes right and y down. Colours are "#rrggbb", "" for none.
package canvas

import "arroba/rules"

// Canvas holds the shapes drawn so far, the lowest first.
type Canvas struct{ Shapes []rules.Shape }

// Add puts a shape on top.
func (c *Canvas) Add(s rules.Shape) { c.Shapes = append(c.Shapes, s) }

// Line draws a stroke through points.
func (c *Canvas) Line(colour string, width float64, points ...[2]float64) {
	c.Add(rules.Shape{Points: points, Stroke: colour, Width: width})
}

// Area draws a closed outline, filled and stroked as the colours say.
func (c *Canvas) Area(fill, stroke string, width float64, points ...[2]float64) {
	c.Add(rules.Shape{Points: points, Closed: true, Fill: fill, Stroke: stroke, Width: width})
}

// Box draws a rectangle by its upper left corner.
func (c *Canvas) Box(x, y, w, h float64, fill, stroke string) {
	c.Area(fill, stroke, 0.8, [2]float64{x, y}, [2]float64{x + w, y}, [2]float64{x + w, y + h}, [2]float64{x, y + h})
}

// Text writes what is the same in every language from a point on; it gets smaller to keep to the width fit, 0 for none.
func (c *Canvas) Text(x, y, size, fit float64, colour, text string) {
	c.Add(rules.Shape{Points: [][2]float64{{x, y}}, Text: text, Size: size, Fit: fit, Fill: colour})
}

// Say writes what is not the same in every language.
func (c *Canvas) Say(x, y, size, fit float64, colour, en, ru string) {
	c.Add(rules.Shape{Points: [][2]float64{{x, y}}, Text: en, Words: map[string]string{"ru": ru}, Size: size, Fit: fit, Fill: colour})
}

// Turned gives the text that was written last another alignment ("start", "middle", "end"), and makes it bold or not.
func (c *Canvas) Turned(align string, bold bool) {
	s := &c.Shapes[len(c.Shapes)-1]
	s.Align, s.Bold = align, bold
}
