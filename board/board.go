// Package board is the web board: a page for each game that shows what its Tavern may know, its announcements as
// pages and as an Atom feed, its pictures, a page for each member at a secret address, /healthz and /metrics.
//
// Its promise: nobody learns from it what he may not know. It holds no secret to leak: a page is made of the
// ruleset's view for its reader (of nobody in particular on public pages) and of the posts that were announced, and of
// nothing else. It only reads. It needs no script, sets no cookie and takes no log-in; a page policy forbids
// everything but its own style sheet and pictures, and every name and text is escaped by html/template.
//
// It knows no game: what a ruleset has to show beyond its pictures is the ruleset's own board.html, executed with the
// view as JSON decodes it. Words come from the texts, in the game's language, on a member's page in his.
package board

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"arroba/draw"
	"arroba/rules"
	"arroba/store"
	"arroba/templates"
	"arroba/turns"
)

// Config is what a board is made of.
type Config struct {
	DB       *store.DB
	Games    Games
	Rulesets map[string]*rules.Ruleset // by name: those that games may be of
	Title    string                    // the board's name, on every page; "Arroba" when left out
	Language string                    // of pages that belong to no game: "en" (when left out) or "ru"
	URL      string                    // where the board stands, "https://board.example"; "" leaves links in feeds relative
	Now      func() time.Time          // what is late
	Sources  func() []Source           // for /healthz; may be nil
	Metrics  http.Handler              // for /metrics; may be nil
	Log      *slog.Logger              // of what went wrong, never of who looked; nil for none
}

// Games is what the board needs of the engine: what a viewer may see of a game as it stands, the ruleset's view as JSON
// and its pictures.
type Games interface {
	View(ctx context.Context, game string, v rules.Viewer) (json.RawMessage, error)
	Pictures(ctx context.Context, game string, v rules.Viewer) ([]rules.Picture, error)
	Outlook(ctx context.Context, game string, seat rules.Seat) (turns.Outlook, error)
	Register(ctx context.Context, game string, seat rules.Seat) (string, error)
}

// board serves the pages.
type board struct {
	Config
	pen      *draw.Pen
	rulesets map[string]ruleset
	front    ruleset // pages and texts that belong to no game
	css      []byte
	style    string // the style sheet's address, another one for another sheet
}

// ruleset is how the games of a ruleset are shown.
type ruleset struct {
	texts *templates.Texts
	pages *template.Template
}

// New returns the board. The error says which text or page of which ruleset cannot be read.
func New(c Config) (http.Handler, error) {
	pen, err := draw.NewPen()
	if err != nil {
		return nil, err
	}
	c.Title, c.Language, c.Log = cmp.Or(c.Title, "Arroba"), cmp.Or(c.Language, "en"), cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	b := &board{Config: c, pen: pen, rulesets: map[string]ruleset{}, css: templates.BoardStyle()}
	b.style = "board-" + digest(b.css) + ".css"
	if b.front, err = newRuleset(&rules.Ruleset{}); err != nil {
		return nil, err
	}
	for name, r := range c.Rulesets {
		if b.rulesets[name], err = newRuleset(r); err != nil {
			return nil, fmt.Errorf("the board of %s: %w", name, err)
		}
	}
	return b.routes(), nil
}

func newRuleset(r *rules.Ruleset) (ruleset, error) {
	texts, err := templates.New(r)
	if err != nil {
		return ruleset{}, err
	}
	pages, err := templates.BoardPages(r.Texts)
	return ruleset{texts, pages}, err
}

// routes are the addresses.
func (b *board) routes() http.Handler {
	mux := http.NewServeMux()
	page := func(pattern string, f func(context.Context, *http.Request) (answer, error)) {
		mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) { b.answer(w, r, f) })
	}
	page("/{$}", b.index)
	page("/g/{game}", b.seen(b.public, b.game))
	page("/g/{game}/tavern.atom", b.seen(b.public, b.feed))
	page("/g/{game}/register", b.seen(b.public, b.register))
	page("/g/{game}/{picture}", b.seen(b.public, b.picture))
	page("/m/{link}", b.seen(b.own, b.game))
	page("/m/{link}/register", b.seen(b.own, b.register))
	page("/m/{link}/{picture}", b.seen(b.own, b.picture))
	page("/"+b.style, b.sheet)
	page("/", func(context.Context, *http.Request) (answer, error) { return answer{}, errMissing })
	mux.HandleFunc("GET /healthz", b.health)
	if b.Metrics != nil {
		mux.Handle("GET /metrics", b.Metrics)
	}
	return policy(mux)
}

// seen makes a page of who looks at which game, and what is shown to him.
func (b *board) seen(who func(context.Context, *http.Request) (look, error), what func(context.Context, *http.Request, look) (answer, error)) func(context.Context, *http.Request) (answer, error) {
	return func(ctx context.Context, r *http.Request) (answer, error) {
		l, err := who(ctx, r)
		if err != nil {
			return answer{}, err
		}
		return what(ctx, r, l)
	}
}

// policy sets what holds for every answer.
func policy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// answer is what a request brings.
type answer struct {
	kind  string // Content-Type
	cache string // Cache-Control
	body  []byte
}

// How long an answer may be kept. A member's own page is kept by nobody but him, and asked for anew each time.
const (
	cachePublic  = "public, max-age=30"
	cachePrivate = "private, no-cache"
	cacheForever = "public, max-age=31536000, immutable"
)

// errMissing says that there is no such page.
var errMissing = errors.New("no such page")

// answer makes an answer and sends it, with an ETag; a page that is not there, or that cannot be made, gets its own.
func (b *board) answer(w http.ResponseWriter, r *http.Request, make func(context.Context, *http.Request) (answer, error)) {
	a, err := make(r.Context(), r)
	switch {
	case errors.Is(err, errMissing):
		b.missing(w, http.StatusNotFound, "board.not_found")
	case err != nil:
		if r.Context().Err() == nil {
			b.Log.Error("a page of the board cannot be made", "page", r.Pattern, "err", err)
		}
		b.missing(w, http.StatusInternalServerError, "board.broken")
	default:
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("Cache-Control", a.cache)
		h.Set("ETag", `"`+digest(a.body)+`"`)
		if a.cache == cachePrivate {
			h.Set("X-Robots-Tag", "noindex, nofollow")
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
	}
}

// missing sends a page that says why there is none.
func (b *board) missing(w http.ResponseWriter, status int, why string) {
	p := b.page(b.front, templates.Reader{Language: b.Language, Zone: time.UTC})
	var body []byte
	var err error
	if p.Title, err = p.Say(why); err == nil {
		body, err = p.render("missing")
	}
	if err != nil {
		b.Log.Error("a page of the board cannot be made", "err", err)
	}
	w.Header().Set("Content-Type", kindHTML)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the reader may have gone
}

func (b *board) sheet(context.Context, *http.Request) (answer, error) {
	return answer{"text/css; charset=utf-8", cacheForever, b.css}, nil
}

// digest is a short name of some bytes.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

// address joins the parts of an address, each escaped.
func address(parts ...string) string {
	var s string
	for _, p := range parts {
		s += "/" + url.PathEscape(p)
	}
	return s
}
