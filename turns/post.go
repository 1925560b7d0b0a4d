package turns

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/mail"
	"strings"

	"arroba/ingest/letter"
	"arroba/orders"
)

// readPost reads a post of the Tavern: the fields Author, Subject, Post-ID and Withdrawn, a blank line, and the text.
// Its fingerprint is its id on the board and its text, so that a second reading is known, and an edit too.
func readPost(raw []byte) letter.Letter {
	l := letter.Letter{Class: letter.Malformed, Authenticated: "pass"}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		l.Problems = []string{"the post has no fields: " + err.Error()}
		return l
	}
	text, err := io.ReadAll(m.Body)
	if err != nil {
		l.Problems = []string{"the post cannot be read: " + err.Error()}
		return l
	}
	l.From = strings.TrimSpace(m.Header.Get("Author"))
	l.Subject = orders.Clean(m.Header.Get("Subject"))
	l.MessageID = strings.TrimSpace(m.Header.Get("Post-ID"))
	if l.From == "" {
		l.Problems = []string{"the post has no author"}
		return l
	}
	l.Class = letter.Orders
	for line := range strings.Lines(string(text)) {
		l.Lines = append(l.Lines, orders.Clean(line))
	}
	sum := sha256.Sum256([]byte("post\x00" + l.MessageID + "\x00" + l.From + "\x00" + l.Subject + "\x00" + m.Header.Get("Withdrawn") + "\x00" + strings.Join(l.Lines, "\n")))
	l.Fingerprint = hex.EncodeToString(sum[:])
	return l
}
