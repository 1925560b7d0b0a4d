package turns

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image/png"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"

	"arroba/draw"
	"arroba/outbox"
	"arroba/rules"
)

const pictureGame = `name = "lands"
ruleset = "heroeslands"
language = "ru"
mailbox = "lands@play.example"
gm = { nick = "Magistrate", email = "gm@x.example" }
copies = ["copy@x.example"]
[[member]]
nick = "Ярослав"
email = "anna@x.example"
[[member]]
nick = "Борис"
email = "boris@x.example"
language = "en"
[world]
lands = ["HL3"]
[world.inhabitants."Ярослав"]
gold = 100
feuds = { HL3 = 5 }
[world.inhabitants."Борис"]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Ярослав" }
`

// pictured opens a game whose mails have pictures, drawn by draw, and counts how many are.
func pictured(t *testing.T, more string, draw func(rules.Picture, string) ([]byte, error)) (*rig, *int) {
	t.Helper()
	r, n := newRig(t), 0
	r.Draw = func(p rules.Picture, language string) ([]byte, error) {
		n++
		return draw(p, language)
	}
	f, err := ReadGameFile("lands.toml", []byte(more+pictureGame))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	r.sent()
	return r, &n
}

// mailed are the items that are mails.
func mailed(items []outbox.Item) (list []outbox.Item) {
	for _, it := range items {
		if it.Via == viaMail {
			list = append(list, it)
		}
	}
	return list
}

// Everybody who is told of a change sees it, drawn once for each language, in a part of the mail that shows it.
func TestMailsShowWhatChanged(t *testing.T) {
	r, drawn := pictured(t, "", draw.ForMail)
	r.say("anna@x.example", "lands@play.example", "ОТПУСТИТЬ Борис")
	list := mailed(r.sent())
	if len(list) != 4 {
		t.Fatalf("%d mails, want the receipt and those to the vassal, the GM and the copies", len(list))
	}
	if *drawn != 2 {
		t.Errorf("%d pictures are drawn, want 1 a language", *drawn)
	}
	hashes := map[string]bool{}
	for _, it := range list {
		if len(it.Files) != 1 || it.Files[0].Name != "tree-HL3.png" {
			t.Fatalf("the mail to %s has %+v", it.To, it.Files)
		}
		hashes[it.Files[0].Hash] = true
		var err error
		if it.Files[0].Data, err = r.Content(t.Context(), it.Files[0].Hash); err != nil {
			t.Fatal(err)
		}
		shownIn(t, it)
	}
	if n := r.count(`SELECT COUNT(*) FROM attachment`); n != 2 || len(hashes) != 2 {
		t.Errorf("%d contents are kept and %d sent, want 2", n, len(hashes))
	}
	other := newRig(t)
	if err := other.bring(r.export()); err != nil {
		t.Fatal(err)
	}
	for h := range hashes {
		if _, err := other.Content(t.Context(), h); err != nil {
			t.Errorf("the archive is without a picture of a mail: %v", err)
		}
	}
}

// shownIn reads a mail back as its reader would, and looks whether the first lord's name is on its picture.
func shownIn(t *testing.T, it outbox.Item) {
	t.Helper()
	raw, err := outbox.Render(it)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	if _, err := parts.NextPart(); err != nil {
		t.Fatal(err)
	}
	part, err := parts.NextRawPart()
	if err != nil {
		t.Fatal(err)
	}
	if kind, how := part.Header.Get("Content-Type"), part.Header.Get("Content-Disposition"); kind != "image/png" || !strings.HasPrefix(how, "inline;") {
		t.Errorf("the part is %s, %s", kind, how)
	}
	data, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	dark := 0
	for x := 78; x < 160; x++ { // two pixels a point
		for y := 30; y < 54; y++ {
			if red, _, _, _ := img.At(x, y).RGBA(); red < 0x6000 {
				dark++
			}
		}
	}
	if dark < 100 {
		t.Errorf("%d pixels of the name are dark", dark)
	}
}

// No picture where nothing was changed, none that the game does not want, and no mail kept back by one.
func TestMailsWithoutPictures(t *testing.T) {
	for _, c := range []struct {
		name, toml, line string
		draw             func(rules.Picture, string) ([]byte, error)
		drawn            int
	}{
		{"refused", "", "ОТПУСТИТЬ Ярослав", draw.ForMail, 0},
		{"private", "", "ДАТЬ 5 @ Борис", draw.ForMail, 0},
		{"tried", "", "ПРОБА\nОТПУСТИТЬ Борис", draw.ForMail, 0},
		{"unwanted", "pictures = false\n", "ОТПУСТИТЬ Борис", draw.ForMail, 0},
		{"not to be drawn", "", "ОТПУСТИТЬ Борис", func(rules.Picture, string) ([]byte, error) { return nil, errors.New("no ink") }, 2},
		{"drawn by a pen that breaks", "", "ОТПУСТИТЬ Борис", func(rules.Picture, string) ([]byte, error) { panic("broken") }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, drawn := pictured(t, c.toml, c.draw)
			r.say("anna@x.example", "lands@play.example", c.line)
			list := mailed(r.sent())
			if len(list) == 0 || *drawn != c.drawn {
				t.Errorf("%d mails, and %d pictures are drawn, want %d", len(list), *drawn, c.drawn)
			}
			for _, it := range list {
				if len(it.Files) > 0 {
					t.Errorf("the mail to %s has %+v", it.To, it.Files)
				}
			}
		})
	}
}
