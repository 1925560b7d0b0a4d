package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/forum"
	"arroba/ingest"
)

var firstDue = time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)

// TestEdits: a post that is read twice, and says something else the second time.
func TestEdits(t *testing.T) {
	const gmTold, annaTold, receipt = "question gm@lands.example", "question anna@x.example", "receipt anna@x.example"
	for _, tt := range []struct {
		about, edits string
		first, then  string
		after        bool // the round closes between the two readings
		change       func(*forum.Record)
		inForce      []string
		told         []string
		says         string
	}{
		{"F8 without a note", "", "SEND 5 TO Ford\nSPY ON Mill", "SEND 6 TO Ford", false, nil,
			[]string{"3 SEND 6 TO Ford"}, []string{receipt}, "is taken back: > SEND 5 TO Ford > SPY ON Mill"},
		{"F8 where the first counts", EditsFirst, "SEND 5 TO Ford", "SEND 6 TO Ford", false, nil,
			[]string{"1 SEND 5 TO Ford"}, []string{gmTold, annaTold}, "what a post says first counts"},
		{"F8 where the GM rules", EditsAsk, "SEND 5 TO Ford", "SEND 6 TO Ford", false, nil,
			[]string{"1 SEND 5 TO Ford"}, []string{gmTold, annaTold}, "> AS Anna > SEND 6 TO Ford > END"},
		{"F9 seen after the deadline", "", "SEND 5 TO Ford", "SEND 6 TO Ford", true, nil, nil, []string{gmTold, annaTold}, "what it said before that counts"},
		{"F11 a second post merged into the first", "", "SEND 5 TO Ford", "SEND 5 TO Ford\nSEND 2 TO Mill", false, func(p *forum.Record) { p.Added = 1 },
			[]string{"1 SEND 5 TO Ford", "2 SEND 2 TO Mill"}, []string{receipt}, "1 order: 1 accepted"},
		{"F11 seen after the deadline", "", "SEND 5 TO Ford", "SEND 5 TO Ford\nSEND 2 TO Mill", true, func(p *forum.Record) { p.Added = 1 },
			nil, []string{gmTold, annaTold}, "> ORDERS > AS Anna > SEND 2 TO Mill > END"},
		{"F17 gone", "", "SEND 5 TO Ford\nSPY ON Mill", "", false, gone, nil, []string{annaTold}, "Your post “Re: orders” is gone."},
		{"F17 gone after its round", "", "SEND 5 TO Ford", "", true, gone, nil, []string{gmTold}, "is gone after its orders were carried out"},
		{"F17 gone where the first counts", EditsFirst, "SEND 5 TO Ford", "", false, gone, []string{"1 SEND 5 TO Ford"}, []string{gmTold}, "is gone"},
		{"prose that is gone", "", "hello", "", false, gone, nil, nil, ""},
		{"orders that become prose", "", "SEND 5 TO Ford", "Never mind", false, nil, nil, []string{annaTold}, "was changed. These orders"},
		{"prose that becomes orders", "", "hello", "SEND 6 TO Ford", false, nil, []string{"1 SEND 6 TO Ford"}, []string{receipt}, ""},
		{"a refused order that is mended", "", "SEND 50 TO Ford", "SEND 6 TO Ford", false, nil, []string{"1 SEND 6 TO Ford"}, []string{receipt}, ""},
		{"prose round the same orders", "", "hello\nSEND 5 TO Ford", "SEND 5 TO Ford\nbye", false, nil, []string{"1 SEND 5 TO Ford"}, nil, ""},
		{"what was done at once is done once", "", "WATCHWORD oak\nSEND 5 TO Ford", "WATCHWORD oak\nSEND 6 TO Ford", false, nil,
			[]string{"2 SEND 6 TO Ford"}, []string{receipt}, "1 order: 1 accepted"},
		{"what was done at once stays", "", "WATCHWORD oak\nSEND 5 TO Ford", "WATCHWORD oak", false, nil, nil, []string{annaTold}, "> SEND 5 TO Ford"},
		{"nothing but what was done at once", "", "WATCHWORD oak", "WATCHWORD elm", false, nil, nil, []string{gmTold, annaTold}, "send these lines: > ORDERS > AS Anna > WATCHWORD elm > END"},
		{"another author than before", "", "SEND 5 TO Ford", "SEND 6 TO Ford", false, as("Zoë", "13"), []string{"1 SEND 5 TO Ford"}, []string{gmTold}, "another author"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			r := threadRig(t, tt.edits)
			posted := r.now
			r.reads(r.posted("1", tt.first))
			r.sent()
			if r.until(posted.Add(time.Hour)); tt.after {
				r.until(firstDue.Add(time.Minute))
			}
			r.sent()
			second := r.posted("1", tt.then, spanned(posted, posted), version(2))
			if tt.change != nil {
				tt.change(&second)
			}
			o := r.reads(second)
			if o.Game != "lands" || o.Seat == "" {
				t.Errorf("%+v", o)
			}
			equal(t, "in force", r.inForce(), tt.inForce...)
			heads, texts := mails(r.sent())
			equal(t, "told", heads, tt.told...)
			if !strings.Contains(strings.Join(strings.Fields(texts), " "), tt.says) {
				t.Errorf("told:\n%s", texts)
			}
			r.same("lands")
			r.reads(second)
			if again := r.sent(); len(again) != 0 {
				t.Errorf("told again of the same version: %v", again)
			}
			r.until(r.now.Add(24 * time.Hour))
			r.same("lands")
		})
	}
}

// TestF9TheStoredVersionCounts: what stood in the post when it was read before the deadline wins the place.
func TestF9TheStoredVersionCounts(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford"))
	r.until(firstDue.Add(time.Minute))
	r.reads(r.posted("1", "SEND 9 TO Mill", version(2), spanned(noon, noon)))
	if _, ev := r.lastInput(); !strings.Contains(string(ev[1].Data), `"place":"Ford"`) || strings.Contains(fmt.Sprint(r.events("lands")), "Mill") {
		t.Errorf("%s", ev[1].Data)
	}
}

// TestEditsAmongOtherLetters: only what stands of the post is taken back, whatever took its place since.
func TestEditsAmongOtherLetters(t *testing.T) {
	r := threadRig(t, "")
	edit := func(n int, text string, change ...func(*forum.Record)) {
		r.now = r.now.Add(time.Minute)
		r.reads(r.posted("1", text, append(change, version(n), spanned(noon, noon))...))
	}
	edit(1, "SEND 5 TO Ford\nSPY ON Mill")
	r.order("anna@x.example", "SEND 7 TO Ford")
	edit(2, "SPY ON Ford")
	equal(t, "another letter's order stays", r.inForce(), "3 SEND 7 TO Ford", "4 SPY ON Ford")
	edit(3, "SEND 1 TO Mill")
	edit(4, "SPY ON Ford")
	equal(t, "back to what it said once", r.inForce(), "3 SEND 7 TO Ford", "6 SPY ON Ford")
	edit(5, "SPY ON Ford\nSEND 1 TO Mill", func(p *forum.Record) { p.Added = 1 })
	edit(6, "SPY ON Mill\nSEND 2 TO Mill")
	equal(t, "what was merged into it is changed with it", r.inForce(), "3 SEND 7 TO Ford", "8 SPY ON Mill", "9 SEND 2 TO Mill")
	r.order("anna@x.example", "CANCEL ALL")
	r.sent()
	edit(7, "", gone)
	if heads, _ := mails(r.sent()); len(heads) != 0 {
		t.Errorf("nothing was left, and told are %v", heads)
	}
	r.same("lands")
}

// TestEditsAndRollbacks: of what was taken back and given again, that which is in force goes.
func TestEditsAndRollbacks(t *testing.T) {
	for _, redo := range []bool{false, true} {
		r := threadRig(t, "")
		r.reads(r.posted("1", "SEND 5 TO Ford"))
		r.now = r.now.Add(time.Minute)
		r.order(gmOfLands, "ROLLBACK TO ROUND 1")
		r.order("boris@x.example", "SEND 3 TO Mill")
		equal(t, "number 1 is another's now", r.inForce(), "1 SEND 3 TO Mill")
		if redo {
			r.order(gmOfLands, "REDO ALL")
		}
		r.now = r.now.Add(time.Minute)
		r.reads(r.posted("1", "", gone, version(2)))
		equal(t, "in force", r.inForce(), "1 SEND 3 TO Mill")
		r.same("lands")
		if r.order(gmOfLands, "ROLLBACK TO ROUND 1"); len(r.inForce()) != 0 {
			t.Errorf("in force %v", r.inForce())
		}
		r.same("lands")
	}
}

// TestAnEditTakesREADYBack: with the post that said so.
func TestAnEditTakesREADYBack(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford\nREADY"))
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 6 TO Ford", version(2)))
	r.order("boris@x.example", "READY")
	r.reads(r.posted("2", "READY", as("Zoë", "13")))
	r.until(r.now.Add(time.Minute))
	equal(t, "events", r.events("lands"))
	r.order("anna@x.example", "READY")
	r.until(r.now.Add(time.Minute))
	if got := r.events("lands"); len(got) == 0 || got[0] != "round-closed" {
		t.Errorf("events %v", got)
	}
	r.same("lands")
}

// TestTheGMsPostIsGone: what it ordered for others is taken back, and they hear of it.
func TestTheGMsPostIsGone(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "AS Anna\nSEND 5 TO Ford", as("Gareth", "2")))
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford")
	r.sent()
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "", gone, version(2)))
	equal(t, "in force", r.inForce())
	heads, _ := mails(r.sent())
	equal(t, "told", heads, "question gm@lands.example", "question anna@x.example")
	r.same("lands")
}

// TestAPostIsGoneThatTheGMWasToDecideOn: he hears of that.
func TestAPostIsGoneThatTheGMWasToDecideOn(t *testing.T) {
	r := threadRig(t, "")
	r.until(firstDue.Add(time.Hour))
	r.sent()
	r.reads(r.posted("1", "SEND 5 TO Ford", spanned(firstDue, firstDue.Add(59*time.Second))))
	r.sent()
	r.reads(r.posted("1", "", gone, version(2)))
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question gm@lands.example"); !strings.Contains(texts, "on which you were to decide") {
		t.Error(texts)
	}
}

// TestAStrangersPostIsChangedOnceHeIsKnown: it counts from then on, as a new post would.
func TestAStrangersPostIsChangedOnceHeIsKnown(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford", as("Boris", "12")))
	if err := r.AddAccount(t.Context(), "lands", "Boris", Account{"board", "12"}); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 6 TO Ford", as("Boris", "12"), version(2)))
	equal(t, "in force", r.inForce(), "1 SEND 6 TO Ford")
	r.same("lands")
}

// TestEditsWhileAGameIsHeld: what waited is ruled on as it would have been.
func TestEditsWhileAGameIsHeld(t *testing.T) {
	r := threadRig(t, "")
	r.exec(`UPDATE game SET held = 'a rule failed' WHERE name = 'lands'`)
	r.reads(r.posted("1", "SEND 5 TO Ford"), r.posted("2", "GAME elsewhere\nSEND 4 TO Mill"))
	r.now = r.now.Add(time.Minute)
	if o := r.reads(r.posted("1", "SEND 6 TO Ford", version(2))); o.Status != ingest.Waiting {
		t.Errorf("%+v", o)
	}
	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	equal(t, "in force", r.inForce(), "2 SEND 6 TO Ford")
	r.same("lands")
}

// TestPostsThatWaitedCountAsTheyWereSeen: what is known of a post when it is taken is known when its game goes on.
func TestPostsThatWaitedCountAsTheyWereSeen(t *testing.T) {
	r := threadRig(t, "")
	r.until(noon.Add(3 * time.Hour))
	r.sent()
	r.exec(`UPDATE game SET held = 'a rule failed' WHERE name = 'lands'`)
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 5 TO Ford", spanned(noon.Add(time.Hour), noon.Add(time.Hour))),
		r.posted("2", "SEND 4 TO Mill", func(p *forum.Record) { p.Posted = forum.Instant{} }))
	r.now = r.now.Add(time.Hour)
	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford", "2 SEND 4 TO Mill")
	_, texts := mails(r.sent())
	texts = strings.Join(strings.Fields(texts), " ")
	for _, want := range []string{"was not to be seen before Sunday, 1 March 2026, 15:01", "counts as of when it was seen, Sunday, 1 March 2026, 15:01"} {
		if !strings.Contains(texts, want) {
			t.Errorf("%q is not in\n%s", want, texts)
		}
	}
	r.same("lands")
}

// TestProseIsNotForTheDesk: what is talked in a thread is read there; what hangs on a post may hold orders.
func TestProseIsNotForTheDesk(t *testing.T) {
	r := threadRig(t, "")
	for i, tt := range []struct {
		change func(*forum.Record)
		want   string
	}{
		{as("Anna", "11"), "done: it holds no order"},
		{as("Gareth", "2"), "done: it holds no order"},
		{func(p *forum.Record) { p.Attachments = 1 }, "desk: it holds no order"},
	} {
		if got := r.note(r.reads(r.posted(fmt.Sprint(i), "Good morning", tt.change))); got != tt.want {
			t.Errorf("post %d is %s, want %s", i, got, tt.want)
		}
	}
}

// TestEditsWhereAllIsOverAtOnce: in a game without rounds only what was carried out makes a change void. The sum tells
// which of the orders were.
func TestEditsWhereAllIsOverAtOnce(t *testing.T) {
	const gmTold, annaTold, receipt = "question gm@toys.example", "question anna@x.example", "receipt anna@x.example"
	for _, tt := range []struct {
		about, first, then string
		sum                int64
		told               []string
		says               string
	}{
		{"all of it was refused", "ADD 0", "ADD 4", 4, []string{receipt}, "1 order: 1 accepted"},
		{"all of it was unclear", "ADDD 4", "ADD 4", 4, []string{receipt}, "1 order: 1 accepted"},
		{"it only asked", "STATUS", "ADD 4", 4, []string{receipt}, "1 order: 1 accepted"},
		{"nothing was carried out and nothing is ordered", "ADD 0", "never mind", 0, nil, ""},
		{"prose", "hello", "ADD 4", 4, []string{receipt}, ""},
		{"it was carried out", "ADD 1", "ADD 4", 1, []string{gmTold, annaTold}, "orders that stood in it were carried out already, and that stays"},
		{"it was carried out and is taken out", "ADD 1", "never mind", 1, []string{gmTold, annaTold}, "carried out"},
		{"part of it was, and a refused line is mended", "ADD 1\nADD 0", "ADD 1\nADD 4", 5, []string{receipt},
			"carried out before it was changed. That stays, and they are not carried out again: > ADD 1"},
		{"part of it was, and an unclear line is mended", "ADD 1\nADDD 4", "ADD 4\nADD 1", 5, []string{receipt}, "1 order: 1 accepted"},
		{"one order is added", "ADD 1", "ADD 1\nADD 1", 2, []string{receipt}, "not carried out again: > ADD 1"},
		{"a line is mended and one that was carried out is changed", "ADD 1\nADD 0", "ADD 2\nADD 4", 1, []string{gmTold, annaTold},
			"send these lines: > ORDERS > AS Anna > ADD 2 > ADD 4 > END"},
		{"one that was carried out is taken out beside", "ADD 1\nADD 2\nADD 0", "ADD 1\nADD 4", 3, []string{gmTold, annaTold},
			"send these lines: > ORDERS > AS Anna > ADD 4 > END"},
		{"it was a test", "TEST\nADD 1", "ADD 4", 4, []string{receipt}, ""},
		{"it becomes a test", "ADD 0", "TEST\nADD 4", 0, []string{receipt}, "This was a test"},
		{"it was carried out and becomes a test", "ADD 1", "TEST\nADD 1", 1, []string{receipt}, "This was a test"},
	} {
		t.Run(tt.about, func(t *testing.T) {
			r := newRig(t)
			r.Forums = []Forum{{Name: "board", Own: []string{"99"}}}
			r.game("toys", `forum_names = true`, `tavern = { source = "board", thread = 8 }`)
			posted := r.now
			r.readsIn("board/8", r.posted("1", tt.first))
			r.sent()
			r.now = r.now.Add(time.Minute)
			second := r.posted("1", tt.then, spanned(posted, posted), version(2))
			r.readsIn("board/8", second)
			heads, texts := mails(r.sent())
			equal(t, "told", slices.DeleteFunc(heads, func(h string) bool { return strings.HasPrefix(h, "copy ") }), tt.told...)
			if !strings.Contains(strings.Join(strings.Fields(texts), " "), tt.says) {
				t.Errorf("told:\n%s", texts)
			}
			if got := r.sum("toys"); got != tt.sum {
				t.Errorf("sum %d, want %d", got, tt.sum)
			}
			r.readsIn("board/8", second)
			if again := r.sent(); len(again) != 0 || r.sum("toys") != tt.sum {
				t.Errorf("the same version once more: %v, sum %d", again, r.sum("toys"))
			}
			r.same("toys")
		})
	}
}

// TestRedoAfterEdits: what a change took back is not given again, wherever the ROLLBACK went, and what was carried out is.
func TestRedoAfterEdits(t *testing.T) {
	edit := func(r *rig, n int, text string, change ...func(*forum.Record)) {
		r.now = r.now.Add(time.Minute)
		r.reads(r.posted("1", text, append(change, version(n), spanned(noon, noon))...))
	}
	for _, tt := range []struct {
		about string
		play  func(*rig)
		want  []string
	}{
		{"over the post and its change", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford\nSPY ON Mill")
			edit(r, 2, "SEND 6 TO Ford")
			r.order(gmOfLands, "ROLLBACK TO ROUND 1\nREDO ALL")
		}, []string{"1 SEND 6 TO Ford"}},
		{"over the change alone", func(r *rig) {
			edit(r, 1, "WATCHWORD oak\nSEND 5 TO Ford\nSPY ON Mill")
			r.order(gmOfLands, "RULING So be it.")
			event := r.load("lands").LastN
			edit(r, 2, "WATCHWORD oak\nSEND 6 TO Ford")
			r.order(gmOfLands, fmt.Sprint("ROLLBACK TO EVENT ", event))
			if got := r.inForce(); len(got) != 2 {
				r.Errorf("before the change %v was in force", got)
			}
			r.order(gmOfLands, "REDO ALL")
		}, []string{"3 SEND 6 TO Ford"}},
		{"over a change to prose alone", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford\nREADY")
			r.order(gmOfLands, "RULING So be it.")
			event := r.load("lands").LastN
			edit(r, 2, "never mind")
			r.order(gmOfLands, fmt.Sprint("ROLLBACK TO EVENT ", event))
			r.order(gmOfLands, "REDO ALL")
		}, nil},
		{"over the change alone, which alone is given again", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford\nSPY ON Mill")
			r.order(gmOfLands, "RULING So be it.")
			g := r.load("lands")
			edit(r, 2, "SEND 6 TO Ford")
			r.order(gmOfLands, fmt.Sprint("ROLLBACK TO EVENT ", g.LastN))
			r.order(gmOfLands, fmt.Sprint("REDO ", g.LastInput+2))
		}, []string{"3 SEND 6 TO Ford"}},
		{"over a change to prose", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford")
			edit(r, 2, "never mind")
			r.order(gmOfLands, "ROLLBACK TO ROUND 1\nREDO ALL")
		}, nil},
		{"the change came after the ROLLBACK", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford\nSPY ON Mill")
			r.order("boris@x.example", "SEND 2 TO Mill")
			r.order(gmOfLands, "ROLLBACK TO ROUND 1")
			edit(r, 2, "SEND 6 TO Ford")
			r.order(gmOfLands, "REDO ALL")
		}, []string{"1 SEND 6 TO Ford", "2 SEND 2 TO Mill"}},
		{"it went after the ROLLBACK", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford")
			r.order("boris@x.example", "SEND 2 TO Mill")
			r.order(gmOfLands, "ROLLBACK TO ROUND 1")
			edit(r, 2, "", gone)
			r.order(gmOfLands, "REDO ALL")
		}, []string{"1 SEND 2 TO Mill"}},
		{"it was given again and changed then", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford\nSPY ON Mill")
			r.order(gmOfLands, "ROLLBACK TO ROUND 1")
			r.order(gmOfLands, "REDO ALL")
			edit(r, 2, "SEND 6 TO Ford")
			r.order(gmOfLands, "ROLLBACK TO ROUND 1\nREDO ALL")
		}, []string{"1 SEND 6 TO Ford"}},
		{"a change that counts for nothing leaves it", func(r *rig) {
			edit(r, 1, "SEND 5 TO Ford")
			edit(r, 2, "SEND 6 TO Ford", as("Zoë", "13"))
			r.order(gmOfLands, "ROLLBACK TO ROUND 1\nREDO ALL")
		}, []string{"1 SEND 5 TO Ford"}},
	} {
		t.Run(tt.about, func(t *testing.T) {
			r := threadRig(t, "")
			tt.play(r)
			equal(t, "in force", r.inForce(), tt.want...)
			r.same("lands")
			if o := r.order(gmOfLands, "REDO ALL"); !slices.Equal(r.inForce(), tt.want) {
				t.Errorf("once more: %s, in force %v", o, r.inForce())
			}
			r.same("lands")
		})
	}
}

// TestEditsOfEdits: a post is of the round that it was first read in.
func TestEditsOfEdits(t *testing.T) {
	r := threadRig(t, "")
	edit := func(n int, text string) {
		r.now = r.now.Add(time.Minute)
		r.reads(r.posted("1", text, version(n), spanned(noon, noon)))
	}
	edit(1, "SEND 5 TO Ford")
	r.until(firstDue.Add(time.Minute))
	edit(2, "SEND 6 TO Ford")
	r.sent()
	edit(3, "SEND 7 TO Ford")
	equal(t, "in force", r.inForce())
	heads, texts := mails(r.sent())
	equal(t, "told", heads, "question gm@lands.example", "question anna@x.example")
	if !strings.Contains(texts, "> SEND 7 TO Ford\n> END") {
		t.Error(texts)
	}
	r.same("lands")
}

// TestAPostThatTheGMDecidesOnIsChanged: he may have let it count, so that he decides on the change too, until he says that
// it does not.
func TestAPostThatTheGMDecidesOnIsChanged(t *testing.T) {
	r := threadRig(t, "")
	r.until(firstDue.Add(time.Hour))
	open := r.reads(r.posted("1", "SEND 5 TO Ford", spanned(firstDue, firstDue.Add(59*time.Second))))
	r.now = r.now.Add(time.Minute)
	r.sent()
	second := r.reads(r.posted("1", "SEND 6 TO Ford", version(2)))
	if second.Status != ingest.Desk || len(r.inForce()) != 0 {
		t.Errorf("%+v, in force %v", second, r.inForce())
	}
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question gm@lands.example", "question anna@x.example"); !strings.Contains(texts, "> AS Anna\n> SEND 6 TO Ford\n") {
		t.Error(texts)
	}
	for _, o := range []Outcome{open, second} {
		if err := r.Drop(t.Context(), o.Inbox, "too late"); err != nil {
			t.Fatal(err)
		}
	}
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 7 TO Ford", version(3)))
	equal(t, "in force", r.inForce(), "1 SEND 7 TO Ford")
}

// TestAPostBecomesAWiki: what its writer ordered before anybody could edit it stands.
func TestAPostBecomesAWiki(t *testing.T) {
	wiki := func(p *forum.Record) { p.Wiki = true }
	for text, told := range map[string]int{"SEND 5 TO Ford": 0, "SEND 6 TO Ford": 2, "never mind": 2} {
		r := threadRig(t, "")
		r.reads(r.posted("1", "SEND 5 TO Ford"))
		r.now = r.now.Add(time.Minute)
		r.sent()
		r.reads(r.posted("1", text, version(2), wiki))
		equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford")
		if heads, texts := mails(r.sent()); len(heads) != told || told > 0 && !strings.Contains(texts, "edited by anybody") {
			t.Errorf("%s: told %v:\n%s", text, heads, texts)
		}
		r.same("lands")
	}
}

// TestAnEditBecomesATest: what the post ordered is taken back, and what it says now is tried.
func TestAnEditBecomesATest(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford"))
	r.now = r.now.Add(time.Minute)
	r.sent()
	o := r.reads(r.posted("1", "TEST\nSEND 6 TO Ford", version(2)))
	equal(t, "verdicts", r.verdicts(o), "accepted E-TEST", "accepted MU-1")
	equal(t, "in force", r.inForce())
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "receipt anna@x.example"); !strings.Contains(texts, "> SEND 5 TO Ford\n") || !strings.Contains(texts, "This was a test") {
		t.Error(texts)
	}
	r.same("lands")
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 6 TO Ford", version(3)))
	equal(t, "in force after the test", r.inForce(), "2 SEND 6 TO Ford")
	r.same("lands")
}

// TestATestIsNeverTooLate: nothing of it is carried out, so that no GM need decide.
func TestATestIsNeverTooLate(t *testing.T) {
	r := threadRig(t, "")
	r.until(firstDue.Add(time.Hour))
	r.sent()
	r.reads(r.posted("1", "TEST\nSEND 5 TO Ford", spanned(firstDue, firstDue.Add(59*time.Second))))
	heads, _ := mails(r.sent())
	equal(t, "told", heads, "receipt anna@x.example")
}

// TestAFormerMembersPostIsGone: it takes nothing of his successor back.
func TestAFormerMembersPostIsGone(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford"))
	r.now = r.now.Add(time.Minute)
	r.order(gmOfLands, "REPLACE Anna BY Nina nina@x.example")
	r.sent()
	r.reads(r.posted("1", "", gone, version(2)))
	equal(t, "in force", r.inForce(), "1 SEND 5 TO Ford")
	heads, texts := mails(r.sent())
	if equal(t, "told", heads, "question gm@lands.example"); !strings.Contains(texts, "Subject: Re: orders") {
		t.Error(texts)
	}
	r.same("lands")
}

// TestEditsWhileAGameStandsStill: orders are taken then, and taken back.
func TestEditsWhileAGameStandsStill(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford\nSPY ON Mill"))
	r.order(gmOfLands, "HOLD")
	r.until(firstDue.Add(time.Hour))
	r.reads(r.posted("1", "SEND 6 TO Ford", version(2)))
	equal(t, "in force", r.inForce(), "3 SEND 6 TO Ford")
	r.order(gmOfLands, "RESUME")
	r.reads(r.posted("1", "", gone, version(3)))
	equal(t, "in force after RESUME", r.inForce())
	r.same("lands")
}

// TestTheLinesForTheGMCanBeSent: with texts of several lines, and with words in them that end blocks.
func TestTheLinesForTheGMCanBeSent(t *testing.T) {
	r := threadRig(t, EditsAsk)
	r.reads(r.posted("1", "hello"))
	r.now = r.now.Add(time.Minute)
	r.sent()
	r.reads(r.posted("1", "SEND 5 TO Ford\nPRESS TO Boris\nThe bridge is mine.\nEND\nSEND 9 TO Mill\nEND PRESS\n- SPY ON Mill;", version(2)))
	var lines []string
	for _, it := range r.sent() {
		if it.To == "gm@lands.example" {
			_, rest, _ := strings.Cut(it.Text, "send these lines:\n\n")
			rest, _, _ = strings.Cut(rest, "\n\n")
			for line := range strings.Lines(rest) {
				lines = append(lines, strings.TrimPrefix(line, "> "))
			}
		}
	}
	equal(t, "in force", r.inForce())
	r.order(gmOfLands, strings.Join(lines, ""))
	equal(t, "in force as the GM has it", r.inForce(), "1 SEND 5 TO Ford", "2 SPY ON Mill")
	_, texts := mails(r.sent())
	if !strings.Contains(texts, "> The bridge is mine.\n> END\n> SEND 9 TO Mill") || strings.Contains(texts, "unclear") || strings.Contains(texts, "refused") {
		t.Errorf("%s\n%s", lines, texts)
	}
	r.same("lands")
}

// TestAPostThatIsChangedBack: what it said first counts again, though that was read before.
func TestAPostThatIsChangedBack(t *testing.T) {
	r := threadRig(t, "")
	for n, text := range []string{"SEND 5 TO Ford", "SEND 6 TO Ford", "SEND 5 TO Ford"} {
		r.reads(r.posted("1", text, version(n+1)))
	}
	equal(t, "in force", r.inForce(), "3 SEND 5 TO Ford")
}

// TestAnArchiveKeepsPostsAndTheirChanges: a game that is brought back plays again as it did, and knows its posts.
func TestAnArchiveKeepsPostsAndTheirChanges(t *testing.T) {
	r := threadRig(t, "")
	r.reads(r.posted("1", "SEND 5 TO Ford\nSPY ON Mill"))
	r.now = r.now.Add(time.Minute)
	r.reads(r.posted("1", "SEND 6 TO Ford", version(2)))
	r.order(gmOfLands, "ROLLBACK TO ROUND 1\nREDO ALL")
	name := r.export()
	other := newRig(t, Feed{Name: "box", Address: "lands@play.example"})
	other.now, other.n = r.now.Add(time.Minute), r.n
	if err := other.bring(name); err != nil {
		t.Fatal(err)
	}
	other.same("lands")
	equal(t, "in force", other.inForce(), "1 SEND 6 TO Ford")
	other.reads(other.posted("1", "", gone, version(3)))
	equal(t, "in force once the post is gone", other.inForce())
	other.same("lands")
}
