package imapsrc

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"arroba/ingest"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

// errTooMuch is what reading returns when the server sends more than a command can need.
var errTooMuch = errors.New("the server sends far more than was asked for")

// wire is the connection below the client and below TLS. It limits how many bytes a command may bring and how long
// the server may be silent in it, whatever deadlines the client sets. After its first error it gives nothing more.
type wire struct {
	net.Conn
	r *bufio.Reader

	mu      sync.Mutex
	left    int64         // bytes that may still come
	silence time.Duration // 0: no limit, no command is under way
	err     error
}

func newWire(conn net.Conn) *wire {
	w := &wire{Conn: conn, left: headerSize}
	w.r = bufio.NewReaderSize(readerFunc(w.fill), 64<<10)
	return w
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (w *wire) Read(p []byte) (int, error) {
	if err := w.cause(); err != nil {
		return 0, err
	}
	return w.r.Read(p)
}

func (w *wire) fill(p []byte) (int, error) {
	w.mu.Lock()
	if w.silence > 0 {
		w.Conn.SetReadDeadline(time.Now().Add(w.silence))
	}
	w.mu.Unlock()
	n, err := w.Conn.Read(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left -= int64(n); w.left < 0 {
		n, err = 0, errTooMuch
	}
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// cause is the error that ended the connection.
func (w *wire) cause() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// kill ends the connection, also for what has come already and was not read.
func (w *wire) kill() {
	w.mu.Lock()
	if w.err == nil {
		w.err = net.ErrClosed
	}
	w.mu.Unlock()
	w.Close()
}

// limit sets what may come from now on, and wakes a read that waits already.
func (w *wire) limit(left int64, silence time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.silence = left, silence
	if silence > 0 {
		w.Conn.SetReadDeadline(time.Now().Add(silence))
	} else {
		w.Conn.SetReadDeadline(time.Time{})
	}
}

// SetReadDeadline does nothing: the client's own deadlines are constants that are too short for big letters and do
// not cover the wait for an answer.
func (w *wire) SetReadDeadline(time.Time) error { return nil }

// SetDeadline sets the deadline for writing only.
func (w *wire) SetDeadline(t time.Time) error { return w.SetWriteDeadline(t) }

// session is one connection with the mailbox selected.
type session struct {
	wire    *wire
	client  *imapclient.Client
	silence time.Duration
	dead    bool

	exists   chan struct{} // the server said that letters have come
	validity uint32
	next     imap.UID // 0 when the server does not say
	count    uint32
	flags    []imap.Flag // that may be set for good
	selected time.Time
	noMarks  bool // the server refused to mark letters; said once
}

// do runs one command. Its answers may take budget bytes. Unless the server answered NO or BAD, an error is the end
// of the connection: nobody knows what it would say next.
func (s *session) do(ctx context.Context, budget int64, command func(c *imapclient.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, 10*s.silence)
	defer cancel()
	stop := context.AfterFunc(ctx, s.wire.kill)
	s.wire.limit(budget+budget/8+headerSize, s.silence)
	err := command(s.client)
	s.wire.limit(headerSize, 0)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err == nil {
		return nil
	}
	var answer *imap.Error
	if errors.As(err, &answer) && ctx.Err() == nil {
		return err
	}
	if cause := cmp.Or(ctx.Err(), s.wire.cause()); cause != nil { // which the client's error tells only in words
		err = fmt.Errorf("%w (%w)", cause, err)
	}
	s.kill()
	return err
}

func (s *session) kill() {
	s.dead = true
	s.wire.kill()
}

// shut says goodbye, if the connection is fit for it, and closes it. It returns nil, for the place it was kept in.
func (s *session) shut() *session {
	if s != nil && !s.dead {
		s.silence = min(s.silence, time.Second)
		s.do(context.Background(), 0, func(c *imapclient.Client) error { return c.Logout().Wait() })
		s.kill()
	}
	return nil
}

// connect returns the session kept in slot, or a new one.
func (s *Source) connect(ctx context.Context, slot **session) (*session, error) {
	if old := *slot; old != nil && !old.dead {
		return old, nil
	}
	*slot = nil
	fresh, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.login(ctx, fresh); err != nil {
		fresh.kill()
		return nil, err
	}
	if err := s.selectMailbox(ctx, fresh); err != nil {
		fresh.kill()
		return nil, err
	}
	*slot = fresh
	return fresh, nil
}

func (s *Source) dial(ctx context.Context) (*session, error) {
	dialer := net.Dialer{Timeout: s.cfg.Silence, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: time.Minute}}
	conn, err := dialer.DialContext(ctx, "tcp", s.cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	out := &session{wire: newWire(conn), silence: s.cfg.Silence, exists: make(chan struct{}, 1)}
	options := &imapclient.Options{
		TLSConfig: s.tlsConfig(),
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{
			Mailbox: func(data *imapclient.UnilateralDataMailbox) {
				if data.NumMessages != nil {
					signal(out.exists)
				}
			},
		},
	}
	err = out.do(ctx, 1<<20, func(*imapclient.Client) error {
		var err error
		switch s.cfg.TLS {
		case "tls":
			secure := tls.Client(out.wire, options.TLSConfig)
			if err = secure.HandshakeContext(ctx); err != nil {
				return fmt.Errorf("TLS: %w", err)
			}
			out.client = imapclient.New(secure, options)
		case "starttls":
			if out.client, err = imapclient.NewStartTLS(out.wire, options); err != nil {
				return fmt.Errorf("STARTTLS: %w", err)
			}
		default:
			out.client = imapclient.New(out.wire, options)
		}
		return out.client.WaitGreeting()
	})
	if err != nil {
		out.kill()
		return nil, fmt.Errorf("connect: %w", err)
	}
	return out, nil
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// login logs in. A refusal is an AuthError unless the server says that it is for now only.
func (s *Source) login(ctx context.Context, to *session) error {
	var secret string
	var err error
	if s.cfg.Token != nil {
		secret, err = s.cfg.Token(ctx)
	} else {
		secret, err = s.cfg.Password()
	}
	if err != nil {
		return fmt.Errorf("log in as %s: %w", s.cfg.User, err)
	}
	err = to.do(ctx, headerSize, func(c *imapclient.Client) error {
		caps := c.Caps()
		switch {
		case s.cfg.Token != nil && caps.Has(imap.AuthCap(sasl.OAuthBearer)):
			return c.Authenticate(sasl.NewOAuthBearerClient(&sasl.OAuthBearerOptions{Username: s.cfg.User, Token: secret}))
		case s.cfg.Token != nil:
			return c.Authenticate(&xoauth2{s.cfg.User, secret})
		case caps.Has(imap.CapLoginDisabled) && caps.Has(imap.AuthCap(sasl.Plain)):
			return c.Authenticate(sasl.NewPlainClient("", s.cfg.User, secret))
		default:
			return c.Login(s.cfg.User, secret).Wait()
		}
	})
	if err == nil {
		return nil
	}
	err = fmt.Errorf("log in as %s: %w", s.cfg.User, err)
	if refused(err) {
		return &ingest.AuthError{Err: err}
	}
	return err
}

// refused tells whether a log-in failed for good: with the same name and password it would fail again.
func refused(err error) bool {
	var bearer *sasl.OAuthBearerError
	if errors.As(err, &bearer) {
		return true
	}
	var answer *imap.Error
	if !errors.As(err, &answer) || answer.Type == imap.StatusResponseTypeBye {
		return false
	}
	switch answer.Code {
	case imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit, imap.ResponseCodeServerBug:
		return false
	}
	text := strings.ToLower(answer.Text)
	return !slices.ContainsFunc([]string{"too many", "temporar", "try again", "unavailable"}, func(sign string) bool {
		return strings.Contains(text, sign)
	})
}

// selectMailbox selects the mailbox, again if it was selected before: only this tells a changed UIDVALIDITY.
func (s *Source) selectMailbox(ctx context.Context, in *session) error {
	var data *imap.SelectData
	err := in.do(ctx, headerSize, func(c *imapclient.Client) error {
		var err error
		data, err = c.Select(s.cfg.Mailbox, &imap.SelectOptions{ReadOnly: s.cfg.Done == DoneKeep}).Wait()
		if err != nil || data.UIDValidity != 0 {
			return err
		}
		status, err := c.Status(s.cfg.Mailbox, &imap.StatusOptions{UIDValidity: true}).Wait()
		if err == nil {
			data.UIDValidity = status.UIDValidity
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("select: %w", err)
	}
	if data.UIDValidity == 0 {
		return errors.New("the mailbox has no UIDVALIDITY, so its letters have no lasting names: " +
			"let the server deliver into a Maildir or by LMTP and read that")
	}
	in.validity, in.next, in.count = data.UIDValidity, data.UIDNext, data.NumMessages
	in.flags, in.selected = data.PermanentFlags, s.cfg.Now()
	return nil
}

// current returns the main session with a selection that is not too old. A connection that was open before may have
// died unnoticed, so its failure is followed by one new try.
func (s *Source) current(ctx context.Context) (*session, error) {
	if old := s.main; old != nil && !old.dead {
		if s.cfg.Now().Sub(old.selected) < s.cfg.Reselect {
			return old, nil
		}
		if err := s.selectMailbox(ctx, old); err == nil {
			return old, nil
		}
		old.kill()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return s.connect(ctx, &s.main)
}

// xoauth2 is the client of Google's and Microsoft's mechanism of that name.
type xoauth2 struct{ user, token string }

func (x *xoauth2) Start() (mech string, initial []byte, err error) {
	return "XOAUTH2", []byte("user=" + x.user + "\x01auth=Bearer " + x.token + "\x01\x01"), nil
}

// Next answers the server's error report with nothing, upon which it refuses the log-in.
func (x *xoauth2) Next([]byte) ([]byte, error) { return []byte{}, nil }
