package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"arroba/mailrig"
	"arroba/store"
)

// comeLimit is how long something may take that comes by itself.
const comeLimit = 90 * time.Second

const realGame = `name = "lands"
ruleset = "heroeslands"
title = "The Lands"
mailbox = "magistrate@lands.example"
from = "magistrate@lands.example"
gm = { nick = "Aldous", email = "aldous@keep.example" }
copies = ["archive@lands.example"]
[[member]]
nick = "Oleg"
email = ["oleg@example.org"]
[[member]]
nick = "Boris"
email = ["boris@work.example"]
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
gold = 1500
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
feuds = { HL3 = 3 }
`

// house is a real mail server, a folder with a config for it, and the daemon as a process of its own.
type house struct {
	t       testing.TB
	rig     *mailrig.Rig
	dir     string
	proc    *exec.Cmd
	ended   chan struct{}
	logFile string
	posted  int
}

// ways are how the two connections may be kept private.
type ways struct{ imap, smtp string }

// newHouse starts a mail server and writes a config.
func newHouse(t testing.TB, w ways) *house { return newHouseWith(t, mailrig.Options{}, w) }

func newHouseWith(t testing.TB, o mailrig.Options, w ways) *house {
	rig := mailrig.StartWith(t, o, "magistrate", "archive", "operator", "aldous@keep.example", "oleg@example.org", "boris@work.example")
	h := &house{t: t, rig: rig, dir: t.TempDir()}
	h.logFile = filepath.Join(h.dir, "log")
	h.write("secret", mailrig.Password+"\n")
	h.write("lands.toml", realGame)
	h.configure(w, "1m")
	t.Cleanup(h.kill)
	return h
}

// configure writes the config.
func (h *house) configure(w ways, poll string) {
	imap := map[string]mailrig.Addr{"tls": h.rig.IMAPS, "starttls": h.rig.IMAP}[w.imap]
	smtp := map[string]mailrig.Addr{"tls": h.rig.SMTPS, "starttls": h.rig.Submission}[w.smtp]
	h.write("arroba.toml", fmt.Sprintf(`database = "arroba.db"
operator = "operator@lands.example"
games = ["lands.toml"]
[board]
listen = "127.0.0.1:0"
[[source]]
name = "box"
kind = "imap"
address = "magistrate@lands.example"
host = "127.0.0.1"
port = %d
tls = %q
ca_file = %q
user = "magistrate@lands.example"
password_file = "secret"
poll = %q
[[sink]]
name = "out"
kind = "smtp"
from = "magistrate@lands.example"
host = "127.0.0.1"
port = %d
tls = %q
ca_file = %q
user = "magistrate@lands.example"
password_file = "secret"
`, imap.Port, w.imap, h.rig.CAFile, poll, smtp.Port, w.smtp, h.rig.CAFile))
}

func (h *house) path(name string) string { return filepath.Join(h.dir, name) }

func (h *house) write(name, text string) {
	h.t.Helper()
	if err := os.WriteFile(h.path(name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// change replaces something in the config, which must be there.
func (h *house) change(old, new string) {
	h.t.Helper()
	text, err := os.ReadFile(h.path("arroba.toml"))
	if err != nil || !strings.Contains(string(text), old) {
		h.t.Fatalf("the config has no %q (%v)", old, err)
	}
	h.write("arroba.toml", strings.ReplaceAll(string(text), old, new))
}

// run runs a command in this process, and returns what it wrote.
func (h *house) run(args ...string) (code int, out string) {
	var b bytes.Buffer
	code = run(context.Background(), append(args, "-c", h.path("arroba.toml")), os.Getenv, strings.NewReader(""), &b, &b)
	return code, b.String()
}

// start starts `arroba serve` as a process: this test's own program, which is arroba when it is called so.
func (h *house) start(args ...string) {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	log, err := os.OpenFile(h.logFile, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		h.t.Fatal(err)
	}
	defer log.Close()
	h.proc = exec.Command(self, append([]string{"serve", "-c", h.path("arroba.toml")}, args...)...)
	h.proc.Args[0], h.proc.Stdout, h.proc.Stderr = "arroba", log, log
	if err := h.proc.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.ended = make(chan struct{})
	go func() {
		h.proc.Wait()
		close(h.ended)
	}()
}

// serve starts the daemon and returns when it runs.
func (h *house) serve() {
	h.t.Helper()
	h.start()
	h.logged("arroba runs", 1)
}

// stop ends the daemon as a service manager does.
func (h *house) stop() {
	h.t.Helper()
	h.proc.Process.Signal(syscall.SIGTERM)
	select {
	case <-h.ended:
	case <-time.After(5 * time.Second):
		h.t.Fatalf("the daemon still runs five seconds after SIGTERM:\n%s", h.log())
	}
	if code := h.proc.ProcessState.ExitCode(); code != 0 {
		h.t.Errorf("the daemon ended with %d:\n%s", code, h.log())
	}
	h.proc = nil
}

func (h *house) kill() {
	if h.proc != nil {
		h.proc.Process.Kill()
		<-h.ended
	}
	if h.t.Failed() {
		h.t.Logf("the daemon's log:\n%s", h.log())
	}
}

func (h *house) log() string {
	b, _ := os.ReadFile(h.logFile)
	return string(b)
}

// await waits until something is so.
func (h *house) await(what string, is func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(comeLimit); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("%s: not after %v", what, comeLimit)
		}
	}
}

// logged waits until the daemon has logged words n times.
func (h *house) logged(words string, n int) {
	h.t.Helper()
	h.await(fmt.Sprintf("the log has %q %d times", words, n), func() bool { return strings.Count(h.log(), words) >= n })
}

// create begins the game, beside the daemon.
func (h *house) create() {
	h.t.Helper()
	if code, out := h.run("game", "create", h.path("lands.toml")); code != 0 {
		h.t.Fatalf("game create: %d\n%s", code, out)
	}
}

// post mails a letter to the game, and returns its Message-ID.
func (h *house) post(from, subject, fields, text string) string {
	h.t.Helper()
	h.posted++
	id := fmt.Sprintf("<%d.%s>", h.posted, from)
	raw := fmt.Sprintf("From: %s\nTo: magistrate@lands.example\nSubject: %s\nMessage-ID: %s\nDate: %s\n",
		from, subject, id, time.Now().Format(time.RFC1123Z))
	if fields != "" {
		raw += fields + "\n"
	}
	raw += "\n" + text + "\n"
	if err := h.rig.Post(from, "magistrate@lands.example", []byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
		h.t.Fatal(err)
	}
	return id
}

// told waits for a mail with a subject, and returns it.
func (h *house) told(user, subject string) (m *mail.Message) {
	h.t.Helper()
	h.await(user+" is told: "+subject, func() bool {
		m = find(h.mails(user, 0), subject)
		return m != nil
	})
	return m
}

func (h *house) mails(user string, n int) (list []*mail.Message) {
	h.t.Helper()
	for _, raw := range h.rig.Mails(user, n) {
		m, err := mail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			h.t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

func find(list []*mail.Message, subject string) *mail.Message {
	i := slices.IndexFunc(list, func(m *mail.Message) bool { return m.Header.Get("Subject") == subject })
	if i < 0 {
		return nil
	}
	return list[i]
}

func text(m *mail.Message) string {
	var b bytes.Buffer
	b.ReadFrom(m.Body)
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// flags returns the flags of the letters in the game's mailbox, by Message-ID.
func (h *house) flags() map[string][]imap.Flag {
	h.t.Helper()
	c := h.rig.Dial("magistrate@lands.example")
	defer c.Close()
	if _, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		h.t.Fatal(err)
	}
	list, err := c.Fetch(imap.SeqSet{{Start: 1, Stop: 0}}, &imap.FetchOptions{Envelope: true, Flags: true}).Collect()
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[string][]imap.Flag{}
	for _, m := range list {
		out["<"+m.Envelope.MessageID+">"] = m.Flags
	}
	return out
}

// marked tells whether a letter is marked as done.
func marked(flags []imap.Flag) bool {
	return slices.Contains(flags, imap.FlagSeen) && slices.Contains(flags, "$ArrobaDone")
}

var boardAt = regexp.MustCompile(`address=(http://\S+)`)

// health asks the daemon how it does.
func (h *house) health() (code int, source string) {
	h.t.Helper()
	found := boardAt.FindAllStringSubmatch(h.log(), -1)
	if found == nil {
		return 0, ""
	}
	r, err := http.Get(found[len(found)-1][1] + "/healthz")
	if err != nil {
		return 0, ""
	}
	defer r.Body.Close()
	var answer struct{ Sources []struct{ Error string } }
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil || len(answer.Sources) != 1 {
		h.t.Fatalf("/healthz: %v %v", answer, err)
	}
	return r.StatusCode, answer.Sources[0].Error
}

// row is what the outbox says of one mail.
type row struct{ id, to, state string }

func (h *house) outbox() (list []row) {
	h.t.Helper()
	db, err := store.Open(h.t.Context(), h.path("arroba.db"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Read().Query(`SELECT message_id, recipient, state FROM outbox WHERE via = 'mail' ORDER BY seq`)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.id, &r.to, &r.state); err != nil {
			h.t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// settled waits until everything in the outbox is sent, and fails unless each mail of it is in its recipient's
// mailbox once, and nothing else is.
func (h *house) settled() {
	h.t.Helper()
	h.await("all mail is sent", func() bool {
		return !slices.ContainsFunc(h.outbox(), func(r row) bool { return r.state == "due" })
	})
	want := map[string][]string{}
	for _, r := range h.outbox() {
		if r.state != "sent" {
			h.t.Errorf("the mail %s to %s is %s", r.id, r.to, r.state)
		}
		want[r.to] = append(want[r.to], "<"+r.id+">")
	}
	for _, user := range h.rig.Users[1:] {
		var got []string
		for _, m := range h.mails(user, len(want[user])) {
			got = append(got, m.Header.Get("Message-ID"))
		}
		slices.Sort(got)
		slices.Sort(want[user])
		if !slices.Equal(got, want[user]) {
			h.t.Errorf("%s got %v, want %v", user, got, want[user])
		}
	}
}

// A game from its creation to the end of a duel, by a real Dovecot and a real Postfix.
func TestRealGame(t *testing.T) {
	for _, w := range []ways{{"tls", "starttls"}, {"starttls", "tls"}} {
		t.Run("imap "+w.imap+", smtp "+w.smtp, func(t *testing.T) { playRealGame(t, newHouse(t, w)) })
	}
}

const (
	magistrate = "magistrate@lands.example"
	archive    = "archive@lands.example"
	operator   = "operator@lands.example"
	aldous     = "aldous@keep.example"
	oleg       = "oleg@example.org"
	boris      = "boris@work.example"
)

func playRealGame(t *testing.T, h *house) {
	h.serve()
	h.create()
	challenge := h.post(oleg, "A challenge", "References: <first@example.org> <second@example.org>", "Good morning,\n\nCHALLENGE Boris\n\n-- \nOleg")
	receipt := h.told(oleg, "[lands] Re: A challenge")
	told := h.told(boris, "[lands] Oleg challenges Boris in HL3")

	away := h.post(boris, "Out of office", "Auto-Submitted: auto-replied", "I am away.\nCHALLENGE Oleg")
	stranger := h.post("aldous@other.example", "Hello", "", "RESULT DUEL 1 WINNER Oleg")
	thread := "In-Reply-To: " + told.Header.Get("Message-ID") + "\nReferences: " + told.Header.Get("References") + " " + told.Header.Get("Message-ID")
	postpone := h.post(boris, "Re: [lands] Oleg challenges Boris in HL3", thread, "POSTPONE DUEL BY 10 DAYS\n\n> CHALLENGE Oleg")
	postponed := h.told(boris, "[lands] Re: Oleg challenges Boris in HL3")
	prose := h.post(oleg, "A question", "", "May I come to dinner?")
	h.told(oleg, "[lands] Re: A question")

	// The daemon is told to stop while letters come, and goes on later.
	var gifts []string
	for i := range 12 {
		gifts = append(gifts, h.post(oleg, fmt.Sprintf("Gift %d", i), "", "GIVE 1 @ TO Boris"))
		if i == 5 {
			h.told(oleg, "[lands] Re: Gift 0")
			h.stop()
		}
		if i == 9 {
			h.serve()
		}
	}
	h.told(oleg, "[lands] Re: Gift 11")
	result := h.post(aldous, "Duel 1", "", "RESULT DUEL 1 WINNER Oleg")
	h.told(aldous, "[lands] Re: Duel 1")
	h.settled()
	h.stop()

	// Who got what, by its subject.
	const later = "[lands] Boris postpones duel 1 to " // a day that depends on today
	public := []string{"[lands] Oleg challenges Boris in HL3", later, "[lands] Oleg has won duel 1 against Boris"}
	begins := "[lands] the game begins"
	want := map[string][]string{
		operator: nil,
		archive:  append([]string{"[lands] the game is open and its seed sealed"}, public...),
		aldous:   {begins, public[0], public[1], "[lands] Re: Duel 1"},
		boris:    {begins, public[0], "[lands] Re: Oleg challenges Boris in HL3", public[2]},
		oleg:     {begins, "[lands] Re: A challenge", public[1], "[lands] Re: A question", public[2]},
	}
	for i := range gifts {
		gift := "[lands] 1 @ from Oleg to Boris"
		want[oleg] = append(want[oleg], fmt.Sprintf("[lands] Re: Gift %d", i))
		want[aldous], want[boris] = append(want[aldous], gift), append(want[boris], gift)
	}
	for user, subjects := range want {
		var got []string
		for _, m := range h.mails(user, 0) {
			subject := m.Header.Get("Subject")
			if strings.HasPrefix(subject, later) {
				subject = later
			}
			got = append(got, subject)
			checkMail(t, user, m)
		}
		slices.Sort(got)
		slices.Sort(subjects)
		if !slices.Equal(got, subjects) {
			t.Errorf("%s got\n%s\nwant\n%s", user, strings.Join(got, "\n"), strings.Join(subjects, "\n"))
		}
	}

	// Answers hang on the letters they answer.
	checkThread(t, receipt, challenge, "<first@example.org> <second@example.org> "+challenge)
	checkThread(t, postponed, postpone, "<game.lands@lands.example> "+told.Header.Get("Message-ID")+" "+postpone)
	answer := text(receipt)
	for _, part := range []string{"> CHALLENGE Boris\nVerdict: accepted (HL-32).\n", "Oleg challenges Boris in HL3 to a duel for vassalage"} {
		if !strings.Contains(answer, part) {
			t.Errorf("the receipt has no %q:\n%s", part, answer)
		}
	}

	// What was dealt with is marked in the mailbox, what waits for a person is not.
	flags := h.flags()
	for _, id := range append(gifts, challenge, away, postpone, result) {
		if !marked(flags[id]) {
			t.Errorf("%s is not marked as done: %v", id, flags[id])
		}
	}
	for _, id := range []string{stranger, prose} {
		if f, there := flags[id]; !there || slices.Contains(f, imap.FlagSeen) || slices.Contains(f, "$ArrobaDone") {
			t.Errorf("%s waits for the Magistrate and is marked: %v", id, f)
		}
	}
	if _, list := h.run("inbox", "list"); strings.Count(list, "desk") != 2 {
		t.Errorf("not two letters wait:\n%s", list)
	}
}

// checkMail checks what every mail of ours must have.
func checkMail(t *testing.T, user string, m *mail.Message) {
	t.Helper()
	subject := m.Header.Get("Subject")
	auto := "auto-generated"
	if strings.HasPrefix(subject, "[lands] Re: ") {
		auto = "auto-replied"
	}
	for field, want := range map[string]string{
		"From": `"The Lands" <magistrate@lands.example>`, "To": "<" + user + ">", "Auto-Submitted": auto, "Return-Path": "<magistrate@lands.example>",
	} {
		if got := m.Header[http.CanonicalHeaderKey(field)]; !slices.Equal(got, []string{want}) {
			t.Errorf("%q to %s: %s is %q, want %q", subject, user, field, got, want)
		}
	}
}

func checkThread(t *testing.T, m *mail.Message, answers, references string) {
	t.Helper()
	if got := m.Header.Get("In-Reply-To"); got != answers {
		t.Errorf("%q: In-Reply-To is %q, want %q", m.Header.Get("Subject"), got, answers)
	}
	if got := m.Header.Get("References"); got != references {
		t.Errorf("%q: References is %q, want %q", m.Header.Get("Subject"), got, references)
	}
}

// The daemon goes on through faults of its config and of the mail server, and tells the operator no more than once.
func TestRealTrouble(t *testing.T) {
	h := newHouse(t, ways{"tls", "starttls"})
	h.create()
	h.serve()
	h.post(oleg, "One", "", "GIVE 1 @ TO Boris")
	h.told(oleg, "[lands] Re: One")

	// A config with a fault is told, and the old one kept.
	h.change(`poll = "1m"`, `pull = "1s"`)
	h.proc.Process.Signal(syscall.SIGHUP)
	if alarm := text(h.told(operator, "Arroba: the config has a fault")); !strings.Contains(alarm, "arroba.toml:16: source.") {
		t.Errorf("the alarm does not say where the fault is:\n%s", alarm)
	}
	h.post(oleg, "Two", "", "GIVE 2 @ TO Boris")
	h.told(oleg, "[lands] Re: Two")
	h.change(`pull = "1s"`, `poll = "1s"`)
	h.proc.Process.Signal(syscall.SIGHUP)
	h.logged("the config was read again", 1)
	h.logged("arroba runs", 2)
	h.await("the daemon is well", func() bool { code, _ := h.health(); return code == http.StatusOK })

	// What is mailed while the mailbox's server is down waits in Postfix, and comes when it is up.
	h.rig.StopDovecot()
	h.await("/healthz shows the outage", func() bool {
		code, fault := h.health()
		return code == http.StatusServiceUnavailable && strings.Contains(fault, h.rig.IMAPS.String())
	})
	h.post(oleg, "Three", "", "GIVE 3 @ TO Boris")
	h.rig.StartDovecot()
	h.told(oleg, "[lands] Re: Three")
	h.await("the daemon is well", func() bool { code, _ := h.health(); return code == http.StatusOK })
	for _, words := range []string{"a source cannot be read", "a source can be read again"} {
		if n := strings.Count(h.log(), words); n != 1 {
			t.Errorf("the log says %q %d times", words, n)
		}
	}

	// Busy, it still ends at once, and goes on where it was.
	h.rig.Fill(magistrate, 80, func(i int) []byte {
		return fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nSubject: Gift\r\nMessage-ID: <gift%d@example.org>\r\n\r\nGIVE 1 @ TO Boris\r\n", oleg, magistrate, i)
	})
	h.stop()
	h.serve()
	h.post(oleg, "Last", "", "GIVE 1 @ TO Boris")
	h.told(oleg, "[lands] Re: Last")
	h.settled()
	h.stop()
	// Postfix asks Dovecot about passwords: a log-in during the outage fails too, and the operator may hear of that.
	alarms := slices.DeleteFunc(h.mails(operator, 0), func(m *mail.Message) bool { return strings.Contains(m.Header.Get("Subject"), "[[sink]] out") })
	if len(alarms) != 1 {
		t.Errorf("the operator has %d mails", len(alarms))
		for _, m := range alarms {
			t.Log(m.Header.Get("Subject"), text(m))
		}
	}
}

// check tries a real server, and says what to do about what does not work.
func TestRealCheck(t *testing.T) {
	h := newHouse(t, ways{"tls", "starttls"})
	good, err := os.ReadFile(h.path("arroba.toml"))
	if err != nil {
		t.Fatal(err)
	}
	h.rig.Deliver(magistrate, []byte("From: oleg@example.org\r\n\r\nHELP\r\n"))
	other := mailrig.Start(t, "somebody")
	imaps, submission := fmt.Sprintf("port = %d\ntls = \"tls\"", h.rig.IMAPS.Port), fmt.Sprintf("port = %d\ntls = \"starttls\"", h.rig.Submission.Port)
	tests := []struct {
		name, old, new string
		want           []string // patterns of lines
	}{
		{name: "all is well", want: []string{
			`ok +config `,
			`ok +source box +logged in to 127.0.0.1:\d+ as magistrate@lands.example; INBOX holds 1 letters`,
			`ok +sink out +logged in to 127.0.0.1:\d+ as magistrate@lands.example`,
			`ok +database `, `ok +game lands .* is good; 'arroba game create`,
		}},
		{"wrong password", `password_file = "secret"`, `password_file = "arroba.toml"`, []string{
			`FAULT +source box .*log in as magistrate@lands.example: .*; check user and password`,
			`FAULT +sink out .*log-in refused.*; check user and password`,
			`ok +database `,
		}},
		{"no password", `password_file = "secret"`, `password_env = "ARROBA_NO_SUCH"`, []string{
			`FAULT +source box .*arroba.toml:\d+: source.0.password_env: the environment variable ARROBA_NO_SUCH is not set`,
			`FAULT +sink out .*arroba.toml:\d+: sink.0.password_env: `,
		}},
		{"wrong port of the mailbox", imaps, "port = 1\ntls = \"tls\"", []string{
			`FAULT +source box .*connection refused.*; check host, port and tls \(now 127.0.0.1, 1, tls\)`,
			`ok +sink out `,
		}},
		{"wrong port of the post", submission, "port = 1\ntls = \"starttls\"", []string{
			`ok +source box `,
			`FAULT +sink out .*connection refused.*; check host, port and tls of \[\[sink\]\] out`,
		}},
		{"no such mailbox", `name = "box"`, "name = \"box\"\nmailbox = \"Inbux\"", []string{
			`FAULT +source box .*Inbux.*; write as its mailbox the name of one that is there`,
			`ok +sink out `,
		}},
		{"STARTTLS where TLS is wanted", imaps, strings.Replace(imaps, `"tls"`, `"starttls"`, 1), []string{
			`FAULT +source box .*; if this port wants TLS from the start, write tls = "tls"`,
		}},
		{"TLS where STARTTLS is wanted", imaps, fmt.Sprintf("port = %d\ntls = \"tls\"", h.rig.IMAP.Port), []string{
			`FAULT +source box .*this port speaks without TLS first: write tls = "starttls", or another port`,
		}},
		{"another authority", h.rig.CAFile, other.CAFile, []string{
			`FAULT +source box .*certificate.*; write the server's name as its certificate has it, or the authority's file as ca_file`,
			`FAULT +sink out .*certificate.*; check host, or write the file with the certificate of who signed it as ca_file of \[\[sink\]\] out`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h.write("arroba.toml", string(good))
			if test.old != "" {
				h.change(test.old, test.new)
			}
			code, out := h.run("check")
			for _, line := range test.want {
				if !regexp.MustCompile("(?m)^" + line).MatchString(out) {
					t.Errorf("no line is like %s:\n%s", line, out)
				}
			}
			if faulty := strings.Contains(out, "FAULT"); faulty != (test.old != "") || (code == 0) == faulty {
				t.Errorf("the exit code is %d:\n%s", code, out)
			}
		})
	}
	h.write("arroba.toml", string(good))
	if flags := h.flags(); len(flags) != 1 {
		t.Errorf("the mailbox has %v", flags)
	}
}
