package turns

import (
	"errors"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

// TestLimitsAreToldTheirWriter holds that every limit brings its writer one mail that names it, and loses nothing.
func TestLimitsAreToldTheirWriter(t *testing.T) {
	parts := "--b\n\nADD 1\n" + strings.Repeat("--b\nContent-Type: image/png\n\nx\n", 6) + "--b--"
	for name, tt := range map[string]struct {
		letter func(*rig) ingest.Message
		says   string
	}{
		"size, as it was read": {func(r *rig) ingest.Message {
			return r.mail("anna@x.example", "lands@play.example", strings.Repeat("ADD 1\n", 1<<18))
		}, "A letter may have 1 MB"},
		"size, as the server told": {func(r *rig) ingest.Message {
			m := r.mail("anna@x.example", "lands@play.example", "")
			m.Size, m.Limit, m.Fault = 3<<20, 1<<20, "too big: 3.0 MB, the limit is 1.0 MB"
			return m
		}, "A letter may have 1 MB"},
		"size, of a source that takes little": {func(r *rig) ingest.Message {
			m := r.mail("anna@x.example", "lands@play.example", "")
			m.Size, m.Limit, m.Fault = 3<<20, 500<<10, "too big: 3.0 MB, the limit is 0.5 MB"
			return m
		}, "A letter may have 500 KB"},
		"parts": {func(r *rig) ingest.Message {
			return r.mail("anna@x.example", "lands@play.example", parts, "Subject: letter", "Content-Type: multipart/mixed; boundary=b")
		}, "A letter may have 5 parts"},
		"lines": {func(r *rig) ingest.Message {
			return r.mail("anna@x.example", "lands@play.example", strings.Repeat("ADD 1\n", 11))
		}, "A letter may have 10 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.Limits = Limits{Size: 1 << 20, Parts: 5, Lines: 10}
			r.game("lands")
			m := tt.letter(r)
			h := r.take(m)
			if h.Letters[0].Status != ingest.Failed || r.sum("lands") != 0 {
				t.Errorf("status %s, sum %d", h.Letters[0].Status, r.sum("lands"))
			}
			items := r.sent()
			if len(items) != 2 || items[0].To != "gm@lands.example" || items[1].To != "anna@x.example" {
				t.Fatalf("told %v", items)
			}
			if text := items[1].Text; !strings.Contains(text, tt.says) || !strings.Contains(text, "“letter”") || items[1].Auto != "auto-replied" {
				t.Errorf("the writer reads (%s)\n%s", items[1].Auto, text)
			}
			row, err := ingest.Show(t.Context(), r.DB.Read(), h.Letters[0].Inbox)
			if err != nil || string(row.Raw) != string(m.Raw) {
				t.Errorf("its %d bytes are %d bytes now, %v", len(m.Raw), len(row.Raw), err)
			}
		})
	}
}

func TestALetterThatTheServerDoesNotGive(t *testing.T) {
	for name, tt := range map[string]struct {
		raw  string
		told []string
	}{
		"without its header":   {"", []string{"alarm ops@x.example"}},
		"with its header":      {"From: anna@x.example\nTo: lands@play.example\nSubject: x\n\n", []string{"question gm@lands.example", "alarm ops@x.example"}},
		"a machine's":          {"From: anna@x.example\nTo: lands@play.example\nAuto-Submitted: auto-replied\n\n", []string{"question gm@lands.example", "alarm ops@x.example"}},
		"of nobody known here": {"From: eve@x.example\nTo: lands@play.example\n\n", []string{"question gm@lands.example", "alarm ops@x.example"}},
	} {
		r := newRig(t)
		r.game("lands")
		m := ingest.Message{Key: "INBOX/1/9", Arrived: r.now, Via: "mail", Raw: []byte(tt.raw), Fault: "the server did not give it in 3 tries"}
		fine := r.mail("boris@x.example", "lands@play.example", "NAME lamp")
		fine.Key = "INBOX/1/9a"
		h := r.take(m, fine)
		equal(t, name, r.told(), append(tt.told, "receipt boris@x.example")...)
		if h.Letters[0].Status != ingest.Failed {
			t.Errorf("%s: status %s", name, h.Letters[0].Status)
		}
		r.take(m)
		equal(t, name+", once", r.told())
		if _, err := r.Retry(t.Context(), h.Letters[0].Inbox); err == nil || !strings.Contains(err.Error(), "send it again") {
			t.Errorf("%s: retried without its bytes: %v", name, err)
		}
	}
}

// TestLettersAnHour holds that letters above the limit wait on the desk, counted by when they came; their writer and the
// GM are told once.
func TestLettersAnHour(t *testing.T) {
	r := newRig(t)
	r.Limits = Limits{Letters: 3}
	r.game("lands")
	var list []ingest.Message
	for range 5 {
		list = append(list, r.mail("anna@x.example", "lands@play.example", "NAME lamp"))
	}
	other := r.mail("boris@x.example", "lands@play.example", "NAME lamp")
	earlier := r.mail("anna@x.example", "lands@play.example", "NAME lamp")
	earlier.Arrived = r.now.Add(-time.Hour)
	h := r.take(append(list, other, earlier)...)
	statuses := map[string]int{}
	for _, o := range h.Letters {
		statuses[o.Status]++
	}
	if statuses[ingest.Done] != 5 || statuses[ingest.Desk] != 2 {
		t.Errorf("became %v, want 5 done and 2 on the desk", statuses)
	}
	over := 0
	for _, it := range r.sent() {
		if it.Kind == "question" && it.To == "anna@x.example" {
			over++
			if !strings.Contains(it.Text, "3 letters") {
				t.Errorf("she reads\n%s", it.Text)
			}
		}
	}
	if over != 1 {
		t.Errorf("told %d times, want once", over)
	}
	for _, o := range h.Letters {
		if o.Status == ingest.Desk {
			if again, err := r.Retry(t.Context(), o.Inbox); err != nil || again.Status != ingest.Done || again.Input == 0 {
				t.Errorf("retried: %+v, %v", again, err)
			}
		}
	}
	if n := r.count(`SELECT COUNT(*) FROM input WHERE kind = 'letter'`); n != 7 {
		t.Errorf("%d letters were carried out at last, want 7", n)
	}
}

func TestUnclearLinesAreCountedNotListed(t *testing.T) {
	r := newRig(t)
	r.Limits = Limits{Unclear: 2}
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ORDERS\nfoo\nADD 1\nbar\nbaz\nqux\nADD 2\nEND")
	text := r.mailTo("anna@x.example").Text
	if r.sum("lands") != 3 || strings.Contains(text, "> baz") || !strings.Contains(text, "> ADD 2") || !strings.Contains(text, "2 more lines were not understood") {
		t.Errorf("sum %d\n%s", r.sum("lands"), text)
	}
}

// TestRetry holds that a person's word lets a letter go on that nothing came of, and no other.
func TestRetry(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	done := r.say("anna@x.example", "lands@play.example", "ADD 1")
	stranger := r.say("dora@x.example", "lands@play.example", "ADD 10")
	prose := r.say("boris@x.example", "lands@play.example", "Good morning.")
	r.sent()
	if _, err := r.Retry(t.Context(), done.Inbox); err == nil || r.sum("lands") != 1 {
		t.Errorf("a letter was carried out twice: sum %d", r.sum("lands"))
	}
	if _, err := r.Retry(t.Context(), "nothing"); !errors.Is(err, ErrNoLetter) {
		t.Errorf("no letter: %v", err)
	}
	for _, o := range []Outcome{stranger, prose} {
		if again, err := r.Retry(t.Context(), o.Inbox); err != nil || again.Status != ingest.Desk {
			t.Errorf("nothing has changed, but it is %+v, %v", again, err)
		}
	}
	r.exec(`INSERT INTO address (game, seat, via, addr, shown, ord) VALUES ('lands', 'Clara', 'mail', 'dora@x.example', 'dora@x.example', 1)`)
	again, err := r.Retry(t.Context(), stranger.Inbox)
	if err != nil || again.Status != ingest.Done || again.Seat != "Clara" || r.sum("lands") != 11 {
		t.Errorf("%+v, %v, sum %d", again, err, r.sum("lands"))
	}
	if _, err := r.Retry(t.Context(), stranger.Inbox); err == nil || r.sum("lands") != 11 {
		t.Errorf("retried twice: %v, sum %d", err, r.sum("lands"))
	}
	if list := r.told(); list[0] != "receipt clara@x.example" {
		t.Errorf("told %v", list)
	}
}

func TestRetryOfALetterThatARuleFailedOn(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	failed := r.say("anna@x.example", "lands@play.example", "ADD 5\nBOOM")
	if again, err := r.Retry(t.Context(), failed.Inbox); err != nil || again.Status != ingest.Waiting {
		t.Errorf("its game is held, but it is %+v, %v", again, err)
	}
	if err := r.Drop(t.Context(), failed.Inbox, "it blows up"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	row, err := ingest.Show(t.Context(), r.DB.Read(), failed.Inbox)
	if err != nil || row.Status != ingest.Done || row.Note != "dropped: it blows up" || len(row.Raw) == 0 || r.load("lands").Held != "" {
		t.Errorf("%s, %q, %v; held %q", row.Status, row.Note, err, r.load("lands").Held)
	}
	if err := r.Drop(t.Context(), failed.Inbox, ""); err == nil {
		t.Error("dropped twice")
	}
	if r.sum("lands") != 0 {
		t.Errorf("sum %d", r.sum("lands"))
	}
}

// TestARetriedLetterIsStillOneOfTwo holds that a copy acts once whichever of the two is handled again.
func TestARetriedLetterIsStillOneOfTwo(t *testing.T) {
	r := newRig(t)
	r.Limits = Limits{Letters: 1}
	r.game("lands")
	first := r.mail("anna@x.example", "lands@play.example", "NAME lamp")
	second := r.mail("anna@x.example", "lands@play.example", "ADD 1")
	third := second
	third.Key = "INBOX/2/1"
	h := r.take(first, second, third)
	for range 2 {
		for _, o := range h.Letters[1:] {
			r.Retry(t.Context(), o.Inbox)
		}
	}
	if r.sum("lands") != 1 {
		t.Errorf("sum %d, want 1", r.sum("lands"))
	}
}
