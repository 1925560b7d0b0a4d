package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"arroba/forum"
	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
)

const threadGame = `name = "lands"
ruleset = "muster"
%s
mailbox = "lands@play.example"
gm = { nick = "Gareth", email = "gm@lands.example", forum = { board = "board", id = "2" } }
[tavern]
source = "board"
thread = 7
[[thread]]
source = "board"
thread = 7
edits = "%s"
[[member]]
nick = "Anna"
email = "anna@x.example"
forum = [{ board = "board", id = "11" }, "Anna"]
[[member]]
nick = "Boris"
email = "boris@x.example"
forum = "Boris"
[[member]]
nick = "Zoë"
forum = { board = "board", id = "13" }
[world]
rounds = 9
places = [{ name = "Ford", worth = 3 }, { name = "Mill", worth = 2 }]
[calendar]
at = "20:00"
least = "6h"
`

const inThread = "board/7"

// inThread opens a game in rounds at noon of 1 March that reads a thread; its deadlines are at 20:00.
func threadRig(t *testing.T, edits string, more ...string) *rig {
	t.Helper()
	r := newRig(t, Feed{Name: "box", Address: "lands@play.example"})
	r.Forums = []Forum{{Name: "board", Own: []string{"Herald", "99"}}}
	f, err := ReadGameFile("lands.toml", fmt.Appendf(nil, threadGame, strings.Join(more, "\n"), edits))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	r.sent()
	return r
}

// posted is a post of Anna's that was made now and is seen a minute later, but for what is given.
func (r *rig) posted(id, text string, change ...func(*forum.Record)) forum.Record {
	html := strings.ReplaceAll(text, "\n", "<br>\n")
	p := forum.Record{Post: forum.Post{ID: id, Author: "Anna", AuthorID: "11", Subject: "Re: orders", HTML: html, Permalink: "https://b.example/p" + id,
		Posted: forum.Instant{At: r.now, Early: r.now, Late: r.now}}, Board: "phpbb", Source: "board", Thread: "7", Fetched: r.now, Version: 1}
	for _, f := range change {
		f(&p)
	}
	return p
}

func as(author, id string) func(*forum.Record) {
	return func(p *forum.Record) { p.Author, p.AuthorID = author, id }
}

// spanned is a post that was made somewhere between two instants.
func spanned(early, late time.Time) func(*forum.Record) {
	return func(p *forum.Record) { p.Posted = forum.Instant{At: early, Early: early, Late: late} }
}

func version(n int) func(*forum.Record) { return func(p *forum.Record) { p.Version = n } }

func gone(p *forum.Record) {
	p.Withdrawn, p.Author, p.AuthorID, p.HTML, p.Subject = true, "", "", "", ""
}

// reads hands posts to the engine as a whole reading of the thread, and returns what became of the last.
func (r *rig) reads(posts ...forum.Record) Outcome {
	r.Helper()
	return r.readsIn(inThread, posts...)
}

func (r *rig) readsIn(source string, posts ...forum.Record) Outcome {
	r.Helper()
	b := ingest.Batch{Next: "x", Until: r.now}
	for _, p := range posts {
		b.Messages = append(b.Messages, ingest.Message{Key: fmt.Sprintf("%s/%d-%t", p.ID, p.Version, p.Withdrawn), Via: "post", Raw: p.Encode(), Arrived: p.Posted.At})
	}
	h, err := r.Handle(r.Context(), source, b)
	if err != nil {
		r.Fatal(err)
	}
	if len(h.Letters) == 0 {
		return Outcome{}
	}
	return h.Letters[len(h.Letters)-1]
}

// until lets everything up to an instant happen, with both sources read.
func (r *rig) until(at time.Time) {
	r.Helper()
	r.now = at
	for _, source := range []string{"box", inThread} {
		if _, err := r.Handle(r.Context(), source, ingest.Batch{Next: "x", Until: at}); err != nil {
			r.Fatal(err)
		}
	}
	if _, err := r.Tick(r.Context()); err != nil {
		r.Fatal(err)
	}
}

// inForce lists the orders that wait for their round.
func (r *rig) inForce() (lines []string) {
	r.Helper()
	err := r.look(r.Context(), "lands", func(g *live) error {
		kept, err := g.state.Kept(rules.Viewer{GM: true})
		for _, k := range kept {
			lines = append(lines, fmt.Sprintf("%d %s", k.N, k.Line))
		}
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return lines
}

// mails lists mails as "kind to", and what each says.
func mails(list []outbox.Item) (heads []string, texts string) {
	for _, it := range list {
		if it.Via == viaMail {
			heads = append(heads, it.Kind+" "+it.To)
			texts += it.Subject + "\n" + it.Text + "\n"
		}
	}
	return heads, texts
}

func (r *rig) note(o Outcome) string {
	r.Helper()
	row, err := ingest.Show(r.Context(), r.DB.Read(), o.Inbox)
	if err != nil {
		r.Fatal(err)
	}
	return row.Status + ": " + row.Note
}

// TestWhoWroteAPost: the account tells, and a name only where the game says so, and never a GM's.
func TestWhoWroteAPost(t *testing.T) {
	for _, tt := range []struct {
		about, more string
		author, id  string
		seat        string
		told        string // the GM, of the account
	}{
		{"F23 the account counts, whatever its name is now", "", "Somebody else", "11", "Anna", ""},
		{"F23 the name that was freed and registered again is another account", "", "Anna", "12", "", ""},
		{"F23 a name alone counts for nothing", "", "Boris", "12", "", "Boris"},
		{"F23 where names count", "forum_names = true", "Boris", "12", "Boris", ""},
		{"F33 a guest is nobody even there", "forum_names = true", "Boris", "", "", ""},
		{"F25 Cyrillic twins are another name", "forum_names = true", "Воris", "12", "", "Boris"},
		{"F25 a zero-width character makes another name", "forum_names = true", "Bor\u200bis", "12", "", "Boris"},
		{"F25 case counts", "forum_names = true", "boris", "12", "", "Boris"},
		{"F25 accents may be decomposed", "forum_names = true", "Zoe\u0308", "13", "Zoë", ""},
		{"F33 a name like the GM's", "forum_names = true", "Gareth", "12", "", ""},
		{"F33 a guest by the GM's name", "forum_names = true", "Gareth", "", "", ""},
		{"F33 the GM's account", "", "Gareth", "2", "Gareth", ""},
	} {
		t.Run(tt.about, func(t *testing.T) {
			r := threadRig(t, "", tt.more)
			o := r.reads(r.posted("1", "STATUS\nHOLD", as(tt.author, tt.id)))
			if string(o.Seat) != tt.seat {
				t.Errorf("it is a post of %q, want %q", o.Seat, tt.seat)
			}
			heads, texts := mails(r.sent())
			if held := !r.load("lands").Paused.IsZero(); held != (tt.seat == "Gareth") {
				t.Errorf("held: %v", held)
			}
			if tt.seat == "" && slices.ContainsFunc(heads, func(h string) bool { return h != "question gm@lands.example" }) {
				t.Errorf("a stranger's post is answered: %v", heads)
			}
			if told := strings.Contains(texts, "arroba game account lands"); told != (tt.told != "") || told && !strings.Contains(texts, `"`+tt.told+`" board:`+tt.id) {
				t.Errorf("the GM reads:\n%s", texts)
			}
		})
	}
}

// TestF33AGMKnownByNameAlone: his posts are not obeyed, whatever the game says of names, and he is told what to do.
func TestF33AGMKnownByNameAlone(t *testing.T) {
	r := threadRig(t, "", "forum_names = true")
	if err := r.RemoveAccount(t.Context(), "lands", "Gareth", Account{"board", "2"}); err != nil {
		t.Fatal(err)
	}
	if err := r.AddAccount(t.Context(), "lands", "Gareth", Account{ID: "Gareth"}); err != nil {
		t.Fatal(err)
	}
	r.reads(r.posted("1", "HOLD", as("Gareth", "2")))
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question gm@lands.example"); !strings.Contains(texts, `arroba game account lands "Gareth" board:2`) || !r.load("lands").Paused.IsZero() {
		t.Error(texts)
	}
}

// TestF33TheGMIsToldOfAnAccountOnceADay: how it is written down.
func TestF33TheGMIsToldOfAnAccountOnceADay(t *testing.T) {
	r := threadRig(t, "")
	for i, want := range []int{1, 0, 1} {
		r.reads(r.posted(fmt.Sprint(i), "SEND 5 TO Ford", as("Boris", "12")))
		if heads, _ := mails(r.sent()); len(heads) != want {
			t.Errorf("post %d: told %v", i, heads)
		}
		if i == 1 {
			r.now = r.now.Add(day)
		}
	}
	r.reads(r.posted("9", "I send 5 greetings", as("Boris", "12")))
	if heads, _ := mails(r.sent()); len(heads) != 0 {
		t.Errorf("of prose too: %v", heads)
	}
}

func TestF32OwnPostsAreNoLetters(t *testing.T) {
	for _, who := range [][2]string{{"Herald", "5"}, {"Renamed", "99"}} {
		r := threadRig(t, "")
		o := r.reads(r.posted("1", "SEND 5 TO Ford", as(who[0], who[1])))
		if o.Status != ingest.Done || o.Seat != "" || len(r.sent()) != 0 {
			t.Errorf("%v: %+v", who, o)
		}
	}
}

func TestF46NobodysOrdersInAWikiPost(t *testing.T) {
	r := threadRig(t, "")
	o := r.reads(r.posted("1", "SEND 5 TO Ford", func(p *forum.Record) { p.Wiki = true }))
	equal(t, "in force", r.inForce())
	heads, texts := mails(r.sent())
	equal(t, "told", heads, "question anna@x.example")
	if o.Status != ingest.Desk || !strings.Contains(texts, "edited by anybody") {
		t.Errorf("%+v\n%s", o, texts)
	}
}

// TestF46ASharedAccountIsOneMember: two people who write from it are the one who has it.
func TestF46ASharedAccountIsOneMember(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford\n-- the brother"), r.posted("2", "SEND 6 TO Ford\n-- the sister"))
	equal(t, "in force", r.inForce(), "2 SEND 6 TO Ford")
}

// TestF34ForeignPosts: a post that came with a merged thread, or stood in another one before.
func TestF34ForeignPosts(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford", func(p *forum.Record) { p.Foreign = true }))
	equal(t, "in force", r.inForce())
	heads, texts := mails(r.sent())
	equal(t, "told", heads, "question gm@lands.example", "question anna@x.example")
	if !strings.Contains(texts, "> AS Anna\n> SEND 5 TO Ford\n") || !strings.Contains(texts, "merged") {
		t.Errorf("%s", texts)
	}
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 6 TO Ford", version(2), func(p *forum.Record) { p.Foreign = true }))
	equal(t, "in force after it was changed", r.inForce())
}

// TestF35PostsElsewhere: the thread tells the game.
func TestF35PostsElsewhere(t *testing.T) {
	r := threadRig(t, "")
	r.game("toys", `tavern = { source = "board", thread = 8 }`)
	o := r.reads(r.posted("1", "GAME toys\nSEND 5 TO Ford\nHELP"))
	equal(t, "verdicts", r.verdicts(o), "refused E-THREAD", "refused E-THREAD")
	heads, texts := mails(r.sent())
	equal(t, "told", heads, "receipt anna@x.example")
	if !strings.Contains(strings.Join(strings.Fields(texts), " "), "does not read this thread") {
		t.Error(texts)
	}
	o = r.readsIn("board/8", r.posted("2", "ADD 5"))
	if o.Game != "toys" || o.Seat != "" || r.sum("toys") != 0 {
		t.Errorf("in another game's thread: %+v", o)
	}
	heads, _ = mails(r.sent())
	equal(t, "told of a stranger", heads, "question gm@toys.example")
	o = r.readsIn("board/9", r.posted("3", "SEND 5 TO Ford"))
	if o.Game != "" || o.Status != ingest.Desk || len(r.inForce()) != 0 {
		t.Errorf("in a thread that no game reads: %+v", o)
	}
	r.same("lands")
}

// TestF35PostsFromBefore: what was posted before the game was there is history; what was posted while it gathered its
// players is answered as letters were then.
func TestF35PostsFromBefore(t *testing.T) {
	r := threadRig(t, "")
	early := r.load("lands").Created.Add(-time.Hour)
	o := r.reads(r.posted("1", "SEND 5 TO Ford", spanned(early, early.Add(59*time.Second))))
	if o.Status != ingest.Done || len(r.sent()) != 0 || len(r.inForce()) != 0 {
		t.Errorf("%+v", o)
	}
	r.exec(`UPDATE game SET started = started + 7200000000 WHERE name = 'lands'`)
	r.forget("lands")
	r.now = r.now.Add(3 * time.Hour)
	o = r.reads(r.posted("2", "SEND 5 TO Ford", spanned(noon.Add(time.Hour), noon.Add(time.Hour))))
	equal(t, "verdicts", r.verdicts(o), "refused E-THREAD")
}

// TestTwoGamesOnOneThread: a GAME line tells, else whose member its author is.
func TestTwoGamesOnOneThread(t *testing.T) {
	r := threadRig(t, "")
	r.game("toys", `tavern = { source = "board", thread = 7 }`, `forum_names = true`)
	for _, tt := range []struct{ author, id, text, game string }{
		{"Zoë", "13", "hello", "lands"},
		{"Clara", "21", "ADD 1", "toys"},
		{"Anna", "11", "GAME toys\nADD 1", "toys"},
		{"Anna", "11", "GAME lands\nADD 1", "lands"},
		{"Anna", "11", "SEND 5 TO Ford", "lands"},
	} {
		r.n++
		o := r.reads(r.posted(fmt.Sprint(r.n), tt.text, as(tt.author, tt.id)))
		if o.Game != tt.game {
			t.Errorf("%s: %q is for %q, want %q", tt.author, tt.text, o.Game, tt.game)
		}
	}
	if heads, texts := mails(r.sent()); !strings.Contains(texts, "which game") {
		t.Errorf("nobody is asked: %v", heads)
	}
}

// TestF12F14Precision: a deadline at 20:00, and posts that may have come before it or after.
func TestF12F14Precision(t *testing.T) {
	due := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	minute := func(at time.Time) func(*forum.Record) { return spanned(at, at.Add(59*time.Second)) }
	undated := func(p *forum.Record) { p.Posted = forum.Instant{} }
	for _, tt := range []struct {
		about   string
		read    time.Time
		post    func(*forum.Record)
		counts  bool
		says    string
		closing bool // the round closes before it is read
	}{
		{"F12 in the minute before", due.Add(-time.Second), minute(due.Add(-time.Minute)), true, "", false},
		{"F12 in the deadline's own minute", due.Add(time.Minute), minute(due), false, "times finely enough", false},
		{"F12 in that minute, read when all is over", due.Add(time.Hour), minute(due), false, "times finely enough", true},
		{"F12 of that day", due.Add(-time.Hour), spanned(noon, noon.Add(12*time.Hour)), true, "", false},
		{"F12 of that day, read the next", due.Add(12 * time.Hour), spanned(noon.Add(time.Hour), noon.Add(12*time.Hour)), false, "times finely enough", true},
		{"F48 an hour that comes twice", due.Add(time.Hour), spanned(due.Add(-time.Hour), due.Add(time.Second)), false, "times finely enough", true},
		{"F49 before it, read after it", due.Add(time.Minute), minute(due.Add(-time.Minute)), true, "", false},
		{"F10 edited before it was read, after the deadline", due.Add(time.Hour), func(p *forum.Record) {
			minute(due.Add(-time.Hour))(p)
			p.Edited = true
		}, false, "changed before it was first read", true},
		{"F10 edited and read before the deadline", due.Add(-time.Hour), func(p *forum.Record) {
			minute(due.Add(-2 * time.Hour))(p)
			p.Edited = true
		}, true, "", false},
		{"F14 no date, nothing between", noon.Add(time.Hour), undated, true, "could not be read, so it counts as of when it was seen", false},
		{"F14 no date, and a deadline between", due.Add(time.Hour), undated, false, "its date cannot be read, and since", false},
	} {
		t.Run(tt.about, func(t *testing.T) {
			r := threadRig(t, "")
			if r.until(noon.Add(30 * time.Minute)); tt.closing {
				r.until(due.Add(30 * time.Second))
			}
			r.sent()
			r.now = tt.read
			r.read("box", r.now)
			o := r.reads(r.posted("1", "SEND 5 TO Ford", func(p *forum.Record) { tt.post(p) }))
			if counts := o.Input > 0 && o.Status == ingest.Done; counts != tt.counts {
				t.Errorf("counts: %v (%s)", counts, r.note(o))
			}
			heads, texts := mails(r.sent())
			if !tt.counts && (!slices.Contains(heads, "question gm@lands.example") || !slices.Contains(heads, "question anna@x.example") || !strings.Contains(texts, "> AS Anna\n> SEND 5 TO Ford")) {
				t.Errorf("told %v:\n%s", heads, texts)
			}
			if !strings.Contains(strings.Join(strings.Fields(texts), " "), tt.says) {
				t.Errorf("told:\n%s", texts)
			}
			r.same("lands")
		})
	}
}

// TestProseNearADeadlineIsNobodysMatter: only orders are for the GM to decide on.
func TestProseNearADeadlineIsNobodysMatter(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "Good luck to all of you", spanned(noon, noon.Add(12*time.Hour)), as("Anna", "11")))
	if got := r.sent(); len(got) != 0 {
		t.Errorf("told %v", got)
	}
}

// TestF49ReadLate: a post counts by its own time, and the round waits for the thread.
func TestF49ReadLate(t *testing.T) {
	r := threadRig(t, "")
	due := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	r.reads(r.posted("1", "Hello"))
	r.now = due.Add(10 * time.Minute)
	r.read("box", r.now)
	r.pass(0)
	equal(t, "before the thread was read", r.events("lands"))
	r.reads(r.posted("2", "SEND 5 TO Ford", spanned(due.Add(-time.Minute), due.Add(-time.Minute))),
		r.posted("3", "SEND 9 TO Ford", spanned(due.Add(time.Minute), due.Add(time.Minute)), as("Zoë", "13")))
	r.pass(time.Second)
	if in, ev := r.lastInput(); len(ev) == 0 && in.Kind != kindLetter {
		t.Errorf("%+v", in)
	}
	equal(t, "for the next round", r.inForce(), "2 SEND 9 TO Ford")
	r.same("lands")
}

// TestF19ApprovalDelay: the time is the post's, and the receipt notes the delay.
func TestF19ApprovalDelay(t *testing.T) {
	r := threadRig(t, "")
	r.until(noon.Add(3 * time.Hour))
	r.reads(r.posted("1", "SEND 5 TO Ford", spanned(noon.Add(time.Hour), noon.Add(time.Hour))),
		r.posted("2", "SEND 4 TO Mill", spanned(noon.Add(150*time.Minute), noon.Add(150*time.Minute)), as("Boris", "11")))
	_, texts := mails(r.sent())
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford", "2 SEND 4 TO Mill")
	if n := strings.Count(strings.Join(strings.Fields(texts), " "), "was not to be seen before"); n != 1 {
		t.Errorf("%d delays in\n%s", n, texts)
	}
}

// TestF7StrayTags: the receipt names them, of a line that cannot be read for them too.
func TestF7StrayTags(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "ORDERS\n[b]SEND 5 TO Ford\nSEND 4 TO Mill\nEND"))
	_, texts := mails(r.sent())
	for _, want := range []string{"[b]", "tags of the board stand as text"} {
		if !strings.Contains(texts, want) {
			t.Errorf("%q is not in\n%s", want, texts)
		}
	}
	equal(t, "in force", r.inForce(), "1 SEND 4 TO Mill")
	o := r.reads(r.posted("3", "[s]SEND 5 TO Ford"))
	equal(t, "F7 alone", r.verdicts(o), "unclear")
	_, texts = mails(r.sent())
	for _, want := range []string{"stand as text: [s].", "Ready to send:", "> SEND 5 TO Ford"} {
		if !strings.Contains(strings.Join(strings.Fields(texts), " "), want) {
			t.Errorf("%q is not in\n%s", want, texts)
		}
	}
}

// TestF50OrdersElsewhere: what hangs on a post is not read, and its writer hears where to write.
func TestF50OrdersElsewhere(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 4 TO Mill", func(p *forum.Record) { p.Attachments = 1 }))
	if _, texts := mails(r.sent()); !strings.Contains(texts, "Files and polls") {
		t.Error(texts)
	}
	r.reads(r.posted("2", "see the file", func(p *forum.Record) { p.Attachments = 1 }))
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question anna@x.example"); !strings.Contains(texts, "in this thread") {
		t.Error(texts)
	}
}

// TestF47DiceThatAreTyped: they are text.
func TestF47DiceThatAreTyped(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford\n3d6: 4+6+6 = 16\n[dice]20[/dice]"))
	if o := r.reads(r.posted("2", "I roll 1d20 = 20")); o.Input != 0 {
		t.Errorf("%+v", o)
	}
	equal(t, "events", r.events("lands"))
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford")
}

// TestF24NamesThatAreNotClear: nothing is guessed.
func TestF24NamesThatAreNotClear(t *testing.T) {
	r := threadRig(t, "")
	o := r.reads(r.posted("1", "SEND 5 TO Frod"))
	equal(t, "verdicts", r.verdicts(o), "unclear")
	if _, texts := mails(r.sent()); !strings.Contains(texts, "Did you mean Ford?") {
		t.Error(texts)
	}
}

func TestF30SeveralOrdersInAPost(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford\nSEND 2 TO Mill\nSEND 6 TO Ford"))
	equal(t, "in force", r.inForce(), "2 SEND 2 TO Mill", "3 SEND 6 TO Ford")
}

// TestF31OnceByID: a post that is read again acts once; posts of one instant count by their ids.
func TestF31OnceByID(t *testing.T) {
	r := threadRig(t, "")
	nine, ten := r.posted("9", "SEND 5 TO Ford"), r.posted("10", "SEND 6 TO Ford")
	r.reads(ten, nine)
	equal(t, "in force", r.inForce(), "2 SEND 6 TO Ford")
	r.sent()
	again := nine
	again.Version = 2 // a source that lost its cursor
	if o := r.reads(nine, again); o.Class != "duplicate" {
		t.Errorf("%+v", o)
	}
	equal(t, "in force", r.inForce(), "2 SEND 6 TO Ford")
	if got := r.sent(); len(got) != 0 {
		t.Errorf("told %v", got)
	}
}

// TestNoReceiptCanBeSent: the GM hears once of a member without an address.
func TestNoReceiptCanBeSent(t *testing.T) {
	r := threadRig(t, "")
	for i, want := range [][]string{{"question gm@lands.example"}, nil} {
		r.reads(r.posted(fmt.Sprint(i+1), fmt.Sprintf("SEND %d TO Ford", i+1), as("Zoë", "13")))
		heads, _ := mails(r.sent())
		equal(t, fmt.Sprint("told of post ", i), heads, want...)
	}
}

// TestF39UnreadPages: the GMs of the games that read the thread hear of each once, and it is no letter.
func TestF39UnreadPages(t *testing.T) {
	r := threadRig(t, "")
	page := func(key, why string) {
		_, err := r.Handle(t.Context(), inThread, ingest.Batch{Next: "x", Messages: []ingest.Message{{Key: key, Via: "post", Fault: why, Raw: []byte("From: x\n\n<html>")}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	page("page/1", "https://b.example/t7?page=1: it is nested too deeply")
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question gm@lands.example"); !strings.Contains(texts, "page=1") || strings.Contains(texts, "letter") && strings.Contains(texts, "A letter") {
		t.Error(texts)
	}
	page("page/1-again", "https://b.example/t7?page=1: it is nested too deeply")
	page("page/2", "https://b.example/t7?page=2: it is nested too deeply")
	heads, _ = mails(r.sent())
	equal(t, "told", heads, "question gm@lands.example")
}

// TestTheTavernOnAForum: what the web board shows is posted to the thread too, in parts with markers of their own.
func TestTheTavernOnAForum(t *testing.T) {
	r := threadRig(t, "")
	r.Forums[0].Limit = 1000
	r.reads(r.posted("4711", "hello"), r.posted("98", "hello"))
	r.order(gmOfLands, "BROADCAST\n"+strings.Repeat("The moonstone [b]is[/b] found.\n", 60)+"END BROADCAST")
	var web outbox.Item
	var posts []outbox.Item
	for _, it := range r.sent() {
		switch it.Via {
		case viaPost:
			web = it
		case viaForum:
			posts = append(posts, it)
		}
	}
	var text strings.Builder
	seen := map[string]bool{}
	for i, p := range posts {
		text.WriteString(p.Text)
		if p.To != inThread || p.Lane != posts[0].Lane || p.Subject != web.Subject || p.Known != "4711" || p.State != outbox.Due || p.Part != fmt.Sprintf("%d/%d", i+1, len(posts)) {
			t.Errorf("%+v", p)
		}
		if want := fmt.Sprintf("lands-%d-%s-%d", p.Input, p.ID[len(p.ID)-6:], i+1); p.Marker != want || seen[p.Marker] || len(p.Text)+len(p.Marker) > 1000 {
			t.Errorf("marker %s, want %s; %d bytes", p.Marker, want, len(p.Text))
		}
		seen[p.Marker] = true
	}
	if len(posts) < 3 || strings.Join(strings.Fields(text.String()), " ") != strings.Join(strings.Fields(web.Text), " ") {
		t.Errorf("%d posts say:\n%s\nthe web board says:\n%s", len(posts), text.String(), web.Text)
	}
	r.order(gmOfLands, "RULING So be it.")
	for _, it := range r.sent() {
		if it.Via == viaForum && (it.Part != "" || strings.Count(it.Marker, "-") != 2) {
			t.Errorf("%+v", it)
		}
	}
	list, last, err := outbox.Posts(t.Context(), r.DB.Read(), "lands", 100, 0)
	if err != nil || int64(len(list)) != last || slices.ContainsFunc(list, func(it outbox.Item) bool { return it.Via != viaPost }) {
		t.Errorf("the web board has %d of %d posts, %v", len(list), last, err)
	}
}

func TestCutPosts(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"a\nb\n", []string{"a\nb\n"}},
		{"aaaa\nbbbb\ncc\n", []string{"aaaa\nbbbb\n", "cc\n"}},
		{"äää äää äää\n", []string{"äää äää äää\n"}},
		{"äää äää äääx ää\n", []string{"äää äää\n", "äääx ää\n"}},
		{strings.Repeat("x", 25) + "\n", []string{strings.Repeat("x", 12) + "\n", strings.Repeat("x", 12) + "\n", "x\n"}},
		{"\n\n", nil},
	} {
		if got := cutPosts(tt.text, func(s string) bool { return utf8.RuneCountInString(s) <= 12 }); !slices.Equal(got, tt.want) {
			t.Errorf("%q is cut to %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestPartsFitAsTheyAreWritten: whatever players wrote, no part is longer on the board than it takes, and nothing is lost.
func TestPartsFitAsTheyAreWritten(t *testing.T) {
	for _, board := range []string{"phpbb", "smf", "mybb", "fluxbb", "xenforo", "discourse"} {
		b := &forum.Board{View: forum.View{Board: board}}
		e := &Engine{Config: Config{Forums: []Forum{{Name: "board", Limit: 500, Markup: b.Markup}}}}
		taken := e.takes("board", "lands")
		for _, text := range []string{
			strings.Repeat("[b][quote=Anna] @Boris ", 300) + "\n",
			strings.Repeat("[", 3000) + "\n",
			strings.Repeat("*_`~[x](http://x.example)\n", 200),
			strings.Repeat("[i]  ford   [/i] [3]\n[u]  mill   [/u] [4]\n\n", 60),
			strings.Repeat("ё", 2500) + "\n\n" + strings.Repeat("Всё ясно. :) ", 200),
		} {
			parts := cutPosts(text, taken)
			for _, part := range parts {
				if n := utf8.RuneCountInString(b.Markup("(10/12)\n\n"+strings.TrimSpace(part)) + "\n\nlands-123456-abcdef-10"); n > 500 {
					t.Errorf("%s: a part of %d characters: %.60q", board, n, part)
				}
			}
			if bare := func(s string) string { return strings.Join(strings.Fields(s), "") }; bare(strings.Join(parts, "")) != bare(text) {
				t.Errorf("%s: %d parts do not say what %.60q does", board, len(parts), text)
			}
		}
	}
}

// TestF38WhatTheForumDoesNotTake: the GM hears of it, with the text.
func TestF38WhatTheForumDoesNotTake(t *testing.T) {
	r := threadRig(t, "")
	r.order(gmOfLands, "RULING So be it.")
	for _, it := range r.sent() {
		if it.Via == viaForum {
			r.Refused(t.Context(), it, fmt.Errorf("the topic is locked: %w", outbox.ErrPermanent))
		}
	}
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question gm@lands.example"); !strings.Contains(texts, "Reason: the topic is locked\n") || !strings.Contains(texts, "> So be it") {
		t.Error(texts)
	}
}

// TestThreadsAndAccountsMayBeChanged: by who runs the server, and what is so then counts at once.
func TestThreadsAndAccountsMayBeChanged(t *testing.T) {
	r := threadRig(t, "")
	if err := r.AddAccount(t.Context(), "lands", "Boris", Account{"board", "12"}); err != nil {
		t.Fatal(err)
	}
	r.reads(r.posted("1", "SEND 5 TO Ford", as("Anybody", "12")))
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford")
	for key, value := range map[string]string{"thread.edits": "never", "tavern.thread": "9"} {
		if _, err := r.Set(t.Context(), "lands", "root", []Setting{{key, value}}); err == nil {
			t.Errorf("%s = %s is taken", key, value)
		}
	}
	if _, err := r.Set(t.Context(), "lands", "root", []Setting{{"thread.edits", "first"}}); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 6 TO Ford", version(2), as("Anybody", "12")))
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford")
	if err := r.RemoveAccount(t.Context(), "lands", "Boris", Account{"board", "12"}); err != nil {
		t.Fatal(err)
	}
	if o := r.reads(r.posted("2", "SEND 7 TO Ford", as("Anybody", "12"))); o.Seat != "" {
		t.Errorf("%+v", o)
	}
	f, err := ReadGameFile("lands.toml", fmt.Appendf(nil, threadGame, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "differences", f.Differences(r.load("lands")), `thread is "board/7 (Tavern)" in lands.toml and "board/7 (Tavern), edits first" in the game; the game's counts`)
	r.same("lands")
}
