// Package lmtpsrc takes letters from a mail server by LMTP, the protocol by which mail servers hand letters over to
// the program that keeps them.
//
// Its promise: the mail server hears that a letter was taken after it was, and only then. A letter that could not be
// kept at the moment is left with the mail server, which comes again; one for nobody here, or over the limit, is
// refused for good, and its writer hears of it.
//
// How it is kept. Nothing is read ahead and nothing is queued: the answer to a letter, recipient by recipient, is what
// Take returned for it. A letter broken off is no letter. Letters have no time of arrival of their own: they arrive
// when they are taken. A crash between taking and answering makes the mail server bring a letter again, as a message
// with another key; whoever takes it must know letters that came before.
//
// Whoever can connect may deliver, and no password is asked for. So it listens on this machine's own addresses only,
// or on a socket in the file system.
package lmtpsrc

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/netutil"

	"arroba/ingest"
)

// The bounds of what mail servers may do at a time.
const (
	maxConnections = 20
	maxLetters     = 4 // in memory
	maxRecipients  = 50
	maxLine        = 1 << 20
	readTimeout    = 5 * time.Minute // of a command, or a letter
	writeTimeout   = time.Minute
	takeTimeout    = time.Minute
	stopTimeout    = 2 * time.Second // for letters that are being taken when the end comes
)

// Config says where to listen, and for whom.
type Config struct {
	Listen  string // "127.0.0.1:2400", or the path of a socket
	Address string // the mailbox; letters to it, and to it with an extension after a +, are taken
	MaxSize int64  // of a letter, in bytes; 25 MB when 0
	Take    func(ctx context.Context, m ingest.Message) error
	Now     func() time.Time // time.Now when nil
	Log     *slog.Logger
}

// Server takes letters while Run runs.
type Server struct {
	cfg   Config
	slots chan struct{} // held by each letter on its way

	mu    sync.Mutex
	taken time.Time
	err   error
}

// New returns a server. The error says why it must not listen there.
func New(cfg Config) (*Server, error) {
	if err := CheckListen(cfg.Listen); err != nil {
		return nil, err
	}
	cfg.MaxSize = cmp.Or(cfg.MaxSize, ingest.DefaultMaxSize)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{cfg: cfg, slots: make(chan struct{}, maxLetters)}, nil
}

// IsSocket tells whether an address to listen on is the path of a socket.
func IsSocket(listen string) bool { return strings.Contains(listen, "/") }

// CheckListen tells what is wrong with an address to listen on, and what to write instead.
func CheckListen(listen string) error {
	if IsSocket(listen) {
		return nil
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("%q is no address; write one of this machine, as \"127.0.0.1:2400\", or the path of a socket, as \"/run/arroba/lmtp\"", listen)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q is no port; write 1 to 65535, as in \"127.0.0.1:2400\"", port)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("other machines could deliver at %q, and LMTP asks for no password; write an address of this machine alone, as \"127.0.0.1:%s\", or the path of a socket", listen, port)
	}
	return nil
}

// Health tells when a letter was last taken, the zero time when none was, and why the last one was not, nil when it
// was.
func (s *Server) Health() (taken time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken, s.err
}

// Run takes letters until ctx ends, and returns soon after. An address that cannot be listened on is an error at once.
func (s *Server) Run(ctx context.Context) error {
	l, err := s.listen()
	if err != nil {
		return err
	}
	return s.serve(ctx, l)
}

// listen opens the address. A socket that a crash has left behind is replaced.
func (s *Server) listen() (net.Listener, error) {
	network := "tcp"
	if IsSocket(s.cfg.Listen) {
		network = "unix"
		if info, err := os.Lstat(s.cfg.Listen); err == nil && info.Mode()&os.ModeSocket != 0 && !s.answers() {
			os.Remove(s.cfg.Listen)
		}
	}
	l, err := net.Listen(network, s.cfg.Listen)
	if err == nil && network == "unix" {
		err = os.Chmod(s.cfg.Listen, 0o666) // who may deliver is who may enter the folder
	}
	if err != nil {
		return nil, fmt.Errorf("listen for letters: %w", err)
	}
	return l, nil
}

// answers tells whether some program listens at the address.
func (s *Server) answers() bool {
	network := "tcp"
	if IsSocket(s.cfg.Listen) {
		network = "unix"
	}
	c, err := net.DialTimeout(network, s.cfg.Listen, time.Second)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Check tells whether letters are taken at the address now, by whatever program, or could be.
func (s *Server) Check() (answers bool, err error) {
	if s.answers() {
		return true, nil
	}
	l, err := s.listen()
	if err != nil {
		return false, err
	}
	return false, l.Close()
}

func (s *Server) serve(ctx context.Context, l net.Listener) error {
	srv := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{server: s, ctx: ctx}, nil
	}))
	srv.LMTP = true
	srv.Domain = "arroba" // a mail server that hears its own name takes this for a loop
	srv.MaxMessageBytes = s.cfg.MaxSize
	srv.MaxRecipients = maxRecipients
	srv.MaxLineLength = maxLine
	srv.ReadTimeout, srv.WriteTimeout = readTimeout, writeTimeout
	srv.EnableSMTPUTF8 = true
	srv.ErrorLog = slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelWarn)
	s.cfg.Log.Info("letters are taken by LMTP", "address", l.Addr().String())
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(netutil.LimitListener(l, maxConnections)) }()
	select {
	case err := <-ended:
		return fmt.Errorf("listen for letters: %w", err)
	case <-ctx.Done():
	}
	s.finish()
	srv.Close()
	l.Close() // the server closes it only once it listens
	<-ended
	return ctx.Err()
}

// finish waits for the letters that are being taken, and lets no other begin.
func (s *Server) finish() {
	limit := time.After(stopTimeout)
	for range maxLetters {
		select {
		case s.slots <- struct{}{}:
		case <-limit:
			return
		}
	}
}

// session is one connection of a mail server.
type session struct {
	server *Server
	ctx    context.Context
	from   string
	to     []string
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if !ingest.Concerns(s.server.cfg.Address, to) {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "There is no such mailbox here"}
	}
	s.to = append(s.to, to)
	return nil
}

func (s *session) Reset()        { s.from, s.to = "", nil }
func (s *session) Logout() error { return nil }

// Data is what SMTP would use.
func (s *session) Data(io.Reader) error { return later("This is LMTP") }

// LMTPData takes a letter, once for each of its recipients, who may be told apart by the extension. Its error is the
// answer to all of them.
func (s *session) LMTPData(r io.Reader, answers smtp.StatusCollector) error {
	select {
	case s.server.slots <- struct{}{}:
		defer func() { <-s.server.slots }()
	case <-s.ctx.Done():
		return later("Shutting down")
	}
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(r); err != nil {
		return unread(err)
	}
	for _, to := range s.to {
		stamped := ingest.Stamp(ingest.Stamp(raw.Bytes(), "Delivered-To", to), "Return-Path", "<"+s.from+">")
		answers.SetStatus(to, s.server.take(s.ctx, stamped))
	}
	return nil
}

// take takes a letter that is whole, even while everything stops.
func (s *Server) take(ctx context.Context, raw []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeTimeout)
	defer cancel()
	now := s.cfg.Now()
	err := s.cfg.Take(ctx, ingest.HandedOver(raw, now))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err = err; err != nil {
		s.cfg.Log.Error("a letter could not be taken; the mail server will bring it again", "error", err)
		return later("The letter cannot be kept at the moment")
	}
	s.taken = now
	return nil
}

func later(why string) error {
	return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: why + "; bring it again"}
}

// unread is the answer to a letter that could not be read to its end.
func unread(err error) error {
	if answer := new(smtp.SMTPError); errors.As(err, &answer) {
		return answer
	}
	if errors.Is(err, smtp.ErrTooLongLine) {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: "A line of the letter is too long"}
	}
	return later("The letter broke off")
}
