package board

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"arroba/outbox"
	"arroba/rules"
	"arroba/rules/all"
	"arroba/rules/heroeslands"
	"arroba/rules/rulestest"
	"arroba/store"
	"arroba/turns"
)

// moscow is the zone of the sample game, now the instant at which it is looked at.
const moscow = "Europe/Moscow"

var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// engine shows a state to everybody as the ruleset does, but for what a test says of a viewer.
type engine struct {
	state    *rules.State
	views    map[rules.Viewer]any
	pictures map[rules.Viewer][]rules.Picture
	fault    error

	mu    sync.Mutex // as the real engine has one
	asked []rules.Viewer
}

func (e *engine) View(_ context.Context, _ string, v rules.Viewer) (json.RawMessage, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, v)
	view, err := e.views[v], e.fault
	if view == nil && err == nil {
		view, err = e.state.View(v)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(view)
}

func (e *engine) Pictures(_ context.Context, _ string, v rules.Viewer) ([]rules.Picture, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, v)
	if p, ok := e.pictures[v]; ok || e.fault != nil {
		return p, e.fault
	}
	return e.state.Pictures(v)
}

func (e *engine) Outlook(_ context.Context, _ string, seat rules.Seat) (turns.Outlook, error) {
	return turns.Outlook{Deadline: "Orders are due soon.\nThat is the deadline of " + string(seat) + ".", Offers: []turns.Offer{
		{Line: "CHALLENGE <lord>", Link: "mailto:gm@lands.example?subject=%5Blands%5D%20orders&body=CHALLENGE%20%3Clord%3E"}}}, e.fault
}

func (e *engine) Register(_ context.Context, _ string, seat rules.Seat) (string, error) {
	return "The register.\n\nFor <" + string(seat) + ">", e.fault
}

// sampleWorld is the opening of the sample game: a dozen lords in two Lands.
const sampleWorld = `
[world]
lands = ["HL3", "HL2"]
presenter = "Жанна"
[world.inhabitants."Олег Рыжий"]
clan = "Волки"
feuds = { HL3 = ["Ясеневый Брод", "Каменка", "Вязы", "Три Дуба", "Старый Мост", "Чёрный Ручей", "Соколиная Гора", "Княжий Луг", "Заречье", "Лисий Лог", "Белая Церковь", "Мельница"], HL2 = ["Дол", "Бор", "Луг", "Мыс", "Плёс"] }
gold = 2700
property = [ { name = "Кузница", kind = "mine" }, { name = "Сапоги Скорохода", kind = "artifact", level = 2 }, { name = "Копейщики", kind = "unit", level = 1 } ]
[world.inhabitants."Борис"]
feuds = { HL3 = ["Сосновка", "Брянка", "Холм"] }
suzerain = { HL3 = "Олег Рыжий" }
[world.inhabitants."Жанна"]
feuds = { HL3 = ["Озёрный Край", "Сенная", "Курган", "Дальний Кут", "Яр"] }
suzerain = { HL3 = "Олег Рыжий" }
gold = 1000
[world.inhabitants."Щукин"]
feuds = { HL3 = ["Перевоз"] }
suzerain = { HL3 = "Жанна" }
[world.inhabitants."Фёдор Иоаннович"]
feuds = { HL3 = ["Рогожа", "Липки"] }
suzerain = { HL3 = "Олег Рыжий" }
[world.inhabitants.Emelyan_the_Long-Nicked]
feuds = { HL3 = ["Northmarch", "Eastmarch", "Southmarch", "Westmarch"] }
suzerain = { HL3 = "Олег Рыжий" }
[world.inhabitants."Ольга"]
clan = "Медведи"
feuds = { HL3 = ["Верхний Замок", "Нижний Замок", "Ольгино", "Пески", "Глинка", "Рудник", "Тихая Заводь", "Медвежье"], HL2 = ["Альба", "Бета", "Гамма", "Дельта", "Зета", "Йота", "Каппа", "Лямбда", "Мю", "Ню", "Омега", "Пи", "Ро", "Сигма", "Тау", "Фи"] }
[world.inhabitants."Пётр"]
feuds = { HL3 = ["Петровское", "Ключи", "Отрада", "Долина", "Высокое"] }
suzerain = { HL3 = "Ольга" }
immunity = { HL3 = 2026-08-14T09:30:00Z }
[world.inhabitants.Ivan]
feuds = { HL3 = ["Ashford", "Brook", "Cray"] }
suzerain = { HL3 = "Ольга" }
[world.inhabitants."Юлий"]
feuds = { HL3 = ["Тупик"], HL2 = ["Пристань"] }
suzerain = { HL2 = "Ольга" }
[world.inhabitants."Цветана"]
feuds = { HL2 = ["Маяк"] }
[world.inhabitants."Эльза"]
`

// played is the sample as the ruleset plays it: two duels are open, one of them overdue, and a vassalage is offered.
func played(t *testing.T) *rules.State {
	t.Helper()
	w := rulestest.World(sampleWorld, rulestest.Members("gm:Магистр", "Олег Рыжий", "Жанна", "Emelyan_the_Long-Nicked", "Юлий", "Цветана", "Ольга")...)
	w.Start = now.AddDate(0, 0, -60)
	g := rulestest.Open(t, heroeslands.Ruleset(), w)
	for _, step := range []struct {
		daysAgo    int
		nick, line string
	}{
		{50, "Олег Рыжий", "DECLARE WAR ON Ольга IN HL3 WITH 2"},
		{33, "Emelyan_the_Long-Nicked", "CHALLENGE Олег Рыжий IN HL3 FOR INDEPENDENCE"},
		{18, "Жанна", "ВЫЗВАТЬ Юлий В HL3 ЗА ВАССАЛИТЕТ"},
		{3, "Цветана", "SERVE Олег Рыжий IN HL2"},
	} {
		if a := g.Mail(now.AddDate(0, 0, -step.daysAgo), step.nick, step.line); !a.Ruling.OK() {
			t.Fatalf("%s: %s: %+v", step.nick, step.line, a)
		}
	}
	return g.State
}

// fixture is a board over a database of its own.
type fixture struct {
	*testing.T
	db     *store.DB
	engine *engine
	h      http.Handler
}

func newFixture(t *testing.T, change ...func(*Config)) *fixture {
	t.Helper()
	db, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	e := &engine{state: played(t), views: map[rules.Viewer]any{}, pictures: map[rules.Viewer][]rules.Picture{}}
	c := Config{DB: db, Games: e, Rulesets: all.Rulesets, Title: "Доска Арробы", Language: "ru", URL: "https://board.example",
		Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&c)
	}
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t, db, e, h}
}

func (f *fixture) write(query string, args ...any) {
	f.Helper()
	if err := f.db.Write(f.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(query, args...); return err }); err != nil {
		f.Fatal(err)
	}
}

// game puts a game in.
func (f *fixture) game(name, title, language, zone string) {
	f.Helper()
	f.write(`INSERT INTO game (name, ruleset, version, title, zone, language, seed, mailbox, sender, settings, created, started, last_n, last_input, chain, next_due, held)
		VALUES ($1, 'heroeslands', 1, $2, $3, $4, 'SECRET-seed', 'SECRET-mailbox@lands.example', 'SECRET-sender@lands.example', '{"tavern":"Таверна","authserv_id":"SECRET-settings"}', $5, $5, 0, 0, $6, 0, '')`,
		name, title, zone, language, store.Micro(now.AddDate(0, -2, 0)), []byte{})
}

func (f *fixture) member(game, seat, role, link string) {
	f.Helper()
	f.write(`INSERT INTO member (game, seat, nick, role, language, zone, link, ord) VALUES ($1, $2, $2, $3, 'en', 'Asia/Novosibirsk', $4, 0)`, game, seat, role, link)
}

// queue puts items in the outbox, each an hour after the one before.
func (f *fixture) queue(items ...outbox.Item) {
	f.Helper()
	for i := range items {
		items[i].Date = now.Add(time.Duration(i-len(items)) * time.Hour)
	}
	if err := f.db.Write(f.Context(), func(tx *sql.Tx) error { return outbox.Queue(f.Context(), tx, now, items) }); err != nil {
		f.Fatal(err)
	}
}

func tavernPost(game, subject, text string) outbox.Item {
	return outbox.Item{Game: game, Via: "post", Kind: outbox.Results, To: "tavern", Subject: subject, Text: text, From: "gm@lands.example"}
}

// sample is the game of the screenshots.
func sample(t *testing.T, change ...func(*Config)) *fixture {
	f := newFixture(t, change...)
	f.game("lands", "Земли Героев: весна 2026", "ru", moscow)
	f.queue(samplePosts()...)
	return f
}

func samplePosts() (posts []outbox.Item) {
	kinds := [][2]string{
		{"Вызов: Олег Рыжий — Юлий", "Олег Рыжий вызвал лорда Юлий на вассальную дуэль № 2 в Земле HL3 за вассалитет. Дуэль должна состояться до воскресенья, 22 марта 2026 г., 20:05 (Europe/Moscow).\n\nДо результата удерживаются 1000 @ вызвавшего."},
		{"Борис стал вассалом", "Борис отныне служит лорду Олег Рыжий в Земле HL3."},
		{"Новый титул: Жанна", "Жанна теперь граф в Земле HL3 (была барон)."},
		{"Ольга подняла флаг", "Четыре вассала служат лорду Ольга в Земле HL3: он вправе поднять флаг, подобный королевскому."},
		{"Дуэль № 1 окончена", "Победа вызвавшего: Ольга.\nIvan стал её вассалом."},
		{"Объявление Магистра", "Дорогие лорды! Весенний турнир начнётся в апреле. Сохранения принимаются на https://heroesportal.example/very/long/address/that/does/not/break/anywhere/by/itself/save_1234567890.gm1 до конца месяца.\n\nМагистр"},
	}
	for i := range 24 {
		k := kinds[i%len(kinds)]
		posts = append(posts, tavernPost("lands", k[0], k[1]))
	}
	slices.Reverse(posts)
	return posts
}

// get asks for a page.
func (f *fixture) get(path string) *httptest.ResponseRecorder {
	f.Helper()
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// ok asks for a page that must be there.
func (f *fixture) ok(path string) string {
	f.Helper()
	w := f.get(path)
	if w.Code != http.StatusOK {
		f.Fatalf("GET %s: %d\n%s", path, w.Code, w.Body)
	}
	return w.Body.String()
}
