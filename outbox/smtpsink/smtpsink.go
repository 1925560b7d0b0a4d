// Package smtpsink sends mail through an SMTP server.
//
// Its promise: a mail that the server took is never reported as refused, and one that it did not take is never
// reported as sent. Each Send is one transaction with one recipient and its own deadline; the mail is rendered whole
// before the first command, so that nothing can fail in the middle of it on our side. The answer to the final dot
// decides: nothing that comes after it is asked for. What a server says with a code is believed, 5xx as permanent
// and 4xx as temporary, and the connection kept; after anything else (a connection cut, a deadline) it is dropped,
// without the polite end that would turn half a mail into a whole one. If no answer to the final dot came, nobody
// knows, and the error is outbox.ErrUnsure.
package smtpsink

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/wneessen/go-mail/smtp"

	"arroba/outbox"
)

// The ways to be private.
const (
	TLS      = "tls"      // from the first byte, usually port 465
	StartTLS = "starttls" // asked for, and required, usually port 587
	None     = "none"     // for a server on this machine
)

// here lists the names of this machine, to which a password may be told in the open.
var here = []string{"localhost", "127.0.0.1", "::1"}

// Config says which server and how. Zero fields have their defaults.
type Config struct {
	Name        string // of the sink in the config file, for errors
	Host        string
	Port        int
	TLS         string         // TLS when ""
	RootCAs     *x509.CertPool // the system's when nil
	User        string         // no log-in when ""
	Password    string
	Token       func(context.Context) (string, error) // an OAuth2 access token, instead of Password
	HELO        string                                // our name; "localhost" when ""
	Connections int                                   // at a time; 2 when 0
	Timeout     time.Duration                         // of one Send; 5 minutes when 0
	VERP        bool                                  // bounces come back to an address of their own for each mail
}

const (
	dialLimit = 30 * time.Second // until logged in
	idleLimit = 30 * time.Second // that an unused connection is kept
	quitLimit = time.Second
)

// Sink is an outbox.Sink.
type Sink struct {
	cfg   Config
	slots chan struct{} // one is taken for each connection in use

	mu     sync.Mutex
	idle   []*conn
	closed bool
}

// New returns the sink of a config that can be right. It connects with the first Send.
func New(cfg Config) (*Sink, error) {
	if cfg.TLS == "" {
		cfg.TLS = TLS
	}
	if cfg.HELO == "" {
		cfg.HELO = "localhost"
	}
	if cfg.Connections == 0 {
		cfg.Connections = 2
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 5 * time.Minute
	}
	switch {
	case cfg.Host == "":
		return nil, errors.New("host is missing")
	case cfg.Port < 1 || cfg.Port > 65535:
		return nil, fmt.Errorf("port %d is none: 465 is usual for tls, 587 for starttls, 25 for none", cfg.Port)
	case cfg.TLS != TLS && cfg.TLS != StartTLS && cfg.TLS != None:
		return nil, fmt.Errorf("tls = %q is none of tls, starttls, none", cfg.TLS)
	case cfg.User != "" && cfg.Password == "" && cfg.Token == nil:
		return nil, errors.New("user is given, but no password")
	case cfg.User != "" && cfg.TLS == None && !slices.Contains(here, cfg.Host):
		return nil, errors.New("tls = \"none\" would show the password to everybody on the way: use tls or starttls")
	case cfg.Connections < 0:
		return nil, fmt.Errorf("connections = %d is too few", cfg.Connections)
	}
	return &Sink{cfg: cfg, slots: make(chan struct{}, cfg.Connections)}, nil
}

// String names the sink.
func (s *Sink) String() string {
	if s.cfg.Name == "" {
		return "mail server " + s.addr()
	}
	return "mail server " + s.addr() + " ([[sink]] " + s.cfg.Name + ")"
}

func (s *Sink) addr() string { return net.JoinHostPort(s.cfg.Host, strconv.Itoa(s.cfg.Port)) }

// Send sends a mail. The receipt is the server's answer.
func (s *Sink) Send(ctx context.Context, it outbox.Item) (receipt string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	if s.cfg.VERP && it.Envelope == "" {
		it.Envelope = outbox.VERP(it)
	}
	l, err := newLetter(it)
	if err != nil {
		return "", err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return "", fmt.Errorf("wait for a connection to %s: %w", s.addr(), ctx.Err())
	}
	if c := s.kept(); c != nil {
		receipt, err = s.sendOn(ctx, c, l)
		// The server may have ended the connection since: that says nothing of the mail.
		if !errors.Is(err, errStale) {
			return receipt, err
		}
	}
	c, err := s.dial(ctx)
	if err != nil {
		return "", s.dialError(err)
	}
	return s.sendOn(ctx, c, l)
}

// Check connects, logs in and leaves.
func (s *Sink) Check(ctx context.Context) error {
	c, err := s.dial(ctx)
	if err != nil {
		return s.dialError(err)
	}
	c.quit()
	return nil
}

// Close ends the kept connections. It is called when nothing sends any more.
func (s *Sink) Close() error {
	s.mu.Lock()
	s.closed = true
	idle := s.idle
	s.idle = nil
	s.mu.Unlock()
	for _, c := range idle {
		c.expiry.Stop()
		c.quit()
	}
	return nil
}

// letter is what a transaction needs, made before it begins.
type letter struct {
	from, to string // of the envelope, with brackets
	raw      []byte
	utf8     bool // an address is not ASCII
}

func newLetter(it outbox.Item) (letter, error) {
	raw, err := outbox.Render(it)
	if err != nil {
		return letter{}, err
	}
	envelope := it.Envelope
	if envelope == "" {
		envelope = it.From
	}
	from, err := outbox.Address(envelope)
	if err != nil {
		return letter{}, fmt.Errorf("envelope of item %s: %w", it.ID, err)
	}
	to, err := outbox.Address(it.To)
	if err != nil {
		return letter{}, err
	}
	wide := strings.ContainsFunc(from+to+it.From, func(r rune) bool { return r > unicode.MaxASCII })
	return letter{from: "<" + from + ">", to: "<" + to + ">", raw: raw, utf8: wide}, nil
}

// conn is a connection that is logged in.
type conn struct {
	net    net.Conn
	smtp   *smtp.Client
	used   bool        // for a mail before
	expiry *time.Timer // ends it when idle
}

// guard bounds what is done on the connection by ctx; the caller calls the function it returns after.
func (c *conn) guard(ctx context.Context) (release func() bool) {
	if deadline, ok := ctx.Deadline(); ok {
		c.net.SetDeadline(deadline)
	}
	return context.AfterFunc(ctx, func() { c.net.Close() })
}

func (c *conn) quit() {
	c.net.SetDeadline(time.Now().Add(quitLimit))
	c.smtp.Quit()
	c.net.Close()
}

// kept takes a connection that is idle, nil when there is none.
func (s *Sink) kept() *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.idle) > 0 {
		c := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		if c.expiry.Stop() {
			return c
		}
	}
	return nil
}

func (s *Sink) keep(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.net.Close()
		return
	}
	c.used = true
	c.expiry = time.AfterFunc(idleLimit, func() { s.expire(c) })
	s.idle = append(s.idle, c)
}

func (s *Sink) expire(c *conn) {
	s.mu.Lock()
	s.idle = slices.DeleteFunc(s.idle, func(other *conn) bool { return other == c })
	s.mu.Unlock()
	c.quit()
}

// errStale marks a kept connection that the server had ended before the mail began.
var errStale = errors.New("the server ended the connection")

// sendOn sends a letter and keeps or drops the connection.
func (s *Sink) sendOn(ctx context.Context, c *conn, l letter) (receipt string, err error) {
	release := c.guard(ctx)
	receipt, err = c.transaction(l)
	if !release() || (err != nil && !refusal(err)) {
		c.net.Close()
	} else if err != nil && c.smtp.Reset() != nil {
		c.net.Close()
	} else {
		s.keep(c)
	}
	if err != nil {
		return "", s.classify(err)
	}
	return receipt, nil
}

// stepError says at which command a transaction ended.
type stepError struct {
	step   string
	unsure bool // the mail may have been taken
	stale  bool // the connection was a kept one, and this its first command
	err    error
}

func (e *stepError) Error() string { return e.step + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

func (c *conn) transaction(l letter) (receipt string, err error) {
	if l.utf8 {
		if ok, _ := c.smtp.Extension("SMTPUTF8"); !ok {
			return "", &textproto.Error{Code: 553, Msg: "the server takes no addresses outside ASCII (SMTPUTF8)"}
		}
	}
	c.smtp.SkipSMTPUTF8(!l.utf8)
	if err := c.smtp.Mail(l.from); err != nil {
		return "", &stepError{step: "MAIL FROM:" + l.from, err: err, stale: c.used}
	}
	if err := c.smtp.Rcpt(l.to); err != nil {
		return "", &stepError{step: "RCPT TO:" + l.to, err: err}
	}
	w, err := c.smtp.Data()
	if err != nil {
		return "", &stepError{step: "DATA", err: err}
	}
	if _, err := w.Write(l.raw); err != nil {
		return "", &stepError{step: "DATA", err: err}
	}
	if err := w.Close(); err != nil {
		return "", &stepError{step: "end of DATA", err: err, unsure: true}
	}
	return "250 " + w.(*smtp.DataCloser).ServerResponse(), nil
}

// code is the code of the server's answer, 0 when there was none.
func code(err error) int {
	var e *textproto.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// policy says whether a mail was refused before its text for what the server may do, by its enhanced status code.
func policy(err error) bool {
	var step *stepError
	var e *textproto.Error
	return errors.As(err, &step) && !step.unsure && errors.As(err, &e) && strings.HasPrefix(e.Msg, "5.7.")
}

// refusal says whether an error is an answer after which the connection goes on.
func refusal(err error) bool {
	c := code(err)
	return c >= 400 && c < 600 && c != 421
}

// classify marks an error of a transaction as what it means for the mail.
func (s *Sink) classify(err error) error {
	var step *stepError
	errors.As(err, &step)
	c := code(err)
	switch {
	case step != nil && step.stale && (c == 0 || c == 421):
		return fmt.Errorf("%s: %w: %w", s.addr(), err, errStale)
	case c == 530: // asks for a log-in: no recipient's fault
		return fmt.Errorf("%s: %w: it wants a log-in; give user and password%s: %w", s.addr(), err, s.place(), outbox.ErrDown)
	case s.cfg.User == "" && policy(err): // "relay access denied": perhaps it is we that it does not know
		return fmt.Errorf("%s: %w; if it wants a log-in, give user and password%s", s.addr(), err, s.place())
	case c >= 500 && c < 600:
		return fmt.Errorf("%s: %w: %w", s.addr(), err, outbox.ErrPermanent)
	case c == 0 && step != nil && step.unsure:
		return fmt.Errorf("%s: %w: %w", s.addr(), err, outbox.ErrUnsure)
	}
	return fmt.Errorf("%s: %w", s.addr(), err)
}

// place says where in the config file the sink stands.
func (s *Sink) place() string {
	if s.cfg.Name == "" {
		return ""
	}
	return " of [[sink]] " + s.cfg.Name
}
