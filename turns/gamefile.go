package turns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"arroba/orders"
	"arroba/rules"
)

// GameFile is a game.toml that was read and found good: everything a game opens with.
type GameFile struct {
	Name, Ruleset, Title string
	Language             string
	Zone                 *time.Location
	Mailbox, Sender      string // "" when left out: the config's
	Seed                 string // "" when left out: drawn
	Settings             Settings
	Members              []Member // GMs first, then in the file's order
	Copies               []CopyTo

	name       string // of the file
	edits      string // of a change of settings: what edits do in all threads
	text       []byte
	lines      Lines
	worldNames []string          // texts in [world] that may name files beside it
	worldKeys  map[string]any    // the keys of [world] as they are written
	worldFile  *WorldFile        // the one that [world] names; nil while it was not read
	kept       map[string][]byte // the files that [world] names, of a game that was created earlier; nil: they stand beside the file
}

// gameTable is game.toml as it is written. GM, copies and email take several shapes.
type gameTable struct {
	Name           string         `toml:"name"`
	Ruleset        string         `toml:"ruleset"`
	Title          string         `toml:"title"`
	Timezone       string         `toml:"timezone"`
	Language       string         `toml:"language"`
	GM             any            `toml:"gm"`
	Copies         any            `toml:"copies"`
	Mailbox        string         `toml:"mailbox"`
	From           string         `toml:"from"`
	Tavern         tavernTable    `toml:"tavern"`
	Threads        []threadTable  `toml:"thread"`
	Authentication string         `toml:"authentication"`
	AuthservID     string         `toml:"authserv_id"`
	Members        []memberTable  `toml:"member"`
	AnonymousPress bool           `toml:"anonymous_press"`
	PressCopies    bool           `toml:"press_copies"`
	Pictures       *bool          `toml:"pictures"`
	Register       string         `toml:"register"`
	ForumNames     bool           `toml:"forum_names"`
	Join           joinTable      `toml:"join"`
	Calendar       calendarTable  `toml:"calendar"`
	Seed           string         `toml:"seed"`
	World          map[string]any `toml:"world"`
}

type tavernTable struct {
	Source string `toml:"source"`
	Thread any    `toml:"thread"`
	Name   string `toml:"name"`
}

type threadTable struct {
	Source string `toml:"source"`
	Thread any    `toml:"thread"`
	Edits  string `toml:"edits"`
}

type joinTable struct {
	Open    bool   `toml:"open"`
	Seats   *int64 `toml:"seats"`
	Waiting *int64 `toml:"waiting"`
}

type memberTable struct {
	Nick     string `toml:"nick"`
	Email    any    `toml:"email"`
	Forum    any    `toml:"forum"`
	Role     string `toml:"role"`
	Language string `toml:"language"`
	Timezone string `toml:"timezone"`
	Token    string `toml:"token"`
	Password string `toml:"password"`
}

// ReadGameFile reads a game.toml. Every error names the file, the line, the key and what to write instead. What this
// version does not do yet is such an error too, wherever leaving it out silently would change who may know or do
// what.
func ReadGameFile(name string, text []byte) (*GameFile, error) {
	var t gameTable
	lines, err := DecodeStrict(name, text, &t)
	if err != nil {
		return nil, err
	}
	f := &GameFile{name: name, text: text, lines: lines, worldNames: textsIn(t.World), worldKeys: t.World}
	for _, read := range []func(*gameTable) error{f.readNames, f.readPlace, f.readThreads, f.readCalendar, f.readTrust, f.readPeople, f.readJoin, f.readCopies} {
		if err := read(&t); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// at makes an error about a key.
func (f *GameFile) at(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %s", f.name, f.lines.At(key), key, fmt.Sprintf(format, args...))
}

func (f *GameFile) readNames(t *gameTable) error {
	f.Name, f.Ruleset, f.Seed = t.Name, t.Ruleset, t.Seed
	f.Title = t.Title
	if f.Title == "" {
		f.Title = t.Name
	}
	if !goodName(f.Name) {
		return f.at("name", "%q is no name for a game; write one of letters, digits, - and _, as \"lands\"", f.Name)
	}
	if f.Ruleset == "" {
		return f.at("ruleset", "is missing; write the name of the ruleset, as \"heroeslands\"")
	}
	for key, text := range map[string]string{"title": f.Title, "tavern.name": t.Tavern.Name} {
		if strings.ContainsFunc(text, unicode.IsControl) || len(text) > maxTitle {
			return f.at(key, "write it on one line of at most %d bytes, without control characters", maxTitle)
		}
	}
	return nil
}

const maxTitle = 200

// goodName tells whether a name can stand in addresses, in subjects and in paths of the board.
func goodName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

func (f *GameFile) readPlace(t *gameTable) (err error) {
	if f.Language, err = f.language("language", t.Language, "en"); err != nil {
		return err
	}
	if f.Zone, err = f.zone("timezone", t.Timezone, time.UTC); err != nil {
		return err
	}
	f.Mailbox, f.Sender = t.Mailbox, t.From
	for key, a := range map[string]string{"mailbox": t.Mailbox, "from": t.From} {
		if a != "" && !goodAddress(a) {
			return f.at(key, "%q is no mail address; write one as \"lands@example.org\"", a)
		}
	}
	f.Settings.Tavern, f.Settings.ForumNames = t.Tavern.Name, t.ForumNames
	f.Settings.AnonymousPress, f.Settings.PressCopies = t.AnonymousPress, t.PressCopies
	f.Settings.NoPictures = t.Pictures != nil && !*t.Pictures
	if f.Settings.Register = t.Register; !slices.Contains([]string{"", RegisterGM, RegisterAll, RegisterOff}, t.Register) {
		return f.at("register", "%q is not known; write %q, %q or %q", t.Register, RegisterGM, RegisterAll, RegisterOff)
	}
	return nil
}

// readThreads reads which threads of forums the game reads, the Tavern's first.
func (f *GameFile) readThreads(t *gameTable) error {
	if t.Tavern.Source != "" || t.Tavern.Thread != nil {
		if err := f.addThread("tavern", threadTable{Source: t.Tavern.Source, Thread: t.Tavern.Thread}); err != nil {
			return err
		}
		f.Settings.Threads[0].Tavern = true
	}
	for i, th := range t.Threads {
		if err := f.addThread(fmt.Sprintf("thread.%d", i), th); err != nil {
			return err
		}
	}
	return nil
}

// addThread adds a thread. One that is the Tavern's and stands there again, to say what edits do, is one thread.
func (f *GameFile) addThread(key string, t threadTable) error {
	th := Thread{Source: t.Source, Edits: t.Edits}
	switch id := t.Thread.(type) {
	case string:
		th.Thread = strings.TrimSpace(id)
	case int64:
		th.Thread = strconv.FormatInt(id, 10)
	}
	switch {
	case !goodName(th.Source):
		return f.at(key+".source", "%q is no source; write the name of a [[source]] of kind \"forum\" in arroba.toml", t.Source)
	case th.Thread == "" || strings.ContainsFunc(th.Thread, unicode.IsSpace):
		return f.at(key+".thread", "write the thread's number as the board has it in its addresses, as 42, or its whole address")
	case !slices.Contains([]string{"", EditsFirst, EditsLast, EditsAsk}, th.Edits):
		return f.at(key+".edits", "%q is not known; write %q, %q or %q", th.Edits, EditsFirst, EditsLast, EditsAsk)
	}
	for i := range f.Settings.Threads {
		old := &f.Settings.Threads[i]
		if old.Name() != th.Name() {
			continue
		}
		if !old.Tavern || old.Edits != "" {
			return f.at(key+".thread", "%s stands there twice; take one out", th.Name())
		}
		old.Edits = th.Edits
		return nil
	}
	f.Settings.Threads = append(f.Settings.Threads, th)
	return nil
}

func (f *GameFile) readTrust(t *gameTable) error {
	switch t.Authentication {
	case "", "none":
		f.Settings.Authentication = AuthNone
	case AuthDMARC:
		if t.AuthservID == "" {
			return f.at("authserv_id", "is missing; write the name by which your mail server signs its Authentication-Results, as \"mx.example.org\"")
		}
		f.Settings.Authentication, f.Settings.AuthservID = AuthDMARC, t.AuthservID
	case AuthToken, AuthPassword:
		f.Settings.Authentication = t.Authentication
	default:
		return f.at("authentication", "%q is not known; write \"dmarc\", \"token\", \"password\" or \"none\"", t.Authentication)
	}
	return nil
}

func (f *GameFile) readPeople(t *gameTable) error {
	gms, err := f.gms(t.GM)
	if err != nil {
		return err
	}
	f.Members = gms
	for i, m := range t.Members {
		member, err := f.member(fmt.Sprintf("member.%d", i), m)
		if err != nil {
			return err
		}
		f.Members = append(f.Members, member)
	}
	if !slices.ContainsFunc(f.Members, func(m Member) bool { return m.Role == rules.GM }) {
		return f.at("gm", "is missing; write gm = { nick = \"…\", email = \"…\" }: somebody must rule on the game")
	}
	return f.checkClashes()
}

// gms reads `gm`, a table or a list of them.
func (f *GameFile) gms(v any) ([]Member, error) {
	list, isList := v.([]any)
	single := !isList && v != nil
	if single {
		list = []any{v}
	}
	var gms []Member
	for i, item := range list {
		key := "gm"
		if !single {
			key = fmt.Sprintf("gm.%d", i)
		}
		table, ok := item.(map[string]any)
		if !ok {
			return nil, f.at(key, "write a table { nick = \"…\", email = \"…\" }")
		}
		m := memberTable{Role: string(rules.GM), Email: table["email"], Forum: table["forum"]}
		for k, v := range table {
			s, isText := v.(string)
			switch {
			case k == "email", k == "forum":
			case k == "nick" && isText:
				m.Nick = s
			case k == "language" && isText:
				m.Language = s
			case k == "timezone" && isText:
				m.Timezone = s
			case k == "token" && isText:
				m.Token = s
			case k == "password" && isText:
				m.Password = s
			default:
				return nil, f.at(key+"."+k, "this key is not known here, or its value is no text; write nick, email, forum, language, timezone, token or password")
			}
		}
		member, err := f.member(key, m)
		if err != nil {
			return nil, err
		}
		gms = append(gms, member)
	}
	return gms, nil
}

func (f *GameFile) member(key string, t memberTable) (m Member, err error) {
	m.Nick = orders.Clean(t.Nick)
	switch {
	case everybody(m.Nick):
		return m, f.at(key+".nick", "%q begins with a word by which PRESS calls everybody, or writes without a name; give the member another nick", t.Nick)
	case !goodNick(m.Nick):
		return m, f.at(key+".nick", "%q is no nick; write a name of at most %d bytes without commas, colons, semicolons, @, < and >", t.Nick, longestNick)
	}
	m.Seat = rules.Seat(m.Nick)
	switch m.Role = rules.Role(t.Role); m.Role {
	case "":
		m.Role = rules.Player
	case rules.Player, rules.GM, rules.Observer:
	default:
		return m, f.at(key+".role", "%q is not known; write \"player\", \"gm\" or \"observer\"", t.Role)
	}
	if m.Language, err = f.language(key+".language", t.Language, f.Language); err != nil {
		return m, err
	}
	if m.Zone, err = f.zone(key+".timezone", t.Timezone, f.Zone); err != nil {
		return m, err
	}
	if err = f.readSecrets(key, t, &m); err != nil {
		return m, err
	}
	if m.Addresses, err = f.addresses(key+".email", t.Email); err != nil {
		return m, err
	}
	if m.Role == rules.GM && len(m.Addresses) == 0 {
		return m, f.at(key+".email", "is missing; write the address at which %s hears of the game", m.Nick)
	}
	m.Accounts, err = f.accounts(key+".forum", t.Forum, m.Nick)
	return m, err
}

// addresses reads one address or a list of them.
func (f *GameFile) addresses(key string, v any) ([]string, error) {
	list, err := f.texts(key, v)
	for _, a := range list {
		if err == nil && !goodAddress(a) {
			err = f.at(key, "%q is no mail address; write one as \"oleg@example.org\"", a)
		}
	}
	return list, err
}

// accounts reads the forum names of a member, or tables of board and id. Left out, it is his nick.
func (f *GameFile) accounts(key string, v any, nick string) ([]Account, error) {
	if v == nil {
		return []Account{{ID: nick}}, nil
	}
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	var accounts []Account
	for i, item := range list {
		a, ok := account(item)
		if !ok && isList {
			key = fmt.Sprintf("%s.%d", key, i)
		}
		if !ok {
			return nil, f.at(key, "write a name in quotes, as %q, or a table { board = \"…\", id = \"…\" }", nick)
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}

func account(v any) (a Account, ok bool) {
	switch v := v.(type) {
	case string:
		return Account{ID: v}, v != ""
	case map[string]any:
		a.Board, _ = v["board"].(string)
		switch id := v["id"].(type) {
		case string:
			a.ID = id
		case int64:
			a.ID = strconv.FormatInt(id, 10)
		}
		return a, len(v) == 2 && a.Board != "" && a.ID != ""
	}
	return a, false
}

// readJoin reads [join].
func (f *GameFile) readJoin(t *gameTable) error {
	players := int64(0)
	for _, m := range f.Members {
		if m.Role == rules.Player {
			players++
		}
	}
	switch {
	case t.Join.Seats != nil && *t.Join.Seats < max(players, 1):
		return f.at("join.seats", "%d is too few; write how many players there may be, those of this file included (%d), or leave it out: as many as are named here", *t.Join.Seats, players)
	case t.Join.Waiting != nil && *t.Join.Waiting < 0:
		return f.at("join.waiting", "%d is too few; write how many may wait for a seat, 0 for nobody, or leave it out: as many as like", *t.Join.Waiting)
	}
	f.Settings.Join = Join{Open: t.Join.Open, Seats: players, Waiting: t.Join.Waiting, Named: len(f.Members)}
	if t.Join.Seats != nil {
		f.Settings.Join.Seats = *t.Join.Seats
	}
	return nil
}

// texts reads one text or a list of them.
func (f *GameFile) texts(key string, v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{v}, nil
	case []any:
		var list []string
		for i, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, f.at(fmt.Sprintf("%s.%d", key, i), "write a text in quotes")
			}
			list = append(list, s)
		}
		return list, nil
	}
	return nil, f.at(key, "write a text in quotes, or a list of them")
}

// checkClashes finds nicks that fold alike, and addresses and accounts of two members: nobody could tell whose letter
// it is.
func (f *GameFile) checkClashes() error {
	nicks, addresses, accounts := map[string]string{}, map[string]string{}, map[Account]string{}
	for i, m := range f.Members {
		key := f.memberKey(i)
		if other := nicks[orders.Fold(m.Nick)]; other != "" {
			return f.at(key+".nick", "%q reads like %q; give one of them another nick", m.Nick, other)
		}
		nicks[orders.Fold(m.Nick)] = m.Nick
		for _, a := range m.Addresses {
			other := addresses[foldAddress(a)]
			if other == m.Nick {
				return f.at(key+".email", "%s stands there twice; take one out", a)
			}
			if other != "" {
				return f.at(key+".email", "%s is an address of %s already; a letter from it could be either's", a, other)
			}
			addresses[foldAddress(a)] = m.Nick
		}
		for _, a := range m.Accounts {
			a.ID = accountName(a.ID)
			if other := accounts[a]; other != "" {
				return f.at(key+".forum", "%q is a forum name of %s already", a.ID, other)
			}
			accounts[a] = m.Nick
		}
	}
	return f.checkTokens()
}

// memberKey is the key of the i-th member, GMs of `gm` counted first.
func (f *GameFile) memberKey(i int) string {
	gms := 0
	for key := range f.lines {
		if rest, ok := strings.CutPrefix(key, "gm."); ok && !strings.Contains(rest, ".") && rest[0] >= '0' && rest[0] <= '9' {
			gms++
		}
	}
	if gms == 0 && f.lines["gm"] > 0 {
		gms = 1
		if i == 0 {
			return "gm"
		}
	}
	if i < gms {
		return fmt.Sprintf("gm.%d", i)
	}
	return fmt.Sprintf("member.%d", i-gms)
}

func (f *GameFile) language(key, value, fallback string) (string, error) {
	switch value {
	case "":
		return fallback, nil
	case "en", "ru":
		return value, nil
	}
	return "", f.at(key, "%q is not known; write \"en\" or \"ru\"", value)
}

func (f *GameFile) zone(key, value string, fallback *time.Location) (*time.Location, error) {
	if value == "" {
		return fallback, nil
	}
	zone, err := time.LoadLocation(value)
	if err != nil || value == "Local" {
		return nil, f.at(key, "%q is no time zone; write an IANA name, as \"Europe/Madrid\"", value)
	}
	return zone, nil
}
