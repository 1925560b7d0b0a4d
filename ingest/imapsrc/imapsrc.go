// Package imapsrc reads letters from an IMAP mailbox.
//
// Its promise: a letter in the mailbox is brought whole or stays due, whatever the server does. It is brought as a
// fault when the server could not give it three times or when it is too big; one bad letter never keeps the others
// back, and no step waits longer than the configured silence.
//
// How it is kept. The cursor holds the mailbox's UIDVALIDITY, the last UID that was handled and the letters still due,
// so flags on the server decide nothing and only poll is the truth: IDLE is a hint. A poll searches for UIDs above the
// last one, asks for sizes and dates of at most 500, then for the bodies of those that fit into 16 MB. Answers are
// matched by UID; a literal that is shorter than announced, an empty body and a missing answer all mean "still due".
// A command that fails costs the connection, and the next one asks for half as many letters, until the bad letter
// stands alone. A new UIDVALIDITY means that the UIDs name other letters now: the whole mailbox is read again and the
// inbox knows by fingerprint what it has seen.
//
// The IMAP library has no deadlines, no limit on what a server may send and waits for ever for the reader of a
// literal. Therefore every command runs under a watchdog that closes the connection, on a wire that counts bytes and
// silence, with one FETCH in flight on a connection. While the caller works on one batch of a backlog the next one is
// fetched, on two connections, unless the letters are so big that both would take much memory; nothing that matters is kept outside the cursor, so it can be dropped at any point.
package imapsrc

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"arroba/ingest"

	"github.com/emersion/go-imap/v2"
)

// The bounds of a batch and of what is asked for at once.
const (
	maxLetters = 500
	maxBytes   = 16 << 20
	maxAhead   = 4 << 20   // bytes of a batch while which the next one is fetched
	pieceSize  = 512 << 10 // letters bigger than two pieces are fetched piece by piece
	headerSize = 64 << 10  // of a letter whose body is not fetched
	maxDue     = 100       // letters due at a time; more than that is the server's trouble, not the letters'
	maxTries   = 3
	skew       = 10 * time.Second // a letter may be this late in the mailbox after its arrival
)

// What becomes of letters that are done.
const (
	DoneFlag = "flag" // flagged \Seen and $ArrobaDone
	DoneMove = "move" // moved to Config.MoveTo
	DoneKeep = "keep" // left as they are; the mailbox is opened read-only
)

// What becomes of letters that came before the first start.
const (
	FirstAll = "all" // read
	FirstNew = "new" // left alone
)

// Config says which mailbox to read, and how.
type Config struct {
	Addr    string         // host:port
	TLS     string         // "tls", "starttls" or "none"
	RootCAs *x509.CertPool // nil: the system's

	User     string
	Password func() (string, error)                    // asked at every log-in
	Token    func(ctx context.Context) (string, error) // an OAuth2 access token, used instead of the password when set

	Mailbox string // "INBOX" when ""
	Done    string // DoneFlag, DoneMove or DoneKeep; DoneFlag when ""
	MoveTo  string // mailbox for DoneMove
	First   string // FirstAll or FirstNew; FirstAll when ""
	MaxSize int64  // of a letter, in bytes; 25 MB when 0

	Silence  time.Duration // longest wait for the server's next byte in a command; 60 s when 0
	Idle     time.Duration // longest IDLE, and NOOP interval where there is none is a tenth of it; 9 min when 0
	Reselect time.Duration // how old a selection may be before the mailbox is looked at afresh; 1 min when 0
	Retry    time.Duration // shortest time between two tries of a letter that failed; 1 min when 0

	Now func() time.Time // time.Now when nil
	Log *slog.Logger     // slog.Default() when nil
}

// Source is a mailbox. Its methods may be called from several goroutines; Poll and Mark end a Wait.
type Source struct {
	cfg    Config
	host   string
	closed context.Context
	close  context.CancelFunc

	sem  chan struct{} // held by whoever uses what is below
	poke chan struct{} // ends a Wait

	main, second *session
	plan         plan
	seen         imap.UID // the highest UID that a search of plan.validity has shown
	step         int      // letters to ask for at once
	single       bool     // the server does not want a second connection
	ahead        *ahead
}

// ahead is the batch that follows the last one, fetched while the caller works on that.
type ahead struct {
	at    ingest.Cursor
	batch ingest.Batch
	err   error
}

// New returns a source for the mailbox. It does not connect yet.
func New(cfg Config) (*Source, error) {
	host, _, err := net.SplitHostPort(cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("IMAP address %q must be host:port: %w", cfg.Addr, err)
	}
	cfg.Mailbox = cmp.Or(cfg.Mailbox, "INBOX")
	cfg.TLS = cmp.Or(cfg.TLS, "tls")
	cfg.Done = cmp.Or(cfg.Done, DoneFlag)
	cfg.First = cmp.Or(cfg.First, FirstAll)
	cfg.MaxSize = cmp.Or(cfg.MaxSize, 25<<20)
	cfg.Silence = cmp.Or(cfg.Silence, time.Minute)
	cfg.Idle = cmp.Or(cfg.Idle, 9*time.Minute)
	cfg.Reselect = cmp.Or(cfg.Reselect, time.Minute)
	cfg.Retry = cmp.Or(cfg.Retry, time.Minute)
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	switch {
	case cfg.TLS != "tls" && cfg.TLS != "starttls" && cfg.TLS != "none":
		return nil, fmt.Errorf(`IMAP encryption %q must be "tls", "starttls" or "none"`, cfg.TLS)
	case cfg.Done != DoneFlag && cfg.Done != DoneMove && cfg.Done != DoneKeep:
		return nil, fmt.Errorf(`done letters: %q must be "flag", "move" or "keep"`, cfg.Done)
	case cfg.Done == DoneMove && cfg.MoveTo == "":
		return nil, errors.New("done letters are to be moved, and no mailbox is named to move them to")
	case cfg.First != FirstAll && cfg.First != FirstNew:
		return nil, fmt.Errorf(`first start: %q must be "all" or "new"`, cfg.First)
	case cfg.Password == nil && cfg.Token == nil:
		return nil, errors.New("IMAP needs a password or a token")
	}
	s := &Source{cfg: cfg, host: host, step: maxLetters, sem: make(chan struct{}, 1), poke: make(chan struct{}, 1)}
	s.closed, s.close = context.WithCancel(context.Background())
	return s, nil
}

func (s *Source) tlsConfig() *tls.Config {
	return &tls.Config{ServerName: s.host, RootCAs: s.cfg.RootCAs, NextProtos: []string{"imap"}}
}

// enter waits until nobody else uses the connections, and returns a context that ends with ctx or with the source.
// The caller cancels that context, and calls leave.
func (s *Source) enter(ctx context.Context) (context.Context, context.CancelFunc, error) {
	select {
	case s.poke <- struct{}{}:
	default:
	}
	select {
	case s.sem <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	select {
	case <-s.poke:
	default:
	}
	if s.closed.Err() != nil {
		s.leave()
		return nil, nil, net.ErrClosed
	}
	in, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.closed, cancel)
	return in, func() { stop(); cancel() }, nil
}

func (s *Source) leave() { <-s.sem }

// Poll returns the next letters after at: new ones, and those due from before. A refused log-in is an
// *ingest.AuthError; every other error is temporary.
func (s *Source) Poll(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	in, cancel, err := s.enter(ctx)
	if err != nil {
		return ingest.Batch{}, err
	}
	defer cancel()
	a := s.ahead
	s.ahead = nil
	if a == nil || a.at != at || a.err != nil {
		a = s.readAhead(in, at)
	}
	switch {
	case a.err != nil:
		s.leave()
		return ingest.Batch{}, fmt.Errorf("read %s at %s: %w", s.cfg.Mailbox, s.cfg.Addr, a.err)
	case a.batch.More && size(a.batch) <= maxAhead:
		go func() {
			defer s.leave()
			s.ahead = s.readAhead(s.closed, a.batch.Next)
		}()
	case a.batch.More:
		s.leave()
	default:
		s.second = s.second.shut()
		s.leave()
	}
	return a.batch, nil
}

// size is how much memory the letters of a batch take.
func size(b ingest.Batch) (n int) {
	for _, m := range b.Messages {
		n += len(m.Raw)
	}
	return n
}

func (s *Source) readAhead(ctx context.Context, at ingest.Cursor) *ahead {
	batch, err := s.read(ctx, at)
	return &ahead{at, batch, err}
}

// Close ends what is going on and closes the connections.
func (s *Source) Close() error {
	s.close()
	s.sem <- struct{}{}
	defer s.leave()
	s.main, s.second, s.ahead = s.main.shut(), s.second.shut(), nil
	return nil
}
