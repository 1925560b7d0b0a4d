package letter

import (
	"strconv"
	"strings"
)

// look is as much of a style as decides whether and in which lines text is seen. Its zero value says nothing.
type look struct {
	hidden     bool
	block      bool // it stands in lines of its own
	color, bg  colour
	size, wrap int8 // of letters: -1 too small to see, 1 not; of source lines: -1 blanks, 1 lines; 0 as around it
}

// over returns what is seen where l is laid over what was said before.
func (l look) over(below look) look {
	below.hidden = below.hidden || l.hidden
	below.block = below.block || l.block
	if l.color != 0 {
		below.color = l.color
	}
	if l.bg != 0 {
		below.bg = l.bg
	}
	if l.size != 0 {
		below.size = l.size
	}
	if l.wrap != 0 {
		below.wrap = l.wrap
	}
	return below
}

// unseen tells text that nobody sees: hidden, too small, or in the colour of the ground, which is white unless said.
func (l look) unseen() bool {
	ground := l.bg
	if ground == 0 {
		ground = white
	}
	return l.hidden || l.size < 0 || l.color == transparent || l.color.like(ground)
}

// colour is red, green and blue in a byte each under a bit that says that they are known; 0 says nothing.
type colour uint32

const (
	known24            = 1 << 24
	unknown     colour = 2 << 24
	transparent colour = 3 << 24
	white              = colour(known24 | 0xffffff)
	black              = colour(known24)
)

// like tells colours that nobody can tell apart.
func (c colour) like(d colour) bool {
	if c&known24 == 0 || d&known24 == 0 || c >= unknown || d >= unknown {
		return false
	}
	for shift := 0; shift < 24; shift += 8 {
		if diff := int(c>>shift&255) - int(d>>shift&255); diff < -8 || diff > 8 {
			return false
		}
	}
	return true
}

// parseColour reads the colour that a value without blanks begins with. What it does not know is of unknown colour,
// and so is seen.
func parseColour(val string) colour {
	switch {
	case strings.HasPrefix(val, "#"):
		digits := 1
		for digits < len(val) && digits < 7 && hexDigit(val[digits]) >= 0 {
			digits++
		}
		n, err := strconv.ParseUint(val[1:digits], 16, 32)
		switch {
		case err == nil && digits == 7:
			return colour(known24 | n)
		case err == nil && digits >= 4:
			n >>= 4 * (digits - 4)
			return colour(known24 | n>>8&15*0x110000 | n>>4&15*0x1100 | n&15*0x11)
		}
	case strings.HasPrefix(val, "rgb"):
		return parseRGB(val)
	case strings.HasPrefix(val, "white") && !strings.HasPrefix(val, "whitesmoke"):
		return white
	case strings.HasPrefix(val, "black"):
		return black
	case val == "transparent":
		return transparent
	case val == "inherit" || val == "none" || val == "":
		return 0
	}
	return unknown
}

func parseRGB(val string) colour {
	_, list, _ := strings.Cut(val, "(")
	list, _, _ = strings.Cut(list, ")")
	parts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '/' })
	if len(parts) < 3 || len(parts) > 4 {
		return unknown
	}
	if alpha, ok := cssSize(parts[len(parts)-1]); len(parts) == 4 && ok && alpha == 0 {
		return transparent
	}
	c := colour(0)
	for _, p := range parts[:3] {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil {
			return unknown
		}
		c = c<<8 | colour(n)
	}
	return known24 | c
}

var styleBlanks = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "")

// parseLook reads the declarations of a style.
func parseLook(style string) look {
	var l look
	var flat, clipped bool // of no height or width, and without what flows over
	style = styleBlanks.Replace(strings.ToLower(style))
	for style != "" {
		var decl string
		decl, style, _ = strings.Cut(style, ";")
		prop, val, _ := strings.Cut(decl, ":")
		val = strings.TrimSuffix(val, "!important")
		switch prop {
		case "text-decoration", "text-decoration-line":
			l.hidden = l.hidden || strings.Contains(val, "line-through")
		case "display":
			switch val {
			case "none":
				l.hidden = true
			case "block", "list-item", "table", "table-row", "flex", "grid":
				l.block = true
			}
		case "visibility":
			l.hidden = l.hidden || val == "hidden" || val == "collapse"
		case "mso-hide":
			l.hidden = l.hidden || val == "all"
		case "mso-list":
			l.hidden = l.hidden || val == "ignore" // a bullet or a number, which Word sets as text
		case "opacity", "max-height", "max-width":
			l.hidden = l.hidden || isZero(val)
		case "height", "width":
			flat = flat || isZero(val)
		case "overflow", "overflow-x", "overflow-y":
			clipped = val == "hidden" || val == "clip"
		case "clip":
			l.hidden = l.hidden || strings.HasPrefix(val, "rect(0") || strings.HasPrefix(val, "rect(1px")
		case "clip-path":
			l.hidden = l.hidden || val == "inset(50%)" || val == "inset(100%)" || strings.HasPrefix(val, "circle(0")
		case "transform":
			l.hidden = l.hidden || strings.Contains(val, "scale(0)") || strings.Contains(val, "scale(0,")
		case "font-size":
			l.size = letterSize(val, l.size)
		case "text-indent", "left", "top", "margin-left":
			if size, ok := cssSize(val); ok && size <= -500 {
				l.hidden = true // moved out of the page
			}
		case "font":
			if strings.HasPrefix(val, "0/") || strings.HasPrefix(val, "0px") {
				l.size = -1
			}
		case "color":
			l.color = parseColour(val)
		case "background", "background-color":
			if c := parseColour(val); c != transparent {
				l.bg = c
			}
		case "background-image":
			if val != "none" {
				l.bg = unknown
			}
		case "white-space":
			l.wrap = -1
			if strings.HasPrefix(val, "pre") || val == "break-spaces" {
				l.wrap = 1
			}
		}
	}
	l.hidden = l.hidden || flat && clipped
	return l
}

// letterSize tells whether a font's size can be seen; sizes by that around it say nothing, unless they are none.
func letterSize(val string, before int8) int8 {
	size, ok := cssSize(val)
	switch {
	case ok && (size == 0 || size <= 1 && (strings.HasSuffix(val, "px") || strings.HasSuffix(val, "pt"))):
		return -1
	case ok && (strings.HasSuffix(val, "em") && !strings.HasSuffix(val, "rem") || strings.HasSuffix(val, "%")), val == "inherit":
		return before
	}
	return 1
}

func isZero(val string) bool {
	size, ok := cssSize(val)
	return ok && size == 0
}

// cssSize returns the number of a size, whatever its unit.
func cssSize(val string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimRight(val, "abcdefghijklmnopqrstuvwxyz%"), 64)
	return n, err == nil
}
