package turns

import (
	"strconv"
	"strings"
	"time"

	"arroba/rules"
	"arroba/templates"
)

// How far the From of a mail is believed.
const (
	AuthNone     = "none"     // as it stands
	AuthDMARC    = "dmarc"    // when the mail server says that the domain passed
	AuthToken    = "token"    // with the token of the member: in the address it is sent to, or on a line of its own
	AuthPassword = "password" // with a line that gives the password of the member
)

// Settings are what game.toml says besides what has a column of its own.
type Settings struct {
	Authentication string         `json:"authentication"`
	AuthservID     string         `json:"authserv_id,omitempty"`
	Tavern         string         `json:"tavern"`   // what the Tavern is called; "" for the word in the reader's language
	Calendar       rules.Calendar `json:"calendar"` // [calendar] over the ruleset's own
	AnonymousPress bool           `json:"anonymous_press,omitempty"`
	PressCopies    bool           `json:"press_copies,omitempty"` // the GM gets a copy of every letter that is passed on
	NoPictures     bool           `json:"no_pictures,omitempty"`  // mails carry none
	Register       string         `json:"register,omitempty"`     // who gets the monthly register; RegisterGM when ""
	ForumNames     bool           `json:"forum_names,omitempty"`  // a post is the member's whose forum name its author has, on whatever board
	Join           Join           `json:"join"`
	Threads        []Thread       `json:"threads,omitempty"` // of forums, that are read like mailboxes
}

// Thread is a thread of a forum that a game reads.
type Thread struct {
	Source string `json:"source"`           // the forum's name in the config
	Thread string `json:"thread"`           // its id there, or its address
	Edits  string `json:"edits,omitempty"`  // what changes of posts do; EditsLast when ""
	Tavern bool   `json:"tavern,omitempty"` // what the Tavern may know is posted there
}

// What a change of a post does before its orders are resolved.
const (
	EditsFirst = "first"                // nothing: what it said first counts
	EditsLast  = "last-before-deadline" // it takes back what the post said, and gives what it says now
	EditsAsk   = "ask-gm"               // nothing before the GM has ruled
)

// Name is how the thread is called as a source of letters, and as a recipient.
func (t Thread) Name() string { return t.Source + "/" + t.Thread }

// Join says how a game takes new members by mail.
type Join struct {
	Open    bool   `json:"open,omitempty"`
	Seats   int64  `json:"seats,omitempty"`   // for players at most
	Waiting *int64 `json:"waiting,omitempty"` // on the waiting list at most; nil: no limit
	Named   int    `json:"named,omitempty"`   // members whom game.toml names, GMs included; who joined stands behind them
}

// waitingWord is how many may wait, in words.
func (j Join) waitingWord() string {
	if j.Waiting == nil {
		return "no limit"
	}
	return strconv.FormatInt(*j.Waiting, 10)
}

// Game is a game as the database holds it.
type Game struct {
	Name, Ruleset, Title string
	Version              int // of the ruleset at the opening
	Language             string
	Zone                 *time.Location
	Mailbox, Sender      string // address that letters come to, address that they are sent from
	Created              time.Time
	Started              time.Time // when it was opened; zero: it gathers its players, and no rule knows of it yet
	Settings             Settings
	LastN, LastInput     int64     // numbers of the last event and the last input
	NextDue              time.Time // when something falls due by itself; zero: nothing does
	Held                 string    // what fault holds the game so that its letters wait, "" when none does
	Paused               time.Time // since when nothing falls due, zero when things do; orders are taken all the same
	PauseWhy             string
	Reminded             time.Time // up to when reminders were sent, or were not worth sending
	Digested             int64     // up to which input of the log the daily digests told
	DigestDue            time.Time // when the next one is due; zero: nothing waits for one
	RegisterDue          time.Time // when the next monthly register is due; zero: none is
	Members              []Member
	Copies               []CopyTo

	seed   string
	chain  []byte
	people int64 // how often members changed
}

// Member is a person in a game.
type Member struct {
	Seat      rules.Seat
	Nick      string
	Role      rules.Role
	Language  string
	Zone      *time.Location
	Link      string    // secret part of the address of his own page
	Addresses []string  // of mail, the first one gets results
	Accounts  []Account // on forums
	AwayFrom  time.Time // of a vacation, with AwayUntil; zero for none
	AwayUntil time.Time
	Gone      time.Time // since when the seat waits for a successor; zero: it does not
	Since     int64     // the event after which he took the seat: letters before it were another's

	taken    []span // vacations before that one
	token    string // in the form of secretForm; "" for none
	password string // hashed by bcrypt; of a GameFile as it was written
}

// Account is a member's account on forums.
type Account struct {
	Board string // the forum; "" for a name that counts on all of them
	ID    string // by which the board knows him, or his name
}

// CopyTo is an address that gets copies.
type CopyTo struct {
	Address string
	Scope   []string // what is wanted: "public", "official", "land:<land>", types of events; nil for everything public or official
	Digest  bool     // one mail a day
}

// Forming tells whether the game gathers its players: it has members and no position yet.
func (g *Game) Forming() bool { return g.Started.IsZero() }

// Viewer is what the member may see of his game.
func (m *Member) Viewer() rules.Viewer {
	return rules.Viewer{Seat: m.Seat, GM: m.Role == rules.GM}
}

// reader is how the member is written to.
func (m *Member) reader() templates.Reader {
	return templates.Reader{Language: m.Language, Zone: m.Zone}
}

// seat returns the member who sits in a seat, nil when nobody does.
func (g *Game) seat(s rules.Seat) *Member {
	for i := range g.Members {
		if g.Members[i].Seat == s {
			return &g.Members[i]
		}
	}
	return nil
}

// ownTitle is the title of a game that has another one than its name.
func (g *Game) ownTitle() string {
	if g.Title == g.Name {
		return ""
	}
	return g.Title
}

// foldAddress is the spelling by which mail addresses are compared.
func foldAddress(a string) string { return strings.ToLower(strings.TrimSpace(a)) }

// goodAddress tells whether a text is a mail address and nothing else.
func goodAddress(a string) bool {
	local, domain, ok := strings.Cut(a, "@")
	return ok && local != "" && domain != "" && len(a) <= 254 && !strings.ContainsAny(a, " \t\r\n<>(),;:\"") && !strings.Contains(domain, "@")
}
