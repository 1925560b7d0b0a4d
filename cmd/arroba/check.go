package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arroba/forum"
	"arroba/ingest"
	"arroba/ingest/imapsrc"
	"arroba/ingest/maildirsrc"
	"arroba/ingest/mboxsrc"
	"arroba/outbox"
	"arroba/outbox/smtpsink"
	"arroba/store"
	"arroba/turns"
)

// checkLimit is how long one thing may take to be tried.
const checkLimit = 30 * time.Second

func checkCommand(w world) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "check",
		Short: "Try everything a config names, and say what to do about what does not work",
		Long: `Try everything a config names: open the database, log in to every mail server, read every game's file. Each line
says what works, or what does not and what to do about it. No letter is read and none is sent. Of a forum's thread the
first page and the last are looked at, and it is said who of the writers there is known; nothing is posted. What works is
used again at once, also where the daemon would leave it alone for a while.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			k := &checker{out: cmd.OutOrStdout()}
			k.all(cmd.Context(), file, w.getenv)
			if k.faults > 0 {
				return &exitError{1, fmt.Errorf("%d of %d things do not work", k.faults, k.tried)}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&file, "config", "c", "arroba.toml", "the config `FILE`")
	return c
}

// checker tries things and says a line about each.
type checker struct {
	out           io.Writer
	tried, faults int
	client        *forum.Client
	boards        map[string]*forum.Board
	good          []string // sources and sinks that may have been left alone, and were seen to work
}

// say says how a thing does: what it is, and what was seen or what is wrong.
func (k *checker) say(what, seen string, err error) {
	k.tried++
	if err == nil {
		fmt.Fprintf(k.out, "ok     %-24s %s\n", what, seen)
		return
	}
	k.faults++
	fmt.Fprintf(k.out, "FAULT  %-24s %s\n", what, strings.ReplaceAll(err.Error(), "\n", "\n"+strings.Repeat(" ", 32)))
}

// warn says something that works and may not be meant.
func (k *checker) warn(what, text string) { fmt.Fprintf(k.out, "note   %-24s %s\n", what, text) }

func (k *checker) all(ctx context.Context, file string, getenv func(string) string) {
	c, err := readConfig(file, getenv)
	k.say("config", file, err)
	if err == nil {
		k.everything(ctx, c)
	}
}

// everything tries all that a config names.
func (k *checker) everything(ctx context.Context, c *config) {
	k.client, k.boards = c.newClient(time.Now), map[string]*forum.Board{}
	for i := range c.Sources {
		k.source(ctx, c, i)
	}
	for i := range c.Sinks {
		k.sink(ctx, c, i)
	}
	db, err := store.Open(ctx, c.path(c.Database))
	k.say("database", c.path(c.Database), err)
	if err != nil {
		return
	}
	defer db.Close()
	engine, err := turns.New(c.engine(db))
	if err != nil {
		k.say("rulesets", "", err)
		return
	}
	k.games(ctx, c, engine)
	for _, what := range k.good {
		if err := outbox.TryAgain(ctx, db, what); err != nil {
			k.say("database", "", err)
		}
	}
}

func (k *checker) source(ctx context.Context, c *config, i int) {
	s := c.Sources[i]
	what := "source " + s.Name
	switch s.Kind {
	case kindPipe:
		k.say(what, "'arroba receive' takes its letters", nil)
		return
	case kindLMTP:
		k.door(c, i)
		return
	case kindForum:
		k.forum(ctx, c, i)
		return
	}
	src, err := c.newSource(i, slog.New(slog.DiscardHandler))
	if err != nil {
		k.say(what, "", err)
		return
	}
	if cl, ok := src.(io.Closer); ok {
		defer cl.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	switch src := src.(type) {
	case *imapsrc.Source:
		n, err := src.Check(ctx)
		k.say(what, fmt.Sprintf("logged in to %s as %s; %s holds %d letters", s.addr(), s.User, s.Mailbox, n), connectRemedy(err, s.Server))
	case *maildirsrc.Source:
		n, err := src.Check()
		k.say(what, fmt.Sprintf("%s holds %d letters", c.path(s.Folder), n), remedy(err, "write the path of a Maildir as its folder, one that holds new and cur, and let this user read it"))
	case *mboxsrc.Source:
		k.mbox(what, c.path(s.File), src)
	default:
		_, err := os.ReadDir(c.path(s.Folder))
		k.say(what, c.path(s.Folder), remedy(err, "make the folder, or write another path as its folder"))
	}
}

func (k *checker) mbox(what, file string, src *mboxsrc.Source) {
	size, there, err := src.Check()
	seen := fmt.Sprintf("%s holds %d KB", file, (size+1023)/1024)
	if !there {
		seen = file + " is not there yet; the mail server makes it with the first letter"
	}
	k.say(what, seen, remedy(err, "write the path of the file that the mail server appends to, and let this user read it"))
}

// door tries whether letters can be taken by LMTP.
func (k *checker) door(c *config, i int) {
	s := c.Sources[i]
	what := "source " + s.Name
	server, err := c.newDoor(i, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		k.say(what, "", err)
		return
	}
	answers, err := server.Check()
	seen := s.Listen + " is free to listen at"
	if answers {
		seen = s.Listen + " answers: right if the daemon runs, and another program's otherwise"
	}
	k.say(what, seen, remedy(err, "write another address, or a path in a folder that this user may write to"))
}

func (k *checker) sink(ctx context.Context, c *config, i int) {
	s := c.Sinks[i]
	what := "sink " + s.Name
	if s.Kind == kindForum {
		k.poster(ctx, c, i)
		return
	}
	sink, err := c.newSink(i)
	if err != nil {
		k.say(what, "", err)
		return
	}
	if cl, ok := sink.(io.Closer); ok {
		defer cl.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	out, ok := sink.(*smtpsink.Sink)
	if !ok {
		k.say(what, c.path(s.Folder), nil)
		return
	}
	seen := fmt.Sprintf("connected to %s", s.addr())
	if s.User != "" {
		seen = fmt.Sprintf("logged in to %s as %s", s.addr(), s.User)
	}
	k.say(what, seen, loginRemedy(out.Check(ctx)))
}

func (k *checker) games(ctx context.Context, c *config, e *turns.Engine) {
	files, err := c.gameFiles()
	if err != nil {
		k.say("games", "", err)
	}
	for _, file := range files {
		k.game(ctx, c, e, file)
	}
	list, err := turns.ListGames(ctx, e.DB.Read())
	if err != nil {
		k.say("games", "", err)
	}
	for _, g := range list {
		k.say("game "+g.Name, "its log is as it was written", remedy(e.CheckLog(ctx, g.Name), "restore the database from a backup"))
		if g.Held != "" {
			k.say("game "+g.Name, "", fmt.Errorf("it is held: %s; mend that, then 'arroba game resume %s'", g.Held, g.Name))
		}
	}
}

func (k *checker) game(ctx context.Context, c *config, e *turns.Engine, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		k.say("game file", "", err)
		return
	}
	f, err := turns.ReadGameFile(file, text)
	if err == nil {
		err = e.Check(f)
	}
	if err != nil && (f == nil || !f.Settings.Join.Open) {
		k.say("game file", "", err)
		return
	}
	if err != nil {
		k.warn("game "+f.Name, "with the members in its file it could not be opened: "+err.Error())
	}
	g, err := turns.LoadGame(ctx, e.DB.Read(), f.Name)
	switch {
	case errors.Is(err, turns.ErrUnknownGame):
		k.say("game "+f.Name, file+" is good; 'arroba game create "+file+"' begins it", nil)
	case err != nil:
		k.say("game "+f.Name, "", err)
	case g.Forming():
		k.say("game "+f.Name, "it gathers its players; 'arroba game start "+g.Name+"' opens it", nil)
	default:
		k.say("game "+f.Name, fmt.Sprintf("open since %s", g.Started.In(g.Zone).Format("2006-01-02 15:04 MST")), nil)
	}
	if err == nil {
		for _, d := range f.Differences(g) {
			k.warn("game "+f.Name, d)
		}
	}
	for _, text := range slices.Concat(c.unserved(f), trust(f), c.forumNotes(f)) {
		k.warn("game "+f.Name, text)
	}
	for _, t := range f.Settings.Threads {
		k.thread(ctx, c, e.DB, f, t)
	}
}

// unserved says which of a game's addresses the config has nothing for, and who is written to where letters are read.
func (c *config) unserved(f *turns.GameFile) []string {
	var notes []string
	if !slices.ContainsFunc(c.Sources, func(s sourceConfig) bool {
		return s.Kind != kindForum && (f.Mailbox == "" || strings.EqualFold(s.Address, f.Mailbox))
	}) {
		notes = append(notes, "its players write to "+f.Mailbox+", and no [[source]] has that address: their letters arrive only if another's mailbox gets them")
	}
	if !slices.ContainsFunc(c.Sinks, func(s sinkConfig) bool {
		return s.Kind != kindForum && (f.Sender == "" || strings.EqualFold(s.From, f.Sender))
	}) {
		notes = append(notes, "it writes from "+f.Sender+", and no [[sink]] has that from: its mails go by "+c.mailSink().Name+", whose server may refuse them")
	}
	for _, m := range f.Members {
		if slices.ContainsFunc(m.Addresses, func(a string) bool { return strings.EqualFold(a, f.Mailbox) }) {
			notes = append(notes, m.Nick+" has the mailbox's own address: what he is told arrives among the letters and may be marked as read; another address lets him notice it")
		}
	}
	return notes
}

// trust says what a game's authentication means for those who write to it.
func trust(f *turns.GameFile) []string {
	var notes []string
	switch f.Settings.Authentication {
	case turns.AuthNone:
		notes = append(notes, "letters are believed by their From address alone, which anybody can forge; write authentication = \"dmarc\" if your mail server verifies senders")
	case turns.AuthToken:
		notes = append(notes, "players answer our mails as they are, or write a line TOKEN with their token; the mail server must deliver "+plusAddress(f)+" to the mailbox")
	case turns.AuthPassword:
		notes = append(notes, "players write a line PASSWORD with their password into every letter; tell each his own, by another way than mail if you can")
	}
	for _, nick := range f.Unprovable() {
		notes = append(notes, nick+" has neither a password nor a token, so no letter of his is believed; write password = \"…\" for him")
	}
	for _, nick := range f.ShortTokens() {
		notes = append(notes, "the token of "+nick+" is short: it could be guessed, and is not hidden where it stands in a text; leave it out, and one is drawn")
	}
	return notes
}

// plusAddress is what addresses with a token look like.
func plusAddress(f *turns.GameFile) string {
	local, domain, _ := strings.Cut(cmp.Or(f.Mailbox, "name@its.domain"), "@")
	return local + "+token@" + domain
}

// remedy adds what to do to an error.
func remedy(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; %s", err, what)
}

// loginRemedy adds to what a sink says of a refused log-in.
func loginRemedy(err error) error {
	if err == nil || !strings.Contains(err.Error(), "log-in refused") {
		return err
	}
	return remedy(err, loginHint)
}

// loginHint is what those forget who know their password.
const loginHint = "many providers want a password made for programs, or OAuth2 ('arroba login')"

// connectRemedy adds what to do about a source's server that cannot be used.
func connectRemedy(err error, s Server) error {
	var login *ingest.AuthError
	text := ""
	if err != nil {
		text = err.Error()
	}
	switch {
	case errors.As(err, &login):
		return remedy(err, "check user and password; "+loginHint)
	case strings.Contains(text, "select: "):
		return remedy(err, "write as its mailbox the name of one that is there, as \"INBOX\"")
	case strings.Contains(text, "certificate"):
		return remedy(err, "write the server's name as its certificate has it, or the authority's file as ca_file")
	case strings.Contains(text, "first record does not look like a TLS handshake"):
		return remedy(err, "this port speaks without TLS first: write tls = \"starttls\", or another port")
	case s.TLS == "starttls" && strings.Contains(text, "EOF"):
		return remedy(err, "if this port wants TLS from the start, write tls = \"tls\", or another port")
	case strings.Contains(text, "no such host"):
		return remedy(err, "check host: there is no server of that name")
	}
	return remedy(err, fmt.Sprintf("check host, port and tls (now %s, %d, %s), and that a firewall lets it through", s.Host, s.Port, s.TLS))
}
