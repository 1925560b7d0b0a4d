package forum

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"strconv"
	"strings"
	"time"
)

// Record is one version of a post as it is kept: what the page showed, when, and the HTML of its body, so that its lines
// can be read again. A post that somebody wrote out by hand has an author, an id and lines, and no board.
// A source keeps no texts: its record of a post that is gone has the id, the last hash and the version, and no author.
type Record struct {
	Post
	Board     string // family; "" of a post that no page showed
	Theme     string
	Source    string // the board's name in the config
	Thread    string // its id
	Fetched   time.Time
	Withdrawn bool // the post is gone
	Foreign   bool // it is older than what was read before and was not there then: it came with another thread that was merged into this one
	Version   int  // 1 for the first that was seen
	Added     int  // the first line that is new, where a board merged a second post into the first: only the lines from there are this letter; 0 for none
}

// Encode writes a record: fields, a blank line, and the body.
func (r Record) Encode() []byte {
	var b bytes.Buffer
	field := func(title, value string) {
		if value = nameOf(value); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", title, encoded(value))
		}
	}
	instant := func(title string, t time.Time) {
		if !t.IsZero() {
			field(title, t.UTC().Format(time.RFC3339))
		}
	}
	flag := func(title string, on bool) {
		if on {
			field(title, "yes")
		}
	}
	count := func(title string, n int) {
		if n > 0 {
			field(title, strconv.Itoa(n))
		}
	}
	field("Author", r.Author)
	field("Author-ID", r.AuthorID)
	field("Subject", r.Subject)
	field("Post-ID", r.ID)
	field("Board", r.Board)
	field("Theme", r.Theme)
	field("Source", r.Source)
	field("Thread", r.Thread)
	field("Permalink", r.Permalink)
	instant("Posted", r.Posted.At)
	instant("Earliest", r.Posted.Early)
	instant("Latest", r.Posted.Late)
	instant("Fetched", r.Fetched)
	field("Hash", r.Hash)
	count("Version", r.Version)
	count("Added", r.Added)
	count("Attachments", r.Attachments)
	flag("Edited", r.Edited)
	flag("Wiki", r.Wiki)
	flag("Withdrawn", r.Withdrawn)
	flag("Foreign", r.Foreign)
	if r.Board != "" {
		field("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(&b, "\n%s", r.HTML)
	} else {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(r.Lines, "\n"))
	}
	return b.Bytes()
}

// encoded is a value as it stands in a field. What looks like an encoded word is one more time, or it would be read as
// something else: a name as another's.
func encoded(value string) string {
	if strings.Contains(value, "=?") {
		return "=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
	}
	return mime.BEncoding.Encode("utf-8", value)
}

// ReadRecord reads what Encode wrote, or what somebody wrote by hand: the fields Author, Subject, Post-ID and Withdrawn, a
// blank line, and the text. The lines of a page's post are read out of its HTML again.
func ReadRecord(raw []byte) (r Record, err error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return r, fmt.Errorf("the post has no fields: %w", err)
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		return r, fmt.Errorf("the post cannot be read: %w", err)
	}
	var words mime.WordDecoder
	get := func(name string) string {
		s := strings.TrimSpace(m.Header.Get(name))
		if decoded, err := words.DecodeHeader(s); err == nil {
			return decoded
		}
		return s
	}
	instant := func(name string) time.Time {
		t, err := time.Parse(time.RFC3339, get(name))
		if err != nil {
			return time.Time{}
		}
		return t
	}
	count := func(name string) int { return number(get(name), 0) }
	flag := func(name string) bool { return strings.EqualFold(get(name), "yes") }
	r = Record{
		Post: Post{
			ID: get("Post-ID"), Author: get("Author"), AuthorID: get("Author-ID"), Subject: get("Subject"), Permalink: get("Permalink"),
			Posted: Instant{instant("Posted"), instant("Earliest"), instant("Latest")},
			Edited: flag("Edited"), Wiki: flag("Wiki"), Hash: get("Hash"), Attachments: count("Attachments"),
		},
		Board: get("Board"), Theme: get("Theme"), Source: get("Source"), Thread: get("Thread"), Fetched: instant("Fetched"),
		Withdrawn: flag("Withdrawn"), Foreign: flag("Foreign"), Version: count("Version"), Added: count("Added"),
	}
	if r.Board == "" {
		for line := range strings.Lines(string(body)) {
			r.Lines = append(r.Lines, strings.TrimRight(line, "\r\n"))
		}
		return r, nil
	}
	r.HTML = string(body)
	r.Lines, err = Lines(r.Board, r.Theme, r.HTML)
	return r, err
}
