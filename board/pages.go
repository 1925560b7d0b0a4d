package board

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/draw"
	"arroba/rules"
	"arroba/templates"
	"arroba/turns"
)

const (
	kindHTML = "text/html; charset=utf-8"

	// postsShown is how many announcements stand on a page.
	postsShown = 20

	// gamesShown is how many games stand on a page of their list.
	gamesShown = 50
)

// page is what the pages are made of. A ruleset's board.html has View, Pictures, Member and the methods.
type page struct {
	Site  string
	Style string
	Lang  string
	Title string
	Base  string // the page's own address
	Zone  string

	Private bool   // a member's own page
	Member  string // his nick, "" on public pages
	Seat    string // his seat, by which the view knows him
	Tavern  string // what the game calls its Tavern, "" for the word in the reader's language
	Public  string // the game's public page
	Feed    string
	Held    bool
	Forming bool // it has no position to show yet
	Tells   bool // its ruleset has a register

	Register []string // paragraphs, on the page of that name

	Outlook turns.Outlook // of a member

	Games    []listed
	First    bool // there are games before these
	Rest     int  // how many games stand on this page and those before; 0: there are no more
	View     any  // the ruleset's view as JSON decodes it, numbers as json.Number
	Pictures []shown
	Posts    []announcement
	Newer    bool
	Older    int64   // the announcements before this number stand on the next page; 0: there are none
	Updated  *moment // when the newest announcement was made

	now    time.Time
	reader templates.Reader
	set    ruleset
}

// listed is a game in the list of games.
type listed struct {
	Title, Base string
	Held        bool
	Forming     bool
	Last        *announcement
}

// announcement is a post as a page shows it.
type announcement struct {
	N          int64 // from 1 in its game
	Next       int64 // the number before which this one is the newest
	At         moment
	Subject    string
	Paragraphs []string
}

// shown is a picture as a page refers to it.
type shown struct {
	Name, Title, Address string
	Width, Height        int // in pixels
}

// moment is an instant as pages show it.
type moment struct{ ISO, Text string }

func (b *board) page(set ruleset, r templates.Reader) *page {
	return &page{Site: b.Title, Style: b.style, Lang: r.Language, Title: b.Title, Zone: r.Zone.String(), now: b.Now(), reader: r, set: set}
}

// Say returns one of the texts; a single value is its data.
func (p *page) Say(name string, data ...any) (string, error) {
	var d any
	if len(data) > 0 {
		d = data[0]
	}
	return p.set.texts.Say(p.reader, name, d)
}

// Time returns an instant, given as a time or as RFC 3339 text, on the reader's clock.
func (p *page) Time(v any) (moment, error) {
	at, err := instant(v)
	if err != nil {
		return moment{}, err
	}
	layout, err := p.Say("board.clock")
	if err != nil {
		return moment{}, err
	}
	return moment{ISO: at.UTC().Format(time.RFC3339), Text: at.In(p.reader.Zone).Format(layout)}, nil
}

// Past tells whether an instant is over.
func (p *page) Past(v any) (bool, error) {
	at, err := instant(v)
	return at.Before(p.now), err
}

// Picture returns the picture of a name; nil when the reader may see none of that name.
func (p *page) Picture(name string) *shown {
	if i := slices.IndexFunc(p.Pictures, func(s shown) bool { return s.Name == name }); i >= 0 {
		return &p.Pictures[i]
	}
	return nil
}

// List makes a list, for loops in an order that the view does not have.
func (p *page) List(items ...string) []string { return items }

// Join puts names in one line.
func (p *page) Join(names []any) string {
	s := make([]string, len(names))
	for i, n := range names {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s, ", ")
}

func instant(v any) (time.Time, error) {
	switch v := v.(type) {
	case time.Time:
		return v, nil
	case string:
		return time.Parse(time.RFC3339, v)
	}
	return time.Time{}, fmt.Errorf("%v (%T) is no instant", v, v)
}

// render executes one of the pages.
func (p *page) render(name string) ([]byte, error) {
	var out bytes.Buffer
	if err := p.set.pages.ExecuteTemplate(&out, name, p); err != nil {
		return nil, fmt.Errorf("rendering the page %q: %w", name, err)
	}
	return out.Bytes(), nil
}

// index is the list of games.
func (b *board) index(ctx context.Context, r *http.Request) (answer, error) {
	skipped, err := strconv.Atoi(r.URL.Query().Get("after"))
	if err != nil || skipped < 0 {
		skipped = 0
	}
	games, err := turns.SomeGames(ctx, b.DB.Read(), gamesShown+1, skipped)
	if err != nil {
		return answer{}, err
	}
	p := b.page(b.front, templates.Reader{Language: b.Language, Zone: time.UTC})
	if p.First = skipped > 0; len(games) > gamesShown {
		games, p.Rest = games[:gamesShown], skipped+gamesShown
	}
	for _, g := range games {
		last, err := b.readPosts(ctx, g.Name, 0, 1)
		if err != nil {
			return answer{}, err
		}
		l := listed{Title: g.Title, Base: address("g", g.Name), Held: g.Held != "", Forming: g.Forming()}
		if len(last) > 0 {
			a, err := b.page(b.front, templates.Reader{Language: b.Language, Zone: g.Zone}).announcement(last[0])
			if err != nil {
				return answer{}, err
			}
			l.Last = &a
		}
		p.Games = append(p.Games, l)
	}
	body, err := p.render("index")
	return answer{kindHTML, cachePublic, body}, err
}

// game is a game's page.
func (b *board) game(ctx context.Context, r *http.Request, l look) (answer, error) {
	set, ok := b.rulesets[l.game.Ruleset]
	if !ok {
		return answer{}, fmt.Errorf("game %s is of the ruleset %q, which this program does not have", l.game.Name, l.game.Ruleset)
	}
	p := b.ofGame(set, l)
	p.Forming = l.game.Forming()
	p.Tells = set.texts.Tells("register") && !p.Forming
	if m := l.member; m != nil {
		var err error
		if p.Outlook, err = b.Games.Outlook(ctx, l.game.Name, m.Seat); err != nil {
			return answer{}, fmt.Errorf("looking at game %s: %w", l.game.Name, err)
		}
	}
	if err := b.view(ctx, p, l); err != nil {
		return answer{}, fmt.Errorf("looking at game %s: %w", l.game.Name, err)
	}
	before, err := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64)
	if err != nil || before < 0 {
		before = 0 // from the newest one on
	}
	if err := b.announced(ctx, p, l.game.Name, before); err != nil {
		return answer{}, err
	}
	body, err := p.render("game")
	return answer{kindHTML, l.cache(), body}, err
}

// ofGame is a page of a game.
func (b *board) ofGame(set ruleset, l look) *page {
	p := b.page(set, l.reader())
	p.Title, p.Tavern, p.Held = l.game.Title, l.game.Settings.Tavern, l.game.Held != ""
	p.Base, p.Public, p.Feed = l.base, address("g", l.game.Name), address("g", l.game.Name, "tavern.atom")
	if m := l.member; m != nil {
		p.Private, p.Member, p.Seat = true, m.Nick, string(m.Seat)
	}
	return p
}

// register is the page of a game's register, as it stands now.
func (b *board) register(ctx context.Context, _ *http.Request, l look) (answer, error) {
	set, ok := b.rulesets[l.game.Ruleset]
	if !ok {
		return answer{}, errMissing
	}
	p := b.ofGame(set, l)
	text, err := b.Games.Register(ctx, l.game.Name, rules.Seat(p.Seat))
	if err != nil {
		return answer{}, fmt.Errorf("looking at game %s: %w", l.game.Name, err)
	}
	if text == "" {
		return answer{}, errMissing
	}
	p.Register = paragraphs(text)
	body, err := p.render("register")
	return answer{kindHTML, l.cache(), body}, err
}

// view puts what may be seen of a game on a page.
func (b *board) view(ctx context.Context, p *page, l look) error {
	if p.Forming {
		return nil
	}
	raw, err := b.Games.View(ctx, l.game.Name, l.viewer())
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&p.View); err != nil {
		return fmt.Errorf("reading the view: %w", err)
	}
	pictures, err := b.Games.Pictures(ctx, l.game.Name, l.viewer())
	for _, pic := range pictures {
		p.Pictures = append(p.Pictures, shown{
			Name: pic.Name, Title: draw.Caption(pic, p.Lang), Address: p.Base + address(pic.Name),
			Width: draw.Pixels(pic.Width), Height: draw.Pixels(pic.Height),
		})
	}
	return err
}

// announced puts the Tavern's announcements before a number on a page, all of them when that is 0.
func (b *board) announced(ctx context.Context, p *page, game string, before int64) error {
	posts, err := b.readPosts(ctx, game, before, postsShown+1)
	if err != nil {
		return err
	}
	if len(posts) > postsShown {
		posts = posts[:postsShown]
		p.Older = posts[postsShown-1].N
	}
	for _, po := range posts {
		a, err := p.announcement(po)
		if err != nil {
			return err
		}
		p.Posts = append(p.Posts, a)
	}
	p.Newer = before > 0
	if before == 0 && len(p.Posts) > 0 {
		p.Updated = &p.Posts[0].At
	}
	return nil
}

// announcement is a post as the page shows it.
func (p *page) announcement(it post) (announcement, error) {
	at, err := p.Time(it.Date)
	return announcement{N: it.N, Next: it.N + 1, At: at, Subject: it.Subject, Paragraphs: paragraphs(it.Text)}, err
}

// picture draws the picture that the address names, <name>.svg or <name>.png.
func (b *board) picture(ctx context.Context, r *http.Request, l look) (answer, error) {
	file := r.PathValue("picture")
	kind := path.Ext(file)
	pictures, err := b.Games.Pictures(ctx, l.game.Name, l.viewer())
	if err != nil {
		return answer{}, fmt.Errorf("looking at game %s: %w", l.game.Name, err)
	}
	i := slices.IndexFunc(pictures, func(p rules.Picture) bool { return p.Name+kind == file })
	if i < 0 {
		return answer{}, errMissing
	}
	var out bytes.Buffer
	switch kind {
	case ".svg":
		err = b.pen.SVG(&out, pictures[i], l.reader().Language)
		return answer{"image/svg+xml", l.cache(), out.Bytes()}, err
	case ".png":
		err = b.pen.PNG(&out, pictures[i], l.reader().Language)
		return answer{"image/png", l.cache(), out.Bytes()}, err
	}
	return answer{}, errMissing
}
