package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/imapsrc"
	"arroba/ingest/letter"
	"arroba/mailrig"
	"arroba/orders"
	"arroba/rules/heroeslands"
	"arroba/store"
)

// backlog is how many letters the big mailbox of the benchmarks holds.
const backlog = 20000

// backlogLetter makes the ith letter of a backlog, of 1 to 4 KB: a head as servers leave it, prose, and some orders.
func backlogLetter(i int, from, lines string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.lands.example with ESMTPS id 4X%d;\n Mon, 2 Mar 2026 08:00:01 +0000\n", i)
	fmt.Fprintf(&b, "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=s1;\n h=from:to:subject:date:message-id; bh=%s=;\n b=%s=\n", strings.Repeat("A", 43), strings.Repeat("B", 170))
	fmt.Fprintf(&b, "From: <%s>\nTo: %s\nSubject: Orders of day %d\nMessage-ID: <%d@example.org>\nDate: Mon, 2 Mar 2026 08:00:00 +0000\n", from, magistrate, i, i)
	b.WriteString("User-Agent: Mozilla Thunderbird\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\nGood morning,\n\n" + lines + "\n")
	for size := 1024 + i*7919%3072; b.Len() < size; {
		b.WriteString("The roads are bad this spring, and I hope that this letter is with you in time.\n")
	}
	return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))
}

// BenchmarkReadAgainstMbsync reads a backlog of letters from Dovecot into parsed orders, and in the same run lets
// mbsync copy the same mailbox into a Maildir, not synced to the disk. The ratio is how many letters are read in the
// time in which mbsync copies one, the median of all pairs; there is a second ratio for a Maildir that is on no disk.
func BenchmarkReadAgainstMbsync(b *testing.B) {
	rig := mailrig.Start(b, "magistrate")
	if _, err := exec.LookPath("mbsync"); err != nil {
		if os.Getenv("ARROBA_REAL") == "1" {
			b.Fatal("install isync: ", err)
		}
		b.Skip("install isync: ", err)
	}
	rig.Fill(magistrate, backlog, func(i int) []byte {
		return backlogLetter(i, oleg, "CHALLENGE Boris FOR VASSALAGE\nGIVE 20 @ TO Boris\n\nGIVE 1 mine TO Boris\nPOSTPONE DUEL BY 10 DAYS\n")
	})
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as main does
	const memory = "/dev/shm"
	var ours, theirs, ratios, inMemory []float64
	for b.Loop() {
		one := seconds(func() { readBacklog(b, rig) })
		two := mbsync(b, rig, b.TempDir())
		ours, theirs, ratios = append(ours, backlog/one), append(theirs, backlog/two), append(ratios, two/one)
		if _, err := os.Stat(memory); err == nil {
			inMemory = append(inMemory, mbsync(b, rig, memory)/one)
		}
	}
	b.ReportMetric(quantile(ours, 0.5), "letters/s")
	b.ReportMetric(quantile(theirs, 0.5), "mbsync/s")
	b.ReportMetric(quantile(ratios, 0.5), "ratio")
	if len(inMemory) > 0 {
		b.ReportMetric(quantile(inMemory, 0.5), "ratio-in-memory")
	}
}

func seconds(f func()) float64 {
	began := time.Now()
	f()
	return time.Since(began).Seconds()
}

// quantile sorts a list and returns what stands at a place between 0 and 1.
func quantile(list []float64, at float64) float64 {
	slices.Sort(list)
	return list[int(at*float64(len(list)-1)+0.5)]
}

// readBacklog reads the whole mailbox as the daemon does, but for rules and database.
func readBacklog(b *testing.B, rig *mailrig.Rig) {
	src, err := imapsrc.New(imapsrc.Config{
		Addr: rig.IMAP.String(), TLS: "none", Done: imapsrc.DoneKeep, User: magistrate,
		Password: func() (string, error) { return mailrig.Password, nil },
	})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	grammar := heroeslands.Ruleset().Grammar
	nicks := &orders.Names{}
	for _, n := range []string{"Oleg", "Boris", "Anna", "Василиса"} {
		nicks.Add(n)
	}
	names := orders.Lexicon{"nick": nicks}
	letters, given := 0, 0
	for at, more := ingest.Cursor(""), true; more; {
		batch, err := src.Poll(b.Context(), at)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range batch.Messages {
			for _, p := range grammar.Scan(letter.Read(m.Raw, letter.Options{}).Lines) {
				if grammar.Parse(p.Line, names, p.InBlock).Order != nil {
					given++
				}
			}
		}
		letters += len(batch.Messages)
		at, more = batch.Next, batch.More
	}
	if letters != backlog || given < 3*backlog {
		b.Fatalf("%d letters with %d orders", letters, given)
	}
}

// mbsync copies the whole mailbox into a folder, and returns how many seconds that took.
func mbsync(b *testing.B, rig *mailrig.Rig, where string) float64 {
	dir, err := os.MkdirTemp(where, "copy")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	config := filepath.Join(dir, "mbsyncrc")
	text := fmt.Sprintf(`FSync no
IMAPAccount a
Host 127.0.0.1
Port %d
User %s
Pass %s
SSLType None
AuthMechs LOGIN

IMAPStore far
Account a

MaildirStore near
Path %s/
Inbox %s/inbox

Channel c
Far :far:
Near :near:
Patterns INBOX
Sync Pull
Create Near
SyncState %s/
`, rig.IMAP.Port, magistrate, mailrig.Password, dir, dir, dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	took := seconds(func() {
		if out, err := exec.Command("mbsync", "-q", "-c", config, "c").CombinedOutput(); err != nil {
			b.Fatalf("mbsync: %v\n%s", err, out)
		}
	})
	copied, err := os.ReadDir(filepath.Join(dir, "inbox", "new"))
	if err != nil || len(copied) != backlog {
		b.Fatalf("mbsync copied %d letters (%v)", len(copied), err)
	}
	return took
}

// BenchmarkMemory measures the most memory that the daemon has while it reads, rules on and answers a backlog with
// some letters of 20 MB in it.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		h := newHouse(b, ways{"tls", "starttls"})
		h.create()
		h.rig.Fill(magistrate, backlog, func(i int) []byte {
			if i%200 == 0 {
				return backlogLetter(i, oleg, "GIVE 1 @ TO Boris\n")
			}
			return backlogLetter(i, fmt.Sprintf("reader%d@example.net", i%500), "I should like to play.\n")
		})
		h.rig.Fill(magistrate, 6, func(i int) []byte { return bigLetter(i) })
		h.start("--once")
		peak := 0
		for running := true; running; {
			select {
			case <-h.ended:
				running = false
			case <-time.After(5 * time.Millisecond):
				peak = max(peak, peakMemory(h.proc.Process.Pid))
			}
		}
		if code := h.proc.ProcessState.ExitCode(); code != 0 {
			b.Fatalf("arroba serve --once: %d\n%s", code, h.log())
		}
		h.proc = nil
		b.ReportMetric(float64(peak)/1024, "peak-MB")
		b.ReportMetric(float64(len(h.outbox())), "mails")
	}
}

// bigLetter makes a letter of 20 MB: of text, or with a file.
func bigLetter(i int) []byte {
	head := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: Big\r\nMessage-ID: <big%d@example.org>\r\nMIME-Version: 1.0\r\n", oleg, magistrate, i)
	if i%2 == 0 {
		return []byte(head + "\r\nGIVE 1 @ TO Boris\r\n" + strings.Repeat("I say it once more, and mean it.\r\n", 20<<20/34))
	}
	return []byte(head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nGIVE 1 @ TO Boris\r\n--b\r\n" +
		"Content-Type: application/octet-stream; name=save.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		strings.Repeat(strings.Repeat("QUJD", 19)+"\r\n", 20<<20/78) + "--b--\r\n")
}

// peakMemory returns the most memory that a process has had, in kB; 0 when it has ended. What the kernel tells a
// parent of an ended child counts the parent's own too.
func peakMemory(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.Atoi(kb)
	return n
}

// BenchmarkLatency measures how long it takes from a letter's delivery into the mailbox until its receipt is handed
// to SMTP, with IDLE. Dovecot itself holds back for half a second what it tells of new letters.
func BenchmarkLatency(b *testing.B) {
	h := newHouse(b, ways{"tls", "starttls"})
	h.create()
	h.serve()
	h.await("the game's first mail is sent", func() bool { return len(h.receipts()) == 0 && h.sent() > 0 })
	var took []float64
	for b.Loop() {
		for range 30 {
			n := len(took)
			from := []string{oleg, boris}[n%2]
			raw := fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nSubject: A gift\r\nMessage-ID: <%d@example.org>\r\n\r\nGIVE 1 @ TO Aldous\r\n", from, magistrate, n)
			time.Sleep(time.Duration(100+n*37%100) * time.Millisecond) // until the daemon listens again
			h.rig.Deliver(magistrate, raw)
			delivered := time.Now()
			h.await("the receipt is sent", func() bool { return len(h.receipts()) > n })
			took = append(took, h.receipts()[n].Sub(delivered).Seconds()*1000)
		}
	}
	b.ReportMetric(quantile(took, 0.5), "p50-ms")
	b.ReportMetric(quantile(took, 0.95), "p95-ms")
	b.ReportMetric(quantile(took, 1), "max-ms")
}

func (h *house) sent() int {
	return strings.Count(h.log(), "outbox: sent")
}

// receipts returns when each receipt was sent.
func (h *house) receipts() (list []time.Time) {
	h.t.Helper()
	db, err := store.Open(h.t.Context(), h.path("arroba.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Read().Query(`SELECT done FROM outbox WHERE kind = 'receipt' AND state = 'sent' ORDER BY seq`)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var us int64
		if err := rows.Scan(&us); err != nil {
			h.t.Fatal(err)
		}
		list = append(list, store.Time(us))
	}
	return list
}
