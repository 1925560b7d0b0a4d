package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	netmail "net/mail"
	"net/smtp"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"arroba/draw"
	"arroba/ingest"
	"arroba/ingest/imapsrc"
	"arroba/outbox"
	"arroba/outbox/smtpsink"
	"arroba/rules/all"
	"arroba/store"
	"arroba/turns"
)

func demoCommand() *cobra.Command {
	var once bool
	var pause time.Duration
	c := &cobra.Command{
		Use:   "demo [heroeslands|kingmaker]",
		Short: "Play a story of the Heroes Lands with a post office of its own",
		Long: `Open a post office on this machine, run the daemon and the board, and play a spring in the Heroes Lands in quick
time: who wrote what, what was ruled, who was told what. Every letter goes by SMTP into a mailbox, is read from it by
IMAP, and is answered by SMTP; the Tavern is a thread on a forum of its own, which is read and posted to page by page.
After the story the game stays open for letters and posts of your own until Ctrl-C.

With "heroeslands" it is a whole year of forty lords in three Lands, told as a chronicle: with wars, tourneys and falls.
With "kingmaker" it is three Rounds of the Wars of the Roses on the map of England.`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"heroeslands", "kingmaker"},
		RunE: func(cmd *cobra.Command, args []string) error {
			story := springStory
			if len(args) > 0 {
				story = map[string]tale{"heroeslands": yearStory, "kingmaker": roundsStory}[args[0]]
			}
			if !cmd.Flags().Changed("pause") && isTerminal(cmd.OutOrStdout()) {
				pause = story.pause
			}
			signal.Ignore(syscall.SIGPIPE) // a demo that nobody reads any more clears up before it ends
			if err := demo(cmd.Context(), cmd.OutOrStdout(), story, once, pause); !errors.Is(err, syscall.EPIPE) {
				return err
			}
			return nil
		},
	}
	c.Flags().BoolVar(&once, "once", false, "end after the story")
	c.Flags().DurationVar(&pause, "pause", 0, "`TIME` between two scenes (on a terminal 3s, of the year 500ms)")
	c.AddCommand(demoWriteCommand())
	return c
}

// isTerminal tells whether somebody is watching.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

func demo(ctx context.Context, out io.Writer, tale tale, once bool, pause time.Duration) error {
	t, err := openTheatre(ctx, out, tale)
	if err != nil {
		return err
	}
	defer t.close()
	t.prologue()
	for _, st := range t.story.steps {
		if err := t.play(ctx, st); err != nil {
			return fmt.Errorf("scene %s: %w", st.ID, err)
		}
		if !sleep(ctx, pause) {
			return nil
		}
	}
	if t.tale.end != nil {
		if err := t.tale.end(t.stage, ctx, out); err != nil {
			return err
		}
	}
	if once {
		fmt.Fprintln(out, "The story ends here.")
		return nil
	}
	t.epilogue()
	return t.stayOpen(ctx)
}

// sleep waits, and tells whether ctx is still good.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// theatre is a whole installation for the length of a demo: post office, forum, daemon, board, and a clock that can be set.
type theatre struct {
	*daemon
	out    io.Writer
	tale   tale
	story  *scenario
	clock  *clock
	office *postOffice
	tavern *tavernBoard
	stage  *stage
	box    string // the Magistrate's mailbox
	url    string // of the board
	folder string
	shown  int    // letters
	aside  string // to the post that is shown
}

// maxShown is how many letters a demo can show: more than anybody will write into one.
const maxShown = 100000

// clock is a clock that can be set and then runs on.
type clock struct {
	mu   sync.Mutex
	at   time.Time
	from time.Time // real time at which it runs on; zero while it stands
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from.IsZero() {
		return c.at
	}
	return c.at.Add(time.Since(c.from))
}

// stands tells whether the clock waits to be set.
func (c *clock) stands() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.from.IsZero()
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = t
}

// sleep waits. While the clock stands, no time passes but on it.
func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	if !c.stands() {
		sleep(ctx, d)
		return ctx.Err()
	}
	c.set(c.now().Add(d))
	return ctx.Err()
}

func (c *clock) runOn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = time.Now()
}

func openTheatre(ctx context.Context, out io.Writer, tale tale) (_ *theatre, err error) {
	story, err := tale.read()
	if err != nil {
		return nil, err
	}
	t := &theatre{out: out, tale: tale, story: story, clock: &clock{at: story.steps[0].At.Add(-time.Hour)}}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if t.folder, err = os.MkdirTemp("", "arroba-demo-"); err != nil {
		return nil, fmt.Errorf("making a folder for the demo: %w", err)
	}
	if t.office, err = openPostOffice(t.clock.now); err != nil {
		return nil, err
	}
	t.box = story.game.Mailbox
	if _, err = t.office.mailbox(t.box); err != nil {
		return nil, err
	}
	if t.tavern, err = openTavern(story.game, t.clock); err != nil {
		return nil, err
	}
	if err = t.openDaemon(ctx); err != nil {
		return nil, err
	}
	if err = t.engine.Create(ctx, story.game); err != nil {
		return nil, err
	}
	if err = t.once(ctx); err != nil { // the thread is there before the story begins
		return nil, err
	}
	if _, err = t.fresh(ctx); err != nil {
		return nil, err
	}
	if t.stage, err = newStage(ctx, t.db, t.engine, story.game.Name); err != nil {
		return nil, err
	}
	t.stage.paint = isTerminal(out) && os.Getenv("NO_COLOR") == ""
	return t, nil
}

// openDaemon makes the daemon as a config would: its sources read the post office by IMAP and the Tavern's thread, its sinks
// send by SMTP and post to the thread.
func (t *theatre) openDaemon(ctx context.Context) error {
	t.daemon = &daemon{log: slog.New(slog.DiscardHandler), now: t.clock.now}
	var err error
	if t.db, err = store.Open(ctx, filepath.Join(t.folder, "demo.db")); err != nil {
		return err
	}
	t.closers = append(t.closers, t.db)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("opening the board: %w", err)
	}
	t.url = "http://" + l.Addr().String()
	if t.engine, err = turns.New(turns.Config{
		DB: t.db, Rulesets: all.Rulesets, Now: t.now, Log: t.log, Draw: draw.ForMail, BoardURL: t.url, Mailbox: t.box, Sender: t.box,
		Feeds:  []turns.Feed{{Name: "mailbox", Address: t.box}},
		Forums: []turns.Forum{{Name: tavernName, Own: []string{herald}}},
	}); err != nil {
		return errors.Join(err, l.Close())
	}
	source, err := imapsrc.New(imapsrc.Config{
		Addr: t.office.imapAddr, TLS: "none", User: t.box, Now: t.now, Log: t.log,
		Password: func() (string, error) { return t.office.password, nil },
	})
	if err != nil {
		return errors.Join(err, l.Close())
	}
	t.closers = append(t.closers, source)
	t.readers = []*turns.Reader{{Engine: t.engine, Name: "mailbox", Source: source}}
	t.threads = t.tavern.readBy(t.engine)
	t.ticker = &turns.Ticker{Engine: t.engine, Readers: t.readers, Threads: t.threads}
	if err := t.openSink(); err != nil {
		return errors.Join(err, l.Close())
	}
	if t.board, err = t.newBoard(t.url); err != nil {
		return errors.Join(err, l.Close())
	}
	srv := &http.Server{Handler: t.board, ReadHeaderTimeout: 10 * time.Second}
	t.closers = append(t.closers, srv)
	go srv.Serve(l) // ends when the server is closed
	return nil
}

func (t *theatre) openSink() error {
	host, port, err := net.SplitHostPort(t.office.smtpAddr)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	sink, err := smtpsink.New(smtpsink.Config{Name: "post office", Host: host, Port: n, TLS: smtpsink.None})
	if err != nil {
		return err
	}
	t.closers = append(t.closers, sink)
	posts := t.tavern.sink()
	t.sender = &outbox.Sender{DB: t.db, Now: t.now, Log: t.log, Refused: t.engine.Refused, Content: t.engine.Content, Route: func(it outbox.Item) (outbox.Sink, error) {
		if it.Via == "forum" {
			return posts, nil
		}
		return sink, nil
	}}
	return nil
}

func (t *theatre) close() {
	if t.daemon != nil {
		t.daemon.close()
	}
	if t.tavern != nil {
		t.tavern.Close()
	}
	if t.office != nil {
		t.office.close()
	}
	if t.folder != "" {
		os.RemoveAll(t.folder)
	}
}

// play plays one step of the story: the clock is set, the letter or the post is written, and the daemon does one full pass.
func (t *theatre) play(ctx context.Context, st step) error {
	// Mailbox and thread are known to have been read up to ten seconds ago.
	err := t.stage.through(ctx, st.At, 11*time.Second, func(at time.Time) error {
		t.clock.set(at)
		if at.Equal(st.At) {
			return nil
		}
		return t.once(ctx)
	})
	if err != nil {
		return err
	}
	switch st.Kind {
	case "mail":
		m := st.message(t.box)
		if err := post(t.office.smtpAddr, head(m.Raw, "From"), t.box, m.Raw); err != nil {
			return fmt.Errorf("posting the letter: %w", err)
		}
	case "post":
		if err := t.tavern.play(st); err != nil {
			return err
		}
	}
	t.aside = st.aside()
	return t.show(ctx)
}

// show lets the daemon do one full pass and shows what came of it, letter by letter.
func (t *theatre) show(ctx context.Context) error {
	if err := t.once(ctx); err != nil {
		return err
	}
	fresh, err := t.fresh(ctx)
	if err != nil {
		return err
	}
	if len(fresh) == 0 {
		return t.scene(ctx, "", nil)
	}
	later := map[string]bool{}
	for _, row := range fresh {
		later[row.ID], later[row.MessageID] = true, true
	}
	for _, row := range fresh {
		delete(later, row.ID)
		delete(later, row.MessageID)
		if err := t.scene(ctx, row.ID, later); err != nil {
			return err
		}
	}
	return nil
}

// fresh returns the letters and posts that have come since it was asked last, in their order. What the herald posted is
// no news: it was told when it was sent.
func (t *theatre) fresh(ctx context.Context) ([]ingest.Row, error) {
	rows, err := ingest.List(ctx, t.db.Read(), "", "", maxShown)
	if err != nil {
		return nil, err
	}
	fresh := rows[:max(len(rows)-t.shown, 0)]
	t.shown = len(rows)
	fresh = slices.DeleteFunc(fresh, func(r ingest.Row) bool { return r.Via == "post" && r.Sender == herald })
	slices.SortFunc(fresh, func(a, b ingest.Row) int { // within a second, as the mailbox numbers them
		return cmp.Or(a.Arrived.Compare(b.Arrived), cmp.Compare(len(a.Key), len(b.Key)), cmp.Compare(a.Key, b.Key))
	})
	return fresh, nil
}

// scene shows what came of a letter, or of nobody's writing.
func (t *theatre) scene(ctx context.Context, letter string, later map[string]bool) error {
	sc, err := t.stage.next(ctx, letter, later)
	if err != nil {
		return err
	}
	sc.At, sc.aside, t.aside = t.now(), t.aside, ""
	if letter == "" && len(sc.Events) == 0 && !t.clock.stands() {
		return nil
	}
	return t.tale.tell(t.stage, ctx, t.out, sc)
}

// post sends a mail by SMTP.
func post(server, from, to string, mail []byte) error {
	addr, err := netmail.ParseAddress(from)
	if err != nil {
		return fmt.Errorf("%q is no mail address: %w", from, err)
	}
	return smtp.SendMail(server, nil, addr.Address, []string{to}, mail)
}

func (t *theatre) prologue() {
	fmt.Fprintf(t.out, `%s

%s

The Tavern:  %s
The board:   %s/g/%s

`, t.stage.in(bold, t.tale.title), t.tale.about, t.tavern.address(), t.url, t.story.game.Name)
}

func (t *theatre) epilogue() {
	writer := t.story.game.Members[slices.IndexFunc(t.story.game.Members, func(m turns.Member) bool { return m.Nick == t.tale.writer })]
	fmt.Fprintf(t.out, `%s

The game stays open, and its clock runs on. Look at the Tavern and the board:

    %s
    %s/g/%s

and write yourself, a letter or a post, from another terminal in this folder:

    %s demo write --server %s --from %s "%s"
    %s demo write --post "%s" --as %s "%s"

In the Tavern you may also write by your browser: log in as any of these, with
the password "%s". By mail they write from these addresses:

%s
Any order will do; HELP lists them. Ctrl-C ends the demo.

`, t.stage.in(bold, "THE STORY ENDS HERE, and yours may begin."), t.tavern.address(), t.url, t.story.game.Name,
		self(), t.office.smtpAddr, writer.Addresses[0], t.tale.order, self(), t.tavern.address(), writer.Nick, t.tale.order, tavernPassword, t.cast())
}

// cast says under which address everybody writes.
func (t *theatre) cast() string {
	var b strings.Builder
	for _, m := range t.story.game.Members {
		fmt.Fprintf(&b, "    %-12s %s\n", m.Nick, m.Addresses[0])
	}
	return b.String()
}

// self is how this program was called.
func self() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/arroba"
	}
	return os.Args[0]
}

// stayOpen answers letters until ctx ends.
func (t *theatre) stayOpen(ctx context.Context) error {
	t.clock.runOn()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.office.arrived:
		case <-time.After(time.Second):
		}
		if err := t.show(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func demoWriteCommand() *cobra.Command {
	var server, from, to, subject, thread, author string
	c := &cobra.Command{
		Use:   "write LINE…",
		Short: "Write a letter or a post into a running demo",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if thread != "" {
				if err := postIn(cmd.Context(), thread, author, strings.Join(args, "\n")); err != nil {
					return fmt.Errorf("posting in the Tavern: %w; is the demo running, and is this the address that it named?", err)
				}
				fmt.Fprintln(cmd.OutOrStdout(), "Posted. What comes of it appears where the demo runs, and in the thread.")
				return nil
			}
			now := time.Now()
			mail := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%d@demo.example>\r\n"+
				"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s\r\n",
				from, to, subject, now.Format(time.RFC1123Z), now.UnixNano(), strings.Join(args, "\r\n"))
			if err := post(server, from, to, []byte(mail)); err != nil {
				return fmt.Errorf("posting the letter: %w; is the demo running, and is this the server that it named?", err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), "Posted. The answer appears where the demo runs.")
			return nil
		},
	}
	c.Flags().StringVar(&server, "server", "", "the demo's post office, as the demo named it (`HOST:PORT`): write a letter")
	c.Flags().StringVar(&from, "from", "edric@forest.example", "the writer's `ADDRESS`")
	c.Flags().StringVar(&to, "to", "magistrate@lands.example", "the Magistrate's `ADDRESS`")
	c.Flags().StringVar(&subject, "subject", "A letter", "the subject of a letter")
	c.Flags().StringVar(&thread, "post", "", "the `ADDRESS` of the Tavern's thread, as the demo named it: write a post")
	c.Flags().StringVar(&author, "as", "Edric", "the `NICK` of the one who writes a post")
	c.MarkFlagsOneRequired("server", "post")
	c.MarkFlagsMutuallyExclusive("server", "post")
	return c
}
