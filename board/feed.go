package board

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"
)

// entriesFed is how many announcements stand in a feed.
const entriesFed = 50

// atomFeed is a feed as RFC 4287 writes it.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Author  string      `xml:"author>name"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Link    atomLink    `xml:"link"`
	Content atomContent `xml:"content"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// feed is a game's announcements for feed readers, in the game's language.
func (b *board) feed(ctx context.Context, _ *http.Request, l look) (answer, error) {
	g := l.game
	posts, err := b.readPosts(ctx, g.Name, 0, entriesFed)
	if err != nil {
		return answer{}, err
	}
	home, updated := b.URL+address("g", g.Name), g.Created
	if len(posts) > 0 {
		updated = posts[0].Date
	}
	f := atomFeed{
		Lang: g.Language, ID: permanent("game", g.Name, g.Created.Format(time.RFC3339Nano)), Title: g.Title, Updated: updated.Format(time.RFC3339),
		Links:  []atomLink{{"self", "application/atom+xml", home + "/tavern.atom"}, {"alternate", "text/html", home}},
		Author: g.Title,
	}
	for _, p := range posts {
		f.Entries = append(f.Entries, atomEntry{
			ID: permanent("post", g.Name, p.ID), Title: p.Subject, Updated: p.Date.Format(time.RFC3339),
			Link:    atomLink{"alternate", "text/html", fmt.Sprintf("%s?before=%d#p%d", home, p.N+1, p.N)},
			Content: atomContent{"html", feedText(p.Text)},
		})
	}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	e := xml.NewEncoder(&out)
	e.Indent("", " ")
	if err := e.Encode(f); err != nil {
		return answer{}, fmt.Errorf("writing the feed of game %s: %w", g.Name, err)
	}
	return answer{"application/atom+xml; charset=utf-8", l.cache(), out.Bytes()}, nil
}

// feedText is an announcement as HTML, so that readers keep its paragraphs and lines.
func feedText(text string) string {
	var s strings.Builder
	for _, part := range paragraphs(text) {
		s.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(part), "\n", "<br>") + "</p>")
	}
	return s.String()
}

// permanent is an Atom id that stays the same wherever the board moves to: a UUID made of what it names.
func permanent(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80 // version 8: made by a hash of our own
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
