package turns

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"arroba/ingest"
	"arroba/ingest/imapsrc"
	"arroba/outbox"
)

// correspondence makes the letters of two games as people and machines write them, a few minutes apart.
func correspondence(rng *rand.Rand, n int) []ingest.Message {
	var list []ingest.Message
	at := noon
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	for i := range n {
		at = at.Add(time.Duration(rng.IntN(1200)) * time.Second)
		who := pick("anna", "boris", "clara")
		from, to, id, subject := who+"@x.example", "lands+k3yof"+who+"@play.example", fmt.Sprintf("<%d@mail.example>", i), "letter"
		text, more := "", ""
		for range 1 + rng.IntN(3) {
			text += pick(fmt.Sprint("ADD ", rng.IntN(9)), "TELL Anna", "TELL Boris", "NOTE IT", "NAME lamp", "USE lamp", "USE lantern",
				fmt.Sprintf("BELL b%d %d", i, rng.IntN(9000)), fmt.Sprintf("EARLY e%d %d", i, rng.IntN(9000)), "HISTORY 3", "STATUS", "ADD x") + "\n"
		}
		switch rng.IntN(20) {
		case 0:
			text = "What a fine day.\n" // prose
		case 1:
			text, subject = "", "ADD 7"
		case 2:
			id = "" // it is its bytes
			text += fmt.Sprintf("\nYours, number %d\n", i)
		case 3:
			id = "<the.same@mail.example>" // of other letters too
			text += fmt.Sprintf("\nYours, number %d\n", i)
		case 4:
			to = "lands@play.example" // no proof
		case 5:
			to, text = "lands@play.example", "TOKEN k3yofnobody\n"+text
		case 6:
			from = "eve@evil.example"
		case 7:
			from, to = "eve@evil.example", "lands@play.example"
		case 8:
			text = "GAME fens\n" + text
		case 9:
			more = "Auto-Submitted: auto-replied\n"
		case 10:
			from = "anna@x.example, boris@x.example"
		case 11, 12, 13:
			to = "marches@play.example"
		}
		if id != "" {
			more += "Message-ID: " + id + "\n"
		}
		raw := fmt.Sprintf("From: %s\nTo: %s\nSubject: %s\n%s\n%s", from, to, subject, more, text)
		list = append(list, ingest.Message{Key: fmt.Sprintf("1/%d", i+1), Arrived: at, Via: "mail", Raw: []byte(raw)})
	}
	return list
}

// movedCopy is a letter as it comes by another road.
func movedCopy(m ingest.Message, at time.Time, rng *rand.Rand) ingest.Message {
	m.Key = "2/" + m.Key
	if bytes.Contains(m.Raw, []byte("Message-ID:")) {
		m.Raw = append([]byte("Received: from mail.example by play.example\nX-Moved: yes\n"), m.Raw...)
	}
	if rng.IntN(2) == 0 { // a server may give the time of moving for that of arrival
		m.Arrived = at
	}
	return m
}

// delivery hands the letters over in windows of a few. Twice, every letter comes a second time from the other of two
// folders, at any time after, and in each batch in any order. A letter's first coming keeps its place: what is read
// first is ruled on first.
func delivery(r *rig, letters []ingest.Message, rng *rand.Rand, twice bool) {
	windows := rand.New(rand.NewPCG(5, 5))
	later := map[int][]ingest.Message{} // by folder
	for len(letters) > 0 {
		n := min(1+windows.IntN(6), len(letters))
		window := letters[:n]
		letters = letters[n:]
		r.now = window[n-1].Arrived.Add(time.Duration(windows.IntN(30)) * time.Second)
		batches := [2][]ingest.Message{window}
		if twice {
			first := rng.IntN(2)
			batches = [2][]ingest.Message{}
			batches[first] = slices.Clone(window)
			for folder, list := range later {
				rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				some := rng.IntN(len(list) + 1)
				if len(letters) == 0 {
					some = len(list)
				}
				batches[folder] = append(batches[folder], list[:some]...)
				later[folder] = list[some:]
			}
			for _, m := range window {
				m = movedCopy(m, r.now, rng)
				if rng.IntN(3) == 0 || len(letters) == 0 {
					batches[1-first] = append(batches[1-first], m)
				} else {
					later[1-first] = append(later[1-first], m)
				}
			}
			for _, b := range batches {
				rng.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
			}
			if len(batches[1-first]) > 0 && containsFirst(batches[1-first], window) {
				r.handle(first, batches[first])
				r.handle(1-first, batches[1-first])
			} else {
				for _, folder := range rng.Perm(2) {
					r.handle(folder, batches[folder])
				}
			}
		} else {
			r.handle(0, batches[0])
			r.handle(1, batches[1])
		}
		if _, err := r.Tick(r.Context()); err != nil {
			r.Fatal(err)
		}
	}
	for folder, list := range later {
		r.handle(folder, list)
	}
}

// containsFirst tells whether a batch has copies of the window's own letters.
func containsFirst(batch, window []ingest.Message) bool {
	return slices.ContainsFunc(batch, func(m ingest.Message) bool {
		return slices.ContainsFunc(window, func(o ingest.Message) bool { return m.Key == "2/"+o.Key })
	})
}

func (r *rig) handle(folder int, list []ingest.Message) {
	r.Helper()
	_, err := r.Handle(r.Context(), []string{"inbox", "archive"}[folder], ingest.Batch{Messages: list, Until: r.now})
	if err != nil {
		r.Fatal(err)
	}
}

var drawn = regexp.MustCompile(`[0-9a-z]{26}`) // ids and links

var readLate = regexp.MustCompile(`,"[Nn]ow":"[^"]*"`) // when the engine came to what was read late

// outcome is everything that the games ruled and told: their logs, what each told each recipient in order, and the
// questions in any order, for they wait for nothing.
func (r *rig) outcome(games ...string) []string {
	r.Helper()
	var list, questions []string
	for _, game := range games {
		inputs, err := Inputs(r.Context(), r.DB.Read(), game, -1, 10000)
		if err != nil {
			r.Fatal(err)
		}
		for _, in := range inputs {
			list = append(list, fmt.Sprintf("%s %d %s %s %s %s", game, in.N, in.Kind, in.At, readLate.ReplaceAll(in.Body, nil), in.Events))
		}
	}
	byRecipient := map[string][]string{}
	for _, it := range r.sent() {
		s := drawn.ReplaceAllString(fmt.Sprintf("%s %s %s %s %q %q %s", it.To, it.Kind, it.Subject, it.ReplyTo, it.InReplyTo, it.References, it.Text), "…")
		if it.Kind == outbox.Question || it.Kind == outbox.Alarm {
			questions = append(questions, s)
		} else {
			byRecipient[it.To+" "+it.Game] = append(byRecipient[it.To+" "+it.Game], s)
		}
	}
	for _, to := range slices.Sorted(maps.Keys(byRecipient)) {
		list = append(list, byRecipient[to]...)
	}
	slices.Sort(questions)
	return append(list, questions...)
}

// twiceRig is an engine with two games that two folders feed.
func twiceRig(t *testing.T) *rig {
	r := newRig(t, Feed{Name: "inbox"}, Feed{Name: "archive"})
	r.Engine.Log = slog.New(slog.DiscardHandler)
	r.Limits = Limits{Guesses: 5, Letters: 60, AnswersHour: 20, ErrorsHour: 5}
	text := "seed = \"one\"\n" + byToken + "\n" + fmt.Sprintf(toyGame, "lands", "lands@play.example")
	for _, nick := range []string{"Anna", "Boris", "Clara"} {
		text = strings.Replace(text, fmt.Sprintf("nick = %q\n", nick), fmt.Sprintf("nick = %q\ntoken = \"k3yof%s\"\n", nick, strings.ToLower(nick)), 1)
	}
	text = strings.Replace(text, `nick = "Gareth",`, `nick = "Gareth", token = "k3yofgareth",`, 1)
	f, err := ReadGameFile("lands.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	r.game("marches", "seed = \"two\"")
	r.sent()
	return r
}

func TestEveryLetterTwiceFromTwoFoldersActsOnce(t *testing.T) {
	letters := correspondence(rand.New(rand.NewPCG(1, 2)), 300)
	once := twiceRig(t)
	delivery(once, letters, nil, false)
	want := once.outcome("lands", "marches")
	if len(want) < 600 {
		t.Fatalf("only %d things came of 300 letters", len(want))
	}
	for seed := range uint64(5) {
		r := twiceRig(t)
		delivery(r, letters, rand.New(rand.NewPCG(seed, 7)), true)
		if n := r.count(`SELECT COUNT(*) FROM inbox`); n != 600 {
			t.Fatalf("%d letters are in the inbox, want each twice", n)
		}
		compare(t, fmt.Sprint("seed ", seed), r.outcome("lands", "marches"), want)
	}
}

// compare shows the first few differences of two lists.
func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	t.Errorf("%s: %d things came of it, want %d", what, len(got), len(want))
	shown := 0
	for i := 0; i < max(len(got), len(want)) && shown < 3; i++ {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%d:\n got %.600s\nwant %.600s", i, g, w)
			shown++
		}
	}
}

type literal struct{ *bytes.Reader }

func (l literal) Size() int64 { return l.Reader.Size() }

// A mailbox that is rebuilt has a new UIDVALIDITY, other UIDs, and its letters in any order.
func TestARebuiltMailboxLosesAndRepeatsNothing(t *testing.T) {
	letters := correspondence(rand.New(rand.NewPCG(3, 4)), 60)
	user := imapmemserver.NewUser("magistrate", "secret")
	mem := imapmemserver.New()
	mem.AddUser(user)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return mem.NewSession(), nil, nil
		},
		Caps: imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapUIDPlus: {}, imap.CapMove: {}}, InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(ln)
	t.Cleanup(func() { server.Close() })

	build := func(list []ingest.Message) {
		if err := user.Create("INBOX", nil); err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if _, err := user.Append("INBOX", literal{bytes.NewReader(m.Raw)}, &imap.AppendOptions{Time: m.Arrived}); err != nil {
				t.Fatal(err)
			}
		}
	}
	open := func() ingest.Source {
		src, err := imapsrc.New(imapsrc.Config{Addr: ln.Addr().String(), TLS: "none", User: "magistrate", Done: imapsrc.DoneKeep,
			Password: func() (string, error) { return "secret", nil }, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { src.Close() })
		return src
	}
	play := func(rebuilt bool) []string {
		r := twiceRig(t)
		r.Feeds = []Feed{{Name: "inbox"}}
		reader := &Reader{Engine: r.Engine, Name: "inbox", Source: open()}
		read := func(n int) {
			r.now = letters[n-1].Arrived.Add(time.Minute)
			if _, err := reader.Once(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		build(letters[:40])
		read(40)
		if rebuilt {
			if err := user.Delete("INBOX"); err != nil {
				t.Fatal(err)
			}
			again := slices.Clone(letters[:50])
			rand.New(rand.NewPCG(9, 9)).Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
			build(again)
		} else {
			for _, m := range letters[40:50] {
				if _, err := user.Append("INBOX", literal{bytes.NewReader(m.Raw)}, &imap.AppendOptions{Time: m.Arrived}); err != nil {
					t.Fatal(err)
				}
			}
		}
		read(50)
		reader.Source = open() // a program that starts again
		for _, m := range letters[50:] {
			if _, err := user.Append("INBOX", literal{bytes.NewReader(m.Raw)}, &imap.AppendOptions{Time: m.Arrived}); err != nil {
				t.Fatal(err)
			}
		}
		read(60)
		if err := user.Delete("INBOX"); err != nil {
			t.Fatal(err)
		}
		want := 60
		if rebuilt {
			want += 40
		}
		if n := r.count(`SELECT COUNT(*) FROM inbox`); n != want {
			t.Errorf("%d letters are in the inbox, want %d", n, want)
		}
		return r.outcome("lands", "marches")
	}
	want := play(false)
	compare(t, "rebuilt", play(true), want)
}
