package board

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
)

func TestGamePageShowsWhatTheTavernKnows(t *testing.T) {
	f := sample(t)
	page := f.ok("/g/lands")
	for _, want := range []string{
		`<html lang="ru">`, "Земли Героев: весна 2026", "Europe/Moscow",
		"/g/lands/tree-HL3.svg", "/g/lands/tree-HL2.svg", `alt="Кто кому служит, HL3"`,
		"22.03.2026, 15:00", `datetime="2026-03-22T12:00:00Z"`, "просрочена", "за независимость",
		"герцог", "Ясеневый Брод, Каменка", "поднял флаг", "14.08.2026, 12:30", "Цветана, Эльза",
		"/g/lands/tavern.atom", "Дуэль № 1 окончена", `href="/g/lands/register"`, "2 × 2, феодальные правила",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, "<article"); n != postsShown {
		t.Errorf("%d announcements on the first page, want %d", n, postsShown)
	}
	if strings.Contains(page, "Кошелёк") {
		t.Error("the public page shows purses")
	}
}

func TestAnnouncementsAreNewestFirstAndPaged(t *testing.T) {
	f := newFixture(t)
	f.game("lands", "Lands", "en", "UTC")
	var posts []outbox.Item
	for i := range 2*postsShown + 5 {
		posts = append(posts, tavernPost("lands", fmt.Sprintf("Post <%d>", i), "Text"))
	}
	f.queue(posts...)
	var seen []string
	for path, pages := "/g/lands", 1; path != ""; pages++ {
		if pages > 3 {
			t.Fatal("the pages do not end")
		}
		doc := parse(t, f.ok(path))
		path = ""
		for n := range doc.Descendants() {
			switch {
			case n.Type == html.ElementNode && n.Data == "article":
				seen = append(seen, content(find(n, "h3")))
			case n.Data == "a" && attr(n, "rel") == "next":
				path, _, _ = strings.Cut(attr(n, "href"), "#")
			}
		}
	}
	if len(seen) != len(posts) {
		t.Fatalf("%d announcements on all pages, want %d", len(seen), len(posts))
	}
	for i, s := range seen {
		if want := fmt.Sprintf("Post <%d>", len(posts)-1-i); s != want {
			t.Fatalf("announcement %d is %q, want %q", i, s, want)
		}
	}
}

// Numbers of announcements tell nothing of what was sent besides, and the list of games comes in pages.
func TestNumbersTellNothing(t *testing.T) {
	f := newFixture(t)
	f.game("lands", "Lands", "en", "UTC")
	secret := outbox.Item{Game: "lands", Via: "mail", Kind: outbox.Press, To: "a@x", Subject: "s", Text: "t", From: "b@x"}
	f.queue(secret, tavernPost("lands", "One", "Text"), secret, secret, tavernPost("lands", "Two", "Text"))
	for _, path := range []string{"/g/lands", "/g/lands/tavern.atom"} {
		page := f.ok(path)
		for _, want := range []string{"?before=2#p1", "?before=3#p2"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %s:\n%s", path, want, page)
			}
		}
	}
	for i := range gamesShown {
		f.game(fmt.Sprint("more", i), fmt.Sprint("More ", i), "en", "UTC")
	}
	if page := f.ok("/"); strings.Count(page, "/g/") != gamesShown || !strings.Contains(page, `href="/?after=50"`) {
		t.Errorf("the first page of games:\n%s", page)
	}
	if page := f.ok("/?after=50"); strings.Count(page, "/g/") != 1 || strings.Contains(page, "after=") {
		t.Errorf("the last page of games:\n%s", page)
	}
}

func TestMemberPage(t *testing.T) {
	f := sample(t)
	f.member("lands", "Олег Рыжий", "player", "k7secretlink")
	f.member("lands", "Магистр", "gm", "gmlink")
	f.member("lands", "Nolink", "player", "")

	w := f.get("/m/k7secretlink")
	for _, want := range []string{"2700 @", "0 @", "Копейщики, Кузница, Сапоги Скорохода", "Offers of vassalage", "/m/k7secretlink/tree-HL3.svg", "Your own page, Олег Рыжий", "22 Mar 2026, 19:00", "noindex", `content="no-referrer"`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for h, want := range map[string]string{"Cache-Control": "private, no-cache", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow", "Set-Cookie": ""} {
		if got := w.Header().Get(h); got != want {
			t.Errorf("%s: %q, want %q", h, got, want)
		}
	}
	if w := f.get("/m/k7secretlink/tree-HL3.png"); w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("Cache-Control") != cachePrivate {
		t.Errorf("his picture: %d %v", w.Code, w.Header())
	}

	f.engine.asked = nil
	f.get("/m/gmlink")
	if got := f.engine.asked; len(got) != 2 || got[0] != (rules.Viewer{Seat: "Магистр", GM: true}) {
		t.Errorf("the GM's page was made for %v", got)
	}

	missing := f.get("/nothing")
	for _, path := range []string{"/m/unknown", "/m/", "/m/%20", "/m/unknown/tree-HL3.svg", "/g/none", "/g/lands/none.svg", "/g/lands/tree-HL3", "/g/none/tavern.atom"} {
		w := f.get(path)
		if w.Code != http.StatusNotFound || w.Body.String() != missing.Body.String() || fmt.Sprint(w.Header()) != fmt.Sprint(missing.Header()) {
			t.Errorf("%s: %d, and not the page that any unknown address has", path, w.Code)
		}
	}
}

// What the Tavern may not know stands on no public page, whatever the database holds of it.
// What a ruleset's page says has its own names: one of the frame's would change what every page says there.
func TestRulesetsLeaveTheWordsOfTheFrame(t *testing.T) {
	f := sample(t)
	f.member("lands", "Олег Рыжий", "player", "link")
	if page := f.ok("/m/link"); !strings.Contains(page, `<h2 id="offers-head">What you can do now`) || !strings.Contains(page, "Offers of vassalage") {
		t.Errorf("the heading of what can be done now is another's:\n%s", page)
	}
}

func TestPublicPagesKeepSecrets(t *testing.T) {
	f := sample(t, func(c *Config) {
		c.Sources = func() []Source { return []Source{{Name: "imap"}} }
	})
	f.write(`UPDATE game SET held = 'SECRET-held'`)
	f.member("lands", "Борис", "player", "SECRET-link")
	f.write(`INSERT INTO address (game, seat, via, addr, shown, ord) VALUES ('lands', 'Борис', 'mail', 'secret-addr@x', 'SECRET-addr@x', 0)`)
	f.write(`INSERT INTO input (game, n, kind, at, inbox, seat, body, events, chain) VALUES ('lands', 1, 'letter', 1, '', 'Борис', 'SECRET-body', 'SECRET-events', 'x')`)
	f.queue(outbox.Item{Game: "lands", Via: "mail", Kind: outbox.Press, To: "SECRET-to@x", Subject: "SECRET-subject", Text: "SECRET-text", From: "SECRET-from@x"},
		outbox.Item{Via: "mail", Kind: outbox.Alarm, To: "SECRET-operator@x", Subject: "SECRET-alarm", Text: "SECRET-alarm-text"})
	secret := map[string]any{"lands": []string{}, "inhabitants": map[string]any{"Борис": map[string]any{"gold": "SECRET-gold", "held": 0, "property": []string{}}}}
	for _, v := range []rules.Viewer{{Seat: "Борис"}, {Seat: "Борис", GM: true}, {GM: true}} {
		f.engine.views[v] = secret
		f.engine.pictures[v] = []rules.Picture{{Name: "SECRET-picture", Width: 10, Height: 10}}
	}
	public := []string{"/", "/g/lands", "/g/lands?before=12", "/g/lands/tavern.atom", "/g/lands/tree-HL3.svg", "/healthz", "/m/", "/m/SECRET", "/g/lands/SECRET-picture.svg"}
	for _, path := range public {
		w := f.get(path)
		if all := fmt.Sprint(w.Header()) + w.Body.String(); strings.Contains(all, "SECRET") {
			t.Errorf("%s tells a secret:\n%s", path, all)
		}
	}
	if !strings.Contains(f.ok("/m/SECRET-link"), "SECRET-gold") {
		t.Error("the owner does not see his own: the test would prove nothing")
	}
}

func TestFeedIsValidAtom(t *testing.T) {
	f := sample(t)
	f.queue(tavernPost("lands", "<b>Вызов</b> & \x1b", "Первая строка\nвторая <script>\n\nАбзац & всё"))
	body := f.ok("/g/lands/tavern.atom")
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Links   []struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Content struct {
				Type string `xml:"type,attr"`
				Text string `xml:",chardata"`
			} `xml:"content"`
			Link struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(body), &feed); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(feed.ID, "urn:uuid:") || feed.Title == "" || feed.Author == "" || len(feed.Entries) != 25 {
		t.Fatalf("%d entries, id %q, title %q, author %q", len(feed.Entries), feed.ID, feed.Title, feed.Author)
	}
	if got := feed.Links[0]; got.Rel != "self" || got.Href != "https://board.example/g/lands/tavern.atom" {
		t.Errorf("self is %v", got)
	}
	first := feed.Entries[0]
	if first.Content.Type != "html" || first.Content.Text != "<p>Первая строка<br>вторая &lt;script&gt;</p><p>Абзац &amp; всё</p>" {
		t.Errorf("content %q of type %s", first.Content.Text, first.Content.Type)
	}
	if !strings.HasPrefix(first.Title, "<b>Вызов</b> & ") {
		t.Errorf("title %q", first.Title)
	}
	ids := map[string]bool{feed.ID: true}
	for _, e := range feed.Entries {
		if at, err := time.Parse(time.RFC3339, e.Updated); err != nil || at.After(now) {
			t.Errorf("updated %q: %v", e.Updated, err)
		}
		if ids[e.ID] || !strings.HasPrefix(e.ID, "urn:uuid:") {
			t.Errorf("the id %q is another's or no IRI", e.ID)
		}
		ids[e.ID] = true
		page, anchor, _ := strings.Cut(strings.TrimPrefix(e.Link.Href, "https://board.example"), "#")
		if !strings.Contains(f.ok(page), `<article id="`+anchor+`">`) {
			t.Errorf("%s is not on the page that its link names", e.Link.Href)
		}
	}
	if again := f.ok("/g/lands/tavern.atom"); again != body {
		t.Error("the same feed differs when read again")
	}
}

// hostile are names that would break out of their places if they could.
var hostile = []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `]]></title><script/>`, "a\x00b\x1bc", `' onload='alert(1)`, "x\xff\xfe", `&lt;b&gt;`, `{{.}}`, `javascript:alert(1)`}

// Names and texts that people chose become text, wherever they stand.
func TestHostileNamesStayText(t *testing.T) {
	clean := elements(t, one(t, "Name").ok("/g/lands"))
	for _, h := range hostile {
		f := one(t, h)
		for path, want := range map[string]string{"/g/lands": clean, "/": elements(t, one(t, "Name").ok("/")), "/m/link": elements(t, one(t, "Name").ok("/m/link"))} {
			if got := elements(t, f.ok(path)); got != want {
				t.Errorf("%s: %q changed the page's elements:\n%s\nwant\n%s", path, h, got, want)
			}
		}
		if err := wellFormed(f.ok("/g/lands/tavern.atom")); err != nil {
			t.Errorf("%q in the feed: %v", h, err)
		}
	}
}

// one is a game whose every name is the same.
func one(t *testing.T, name string) *fixture {
	t.Helper()
	f := newFixture(t, func(c *Config) { c.Title = name })
	name = store.Text(name)
	f.game("lands", name, "en", "UTC")
	f.queue(tavernPost("lands", name, name+"\n\n"+name))
	v := map[string]any{"lands": []string{name}, "offers": []any{map[string]any{"land": name, "suzerain": name, "vassal": name, "consents": []string{name}, "lapses": "2026-04-01T00:00:00Z"}},
		"duels": []any{map[string]any{"id": 1, "land": name, "kind": "vassalage", "status": "open", "initiator": name, "target": name, "due": "2026-04-01T00:00:00Z"}},
		"inhabitants": map[string]any{name: map[string]any{"gold": 1, "held": 0, "property": []string{name}, "clan": name, "rank": map[string]any{name: "count"}, "flag": map[string]any{name: true},
			"immunity": map[string]any{name: nil}, "suzerain": map[string]any{name: name}, "vassals": map[string]any{name: []string{name}}, "feuds": map[string]any{name: []string{name}}}}}
	pictures := []rules.Picture{{Name: "tree-" + name, Title: map[string]string{"en": name}, Width: 10, Height: 10}}
	me := rules.Viewer{Seat: "seat"}
	for _, viewer := range []rules.Viewer{{}, me} {
		f.engine.views[viewer], f.engine.pictures[viewer] = v, pictures
	}
	f.member("lands", "seat", "player", "link")
	f.write(`UPDATE member SET nick = $1`, name)
	return f
}

func TestEveryAnswerHasThePolicy(t *testing.T) {
	f := sample(t, func(c *Config) {
		c.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "up 1\n") })
	})
	for _, path := range []string{"/", "/g/lands", "/g/lands/tavern.atom", "/g/lands/tree-HL3.svg", "/none", "/healthz", "/metrics"} {
		h := f.get(path).Header()
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; style-src 'self'; img-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", path, h)
		}
	}
	page := f.ok("/g/lands")
	if strings.Contains(page, "<script") || strings.Contains(page, " style=") {
		t.Error("the page needs what its policy forbids")
	}
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/g/lands", strings.NewReader("x=1")))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestUnchangedPageIsNotSentAgain(t *testing.T) {
	f := sample(t)
	for _, path := range []string{"/", "/g/lands", "/g/lands/tavern.atom", "/g/lands/tree-HL3.svg"} {
		tag := f.get(path).Header().Get("ETag")
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		f.h.ServeHTTP(w, r)
		if tag == "" || w.Code != http.StatusNotModified {
			t.Errorf("%s with its tag %s: %d", path, tag, w.Code)
		}
	}
}

func TestHealth(t *testing.T) {
	read, since := now.Add(-time.Minute), now.Add(-time.Hour)
	sources := []Source{{Name: "magistrate", Read: &read, Until: &read}}
	f := sample(t, func(c *Config) { c.Sources = func() []Source { return sources } })
	f.write(`UPDATE outbox SET state = 'failed' WHERE seq = 1`)
	var h health
	w := f.get("/healthz")
	if err := json.Unmarshal(w.Body.Bytes(), &h); err != nil {
		t.Fatal(err)
	}
	if w.Code != 200 || !h.OK || h.Database != "ok" || len(h.Sources) != 1 || !h.Sources[0].Read.Equal(read) || h.Outbox != (outboxed{Due: 23, Failed: 1}) {
		t.Errorf("%d %+v", w.Code, h)
	}
	sources[0].Error, sources[0].Since = "connection refused", &since
	if w := f.get("/healthz"); w.Code != 503 || !strings.Contains(w.Body.String(), `"connection refused"`) || !strings.Contains(w.Body.String(), `"2026-03-10T11:00:00Z"`) {
		t.Errorf("a source that fails: %d %s", w.Code, w.Body)
	}
	sources[0].Error = ""
	f.db.Close()
	if w := f.get("/healthz"); w.Code != 503 || !strings.Contains(w.Body.String(), `"does not answer"`) {
		t.Errorf("a database that is gone: %d %s", w.Code, w.Body)
	}
}

// A game that cannot be shown says so, tells the log why, and stops no other page.
func TestBrokenGameStopsNoOtherPage(t *testing.T) {
	var log strings.Builder
	f := sample(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	f.engine.fault = errors.New("nobody said what to show")
	w := f.get("/g/lands")
	if w.Code != 500 || !strings.Contains(w.Body.String(), "Эту страницу сейчас нельзя показать") || strings.Contains(w.Body.String(), "nobody said") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "nobody said") {
		t.Errorf("the log does not say why: %s", log.String())
	}
	f.ok("/")
	f.ok("/g/lands/tavern.atom")
}

// A ruleset that brings no page of its own shows its pictures.
func TestRulesetWithoutPage(t *testing.T) {
	f := sample(t, func(c *Config) { c.Rulesets = map[string]*rules.Ruleset{"heroeslands": {}} })
	page := f.ok("/g/lands")
	if !strings.Contains(page, "/g/lands/tree-HL3.svg") || strings.Contains(page, "герцог") {
		t.Error(page)
	}
}

// parse reads a page as browsers do.
func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// elements lists a page's elements with the names of their attributes.
func elements(t *testing.T, page string) string {
	var out strings.Builder
	for n := range parse(t, page).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		out.WriteString(n.Data)
		for _, a := range n.Attr {
			out.WriteString(" " + a.Key)
			if (a.Key == "href" || a.Key == "src") && !strings.HasPrefix(a.Val, "/") {
				out.WriteString("!")
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

func find(n *html.Node, tag string) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == tag {
			return d
		}
	}
	return n
}

func content(n *html.Node) (s string) {
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			s += d.Data
		}
	}
	return s
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func wellFormed(doc string) error {
	for d := xml.NewDecoder(strings.NewReader(doc)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
