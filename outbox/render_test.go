package outbox_test

import (
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"arroba/outbox"
)

// TestRenderNeverChanges holds the bytes of a mail: one that was tried before an upgrade must be the same after it.
func TestRenderNeverChanges(t *testing.T) {
	it := outbox.Item{
		ID: "0s3t27t25008sdtfb9qhdye59c", Game: "lands", To: "oleg@example.org", Subject: "Вызов брошен", Text: "Борис = вызван.\n",
		Date: time.Date(2026, 1, 5, 10, 11, 12, 0, time.UTC), From: "magistrate@lands.example", FromName: "Судья",
		MessageID: "0s3t27t25008sdtfb9qhdye59c@lands.example", InReplyTo: "l2@example.org", References: []string{"l1@example.org"}, Auto: "auto-replied",
	}
	const want = `Date: Mon, 05 Jan 2026 10:11:12 +0000
From: =?utf-8?b?0KHRg9C00YzRjw==?= <magistrate@lands.example>
To: <oleg@example.org>
Subject: =?utf-8?b?0JLRi9C30L7QsiDQsdGA0L7RiNC10L0=?=
Message-ID: <0s3t27t25008sdtfb9qhdye59c@lands.example>
In-Reply-To: <l2@example.org>
References: <l1@example.org> <l2@example.org>
Auto-Submitted: auto-replied
X-Auto-Response-Suppress: All
X-Arroba-Loop: magistrate@lands.example
X-Arroba-Game: lands
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

0JHQvtGA0LjRgSA9INCy0YvQt9Cy0LDQvS4NCg==
`
	got, err := outbox.Render(it)
	if err != nil || string(got) != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestRenderReplyTo(t *testing.T) {
	it := outbox.Item{From: "lands@play.example", ReplyTo: "lands+k3y@play.example", To: "b@x"}
	if raw, err := outbox.Render(it); err != nil || !strings.Contains(string(raw), "\r\nReply-To: <lands+k3y@play.example>\r\n") {
		t.Errorf("%v\n%s", err, raw)
	}
	it.ReplyTo = "nowhere\r\nBcc: eve@x"
	if _, err := outbox.Render(it); !errors.Is(err, outbox.ErrPermanent) {
		t.Errorf("a reply address that is none: %v", err)
	}
}

func TestRenderTakesTheSmallerEncoding(t *testing.T) {
	for text, want := range map[string]string{
		"CHALLENGE Boris: accepted\n": "quoted-printable",
		"Борис вызван.\n":             "base64",
		"Boris — the Bold\n":          "quoted-printable",
	} {
		raw, err := outbox.Render(outbox.Item{From: "a@x", To: "b@x", Text: text})
		if err != nil || !strings.Contains(string(raw), "Content-Transfer-Encoding: "+want+"\r\n") {
			t.Errorf("%q: want %s, %v\n%s", text, want, err, raw)
		}
	}
}

// TestRenderFiles reads a mail with files back, as whoever gets it would.
func TestRenderFiles(t *testing.T) {
	it := outbox.Item{
		ID: "0s3t27t25008sdtfb9qhdye59c", To: "gm@lands.example", From: "lands@lands.example", Subject: "News", Text: "See the file.\n",
		Files: []outbox.File{{Name: "Oleg_save1.gm1", Data: []byte("\x00\x01save")}, {Name: "../сейв\r\n: 2\".gm1", Data: []byte(strings.Repeat("long ", 100))},
			{Name: "tree-HL3.png", Type: "image/png", Data: []byte("\x89PNG")}},
	}
	raw, err := outbox.Render(it)
	if err != nil {
		t.Fatal(err)
	}
	again, err := outbox.Render(it)
	if err != nil || string(again) != string(raw) {
		t.Error("the same item gives other bytes")
	}
	m, err := netmail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	text, err := parts.NextPart()
	if err != nil || !strings.HasPrefix(text.Header.Get("Content-Type"), "text/plain") {
		t.Fatalf("the first part is %v, %v", text, err)
	}
	for i, name := range []string{"Oleg_save1.gm1", "_сейв___ 2\".gm1", "tree-HL3.png"} {
		part, err := parts.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		kind, shown := "application/octet-stream", "attachment"
		if i == 2 {
			kind, shown = "image/png", "inline"
		}
		if h := part.Header; h.Get("Content-Type") != kind || !strings.HasPrefix(h.Get("Content-Disposition"), shown+";") {
			t.Errorf("%s is written as %v", name, h)
		}
		if part.FileName() != name {
			t.Errorf("a file is called %q, want %q", part.FileName(), name)
		}
		data, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
		if err != nil || string(data) != string(it.Files[i].Data) {
			t.Errorf("%s holds %q, %v", name, data, err)
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("after the files comes %v", err)
	}
}
