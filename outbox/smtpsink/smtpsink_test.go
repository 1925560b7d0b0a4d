package smtpsink_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	gosmtp "github.com/emersion/go-smtp"

	"arroba/outbox"
	"arroba/outbox/outboxtest"
	"arroba/outbox/smtpsink"
)

// office is a well-behaved server that keeps what it takes.
type office struct {
	mu      sync.Mutex
	mails   [][]byte
	refuse  int // the next recipient, with this code
	logins  []string
	tlsSeen bool
}

func (o *office) NewSession(c *gosmtp.Conn) (gosmtp.Session, error) {
	_, private := c.TLSConnectionState()
	return &session{office: o, private: private}, nil
}

type session struct {
	*office
	private bool
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if password != "secret" {
			return gosmtp.ErrAuthFailed
		}
		s.logins = append(s.logins, user)
		return nil
	}), nil
}

func (s *session) Mail(string, *gosmtp.MailOptions) error { return nil }

func (s *session) Rcpt(string, *gosmtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := s.refuse
	s.refuse = 0
	if code != 0 {
		return &gosmtp.SMTPError{Code: code, EnhancedCode: gosmtp.EnhancedCode{code / 100, 1, 1}, Message: "not him"}
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails, s.tlsSeen = append(s.mails, raw), s.private
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// authority is a certificate for 127.0.0.1 and who signed it.
func authority(t *testing.T) (*tls.Config, *x509.CertPool) {
	s := httptest.NewTLSServer(nil)
	t.Cleanup(s.Close)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, pool
}

func listen(t *testing.T) (net.Listener, int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, l.Addr().(*net.TCPAddr).Port
}

// serve starts an office; with certs it offers STARTTLS, or speaks TLS from the first byte.
func serve(t *testing.T, certs *tls.Config, implicit bool) (*office, int) {
	o := &office{}
	server := gosmtp.NewServer(o)
	server.AllowInsecureAuth = true
	server.ErrorLog = log.New(io.Discard, "", 0)
	l, port := listen(t)
	if implicit {
		l = tls.NewListener(l, certs)
	} else {
		server.TLSConfig = certs
	}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return o, port
}

func newSink(t *testing.T, cfg smtpsink.Config) *smtpsink.Sink {
	t.Helper()
	cfg.Host, cfg.Name = "127.0.0.1", "post"
	if cfg.TLS == "" {
		cfg.TLS = smtpsink.None
	}
	s, err := smtpsink.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestConformance(t *testing.T) {
	outboxtest.Run(t, func(t *testing.T) outboxtest.Rig {
		o, port := serve(t, nil, false)
		return outboxtest.Rig{
			Sink: newSink(t, smtpsink.Config{Port: port}),
			Arrived: func() [][]byte {
				o.mu.Lock()
				defer o.mu.Unlock()
				return slices.Clone(o.mails)
			},
			Refuse: func(permanent bool) {
				o.mu.Lock()
				defer o.mu.Unlock()
				o.refuse = 451
				if permanent {
					o.refuse = 550
				}
			},
		}
	})
}

func TestPrivateAndLoggedIn(t *testing.T) {
	certs, pool := authority(t)
	for _, mode := range []string{smtpsink.TLS, smtpsink.StartTLS} {
		o, port := serve(t, certs, mode == smtpsink.TLS)
		cfg := smtpsink.Config{Port: port, TLS: mode, RootCAs: pool, User: "magistrate", Password: "secret"}
		sink := newSink(t, cfg)
		if err := sink.Check(t.Context()); err != nil {
			t.Errorf("%s: check: %v", mode, err)
		}
		if _, err := sink.Send(t.Context(), outboxtest.Mail()); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if !o.tlsSeen || len(o.mails) != 1 || !slices.Equal(o.logins, []string{"magistrate", "magistrate"}) {
			t.Errorf("%s: private %v, %d mails, log-ins %q", mode, o.tlsSeen, len(o.mails), o.logins)
		}
		cfg.RootCAs = nil
		fails(t, mode+": unknown authority", newSink(t, cfg), outbox.ErrDown, "certificate", "as ca_file of [[sink]] post")
		cfg.RootCAs, cfg.Password = pool, "wrong"
		fails(t, mode+": wrong password", newSink(t, cfg), outbox.ErrDown, "log-in refused: 535", "check user and password of [[sink]] post")
	}
}

// fails checks that a Send fails with an error of a kind that says something, and with no other kind. A nil kind is
// an ordinary temporary error.
func fails(t *testing.T, about string, sink outbox.Sink, kind error, says ...string) {
	t.Helper()
	_, err := sink.Send(t.Context(), outboxtest.Mail())
	failed(t, about, err, kind, says...)
}

func failed(t *testing.T, about string, err, kind error, says ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", about)
		return
	}
	for _, k := range []error{outbox.ErrPermanent, outbox.ErrUnsure, outbox.ErrDown} {
		if errors.Is(err, k) != (k == kind) {
			t.Errorf("%s: %v: is %q: %v", about, err, k, !(k == kind))
		}
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: %v; want it to say %q", about, err, s)
		}
	}
}

// scripted is a server that says what the test wants to each command: "." is the end of the mail, "" the greeting.
// An answer of "" is the ordinary one; "CLOSE" ends the connection, and "… CLOSE" after the answer; "HANG" is none.
type scripted struct {
	answer func(command string) string

	mu          sync.Mutex
	commands    []string
	mails       int // that came whole
	connections int
}

func script(t *testing.T, answer func(command string) string) (*scripted, int) {
	s := &scripted{answer: answer}
	l, port := listen(t)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			go s.talk(c)
		}
	}()
	return s, port
}

var ordinary = map[string]string{"": "220 ready", "EHLO": "250-x\r\n250-SMTPUTF8\r\n250 AUTH LOGIN XOAUTH2", "DATA": "354 go on", "QUIT": "221 bye CLOSE"}

func (s *scripted) talk(c net.Conn) {
	defer c.Close()
	s.mu.Lock()
	s.connections++
	s.mu.Unlock()
	in := bufio.NewScanner(c)
	in.Buffer(nil, 1<<20)
	for data, line := false, ""; ; line = in.Text() {
		if data && line != "." {
			if !in.Scan() {
				return
			}
			continue
		}
		verb, _, _ := strings.Cut(line, " ")
		s.mu.Lock()
		if data {
			s.mails++
		}
		s.commands = append(s.commands, line)
		s.mu.Unlock()
		answer := s.answer(line)
		if answer == "" {
			answer = ordinary[verb]
		}
		if answer == "" {
			answer = "250 ok"
		}
		data = strings.HasPrefix(answer, "354")
		said, last := strings.CutSuffix(answer, "CLOSE")
		if said = strings.TrimSpace(said); said != "" && said != "HANG" {
			io.WriteString(c, said+"\r\n")
		}
		if last || !in.Scan() {
			return
		}
	}
}

// on answers commands that begin so.
func on(prefix, answer string) func(string) string {
	return func(command string) string {
		if prefix == command || prefix != "" && strings.HasPrefix(command, prefix) {
			return answer
		}
		return ""
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		at, answer string
		kind       error
	}{
		{"MAIL", "451 later", nil},
		{"MAIL", "550 not from you", outbox.ErrPermanent},
		{"MAIL", "530 5.7.0 authentication required", outbox.ErrDown},
		{"MAIL", "421 going down CLOSE", nil},
		{"MAIL", "CLOSE", nil},
		{"RCPT", "450 greylisted", nil},
		{"RCPT", "550 no such user", outbox.ErrPermanent},
		{"RCPT", "554 5.7.1 relay access denied", nil}, // for we have not logged in
		{"RCPT", "CLOSE", nil},
		{"DATA", "451 later", nil},
		{"DATA", "554 no", outbox.ErrPermanent},
		{"DATA", "421 going down CLOSE", nil},
		{"DATA", "CLOSE", nil},
		{"DATA", "354 go on CLOSE", outbox.ErrUnsure}, // a short mail goes out with its dot
		{".", "451 later", nil},
		{".", "554 5.7.1 spam", outbox.ErrPermanent},
		{".", "421 going down CLOSE", nil},
		{".", "CLOSE", outbox.ErrUnsure},
		{".", "garbage", outbox.ErrUnsure},
		{"", "554 go away CLOSE", outbox.ErrDown},
		{"", "421 too many connections CLOSE", outbox.ErrDown},
		{"", "CLOSE", outbox.ErrDown},
		{"EHLO", "CLOSE", outbox.ErrDown},
	} {
		_, port := script(t, on(c.at, c.answer))
		fails(t, c.at+" "+c.answer, newSink(t, smtpsink.Config{Port: port}), c.kind)
	}
}

func TestSilence(t *testing.T) {
	for _, c := range []struct {
		at   string
		kind error
	}{{"", outbox.ErrDown}, {"EHLO", outbox.ErrDown}, {"MAIL", nil}, {"RCPT", nil}, {"DATA", nil}, {".", outbox.ErrUnsure}} {
		ctx, cancel := context.WithCancel(t.Context())
		_, port := script(t, func(command string) string {
			answer := on(c.at, "HANG")(command)
			if answer != "" {
				cancel() // all is to stop while the server keeps silent
			}
			return answer
		})
		_, err := newSink(t, smtpsink.Config{Port: port}).Send(ctx, outboxtest.Mail())
		failed(t, "silence at "+c.at, err, c.kind)
	}
}

func TestOwnDeadline(t *testing.T) {
	_, port := script(t, on(".", "HANG"))
	fails(t, "silence", newSink(t, smtpsink.Config{Port: port, Timeout: 50 * time.Millisecond}), outbox.ErrUnsure)
}

func TestTakenIsTaken(t *testing.T) {
	for _, answer := range []string{"250 ok CLOSE", "250 queued"} {
		s, port := script(t, on(".", answer))
		sink := newSink(t, smtpsink.Config{Port: port})
		for range 3 {
			receipt, err := sink.Send(t.Context(), outboxtest.Mail())
			if err != nil || !strings.HasPrefix(receipt, "250 ") {
				t.Errorf("%s: %q, %v", answer, receipt, err)
			}
		}
		if s.mails != 3 {
			t.Errorf("%s: %d mails, want 3", answer, s.mails)
		}
	}
}

func TestConnectionIsKept(t *testing.T) {
	s, port := script(t, func(command string) string {
		switch {
		case strings.HasPrefix(command, "RCPT TO:<gone@"):
			return "550 no such user"
		case strings.HasPrefix(command, "RCPT TO:<busy@"):
			return "450 later"
		}
		return ""
	})
	sink := newSink(t, smtpsink.Config{Port: port})
	for _, to := range []string{"a@x", "gone@x", "busy@x", "b@x"} {
		it := outboxtest.Mail()
		it.To = to
		sink.Send(t.Context(), it)
	}
	if s.connections != 1 || s.mails != 2 {
		t.Errorf("%d connections, %d mails; want 1, 2", s.connections, s.mails)
	}
	if slices.Contains(s.commands, "NOOP") || slices.Index(s.commands, "RSET") < slices.Index(s.commands, ".") {
		t.Errorf("commands nobody needs: %q", s.commands)
	}
	sink.Close()
	if s.commands[len(s.commands)-1] != "QUIT" {
		t.Errorf("left without a word: %q", s.commands)
	}
}

// TestResetThatIsRefused holds that a server which ends the connection when a refused mail is taken back neither costs
// the next mail nor makes a failure of one that was taken.
func TestResetThatIsRefused(t *testing.T) {
	for _, answer := range []string{"421 going down CLOSE", "CLOSE", "500 what?"} {
		s, port := script(t, func(command string) string {
			switch {
			case strings.HasPrefix(command, "RCPT TO:<gone@"):
				return "550 no such user"
			case command == "RSET" || command == "QUIT":
				return answer
			}
			return ""
		})
		sink := newSink(t, smtpsink.Config{Port: port})
		for to, kind := range map[string]error{"gone@x": outbox.ErrPermanent, "a@x": nil} {
			it := outboxtest.Mail()
			it.To = to
			if _, err := sink.Send(t.Context(), it); !errors.Is(err, kind) {
				t.Errorf("RSET %s: to %s: %v, want %v", answer, to, err, kind)
			}
		}
		sink.Close()
		if s.mails != 1 {
			t.Errorf("RSET %s: %d mails, want 1", answer, s.mails)
		}
	}
}

func TestConnectionsAreLimited(t *testing.T) {
	s, port := script(t, func(string) string { return "" })
	sink := newSink(t, smtpsink.Config{Port: port, Connections: 3})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if _, err := sink.Send(t.Context(), outboxtest.Mail()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s.connections > 3 || s.mails != 50 {
		t.Errorf("%d connections, %d mails; want 3 at most, 50", s.connections, s.mails)
	}
}

func TestHalfAMailIsNone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan string)
	l, port := listen(t)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "220 x\r\n")
		in := bufio.NewReader(c)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if line == "DATA\r\n" {
				break
			}
			io.WriteString(c, "250 ok\r\n")
		}
		io.WriteString(c, "354 go on\r\n")
		in.ReadString('\n')
		cancel() // and read no further until the sink has given up
		<-ended
		rest, _ := io.ReadAll(in)
		ended <- string(rest)
	}()
	it := outboxtest.Mail()
	it.Text = strings.Repeat("word ", 4<<20)
	_, err := newSink(t, smtpsink.Config{Port: port}).Send(ctx, it)
	failed(t, "cut in the middle", err, nil)
	ended <- ""
	if rest := <-ended; strings.HasSuffix(rest, "\r\n.\r\n") || strings.Contains(rest, "QUIT") {
		t.Error("half a mail was ended as if it were whole")
	}
}

func TestSMTPUTF8OnlyWhenNeeded(t *testing.T) {
	send := func(to, ehlo string) (mailCommand string, err error) {
		s, port := script(t, on("EHLO", ehlo))
		it := outboxtest.Mail()
		it.To = to
		_, err = newSink(t, smtpsink.Config{Port: port}).Send(t.Context(), it)
		i := slices.IndexFunc(s.commands, func(c string) bool { return strings.HasPrefix(c, "MAIL") })
		if i >= 0 {
			mailCommand = s.commands[i]
		}
		return mailCommand, err
	}
	for _, c := range []struct{ to, ehlo, want string }{
		{"oleg@example.org", "250-x\r\n250 SMTPUTF8", "MAIL FROM:<magistrate@lands.example>"},
		{"oleg@почта.рф", "250 x", "MAIL FROM:<magistrate@lands.example>"},
		{"олег@example.org", "250-x\r\n250 SMTPUTF8", "MAIL FROM:<magistrate@lands.example> SMTPUTF8"},
	} {
		if got, err := send(c.to, c.ehlo); got != c.want || err != nil {
			t.Errorf("to %s: %s, %v; want %s", c.to, got, err, c.want)
		}
	}
	if got, err := send("олег@example.org", "250 x"); got != "" || !errors.Is(err, outbox.ErrPermanent) {
		t.Errorf("sent %q, %v; want ErrPermanent from a server without SMTPUTF8", got, err)
	}
}

func TestEnvelope(t *testing.T) {
	s, port := script(t, func(string) string { return "" })
	it := outboxtest.Mail()
	it.Envelope = "bounces+x@lands.example"
	if _, err := newSink(t, smtpsink.Config{Port: port, HELO: "lands.example"}).Send(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	want := []string{"", "EHLO lands.example", "MAIL FROM:<bounces+x@lands.example>", "RCPT TO:<oleg@example.org>", "DATA", "."}
	if !slices.Equal(s.commands, want) {
		t.Errorf("commands %q, want %q", s.commands, want)
	}
}

func TestEnvelopeNamesTheMail(t *testing.T) {
	s, port := script(t, func(string) string { return "" })
	it := outboxtest.Mail()
	it.ID, it.From = "0s3t27t25008sdtfb9qhdye59c", "magistrate+x@lands.example"
	if _, err := newSink(t, smtpsink.Config{Port: port, VERP: true}).Send(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	if want := "MAIL FROM:<magistrate+b-0s3t27t25008sdtfb9qhdye59c@lands.example>"; s.commands[2] != want {
		t.Errorf("%s, want %s", s.commands[2], want)
	}
	for address, id := range map[string]string{
		"magistrate+b-0s3t@lands.example": "0s3t", "magistrate@lands.example": "", "magistrate+lands@lands.example": "", "": "",
	} {
		if got := outbox.VERPItem(address); got != id {
			t.Errorf("%s names %q, want %q", address, got, id)
		}
	}
}

func TestLogins(t *testing.T) {
	var told string
	login := func(answers ...string) func(string) string {
		n := -1
		return func(command string) string {
			if n < 0 && !strings.HasPrefix(command, "AUTH") || n >= len(answers)-1 {
				return ""
			}
			told += command + " "
			n++
			return answers[n]
		}
	}
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	token := func(context.Context) (string, error) { return "t0ken", nil }
	for _, c := range []struct {
		about   string
		cfg     smtpsink.Config
		answers []string
		told    string
		kind    error
		says    []string
	}{
		{"LOGIN", smtpsink.Config{Password: "secret"}, []string{"334 " + b64("Username:"), "334 " + b64("Password:"), "235 welcome"},
			"AUTH LOGIN " + b64("gm") + " " + b64("secret") + " ", nil, nil},
		{"OAuth2", smtpsink.Config{Token: token}, []string{"235 welcome"},
			"AUTH XOAUTH2 " + b64("user=gm\x01auth=Bearer t0ken\x01\x01") + " ", nil, nil},
		{"OAuth2 refused", smtpsink.Config{Token: token}, []string{"334 " + b64(`{"status":"401"}`), "535 no"},
			"AUTH XOAUTH2 " + b64("user=gm\x01auth=Bearer t0ken\x01\x01") + "  ", outbox.ErrDown, []string{`log-in refused: 535 "no"`, "arroba login"}},
		{"no token", smtpsink.Config{Token: func(context.Context) (string, error) { return "", errors.New("expired") }}, nil,
			"", outbox.ErrDown, []string{"get an access token: expired", "arroba login"}},
		{"later", smtpsink.Config{Password: "secret"}, []string{"454 later"}, "AUTH LOGIN ", outbox.ErrDown, []string{`454 "later"`}},
	} {
		told = ""
		_, port := script(t, login(c.answers...))
		c.cfg.User, c.cfg.Port = "gm", port
		_, err := newSink(t, c.cfg).Send(t.Context(), outboxtest.Mail())
		if c.kind == nil && err != nil {
			t.Errorf("%s: %v", c.about, err)
		} else if c.kind != nil {
			failed(t, c.about, err, c.kind, c.says...)
		}
		if told != c.told {
			t.Errorf("%s: told %q, want %q", c.about, told, c.told)
		}
	}
	_, port := script(t, on("EHLO", "250 x"))
	fails(t, "no AUTH", newSink(t, smtpsink.Config{Port: port, User: "gm", Password: "secret"}), outbox.ErrDown, "offers no log-in")
}

func TestOutOfReach(t *testing.T) {
	l, port := listen(t)
	l.Close()
	fails(t, "nobody listens", newSink(t, smtpsink.Config{Port: port}), outbox.ErrDown, "refused", "check host, port and tls of [[sink]] post")
	_, port = script(t, func(string) string { return "" })
	fails(t, "no STARTTLS", newSink(t, smtpsink.Config{Port: port, TLS: smtpsink.StartTLS}), outbox.ErrDown, "does not offer it")
}

func TestTooManyConnectionsIsNoOutage(t *testing.T) {
	first, release := make(chan struct{}), make(chan struct{})
	n := 0
	var mu sync.Mutex
	_, port := script(t, func(command string) string {
		mu.Lock()
		defer mu.Unlock()
		if command == "" {
			if n++; n > 1 {
				return "421 too many connections CLOSE"
			}
		}
		if command == "." {
			mu.Unlock()
			close(first)
			<-release
			mu.Lock()
		}
		return ""
	})
	sink := newSink(t, smtpsink.Config{Port: port})
	done := make(chan error)
	go func() {
		_, err := sink.Send(t.Context(), outboxtest.Mail())
		done <- err
	}()
	<-first
	fails(t, "a second connection", sink, nil, "421")
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestConfig(t *testing.T) {
	good := smtpsink.Config{Host: "mail.example.org", Port: 465, User: "gm", Password: "secret"}
	for _, c := range []struct {
		want   string
		change func(*smtpsink.Config)
	}{
		{"", func(*smtpsink.Config) {}},
		{"host", func(c *smtpsink.Config) { c.Host = "" }},
		{"465 is usual", func(c *smtpsink.Config) { c.Port = 0 }},
		{"none of tls", func(c *smtpsink.Config) { c.TLS = "ssl" }},
		{"no password", func(c *smtpsink.Config) { c.Password = "" }},
		{"show the password", func(c *smtpsink.Config) { c.TLS = smtpsink.None }},
		{"too few", func(c *smtpsink.Config) { c.Connections = -1 }},
	} {
		cfg := good
		c.change(&cfg)
		_, err := smtpsink.New(cfg)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func BenchmarkSend(b *testing.B) {
	server := gosmtp.NewServer(&office{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go server.Serve(l)
	defer server.Close()
	s, err := smtpsink.New(smtpsink.Config{Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, TLS: smtpsink.None})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if _, err := s.Send(b.Context(), outboxtest.Mail()); err != nil {
			b.Fatal(err)
		}
	}
}
