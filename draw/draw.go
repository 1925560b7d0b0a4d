// Package draw draws pictures of rulesets: as SVG for the web board, as PNG for mails and for boards that show no SVG.
//
// Its promise: the same picture looks the same in both, in every language that the embedded fonts have letters of, and
// no text, colour or number of a picture can be markup or take much memory. It keeps it by measuring every text by the
// embedded fonts, wherever it is drawn, and by writing nothing of a picture but what it has read as a number, a colour
// or an escaped text.
package draw

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"arroba/rules"
)

// paper is the ground of every picture, light on light and dark pages alike.
const paper = "#fdfbf5"

// maxPixels bounds a raster picture: a larger one is drawn at a lower resolution, so that no
// request takes much memory.
const maxPixels = 2_000_000

// Pen draws pictures, as SVG and as PNG. Both measure text by the same embedded fonts, which have Latin, Greek and
// Cyrillic letters, so both look alike, whatever fonts a reader has.
type Pen struct{ regular, bold *opentype.Font }

// NewPen returns a pen with the embedded fonts.
func NewPen() (*Pen, error) {
	regular, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded font: %w", err)
	}
	bold, err := opentype.Parse(liberationsansbold.TTF)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded bold font: %w", err)
	}
	return &Pen{regular, bold}, nil
}

// face is the font that a shape's text is set in, in a size that keeps to the width it must fit.
func (p *Pen) face(s rules.Shape) font.Face {
	f := font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(number(s.Size))}, Face: p.regular}
	if s.Bold {
		f.Face = p.bold
	}
	if fit, width := vg.Points(number(s.Fit)), f.Width(s.Text); fit > 0 && width > fit {
		f.Font.Size *= fit / width
	}
	return f
}

// covers tells whether a face has every letter of a text.
func covers(f font.Face, text string) bool {
	var buf sfnt.Buffer
	for _, r := range text {
		if i, err := f.Face.GlyphIndex(&buf, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// SVG writes a picture as a document of its own. Texts stay texts, anchored as the shape says and set to the width
// that the embedded font gives them; looks are attributes rather than styles, which a strict page policy would drop.
func (p *Pen) SVG(w io.Writer, pic rules.Picture, lang string) error {
	var b bytes.Buffer
	width, height := number(pic.Width), number(pic.Height)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %s %s" role="img" aria-labelledby="title" font-family="Liberation Sans, Arial, Helvetica, sans-serif" stroke-linejoin="round" stroke-linecap="round">`,
		Pixels(width), Pixels(height), coord(width), coord(height))
	fmt.Fprintf(&b, "\n<title id=\"title\">%s</title>\n", escape(Caption(pic, lang)))
	fmt.Fprintf(&b, `<rect width="%s" height="%s" fill="%s"/>`+"\n", coord(width), coord(height), paper)
	for _, s := range pic.Shapes {
		if len(s.Points) == 0 {
			continue
		}
		s.Text = s.In(lang)
		if s.Link != "" {
			fmt.Fprintf(&b, `<g id="%s">`, escape("at-"+s.Link))
		}
		if s.Text != "" {
			p.svgText(&b, s)
		} else {
			svgPath(&b, s)
		}
		if s.Link != "" {
			b.WriteString("</g>")
		}
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (p *Pen) svgText(b *bytes.Buffer, s rules.Shape) {
	f := p.face(s)
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" fill="%s"`, coord(s.Points[0][0]), coord(s.Points[0][1]), coord(f.Font.Size.Points()), ink(s))
	if a := s.Align; a == "middle" || a == "end" {
		fmt.Fprintf(b, ` text-anchor="%s"`, a)
	}
	if s.Bold {
		b.WriteString(` font-weight="bold"`)
	}
	if covers(f, s.Text) {
		fmt.Fprintf(b, ` textLength="%s" lengthAdjust="spacingAndGlyphs"`, coord(f.Width(s.Text).Points()))
	}
	fmt.Fprintf(b, `>%s</text>`, escape(s.Text))
}

func svgPath(b *bytes.Buffer, s rules.Shape) {
	b.WriteString(`<path d="`)
	for i, pt := range s.Points {
		fmt.Fprintf(b, "%c%s %s", "ML"[min(i, 1)], coord(pt[0]), coord(pt[1]))
	}
	if s.Closed {
		b.WriteByte('Z')
	}
	fmt.Fprintf(b, `" fill="%s"`, orNone(s.Fill))
	if coloured(s.Stroke) {
		fmt.Fprintf(b, ` stroke="%s" stroke-width="%s"`, s.Stroke, coord(strokeWidth(s)))
	}
	b.WriteString("/>")
}

// PNG writes a picture as pixels, for boards that show no SVG: two a point, fewer when it is very large.
func (p *Pen) PNG(w io.Writer, pic rules.Picture, lang string) error {
	width, height := max(number(pic.Width), 1), max(number(pic.Height), 1)
	dpi := min(144, 72*math.Sqrt(maxPixels/(width*height)))
	if dpi < 1 {
		return fmt.Errorf("drawing %s: %g by %g points are too many for a raster", pic.Name, width, height)
	}
	ground, _ := rgb(paper)
	c := vgimg.NewWith(vgimg.UseWH(vg.Points(width), vg.Points(height)), vgimg.UseDPI(int(dpi)), vgimg.UseBackgroundColor(ground))
	for _, s := range pic.Shapes {
		if len(s.Points) == 0 {
			continue
		}
		if s.Text = s.In(lang); s.Text != "" {
			p.vgText(c, s, height)
		} else {
			vgPath(c, s, height)
		}
	}
	return png.Encode(w, paletted(c.Image()))
}

// paletted is an image in at most 256 colours, which PNG keeps in a byte a pixel. A picture has few colours and the
// shades at the edges of its letters: the rarest of them give way to the nearest that are kept.
func paletted(img image.Image) *image.Paletted {
	out, count := image.NewPaletted(img.Bounds(), nil), map[color.RGBA]int{}
	pixels := make([]color.RGBA, 0, len(out.Pix))
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		for x := out.Rect.Min.X; x < out.Rect.Max.X; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			pixels = append(pixels, c)
			count[c]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A))
	})
	for _, c := range colours[:min(len(colours), 256)] {
		out.Palette = append(out.Palette, c)
	}
	place := map[color.RGBA]uint8{}
	for _, c := range colours {
		place[c] = uint8(out.Palette.Index(c))
	}
	for i, c := range pixels {
		out.Pix[i] = place[c]
	}
	return out
}

func (p *Pen) vgText(c vg.Canvas, s rules.Shape, height float64) {
	f, at := p.face(s), point(s.Points[0], height)
	switch s.Align {
	case "middle":
		at.X -= f.Width(s.Text) / 2
	case "end":
		at.X -= f.Width(s.Text)
	}
	clr, _ := rgb(ink(s))
	c.SetColor(clr)
	c.FillString(f, at, s.Text)
}

func vgPath(c vg.Canvas, s rules.Shape, height float64) {
	var path vg.Path
	path.Move(point(s.Points[0], height))
	for _, pt := range s.Points[1:] {
		path.Line(point(pt, height))
	}
	if s.Closed {
		path.Close()
	}
	if clr, ok := rgb(s.Fill); ok {
		c.SetColor(clr)
		c.Fill(path)
	}
	if clr, ok := rgb(s.Stroke); ok {
		c.SetColor(clr)
		c.SetLineWidth(vg.Points(strokeWidth(s)))
		c.Stroke(path)
	}
}

// point turns a picture's point, y down, into a canvas's, y up.
func point(pt [2]float64, height float64) vg.Point {
	return vg.Point{X: vg.Points(number(pt[0])), Y: vg.Points(height - number(pt[1]))}
}

// Caption is a picture's title in a language, else in English, else its name.
func Caption(pic rules.Picture, lang string) string {
	for _, l := range []string{lang, "en"} {
		if t := pic.Title[l]; t != "" {
			return t
		}
	}
	return pic.Name
}

// ink is the colour of a text.
func ink(s rules.Shape) string {
	for _, c := range []string{s.Fill, s.Stroke} {
		if coloured(c) {
			return c
		}
	}
	return "#222222"
}

func strokeWidth(s rules.Shape) float64 {
	if w := number(s.Width); w > 0 {
		return w
	}
	return 1
}

func orNone(colour string) string {
	if coloured(colour) {
		return colour
	}
	return "none"
}

// coloured tells whether a colour is "#rrggbb"; anything else is none, so that a colour can never be markup.
func coloured(c string) bool { _, ok := rgb(c); return ok }

func rgb(c string) (color.Color, bool) {
	if len(c) != 7 || c[0] != '#' {
		return nil, false
	}
	n, err := strconv.ParseUint(c[1:], 16, 32)
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}, err == nil
}

// number is a finite number, 0 for any other.
func number(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// coord writes a number with at most two decimals.
func coord(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(number(f), 'f', 2, 64), "0"), ".")
}

// Pixels is a length in points in the pixels of a page, four to three points.
func Pixels(points float64) int { return int(math.Ceil(number(points) * 4 / 3)) }

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

// theOnlyPen is made when something is first drawn for a mail.
var theOnlyPen = sync.OnceValues(NewPen)

// ForMail draws a picture as a PNG that a mail can carry, with its words in a language.
func ForMail(pic rules.Picture, lang string) ([]byte, error) {
	p, err := theOnlyPen()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = p.PNG(&b, pic, lang)
	return b.Bytes(), err
}
