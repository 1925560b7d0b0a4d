package outbox_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"arroba/outbox"
	"arroba/store"
)

var start = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// post is a post office with its own clock and a sink that answers as the test says.
type post struct {
	t      *testing.T
	db     *store.DB
	sender *outbox.Sender
	now    time.Time
	answer func(outbox.Item) error // nil: takes all

	mu     sync.Mutex
	got    []outbox.Item
	alarms []string
}

func newPost(t *testing.T) *post {
	t.Helper()
	db, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	p := &post{t: t, db: db, now: start}
	p.sender = p.newSender(db)
	return p
}

func (p *post) newSender(db *store.DB) *outbox.Sender {
	return &outbox.Sender{
		DB:    db,
		Route: func(outbox.Item) (outbox.Sink, error) { return p, nil },
		Now:   func() time.Time { p.mu.Lock(); defer p.mu.Unlock(); return p.now },
		Log:   slog.New(slog.DiscardHandler),
		Alarm: func(_ context.Context, subject, _ string) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.alarms = append(p.alarms, subject)
		},
	}
}

func (p *post) String() string { return "the post" }

func (p *post) Send(_ context.Context, it outbox.Item) (string, error) {
	p.mu.Lock()
	p.got = append(p.got, it)
	p.mu.Unlock()
	if p.answer != nil {
		if err := p.answer(it); err != nil {
			return "", err
		}
	}
	return "250 taken", nil
}

func (p *post) queue(items ...outbox.Item) []outbox.Item {
	p.t.Helper()
	err := p.db.Write(p.t.Context(), func(tx *sql.Tx) error { return outbox.Queue(p.t.Context(), tx, p.now, items) })
	if err != nil {
		p.t.Fatal(err)
	}
	return items
}

func (p *post) once() int {
	p.t.Helper()
	n, err := p.sender.Once(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// skip moves the clock to when an item that waits may be tried, false when none waits.
func (p *post) skip() bool {
	p.t.Helper()
	var next sql.NullInt64
	if err := p.db.Read().QueryRowContext(p.t.Context(), `SELECT MIN(next_at) FROM outbox WHERE state = 'due' AND next_at > $1`, store.Micro(p.now)).Scan(&next); err != nil {
		p.t.Fatal(err)
	}
	if next.Valid {
		p.now = store.Time(next.Int64)
	}
	return next.Valid
}

func (p *post) state(id string) string {
	p.t.Helper()
	it, found, err := outbox.ByID(p.t.Context(), p.db.Read(), id)
	if err != nil || !found {
		p.t.Fatalf("item %s: found %v, %v", id, found, err)
	}
	return it.State
}

func (p *post) subjects() []string {
	var s []string
	for _, it := range p.got {
		s = append(s, it.Subject)
	}
	return s
}

func mail(to, subject string) outbox.Item {
	return outbox.Item{Game: "lands", Input: 1, Via: "mail", Kind: outbox.Receipt, To: to, Subject: subject, Text: "Done.\n",
		From: "magistrate@lands.example", FromName: "The Magistrate", Auto: "auto-replied"}
}

func TestQueueKeepsAll(t *testing.T) {
	p := newPost(t)
	full := outbox.Item{ID: "a", Lane: "l", Game: "lands", Input: 3, Via: "mail", Kind: outbox.Results, To: "oleg@example.org",
		Subject: "Вызов\x00", Text: "Борис\xff вызван.\n", Date: start.Add(time.Hour + time.Millisecond), Expires: start.Add(48 * time.Hour),
		From: "gm@lands.example", FromName: "Судья", MessageID: "m@lands.example", InReplyTo: "q@example.org",
		References: []string{"p@example.org", "q@example.org"}, Auto: "auto-replied", Envelope: "bounces+a@lands.example"}
	p.queue(full, mail("boris@example.org", "x"))
	want := full
	want.Subject, want.Text, want.Date, want.State, want.Seq = "Вызов", "Борис вызван.\n", start.Add(time.Hour), outbox.Due, 1
	got, found, err := outbox.ByID(t.Context(), p.db.Read(), "a")
	if err != nil || !found || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	list, err := outbox.OfInputs(t.Context(), p.db.Read(), "lands", 0, 1)
	if err != nil || len(list) != 1 {
		t.Fatalf("of input 1: %v, %v", list, err)
	}
	made := list[0]
	if made.ID == "" || made.MessageID != made.ID+"@lands.example" || made.Lane != "mail:boris@example.org" || !made.Date.Equal(start) || made.Seq != 2 {
		t.Errorf("completed as %+v", made)
	}
}

func TestQueueMany(t *testing.T) {
	p := newPost(t)
	var items []outbox.Item
	for i := range 2500 {
		items = append(items, mail("oleg@example.org", fmt.Sprint(i)))
	}
	p.queue(items...)
	p.queue() // nothing is nothing
	got, err := outbox.OfInputs(t.Context(), p.db.Read(), "lands", 0, 1)
	if err != nil || len(got) != len(items) {
		t.Fatalf("%d items, %v", len(got), err)
	}
	for i, it := range got {
		if it.Subject != fmt.Sprint(i) {
			t.Fatalf("item %d is %s", i, it.Subject)
		}
	}
}

func TestQueueUndoneWithItsCause(t *testing.T) {
	p := newPost(t)
	p.db.Write(t.Context(), func(tx *sql.Tx) error {
		outbox.Queue(t.Context(), tx, p.now, []outbox.Item{mail("oleg@example.org", "x")})
		return errors.New("the rule failed")
	})
	if n := p.once(); n != 0 || len(p.got) != 0 {
		t.Errorf("sent %d", n)
	}
}

func TestQueries(t *testing.T) {
	p, ctx := newPost(t), t.Context()
	for i := range 5 {
		p.queue(outbox.Item{Game: "lands", Input: int64(i), Via: "post", To: "tavern", Subject: fmt.Sprint("news ", i), State: outbox.Sent},
			mail("oleg@example.org", fmt.Sprint("mail ", i)))
	}
	p.queue(outbox.Item{Game: "other", Via: "post", To: "tavern", Subject: "elsewhere", State: outbox.Sent})
	posts, first, err := outbox.Posts(ctx, p.db.Read(), "lands", 2, 0)
	if err != nil || len(posts) != 2 || first != 5 || posts[0].Subject != "news 4" || posts[1].Subject != "news 3" {
		t.Errorf("posts %v, %v", posts, err)
	}
	posts, first, err = outbox.Posts(ctx, p.db.Read(), "lands", 100, 4)
	if err != nil || len(posts) != 3 || first != 3 || posts[0].Subject != "news 2" {
		t.Errorf("older posts %v, %v", posts, err)
	}
	for before, want := range map[int64]int{1: 0, 2: 1, 6: 5, 99: 5} {
		if posts, _, err := outbox.Posts(ctx, p.db.Read(), "lands", 100, before); err != nil || len(posts) != want {
			t.Errorf("posts before %d: %v, %v", before, posts, err)
		}
	}
	last, err := outbox.To(ctx, p.db.Read(), "lands", "oleg@example.org", 2)
	if err != nil || len(last) != 2 || last[0].Subject != "mail 3" || last[1].Subject != "mail 4" {
		t.Errorf("last letters %v, %v", last, err)
	}
	counts, err := outbox.Counts(ctx, p.db.Read())
	if err != nil || counts[outbox.Due] != 5 || counts[outbox.Failed] != 0 {
		t.Errorf("counts %v, %v", counts, err)
	}
	of, err := outbox.OfInputs(ctx, p.db.Read(), "lands", 1, 3)
	if err != nil || len(of) != 2 {
		t.Errorf("of inputs 2 and 3: %v, %v", of, err)
	}
	it, found, err := outbox.ByMessageID(ctx, p.db.Read(), "none@x", last[0].MessageID)
	if err != nil || !found || it.Subject != "mail 3" {
		t.Errorf("by Message-ID %v %v, %v", it, found, err)
	}
	if _, found, err := outbox.ByMessageID(ctx, p.db.Read()); found || err != nil {
		t.Errorf("by no Message-ID: %v, %v", found, err)
	}
	if n := p.once(); n != 5 {
		t.Errorf("sent %d, want the five mails: the posts are shown already", n)
	}
}

func TestLaneKeepsOrder(t *testing.T) {
	p := newPost(t)
	failed := false
	p.answer = func(it outbox.Item) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		if it.Subject == "o1" && !failed {
			failed = true
			return errors.New("451 not now")
		}
		return nil
	}
	for i := range 4 {
		p.queue(mail("oleg@example.org", fmt.Sprint("o", i)), mail("boris@example.org", fmt.Sprint("b", i)))
	}
	if n := p.once(); n != 5 {
		t.Errorf("sent %d, want o0 and all of Boris's", n)
	}
	p.now = p.now.Add(2 * time.Minute)
	if n := p.once(); n != 3 {
		t.Errorf("sent %d, want the rest of Oleg's", n)
	}
	for _, who := range []string{"o", "b"} {
		var order []string
		for _, s := range p.subjects() {
			if strings.HasPrefix(s, who) {
				order = append(order, s)
			}
		}
		if uniq := slices.Compact(slices.Clone(order)); !slices.IsSorted(order) || len(uniq) != 4 {
			t.Errorf("order %v", order)
		}
	}
}

func TestDelaysGrowUntilGivenUp(t *testing.T) {
	p := newPost(t)
	p.answer = func(outbox.Item) error { return errors.New("451 mailbox busy") }
	id := p.queue(mail("oleg@example.org", "x"))[0].ID
	var at []time.Duration
	for more := true; more; more = p.skip() {
		p.once()
		at = append(at, p.now.Sub(start))
	}
	if len(at) != 28 {
		t.Fatalf("%d attempts, want 28", len(at))
	}
	for i, want := 1, time.Minute; i < len(at); i, want = i+1, min(2*want, 6*time.Hour) {
		if d := at[i] - at[i-1]; d < want*4/5 || d > want*6/5 {
			t.Errorf("attempt %d came %v after the one before, want about %v", i+1, d, want)
		}
	}
	if last := at[len(at)-1]; last < 4*24*time.Hour || last > 6*24*time.Hour {
		t.Errorf("given up after %v, want about five days", last)
	}
	if p.state(id) != outbox.Failed || len(p.alarms) != 1 {
		t.Errorf("state %s, alarms %q", p.state(id), p.alarms)
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		about    string
		err      error
		attempts int
		state    string
	}{
		{"permanent", fmt.Errorf("550 no such user: %w", outbox.ErrPermanent), 1, outbox.Failed},
		{"unsure", fmt.Errorf("closed after the dot: %w", outbox.ErrUnsure), 5, outbox.Failed},
		{"temporary", errors.New("451 later"), 28, outbox.Failed},
		{"taken", nil, 1, outbox.Sent},
	} {
		t.Run(c.about, func(t *testing.T) {
			p := newPost(t)
			p.answer = func(it outbox.Item) error {
				if it.Subject == "first" {
					return c.err
				}
				return nil
			}
			var refused []string
			p.sender.Refused = func(_ context.Context, it outbox.Item, _ error) { refused = append(refused, it.Subject) }
			items := p.queue(mail("oleg@example.org", "first"), mail("oleg@example.org", "second"))
			for more := true; more; more = p.skip() {
				p.once()
			}
			first, seconds := 0, 0
			for _, it := range p.got {
				switch {
				case it.Subject == "second":
					seconds++
				case it.MessageID != items[0].MessageID || it.Text != items[0].Text || !it.Date.Equal(items[0].Date):
					t.Errorf("another mail on a later attempt: %+v", it)
				default:
					first++
				}
			}
			if first != c.attempts || p.state(items[0].ID) != c.state {
				t.Errorf("%d attempts, state %s; want %d, %s", first, p.state(items[0].ID), c.attempts, c.state)
			}
			if seconds != 1 || p.state(items[1].ID) != outbox.Sent {
				t.Errorf("the next in the lane was tried %d times and is %s", seconds, p.state(items[1].ID))
			}
			if want := errors.Is(c.err, outbox.ErrPermanent); (len(refused) == 1) != want || len(refused) > 1 {
				t.Errorf("told of %q as refused, want %v", refused, want)
			}
			if want := 1 - min(1, strings.Count(c.state, outbox.Sent)); len(p.alarms) != want {
				t.Errorf("alarms %q, want %d", p.alarms, want)
			}
		})
	}
}

func TestFailedAlarmRaisesNoAlarm(t *testing.T) {
	p := newPost(t)
	p.answer = func(outbox.Item) error { return outbox.ErrPermanent }
	alarm := mail("operator@lands.example", "x")
	alarm.Kind = outbox.Alarm
	p.queue(alarm)
	p.once()
	if len(p.alarms) != 0 {
		t.Errorf("alarms %q", p.alarms)
	}
}

func TestReminderExpires(t *testing.T) {
	p := newPost(t)
	reminder := mail("oleg@example.org", "soon")
	reminder.Expires = start.Add(time.Hour)
	inTime := p.queue(reminder)[0].ID
	p.once()
	late := p.queue(reminder, mail("oleg@example.org", "after"))
	p.now = start.Add(time.Hour)
	p.once()
	if p.state(inTime) != outbox.Sent || p.state(late[0].ID) != outbox.Expired || p.state(late[1].ID) != outbox.Sent {
		t.Errorf("states %s, %s, %s", p.state(inTime), p.state(late[0].ID), p.state(late[1].ID))
	}
	if got := p.subjects(); !slices.Equal(got, []string{"soon", "after"}) {
		t.Errorf("sent %v", got)
	}
}

func TestOneAlarmAnOutage(t *testing.T) {
	p := newPost(t)
	down := true
	p.answer = func(outbox.Item) error {
		if down {
			return fmt.Errorf("connection refused: %w", outbox.ErrDown)
		}
		return nil
	}
	for i := range 50 {
		p.queue(mail(fmt.Sprintf("player%d@example.org", i), "x"))
	}
	for range 40 { // more often than any item is tried for its own faults
		tries := len(p.got)
		p.once()
		if len(p.got)-tries > 8 {
			t.Fatalf("%d tries in one go at a sink that is down", len(p.got)-tries)
		}
		p.skip()
	}
	if !slices.Equal(p.alarms, []string{"the post does not work"}) {
		t.Fatalf("alarms %q", p.alarms)
	}
	down = false
	p.now = p.now.Add(time.Hour)
	if n := p.once(); n != 50 {
		t.Errorf("sent %d after the outage, want 50", n)
	}
	if !slices.Equal(p.alarms, []string{"the post does not work", "the post works again"}) {
		t.Errorf("alarms %q", p.alarms)
	}
}

// TestAnOutageIsKept: programs that run for one pass tell of it once between them, and a sink rests as long as it asks for
// whoever would use it.
func TestAnOutageIsKept(t *testing.T) {
	p := newPost(t)
	p.answer = func(outbox.Item) error {
		return fmt.Errorf("%w: %w", &outbox.LaterError{At: p.now.Add(24 * time.Hour), Err: errors.New("a guard wants to see a person")}, outbox.ErrDown)
	}
	p.queue(mail("oleg@example.org", "x"))
	for range 20 { // within the first day
		p.sender = p.newSender(p.db)
		p.once()
		p.queue(mail("oleg@example.org", "y"), mail("anna@example.org", "y"))
		p.now = p.now.Add(time.Hour)
	}
	if len(p.got) != 1 {
		t.Errorf("%d tries within a day", len(p.got))
	}
	p.now = p.now.Add(4 * time.Hour)
	p.sender = p.newSender(p.db)
	p.once()
	if n := len(p.got); n == 1 || n > 5 {
		t.Errorf("%d tries when the day was over", n)
	}
	if !slices.Equal(p.alarms, []string{"the post does not work"}) {
		t.Errorf("alarms %q", p.alarms)
	}
	running := p.sender
	p.now = p.now.Add(time.Minute)
	if err := outbox.TryAgain(t.Context(), p.db, "the post"); err != nil {
		t.Fatal(err)
	}
	p.answer = nil
	if running.Once(t.Context()); !slices.Equal(p.alarms, []string{"the post does not work", "the post works again"}) {
		t.Errorf("alarms at the end %q", p.alarms)
	}
	if o, err := outbox.LoadTrouble(t.Context(), p.db, "the post"); err != nil || o != (outbox.Trouble{}) {
		t.Errorf("%+v is left: %v", o, err)
	}
}

func TestNoWayIsToldAndKept(t *testing.T) {
	p := newPost(t)
	p.sender.Route = func(outbox.Item) (outbox.Sink, error) { return nil, errors.New("no [[sink]] takes mail") }
	id := p.queue(mail("oleg@example.org", "x"))[0].ID
	for range 3 {
		p.once()
		p.now = p.now.Add(time.Hour)
	}
	if p.state(id) != outbox.Due || len(p.alarms) != 1 {
		t.Errorf("state %s, alarms %q", p.state(id), p.alarms)
	}
	p.sender.Route = func(outbox.Item) (outbox.Sink, error) { return p, nil }
	if p.once(); p.state(id) != outbox.Sent {
		t.Errorf("state %s once there is a way", p.state(id))
	}
}

func TestCrashAfterSendingRepeatsTheSameMail(t *testing.T) {
	p := newPost(t)
	name := filepath.Join(t.TempDir(), "x.db")
	db, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	p.db, p.sender = db, p.newSender(db)
	p.answer = func(outbox.Item) error { return db.Close() } // taken, and then nothing can be recorded any more
	it := p.queue(mail("oleg@example.org", "x"))[0]
	if _, err := p.sender.Once(t.Context()); err == nil {
		t.Error("no error of a database that is gone")
	}
	if p.db, err = store.Open(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	defer p.db.Close()
	p.sender, p.answer = p.newSender(p.db), nil
	if n := p.once(); n != 0 {
		t.Error("sent again while the first attempt could still be under way")
	}
	p.now = p.now.Add(10 * time.Minute)
	if n := p.once(); n != 1 || len(p.got) != 2 {
		t.Fatalf("sent %d, tried %d times", n, len(p.got))
	}
	again := p.got[1]
	if again.Attempts != 2 {
		t.Errorf("attempt %d, want the second", again.Attempts)
	}
	again.Attempts = p.got[0].Attempts
	if !reflect.DeepEqual(again, p.got[0]) || again.MessageID != it.MessageID {
		t.Errorf("another mail: %+v", again)
	}
}

func TestSinkThatPanicsHarmsOneItem(t *testing.T) {
	p := newPost(t)
	p.answer = func(it outbox.Item) error {
		if it.Subject == "bad" {
			panic("boo")
		}
		return nil
	}
	items := p.queue(mail("oleg@example.org", "bad"), mail("boris@example.org", "good"))
	if n := p.once(); n != 1 || p.state(items[0].ID) != outbox.Due || p.state(items[1].ID) != outbox.Sent {
		t.Errorf("sent %d, states %s, %s", n, p.state(items[0].ID), p.state(items[1].ID))
	}
}

func TestSlowRecipientDelaysNobody(t *testing.T) {
	p := newPost(t)
	others := make(chan struct{})
	p.answer = func(it outbox.Item) error {
		if it.To == "slow@example.org" {
			<-others
		}
		if it.Subject == "last" {
			close(others)
		}
		return nil
	}
	p.queue(mail("slow@example.org", "x"), mail("slow@example.org", "x"))
	for i := range 50 {
		p.queue(mail(fmt.Sprint(i%5, "@example.org"), "x"))
	}
	p.queue(mail("0@example.org", "last"))
	if n := p.once(); n != 53 {
		t.Errorf("sent %d, want 53", n)
	}
}

func TestTwoSendersSendOnce(t *testing.T) {
	p := newPost(t)
	for i := range 100 {
		p.queue(mail(fmt.Sprint(i%20, "@example.org"), fmt.Sprint(i)))
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := p.newSender(p.db).Once(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p.once()
	s := p.subjects()
	slices.Sort(s)
	if n := len(s); n != 100 || len(slices.Compact(s)) != 100 {
		t.Errorf("%d sent, want each of 100 once", n)
	}
}

func TestRunWakesAtOnceAndStopsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.sender.Now = time.Now
		hang := make(chan struct{})
		p.answer = func(it outbox.Item) error {
			if it.Subject == "hangs" {
				<-hang
				return fmt.Errorf("cut off: %w", outbox.ErrDown)
			}
			return nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.sender.Run(ctx) }()
		synctest.Wait()
		p.now = time.Now()
		items := p.queue(mail("oleg@example.org", "x"), mail("boris@example.org", "hangs"))
		p.sender.Wake()
		synctest.Wait() // no time passes here
		if p.state(items[0].ID) != outbox.Sent {
			t.Error("not sent at once")
		}
		late := p.queue(mail("oleg@example.org", "nobody wakes"))[0].ID
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if p.state(late) != outbox.Sent {
			t.Error("not found without being woken")
		}
		cancel()
		stopped := time.Now()
		time.AfterFunc(2500*time.Millisecond, func() { close(hang) })
		<-done
		if d := time.Since(stopped); d > 5*time.Second {
			t.Errorf("stopped after %v", d)
		}
		if p.state(items[1].ID) != outbox.Due || len(p.alarms) != 0 {
			t.Errorf("state %s, alarms %q; want the item kept and no word of an outage", p.state(items[1].ID), p.alarms)
		}
	})
}

// sinkOf is a sink that does as the function says.
type sinkOf func(ctx context.Context) error

func (f sinkOf) Send(ctx context.Context, _ outbox.Item) (string, error) { return "", f(ctx) }

func TestStopCutsOffASendAfterItsGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t)
		p.sender.Now = time.Now
		began := make(chan struct{})
		sink := sinkOf(func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			return fmt.Errorf("cut: %w", outbox.ErrUnsure)
		})
		p.sender.Route = func(outbox.Item) (outbox.Sink, error) { return &sink, nil }
		p.now = time.Now()
		p.queue(mail("oleg@example.org", "x"))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.sender.Run(ctx) }()
		<-began
		cancel()
		stopped := time.Now()
		<-done
		if d := time.Since(stopped); d < time.Second || d > 5*time.Second {
			t.Errorf("stopped after %v, want a little grace and not more", d)
		}
	})
}

func BenchmarkSend(b *testing.B) {
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "x.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	var items []outbox.Item
	for i := range b.N {
		items = append(items, mail(fmt.Sprint(i%100, "@example.org"), "x"))
	}
	if err := db.Write(b.Context(), func(tx *sql.Tx) error { return outbox.Queue(b.Context(), tx, start, items) }); err != nil {
		b.Fatal(err)
	}
	sink := sinkOf(func(context.Context) error { return nil })
	s := &outbox.Sender{DB: db, Route: func(outbox.Item) (outbox.Sink, error) { return &sink, nil },
		Now: func() time.Time { return start }, Log: slog.New(slog.DiscardHandler)}
	b.ResetTimer()
	if n, err := s.Once(b.Context()); n != b.N || err != nil {
		b.Fatal(n, err)
	}
}

func TestWhatWasHandedOverIsLookedForAndHoldsNobodyUp(t *testing.T) {
	p := newPost(t)
	first, second := mail("tavern", "first"), mail("tavern", "second")
	items := p.queue(first, second)
	p.answer = func(it outbox.Item) error {
		switch {
		case it.Subject == "first" && it.Receipt == "":
			return &outbox.LaterError{At: p.now.Add(time.Hour), Receipt: "queued", Err: errors.New("a moderator looks at it")}
		case it.Subject == "first" && p.now.Before(start.Add(5*time.Hour)):
			return &outbox.LaterError{At: p.now.Add(time.Hour), Receipt: it.Receipt, Err: errors.New("not seen yet")}
		}
		return nil
	}
	if n := p.once(); n != 1 || p.state(items[1].ID) != outbox.Sent || p.state(items[0].ID) != outbox.Due {
		t.Fatalf("%d sent, states %s and %s", n, p.state(items[0].ID), p.state(items[1].ID))
	}
	for p.state(items[0].ID) == outbox.Due && p.skip() {
		p.once()
	}
	if p.state(items[0].ID) != outbox.Sent || p.now != start.Add(5*time.Hour) {
		t.Errorf("state %s at %s", p.state(items[0].ID), p.now)
	}
	if last := p.got[len(p.got)-1]; last.Receipt != "queued" || last.Attempts != 1 {
		t.Errorf("the last attempt was given receipt %q and %d attempts", last.Receipt, last.Attempts)
	}
}

func TestAnItemThatComesTooSoonWaitsInItsLane(t *testing.T) {
	p := newPost(t)
	items := p.queue(mail("tavern", "first"), mail("tavern", "second"))
	p.answer = func(it outbox.Item) error {
		if p.now.Before(start.Add(10 * time.Minute)) {
			return &outbox.LaterError{At: start.Add(10 * time.Minute), Err: errors.New("too soon")}
		}
		return nil
	}
	if n := p.once(); n != 0 || len(p.got) != 1 {
		t.Fatalf("%d sent, %d tried", n, len(p.got))
	}
	if !p.skip() || p.now != start.Add(10*time.Minute) || p.once() != 2 {
		t.Errorf("at %s: states %s and %s", p.now, p.state(items[0].ID), p.state(items[1].ID))
	}
	if want := []string{"first", "first", "second"}; !slices.Equal(p.subjects(), want) {
		t.Errorf("tried %q, want %q", p.subjects(), want)
	}
}
