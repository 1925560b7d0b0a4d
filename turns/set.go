package turns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"arroba/rules"
	"arroba/store"
)

// Setting is one that may be changed while the game goes on, with its value as game.toml has it. Quotes may be left
// out.
type Setting struct{ Key, Value string }

// Changed is a setting that was changed.
type Changed struct {
	Key string `json:"key"`
	Was string `json:"was"`
	Now string `json:"now"`

	Public bool `json:"public,omitempty"` // all members are told of it
}

// SetBody is what the log keeps of a change of settings: they are no part of the position, so playing it again only
// tells of them.
type SetBody struct {
	Who     string       `json:"who"` // did it at the command line
	Changes []Changed    `json:"changes"`
	Members []rules.Seat `json:"members"` // who were told, where all are
}

// settable are the settings that may be changed, with how their values are written. What is not among them was used to
// reckon the position, or has an order of its own.
var settable = map[string]struct {
	written func(string) string
	public  bool
	get     func(*Game) string
	put     func(*Game, *GameFile)
}{
	"title":           {asText, true, func(g *Game) string { return g.Title }, func(g *Game, f *GameFile) { g.Title = f.Title }},
	"language":        {asText, true, func(g *Game) string { return g.Language }, func(g *Game, f *GameFile) { g.Language = f.Language }},
	"tavern.name":     {asText, true, func(g *Game) string { return g.Settings.Tavern }, func(g *Game, f *GameFile) { g.Settings.Tavern = f.Settings.Tavern }},
	"anonymous_press": {asIs, true, func(g *Game) string { return strconv.FormatBool(g.Settings.AnonymousPress) }, func(g *Game, f *GameFile) { g.Settings.AnonymousPress = f.Settings.AnonymousPress }},
	"press_copies":    {asIs, true, func(g *Game) string { return strconv.FormatBool(g.Settings.PressCopies) }, func(g *Game, f *GameFile) { g.Settings.PressCopies = f.Settings.PressCopies }},
	"pictures":        {asIs, true, func(g *Game) string { return strconv.FormatBool(!g.Settings.NoPictures) }, func(g *Game, f *GameFile) { g.Settings.NoPictures = f.Settings.NoPictures }},
	"register":        {asText, false, func(g *Game) string { return cmp.Or(g.Settings.Register, RegisterGM) }, func(g *Game, f *GameFile) { g.Settings.Register = f.Settings.Register }},
	"forum_names":     {asIs, false, func(g *Game) string { return strconv.FormatBool(g.Settings.ForumNames) }, func(g *Game, f *GameFile) { g.Settings.ForumNames = f.Settings.ForumNames }},
	"authentication":  {asText, true, func(g *Game) string { return g.Settings.Authentication }, func(g *Game, f *GameFile) { g.Settings.Authentication = f.Settings.Authentication }},
	"authserv_id":     {asText, false, func(g *Game) string { return g.Settings.AuthservID }, func(g *Game, f *GameFile) { g.Settings.AuthservID = f.Settings.AuthservID }},
	"join.open":       {asIs, false, func(g *Game) string { return strconv.FormatBool(g.Settings.Join.Open) }, func(g *Game, f *GameFile) { g.Settings.Join.Open = f.Settings.Join.Open }},
	"join.seats":      {asIs, false, func(g *Game) string { return strconv.FormatInt(g.Settings.Join.Seats, 10) }, func(g *Game, f *GameFile) { g.Settings.Join.Seats = f.Settings.Join.Seats }},
	"join.waiting":    {asIs, false, func(g *Game) string { return g.Settings.Join.waitingWord() }, func(g *Game, f *GameFile) { g.Settings.Join.Waiting = f.Settings.Join.Waiting }},
	threadEdits:       {asText, true, func(g *Game) string { return editsWord(g.Settings.Threads) }, (*Game).putEdits},
	"copies":          {asList, false, func(g *Game) string { return copyWords(g.Copies) }, func(g *Game, f *GameFile) { g.Copies = f.Copies }},
	"calendar.grace": {asText, true, func(g *Game) string { return lengthWord(g.Settings.Calendar.Grace) },
		func(g *Game, f *GameFile) { g.Settings.Calendar.Grace = f.Settings.Calendar.Grace }},
	"calendar.remind": {asList, true, func(g *Game) string { return calendarWord(g, "remind") },
		func(g *Game, f *GameFile) { g.Settings.Calendar.Remind = f.Settings.Calendar.Remind }},
	"calendar.vacation_days": {asIs, true, func(g *Game) string { return calendarWord(g, "vacation_days") },
		func(g *Game, f *GameFile) { g.Settings.Calendar.VacationDays = f.Settings.Calendar.VacationDays }},
}

// threadEdits is the setting of what edits do in all threads that a game reads.
const threadEdits = "thread.edits"

// editsWord is what edits do in some threads.
func editsWord(threads []Thread) string {
	var words []string
	for _, t := range threads {
		if word := cmp.Or(t.Edits, EditsLast); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

func (g *Game) putEdits(f *GameFile) {
	g.Settings.Threads = slices.Clone(g.Settings.Threads)
	for i := range g.Settings.Threads {
		g.Settings.Threads[i].Edits = f.edits
	}
}

// asIs is a value that is no text. What is one all the same is written so that it is refused for what it is.
func asIs(v string) string {
	if _, err := strconv.ParseInt(v, 10, 64); err != nil && v != "true" && v != "false" {
		return asText(v)
	}
	return v
}

// asText is a value as a text of TOML.
func asText(v string) string {
	if strings.HasPrefix(v, `"`) {
		return v
	}
	return strconv.Quote(v)
}

// asList is a value as a list of TOML: texts parted by commas, or one that is a list already.
func asList(v string) string {
	if strings.HasPrefix(v, "[") {
		return v
	}
	var list []string
	for part := range strings.SplitSeq(v, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, asText(part))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// calendarWord is what a game's calendar says for a key.
func calendarWord(g *Game, key string) string {
	words := calendarWords(g.Settings.Calendar)
	return words[slices.IndexFunc(words, func(w [2]string) bool { return w[0] == key })][1]
}

// copyWords are addresses of copies with what they want.
func copyWords(list []CopyTo) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.String()
	}
	return strings.Join(words, ", ")
}

// Set changes settings of a game for who runs the server, whose name is who. They are read as game.toml is; the change
// is logged, and told to the GMs and, where it concerns them, to the members.
func (e *Engine) Set(ctx context.Context, game, who string, list []Setting) (changes []Changed, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err = e.write(ctx, func(w *work) error {
		g, err := w.game(game)
		if err != nil {
			return err
		}
		changes, err = w.set(g, who, list)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("changing the settings of %s: %w", game, err)
	}
	return changes, nil
}

func (w *work) set(g *live, who string, list []Setting) ([]Changed, error) {
	f, err := g.settingFile(list)
	if err != nil {
		return nil, err
	}
	body := SetBody{Who: who}
	for _, s := range list {
		k := settable[s.Key]
		was := k.get(&g.Game)
		k.put(&g.Game, f)
		if now := k.get(&g.Game); now != was {
			body.Changes = append(body.Changes, Changed{s.Key, was, now, k.public})
		}
	}
	if body.Changes == nil {
		return nil, errors.New("this is how it is already; nothing was changed")
	}
	for _, m := range g.Members {
		body.Members = append(body.Members, m.Seat)
	}
	if err := w.lockMembers(g); err != nil {
		return nil, err
	}
	if err := w.writeSettings(g); err != nil {
		return body.Changes, err
	}
	if g.Forming() { // without a log yet; there may be more seats
		return body.Changes, w.seatWaiting(g)
	}
	c := w.cause(g)
	in := Input{Kind: kindSet, At: w.now}
	if in.Body, err = plain(body); err != nil {
		return nil, err
	}
	if err := c.add(in, settingEvents(body)); err != nil {
		return nil, err
	}
	return body.Changes, c.commit()
}

// settingFile reads settings as a game.toml would be read that has those of the game besides.
func (g *live) settingFile(list []Setting) (*GameFile, error) {
	var text strings.Builder
	edits := ""
	for i, s := range list {
		k, ok := settable[s.Key]
		switch {
		case !ok:
			return nil, fmt.Errorf("%s cannot be changed while the game goes on; what can is %s", s.Key, strings.Join(slices.Sorted(maps.Keys(settable)), ", "))
		case slices.ContainsFunc(list[:i], func(o Setting) bool { return o.Key == s.Key }):
			return nil, fmt.Errorf("%s stands there twice", s.Key)
		case s.Key == threadEdits:
			if edits = strings.Trim(s.Value, `"`); len(g.Settings.Threads) == 0 || !slices.Contains([]string{EditsFirst, EditsLast, EditsAsk}, edits) {
				return nil, fmt.Errorf("%s: write %s, %s or %s; it is for games that read threads", s.Key, EditsFirst, EditsLast, EditsAsk)
			}
			continue
		}
		fmt.Fprintf(&text, "%s = %s\n", s.Key, k.written(s.Value))
	}
	join := joinTable{Open: g.Settings.Join.Open, Seats: new(int64), Waiting: g.Settings.Join.Waiting}
	if *join.Seats = g.Settings.Join.Seats; join.Waiting != nil {
		join.Waiting = new(int64)
		*join.Waiting = *g.Settings.Join.Waiting
	}
	t := gameTable{Name: g.Name, Ruleset: g.Ruleset, Title: g.Title, Language: g.Language, Authentication: g.Settings.Authentication,
		AuthservID: g.Settings.AuthservID, Tavern: tavernTable{Name: g.Settings.Tavern},
		Join: join}
	f := &GameFile{text: []byte(text.String()), Members: g.Members, edits: edits}
	var err error
	if f.lines, err = DecodeStrict("", f.text, &t); err != nil {
		return nil, unplaced(err)
	}
	for _, read := range []func(*gameTable) error{f.readNames, f.readPlace, f.readCalendar, f.readTrust, f.readJoin, f.readCopies} {
		if err := read(&t); err != nil {
			return nil, unplaced(err)
		}
	}
	if err := f.checkScopes(g.kit); err != nil {
		return nil, unplaced(err)
	}
	switch {
	case f.Settings.AuthservID == "" && slices.ContainsFunc(list, func(s Setting) bool { return s.Key == "authserv_id" }):
		return nil, errors.New("authserv_id: it means something with authentication=dmarc alone; give both")
	case len(f.Unprovable()) > 0:
		return nil, fmt.Errorf("authentication: these members could not show that a letter is theirs, for they have neither password nor token: %s", strings.Join(f.Unprovable(), ", "))
	}
	return f, nil
}

// unplaced is a complaint about a file without file and line: there is none.
func unplaced(err error) error { return errors.New(filePlace.ReplaceAllString(err.Error(), "")) }

var filePlace = regexp.MustCompile(`^:[0-9]+: `)

// lockMembers draws the tokens that members need now.
func (w *work) lockMembers(g *live) error {
	if g.Settings.Authentication != AuthToken {
		return nil
	}
	for i := range g.Members {
		m := &g.Members[i]
		if m.token != "" {
			continue
		}
		m.token = newToken()
		if err := w.changed(g, m.Seat); err != nil {
			return err
		}
	}
	return nil
}

// writeSettings writes what Set may have changed.
func (w *work) writeSettings(g *live) error {
	settings, err := plain(g.Settings)
	if err != nil {
		return err
	}
	if _, err := w.tx.ExecContext(w.ctx, `UPDATE game SET title = $1, language = $2, settings = $3 WHERE name = $4`, store.Text(g.Title), g.Language, string(settings), g.Name); err != nil {
		return err
	}
	if err := listed(w.ctx, w.tx); err != nil {
		return err
	}
	if _, err := w.tx.ExecContext(w.ctx, `DELETE FROM address WHERE game = $1 AND seat = ''`, g.Name); err != nil {
		return err
	}
	for i, c := range g.Copies {
		if err := insertCopyTo(w.ctx, w.tx, g.Name, c, i); err != nil {
			return err
		}
	}
	return nil
}

// settingEvents tell of changed settings.
func settingEvents(b SetBody) (list []rules.Event) {
	for _, ch := range b.Changes {
		ev := rules.Event{Type: "setting-changed", Rule: "E-SET", To: rules.Audience{GM: true}, Data: rules.Data{"key": ch.Key, "was": ch.Was, "now": ch.Now}}
		if ch.Public {
			ev.To.Tavern, ev.To.Members = true, b.Members
		}
		list = append(list, ev)
	}
	return list
}

// setAgain is a change of settings played again.
func (in *Input) setAgain() ([]rules.Event, error) {
	b, err := in.DecodeSet()
	return settingEvents(b), err
}
