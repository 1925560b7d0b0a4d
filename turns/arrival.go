package turns

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/outbox"
	"arroba/rules"
)

// arrival is a letter on its way through the engine.
type arrival struct {
	entry  ingest.Row
	stored bool // it was kept by an earlier transaction
	read   letter.Letter
	by     string // the authserv-id that its authentication was judged by
	fault  string // why its bytes are not there

	lost    bool  // the source has them and does not give them
	maxSize int64 // of a letter, in bytes
	retried bool  // a person said that it is to be handled again

	seat  rules.Seat
	input int64 // of the game's log, 0 when it became none

	post  *forum.Record // that it is, nil for a mail
	notes []note        // that its receipt says besides

	games   []string // that GAME lines name
	secrets []secret // that it gives
	answers bool     // it answers a question of ours: it need hold no order
	joins   bool     // by that answer its writer became a member
}

// Outcome is what became of a letter.
type Outcome struct {
	Inbox  string // id of its row
	Key    string
	Game   string
	Seat   rules.Seat
	Class  string
	Status string
	Input  int64 // of the game's log, 0 when it became none
}

func (a *arrival) outcome() Outcome {
	return Outcome{Inbox: a.entry.ID, Key: a.entry.Key, Game: a.entry.Game, Seat: a.seat, Class: a.entry.Class, Status: a.entry.Status, Input: a.input}
}

// arrive reads a message. No letter comes from the future, whatever a server's clock says.
func arrive(id, source string, m ingest.Message, now time.Time, o letter.Options) *arrival {
	a := &arrival{fault: m.Fault, lost: m.Fault != "" && m.Limit == 0, maxSize: cmp.Or(m.Limit, o.MaxSize, letter.DefaultMaxSize), by: o.AuthservID, entry: ingest.Row{
		ID: id, Source: source, Key: m.Key, Arrived: fine(m.Arrived), Taken: now, Via: cmp.Or(m.Via, viaMail), Raw: m.Raw,
	}}
	if m.Arrived.IsZero() {
		a.entry.Arrived = now
	}
	a.parse(o)
	if at := a.postedAt(); !at.IsZero() {
		a.entry.Arrived = fine(at)
	}
	if a.entry.Arrived.After(now) {
		a.entry.Arrived = now
	}
	return a
}

// again makes an arrival of a letter that was kept earlier. Its bytes are read when its turn comes.
func again(e ingest.Row) *arrival {
	return &arrival{stored: true, entry: e, seat: rules.Seat(e.Seat)}
}

func (a *arrival) parse(o letter.Options) {
	err := guarded(func() error {
		if a.entry.Via == viaPost {
			a.post, a.read = readPost(a.entry.Raw)
		} else {
			a.read = letter.Read(a.entry.Raw, o)
		}
		return nil
	})
	switch {
	case err != nil:
		a.read = letter.Letter{Class: letter.Malformed, Problems: []string{err.Error()}, Fingerprint: "key:" + a.entry.Source + "/" + a.entry.Key}
	case a.fault != "": // its header is here at most
		a.post = nil
		if a.read.Class == letter.Orders {
			a.read.Class = letter.Malformed
		}
		if !a.lost {
			a.read.Over = letter.LimitSize
		}
		a.read.Lines, a.read.Problems, a.read.Fingerprint = nil, []string{a.fault}, lostPrint+a.entry.Source+"/"+a.entry.Key
	}
	a.entry.Fingerprint = a.read.Fingerprint
	a.entry.Class, a.entry.Sender = string(a.read.Class), a.read.From
	a.entry.MessageID = a.read.MessageID
	a.steer()
}

// lostPrint begins the fingerprint of a letter whose bytes are not there.
const lostPrint = "lost:"

// inOrder sorts letters by arrival, posts of the same instant by their ids, which grow, then by key.
func inOrder(list []*arrival) {
	slices.SortStableFunc(list, func(a, b *arrival) int {
		byID := 0
		if a.entry.Via == viaPost && b.entry.Via == viaPost && a.entry.Source == b.entry.Source {
			byID = cmp.Or(cmp.Compare(len(a.entry.MessageID), len(b.entry.MessageID)), cmp.Compare(a.entry.MessageID, b.entry.MessageID))
		}
		return cmp.Or(a.entry.Arrived.Compare(b.entry.Arrived), byID, cmp.Compare(a.entry.Key, b.entry.Key))
	})
}

// settle says what became of the letter.
func (a *arrival) settle(status, note string) { a.entry.Status, a.entry.Note = status, note }

// problems are what was wrong with the letter, in a sentence.
func (a *arrival) problems() string {
	return cmp.Or(strings.Join(a.read.Problems, "; "), "it is "+a.entry.Class)
}

// answerTo is the address that the letter is answered at: the one it came from if that is the member's, else his
// first.
func (a *arrival) answerTo(m *Member) string {
	for _, addr := range m.Addresses {
		if foldAddress(addr) == a.entry.Sender {
			return addr
		}
	}
	return first(m.Addresses)
}

const maxReferences = 20

var messageID = regexp.MustCompile(`^[^\s<>@]{1,200}@[^\s<>@]{1,200}$`)

// thread makes a mail an answer to the letter.
func (a *arrival) thread(it *outbox.Item) {
	it.Auto = "auto-replied"
	id := bare(a.read.MessageID)
	if !messageID.MatchString(id) {
		return
	}
	it.InReplyTo, it.References = id, nil
	for _, r := range a.read.References {
		if r = bare(r); messageID.MatchString(r) && r != id {
			it.References = append(it.References, r)
		}
	}
	it.References = append(it.References[max(len(it.References)-maxReferences, 0):], id)
}

// bare is a Message-ID without angle brackets.
func bare(id string) string { return strings.Trim(strings.TrimSpace(id), "<>") }

// forRules is the letter as the rules of a game may know it: without what is passed on to others.
func (a *arrival) forRules(g *live) rules.Letter {
	l := rules.Letter{Arrived: a.entry.Arrived, Subject: orderSubject(a.read.Subject, &g.Game), Lines: g.kit.grammar.WithoutTexts(a.read.Lines)}
	l.Nicks = g.newNicks()
	for _, f := range a.read.Attachments {
		l.Attachments = append(l.Attachments, rules.Attachment{Name: f.Name, Size: len(f.Data), Hash: f.SHA256})
	}
	return l
}

// blank tells whether the writer wrote nothing but perhaps a subject.
func (a *arrival) blank() bool {
	return !slices.ContainsFunc(a.read.Lines, func(s string) bool { return strings.TrimSpace(s) != "" })
}
