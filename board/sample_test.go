package board

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/outbox"
	"arroba/rules"

	"arroba/store"
)

// moscow is the zone of the sample game, now the instant at which it is looked at.
const moscow = "Europe/Moscow"

var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// engine is a made-up engine: what each viewer sees is given.
type engine struct {
	views    map[rules.Viewer]any
	pictures map[rules.Viewer][]rules.Picture
	asked    []rules.Viewer
}

func (e *engine) View(_ context.Context, _ string, v rules.Viewer) (json.RawMessage, error) {
	e.asked = append(e.asked, v)
	if e.views[v] == nil {
		return nil, fmt.Errorf("nobody said what %v may see", v)
	}
	return json.Marshal(e.views[v])
}

func (e *engine) Pictures(_ context.Context, _ string, v rules.Viewer) ([]rules.Picture, error) {
	e.asked = append(e.asked, v)
	return e.pictures[v], nil
}

// lord is one of the sample.
type lord struct {
	nick, rank, suzerain, clan string
	feuds                      []string
	flag                       bool
	immunity                   any
}

func lords() map[string][]lord {
	return map[string][]lord{
		"HL3": {
			{nick: "Олег Рыжий", rank: "duke", feuds: []string{"Ясеневый Брод", "Каменка", "Вязы", "Три Дуба", "Старый Мост", "Чёрный Ручей", "Соколиная Гора", "Княжий Луг", "Заречье", "Лисий Лог", "Белая Церковь", "Мельница"}, flag: true, clan: "Волки"},
			{nick: "Борис", rank: "baron", suzerain: "Олег Рыжий", feuds: []string{"Сосновка", "Брянка", "Холм"}},
			{nick: "Жанна", rank: "count", suzerain: "Олег Рыжий", feuds: []string{"Озёрный Край", "Сенная", "Курган", "Дальний Кут", "Яр"}},
			{nick: "Щукин", rank: "knight", suzerain: "Жанна", feuds: []string{"Перевоз"}},
			{nick: "Фёдор Иоаннович", rank: "knight", suzerain: "Олег Рыжий", feuds: []string{"Рогожа", "Липки"}},
			{nick: "Emelyan_the_Long-Nicked", rank: "baron", suzerain: "Олег Рыжий", feuds: []string{"Northmarch", "Emelyan2", "Emelyan3", "Emelyan4"}},
			{nick: "Ольга", rank: "marquis", feuds: []string{"Верхний Замок", "Нижний Замок", "Ольгино", "Пески", "Глинка", "Рудник", "Тихая Заводь", "Медвежье"}, clan: "Медведи"},
			{nick: "Пётр", rank: "count", suzerain: "Ольга", feuds: []string{"Петровское", "Ключи", "Отрада", "Долина", "Высокое"}, immunity: "2026-08-14T09:30:00Z"},
			{nick: "Ivan", rank: "baron", suzerain: "Ольга", feuds: []string{"Ashford", "Brook", "Cray"}},
			{nick: "Юлий", rank: "knight", feuds: []string{"Тупик"}},
			{nick: "Цветана", rank: "landless"},
			{nick: "Эльза", rank: "landless"},
		},
		"HL2": {
			{nick: "Ольга", rank: "king", feuds: strings.Fields("Альба Бета Гамма Дельта Зета Йота Каппа Лямбда Мю Ню Омега Пи Ро Сигма Тау Фи")},
			{nick: "Олег Рыжий", rank: "count", suzerain: "Ольга", feuds: strings.Fields("Дол Бор Луг Мыс Плёс")},
			{nick: "Юлий", rank: "knight", suzerain: "Ольга", feuds: []string{"Пристань"}},
		},
	}
}

// view is the sample as the ruleset shows it to everybody.
func view() map[string]any {
	people := map[string]any{}
	for _, l := range lords()["HL3"] {
		people[l.nick] = map[string]any{"race": "wizard", "continent": "Tower", "clan": l.clan, "offices": map[string]any{},
			"feuds": map[string]any{}, "rank": map[string]any{}, "suzerain": map[string]any{}, "vassals": map[string]any{}, "flag": map[string]any{}, "immunity": map[string]any{}}
	}
	set := func(nick, field, land string, v any) { people[nick].(map[string]any)[field].(map[string]any)[land] = v }
	for _, land := range []string{"HL3", "HL2"} {
		for nick := range people {
			set(nick, "feuds", land, []string{})
			set(nick, "vassals", land, []string{})
			set(nick, "rank", land, "landless")
			set(nick, "suzerain", land, nil)
			set(nick, "flag", land, false)
			set(nick, "immunity", land, nil)
		}
		vassals := map[string][]string{}
		for _, l := range lords()[land] {
			set(l.nick, "rank", land, l.rank)
			set(l.nick, "feuds", land, append([]string{}, l.feuds...))
			set(l.nick, "flag", land, l.flag)
			set(l.nick, "immunity", land, l.immunity)
			if l.suzerain != "" {
				set(l.nick, "suzerain", land, l.suzerain)
				vassals[l.suzerain] = append(vassals[l.suzerain], l.nick)
				set(l.suzerain, "vassals", land, vassals[l.suzerain])
			}
		}
	}
	duel := func(id int, kind, land, initiator, target, status, due string) map[string]any {
		return map[string]any{"id": id, "kind": kind, "land": land, "initiator": initiator, "target": target, "stand_in": nil, "status": status,
			"declared": "2026-02-20T10:00:00Z", "due": due, "postponed": false, "property": []any{}, "stake": nil, "result": nil, "winner": nil, "closed": nil}
	}
	return map[string]any{"lands": []string{"HL3", "HL2"}, "presenter": "Жанна", "inhabitants": people, "duels": []any{
		duel(1, "vassalage", "HL3", "Ольга", "Ivan", "closed", "2026-02-01T12:00:00Z"),
		duel(2, "vassalage", "HL3", "Олег Рыжий", "Юлий", "open", "2026-03-22T17:05:00Z"),
		duel(3, "independence", "HL3", "Emelyan_the_Long-Nicked", "Олег Рыжий", "open", "2026-03-09T08:00:00Z"),
	}}
}

// tree is a picture of the sample, as a ruleset draws one.
func tree(land string) rules.Picture {
	pic := rules.Picture{Name: "tree-" + land, Title: map[string]string{"en": "Who serves whom in " + land, "ru": "Кто кому служит, " + land}, Height: 40}
	at := map[string][2]float64{}
	depth := map[string]float64{}
	row := 0.0
	var put func(l lord)
	put = func(l lord) {
		x, y := 14+depth[l.nick]*190, 16+row*34
		row++
		at[l.nick] = [2]float64{x, y}
		if up, ok := at[l.suzerain]; ok {
			pic.Shapes = append(pic.Shapes, rules.Shape{Points: [][2]float64{{up[0] + 14, up[1] + 26}, {up[0] + 14, y + 13}, {x, y + 13}}, Stroke: "#9a7420", Width: 1.2})
		}
		pic.Shapes = append(pic.Shapes,
			rules.Shape{Points: [][2]float64{{x, y}, {x + 170, y}, {x + 170, y + 26}, {x, y + 26}}, Closed: true, Fill: "#f1e9d6", Stroke: "#7a1f2b", Width: 1},
			rules.Shape{Points: [][2]float64{{x + 8, y + 17}}, Text: l.nick, Size: 11, Bold: true, Fill: "#25211b"},
			rules.Shape{Points: [][2]float64{{x + 162, y + 17}}, Text: l.rank, Size: 9, Align: "end", Fill: "#6b6254"})
		pic.Width = max(pic.Width, x+184)
		pic.Height = y + 42
		for _, v := range lords()[land] {
			if v.suzerain == l.nick {
				depth[v.nick] = depth[l.nick] + 1
				put(v)
			}
		}
	}
	for _, l := range lords()[land] {
		if l.suzerain == "" && l.rank != "landless" {
			put(l)
		}
	}
	return pic
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
	tavern := rules.Viewer{}
	e := &engine{views: map[rules.Viewer]any{tavern: view()}, pictures: map[rules.Viewer][]rules.Picture{tavern: {tree("HL3"), tree("HL2")}}}
	c := Config{DB: db, Games: e, Rulesets: map[string]*rules.Ruleset{"heroeslands": {Texts: os.DirFS("../rules/heroeslands/texts")}}, Title: "Доска Арробы", Language: "ru", URL: "https://board.example",
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
	f.write(`INSERT INTO game (name, ruleset, version, title, zone, language, seed, mailbox, sender, settings, created, last_n, last_input, chain, next_due, held)
		VALUES ($1, 'heroeslands', 1, $2, $3, $4, 'SECRET-seed', 'SECRET-mailbox@lands.example', 'SECRET-sender@lands.example', '{"tavern":"Таверна","authserv_id":"SECRET-settings"}', $5, 0, 0, $6, 0, '')`,
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
