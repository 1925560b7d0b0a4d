package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"arroba/rules"
)

func testPen(t *testing.T) *Pen {
	t.Helper()
	p, err := NewPen()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(s string) rules.Picture {
	return rules.Picture{Name: "t", Width: 200, Height: 30, Shapes: []rules.Shape{
		{Points: [][2]float64{{10, 20}}, Text: s, Size: 14, Fill: "#000000"},
	}}
}

// raster draws a picture as PNG and reads it back.
func raster(t *testing.T, pic rules.Picture) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := testPen(t).PNG(&b, pic, "en"); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// dark counts the pixels that are more ink than paper.
func dark(img image.Image) (n int) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				n++
			}
		}
	}
	return n
}

// differ counts the pixels in which two pictures of one size differ.
func differ(a, b image.Image) (n int) {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// A letter that the font lacks leaves a blank or a box, every one the same: Cyrillic letters leave ink, each its own.
func TestPNGDrawsCyrillicLetters(t *testing.T) {
	seen := map[string]rune{}
	missing := raster(t, text("\u4e00")) // no Chinese in the embedded fonts
	for _, r := range "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя№«»—" {
		img := raster(t, text(string(r)))
		if dark(img) == 0 || differ(img, missing) == 0 {
			t.Errorf("%c is drawn as nothing or as a box", r)
		}
		pixels := string(img.(*image.Paletted).Pix)
		if other, ok := seen[pixels]; ok {
			t.Errorf("%c and %c look the same", r, other)
		}
		seen[pixels] = r
	}
}

// Anchors mean the same in both back ends: ink lies right of, around or left of the point.
func TestPNGAnchorsText(t *testing.T) {
	for align, want := range map[string][2]bool{"start": {false, true}, "middle": {true, true}, "end": {true, false}} {
		pic := text("Борис")
		pic.Shapes[0].Points[0][0], pic.Shapes[0].Align = 100, align
		img := raster(t, pic)
		half := img.Bounds().Dx() / 2
		type sub interface {
			SubImage(image.Rectangle) image.Image
		}
		left := dark(img.(sub).SubImage(image.Rect(0, 0, half-2, 1000)))
		right := dark(img.(sub).SubImage(image.Rect(half+2, 0, 1000, 1000)))
		if got := [2]bool{left > 0, right > 0}; got != want {
			t.Errorf("%s: ink left and right of the point %v, want %v", align, got, want)
		}
	}
}

func TestTextKeepsToItsWidth(t *testing.T) {
	pic := text("Очень длинное имя лорда, которое никуда не входит")
	pic.Shapes[0].Fit = 100
	img := raster(t, pic)
	if n := dark(img.(*image.Paletted).SubImage(image.Rect(2*111, 0, 1000, 1000))); n > 0 {
		t.Errorf("%d dark pixels beyond the width", n)
	}
	if dark(img) == 0 {
		t.Error("nothing is drawn")
	}
	var b bytes.Buffer
	if err := testPen(t).SVG(&b, pic, "en"); err != nil || !strings.Contains(b.String(), `textLength="100"`) {
		t.Errorf("%v in\n%s", err, b.String())
	}
}

// A byte a pixel holds a picture, also one of more colours than that has numbers: those it has most of stay as they
// are, the others become one that is near.
func TestPNGHasAPalette(t *testing.T) {
	const fields = 400
	pic := rules.Picture{Width: fields, Height: 20}
	for i := range fields {
		x, width := float64(i), 1+float64(i%2)
		pic.Shapes = append(pic.Shapes, rules.Shape{Points: [][2]float64{{x, 0}, {x + width, 0}, {x + width, 20}, {x, 20}}, Closed: true, Fill: fmt.Sprintf("#%02x%02x40", i/2, 255-i/2)})
	}
	pic.Shapes = append(pic.Shapes, rules.Shape{Points: [][2]float64{{0, 0}, {fields, 0}, {fields, 10}, {0, 10}}, Closed: true, Fill: "#a02333"})
	img, ok := raster(t, pic).(*image.Paletted)
	if !ok || len(img.Palette) > 256 {
		t.Fatalf("it is a %T", img)
	}
	if got, want := color.RGBAModel.Convert(img.At(400, 4)), (color.RGBA{0xa0, 0x23, 0x33, 255}); got != want {
		t.Errorf("the colour it has most of became %v", got)
	}
	for x := 4; x < 2*fields-4; x++ {
		r, g, b, _ := img.At(x, 30).RGBA()
		if want := x / 4; max(int(r>>8)-want, want-int(r>>8)) > 4 || max(int(g>>8)-255+want, 255-want-int(g>>8)) > 4 || b>>8 != 0x40 {
			t.Fatalf("at %d it is %d, %d, %d", x, r>>8, g>>8, b>>8)
		}
	}
}

func TestPNGOfAVastPictureStaysSmall(t *testing.T) {
	img := raster(t, rules.Picture{Width: 20_000, Height: 4_000})
	if n := img.Bounds().Dx() * img.Bounds().Dy(); n > maxPixels {
		t.Errorf("%d pixels, want at most %d", n, maxPixels)
	}
}

func TestSVGIsTextWithTitleAndAnchors(t *testing.T) {
	pic := rules.Picture{Name: "tree", Title: map[string]string{"en": "Who serves whom", "ru": "Кто кому служит"}, Width: 120, Height: 60,
		Shapes: []rules.Shape{
			{Points: [][2]float64{{0, 0}, {10, 0}, {10, 10}}, Closed: true, Fill: "#aabbcc", Stroke: "#112233", Width: 1.5},
			{Points: [][2]float64{{60, 30}}, Text: "Борис", Size: 12, Align: "middle", Bold: true, Link: "boris"},
		}}
	var b bytes.Buffer
	if err := testPen(t).SVG(&b, pic, "ru"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<title id="title">Кто кому служит</title>`, `viewBox="0 0 120 60"`, `>Борис</text>`, `text-anchor="middle"`, `font-weight="bold"`,
		`textLength="`, `<path d="M0 0L10 0L10 10Z" fill="#aabbcc" stroke="#112233" stroke-width="1.5"/>`, `<g id="at-boris">`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "style=") {
		t.Error("a style attribute, which the page policy forbids")
	}
}

// A text has the words of the reader's language, in both kinds, and where there are none its own.
func TestWordsByLanguage(t *testing.T) {
	said := func(en, lang string, words map[string]string) (string, string) {
		pic := text(en)
		pic.Shapes[0].Words = words
		var svg, png bytes.Buffer
		if err := errors.Join(testPen(t).SVG(&svg, pic, lang), testPen(t).PNG(&png, pic, lang)); err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(svg.String(), "<rect")
		return after, png.String()
	}
	words := map[string]string{"ru": "граф"}
	for lang, want := range map[string]string{"ru": "граф", "en": "count", "de": "count"} {
		svg, png := said("count", lang, words)
		wantSVG, wantPNG := said(want, lang, nil)
		if svg != wantSVG || png != wantPNG {
			t.Errorf("in %s it does not say %s:\n%s", lang, want, svg)
		}
	}
	if _, blank := said(" ", "ru", nil); func() string { _, p := said("count", "ru", words); return p }() == blank {
		t.Error("Cyrillic words leave no pixels")
	}
}

// hostile are names and colours that would break out of their places if they could.
var hostile = []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `]]></title><script/>`, "a\x00b\x1bc", `' onload='alert(1)`, "x\xff\xfe", `&lt;b&gt;`, `{{.}}`, `javascript:alert(1)`}

func TestSVGIsWellFormedWhateverItIsGiven(t *testing.T) {
	for _, h := range hostile {
		pic := rules.Picture{Name: h, Title: map[string]string{"en": h}, Width: math.NaN(), Height: math.Inf(1), Shapes: []rules.Shape{
			{Points: [][2]float64{{math.Inf(-1), 1}}, Text: h, Size: 10, Fill: h, Align: h, Link: h},
			{Points: [][2]float64{{1, 1}, {2, 2}}, Fill: h, Stroke: h}, {Text: "nowhere"},
		}}
		var b bytes.Buffer
		if err := testPen(t).SVG(&b, pic, "en"); err != nil {
			t.Fatal(err)
		}
		var elements []string
		for d := xml.NewDecoder(&b); ; {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", h, err)
			}
			if e, ok := tok.(xml.StartElement); ok {
				elements = append(elements, e.Name.Local)
				for _, a := range e.Attr {
					if strings.HasPrefix(a.Name.Local, "on") {
						t.Errorf("%q became the attribute %s", h, a.Name.Local)
					}
				}
			}
		}
		if got := strings.Join(elements, " "); got != "svg title rect g text path" {
			t.Errorf("%q became elements: %s", h, got)
		}
		if err := testPen(t).PNG(io.Discard, pic, "en"); err != nil {
			t.Errorf("%q as PNG: %v", h, err)
		}
	}
}
