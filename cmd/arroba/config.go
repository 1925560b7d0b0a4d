package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest/lmtpsrc"
	"arroba/turns"
)

// config is arroba.toml. Paths in it are relative to its own folder.
type config struct {
	Database string         `toml:"database"`
	Operator string         `toml:"operator"`
	Games    []string       `toml:"games"`
	Log      logConfig      `toml:"log"`
	Board    boardConfig    `toml:"board"`
	Limits   limitsConfig   `toml:"limits"`
	Sources  []sourceConfig `toml:"source"`
	Sinks    []sinkConfig   `toml:"sink"`

	file   string
	folder string
	lines  turns.Lines
	getenv func(string) string
	pause  time.Duration // between two requests to a board; the client's own when 0
}

type logConfig struct {
	Level  string `toml:"level"`
	Format string `toml:"format"`
}

type boardConfig struct {
	Listen string `toml:"listen"`
	URL    string `toml:"url"`
}

// Login is how a program shows a server who it is: a password from a file or the environment, or OAuth2.
type Login struct {
	User         string `toml:"user"`
	PasswordFile string `toml:"password_file"`
	PasswordEnv  string `toml:"password_env"`
	TokenFile    string `toml:"token_file"`
}

// Key is a key for the API of a board.
type Key struct {
	KeyFile string `toml:"key_file"`
	KeyEnv  string `toml:"key_env"`
}

// Server is where a mail server is and how its connection is kept private.
type Server struct {
	Host   string `toml:"host"`
	Port   int    `toml:"port"`
	TLS    string `toml:"tls"`
	CAFile string `toml:"ca_file"`
}

func (s Server) addr() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

type sourceConfig struct {
	Name    string `toml:"name"`
	Kind    string `toml:"kind"`
	Address string `toml:"address"`
	Server
	Login
	Key
	Mailbox  string   `toml:"mailbox"`
	Done     string   `toml:"done"`
	MoveTo   string   `toml:"move_to"`
	First    string   `toml:"first"`
	Poll     duration `toml:"poll"`
	MaxSize  int64    `toml:"max_size"`
	Folder   string   `toml:"folder"`
	File     string   `toml:"file"`
	TimeZone string   `toml:"timezone"`
	Listen   string   `toml:"listen"`

	URL       string          `toml:"url"` // of a board
	Board     string          `toml:"board"`
	Charset   string          `toml:"charset"`
	Dates     string          `toml:"dates"`
	Selectors forum.Selectors `toml:"selectors"`
}

// Whether letters of the source are handed over, rather than looked for. Such a source is no feed that anything waits
// for: all that was handed over by an instant has been taken by then.
func (s sourceConfig) handedOver() bool { return s.Kind == kindLMTP || s.Kind == kindPipe }

// The kinds of sources and sinks.
const (
	kindIMAP    = "imap"
	kindMaildir = "maildir"
	kindMbox    = "mbox"
	kindFolder  = "folder"
	kindLMTP    = "lmtp"
	kindPipe    = "pipe"
	kindSMTP    = "smtp"
	kindForum   = "forum"
)

type sinkConfig struct {
	Name string `toml:"name"`
	Kind string `toml:"kind"`
	From string `toml:"from"`
	Server
	Login
	Key
	Hello       string `toml:"hello"`
	VERP        bool   `toml:"verp"`
	Connections int    `toml:"connections"`
	Folder      string `toml:"folder"`

	Source string `toml:"source"`  // the board to post on
	UserID string `toml:"user_id"` // of the account there
	Limit  int    `toml:"limit"`   // characters of a post

	Moderated bool `toml:"moderated"` // its posts wait for a moderator
}

// duration is a time.Duration written as "90s" or "5m".
type duration struct{ time.Duration }

func (d *duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("%q is no length of time; write a number and its unit, as \"90s\" or \"5m\"", b)
	}
	d.Duration = v
	return nil
}

// readConfig reads and checks a config file. Every error names the file, the line, the key and what to write instead.
func readConfig(file string, getenv func(string) string) (*config, error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &exitError{2, fmt.Errorf("reading the config: %w; name it with -c FILE; 'arroba init DIR' writes one to begin with", err)}
	case err != nil:
		return nil, &exitError{2, fmt.Errorf("reading the config: %w; let this user read it", err)}
	}
	c := &config{file: file, folder: filepath.Dir(file), getenv: getenv}
	c.lines, err = turns.DecodeStrict(file, text, c)
	if err == nil {
		c.setDefaults()
		err = c.check()
	}
	if err != nil {
		return nil, &exitError{2, err}
	}
	return c, nil
}

func (c *config) setDefaults() {
	c.Database = cmp.Or(c.Database, "arroba.db")
	c.Log.Level = cmp.Or(c.Log.Level, "info")
	c.Log.Format = cmp.Or(c.Log.Format, "text")
	c.Limits.setDefaults()
	for i := range c.Sources {
		s := &c.Sources[i]
		s.TLS = cmp.Or(s.TLS, "tls")
		s.Port = cmp.Or(s.Port, map[string]int{"tls": 993}[s.TLS], 143)
		s.Mailbox = cmp.Or(s.Mailbox, "INBOX")
		s.Done = cmp.Or(s.Done, map[string]string{kindIMAP: "flag", kindMaildir: "flag", kindFolder: "move"}[s.Kind])
		s.First = cmp.Or(s.First, "all")
		s.Poll.Duration = cmp.Or(s.Poll.Duration, map[string]time.Duration{kindMaildir: 5 * time.Second, kindMbox: 5 * time.Second, kindForum: pollForum}[s.Kind], time.Minute)
		s.MaxSize = cmp.Or(s.MaxSize, c.Limits.bytes())
	}
	for i := range c.Sinks {
		s := &c.Sinks[i]
		s.TLS = cmp.Or(s.TLS, "starttls")
		s.Port = cmp.Or(s.Port, map[string]int{"tls": 465}[s.TLS], 587)
	}
}

// at makes an error about a key: file, line, key and remedy.
func (c *config) at(key, format string, a ...any) error {
	return fmt.Errorf("%s:%d: %s: %s", c.file, c.lines.At(key), key, fmt.Sprintf(format, a...))
}

func (c *config) oneOf(key, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return c.at(key, "%q is not known here; write one of %s", value, strings.Join(choices, ", "))
}

func (c *config) check() error {
	checks := []func() error{c.checkTop, c.checkNames, c.checkLimits}
	for i := range c.Sources {
		checks = append(checks, func() error { return c.checkSource(fmt.Sprintf("source.%d", i), c.Sources[i]) })
	}
	for i := range c.Sinks {
		checks = append(checks, func() error { return c.checkSink(fmt.Sprintf("sink.%d", i), c.Sinks[i]) })
	}
	for _, f := range checks {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func (c *config) checkTop() error {
	if err := c.oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error"); err != nil {
		return err
	}
	if err := c.oneOf("log.format", c.Log.Format, "text", "json"); err != nil {
		return err
	}
	if c.Board.Listen != "" {
		if _, _, err := net.SplitHostPort(c.Board.Listen); err != nil {
			return c.at("board.listen", "%v; write an address and a port, as \"127.0.0.1:8080\"", err)
		}
	}
	if u, err := url.Parse(c.Board.URL); c.Board.URL != "" && (err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Host == "") {
		return c.at("board.url", "%q is no address of a web page; write it as \"https://games.example.org\"", c.Board.URL)
	}
	if c.Operator == "" {
		return c.at("operator", "is missing; write the mail address of the person who runs this server: alarms go there")
	}
	if err := c.address("operator", c.Operator); err != nil {
		return err
	}
	if len(c.Sources) == 0 {
		return c.at("source", "there is none; write a [[source]] to read letters from")
	}
	if len(c.Sinks) == 0 {
		return c.at("sink", "there is none; write a [[sink]] to send answers by")
	}
	if !slices.ContainsFunc(c.Sinks, func(s sinkConfig) bool { return s.Kind != kindForum }) {
		return c.at("sink", "there is none for mail; write a [[sink]] of kind \"smtp\" besides: receipts and alarms are mailed")
	}
	return nil
}

func (c *config) checkNames() error {
	seen := map[string]string{}
	once := func(key, name string) error {
		if name == "" {
			return c.at(key, "is missing; any word that is unique in this file")
		}
		if other := seen[name]; other != "" {
			return c.at(key, "%q is the name of %s already; write another", name, other)
		}
		seen[name] = key
		return nil
	}
	for i, s := range c.Sources {
		if err := once(fmt.Sprintf("source.%d.name", i), s.Name); err != nil {
			return err
		}
	}
	for i, s := range c.Sinks {
		if err := once(fmt.Sprintf("sink.%d.name", i), s.Name); err != nil {
			return err
		}
	}
	return nil
}

func (c *config) checkSource(key string, s sourceConfig) error {
	if err := c.oneOf(key+".kind", s.Kind, kindIMAP, kindMaildir, kindMbox, kindFolder, kindLMTP, kindPipe, kindForum); err != nil {
		return err
	}
	if s.Kind == kindForum {
		return c.checkForum(key, s)
	}
	if err := c.address(key+".address", s.Address); err != nil {
		return err
	}
	if s.Poll.Duration < time.Second {
		return c.at(key+".poll", "%v is too often; write 1s or more, as \"1m\"", s.Poll.Duration)
	}
	if s.MaxSize < 0 {
		return c.at(key+".max_size", "%d is no size; write how many bytes a letter may have, or leave it out", s.MaxSize)
	}
	switch s.Kind {
	case kindMaildir:
		if err := c.checkFolder(key, s.Folder, "Maildir, which holds new and cur"); err != nil {
			return err
		}
		return c.checkDone(key, s, "folder inside the Maildir")
	case kindMbox:
		return c.checkMbox(key, s)
	case kindFolder:
		if err := c.oneOf(key+".done", s.Done, "move", "keep"); err != nil {
			return err
		}
		return c.checkFolder(key, s.Folder, "folder for .eml files")
	case kindLMTP:
		return c.checkListen(key, s.Listen)
	case kindPipe:
		return nil
	}
	if err := c.checkDone(key, s, "mailbox"); err != nil {
		return err
	}
	if err := c.oneOf(key+".first", s.First, "all", "new"); err != nil {
		return err
	}
	return c.checkServer(key, s.Server, s.Login)
}

// checkDone checks what becomes of letters that were dealt with, where they can be moved to something.
func (c *config) checkDone(key string, s sourceConfig, something string) error {
	if err := c.oneOf(key+".done", s.Done, "flag", "move", "keep"); err != nil {
		return err
	}
	if s.Done == "move" && s.MoveTo == "" {
		return c.at(key+".move_to", "is missing; name the %s that done letters are moved to, or write done = \"flag\"", something)
	}
	return nil
}

func (c *config) checkMbox(key string, s sourceConfig) error {
	if s.File == "" {
		return c.at(key+".file", "is missing; write the path of the file that the mail server appends to, as \"/var/mail/gm\"")
	}
	if s.Done != "" && s.Done != "keep" {
		return c.at(key+".done", "%q cannot be: nothing is written to an mbox; write \"keep\", or leave it out", s.Done)
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil {
		return c.at(key+".timezone", "%v; write a name as \"Europe/Berlin\", or leave it out for this machine's", err)
	}
	return nil
}

// checkListen checks where mail servers bring letters.
func (c *config) checkListen(key, listen string) error {
	if listen == "" {
		return c.at(key+".listen", "is missing; write where the mail server brings letters, as \"127.0.0.1:2400\" or the path of a socket")
	}
	if err := lmtpsrc.CheckListen(listen); err != nil {
		return c.at(key+".listen", "%v", err)
	}
	for i, other := range c.Sources {
		if at := fmt.Sprintf("source.%d", i); at != key && other.Kind == kindLMTP && other.Listen == listen {
			return c.at(key+".listen", "%s listens there too; write another address", at)
		}
	}
	return nil
}

func (c *config) checkFolder(key, folder, what string) error {
	if folder == "" {
		return c.at(key+".folder", "is missing; write the path of a %s", what)
	}
	return nil
}

func (c *config) checkSink(key string, s sinkConfig) error {
	if err := c.oneOf(key+".kind", s.Kind, kindSMTP, kindFolder, kindForum); err != nil {
		return err
	}
	if s.Kind == kindForum {
		return c.checkForumSink(key, s)
	}
	if err := c.address(key+".from", s.From); err != nil {
		return err
	}
	if s.Kind == kindFolder {
		return c.checkFolder(key, s.Folder, "folder for .eml files")
	}
	return c.checkServer(key, s.Server, s.Login)
}

func (c *config) checkServer(key string, s Server, l Login) error {
	if err := c.oneOf(key+".tls", s.TLS, "tls", "starttls", "none"); err != nil {
		return err
	}
	if s.Host == "" {
		return c.at(key+".host", "is missing; write the name of the mail server")
	}
	if s.Port < 1 || s.Port > 65535 {
		return c.at(key+".port", "%d is no port; write 1 to 65535, or leave it out", s.Port)
	}
	ways := 0
	for _, w := range []string{l.PasswordFile, l.PasswordEnv, l.TokenFile} {
		if w != "" {
			ways++
		}
	}
	switch {
	case l.User == "" && ways > 0:
		return c.at(key+".user", "is missing; write the name to log in with")
	case l.User != "" && ways != 1:
		return c.at(key+".user", "write exactly one of password_file, password_env and token_file beside it")
	}
	return nil
}

func (c *config) address(key, a string) error {
	if p, err := mail.ParseAddress(a); err != nil || p.Address != a {
		return c.at(key, "%q is no mail address; write one as \"gm@example.org\"", a)
	}
	return nil
}

// path makes a path of the config absolute to the config's own folder.
func (c *config) path(p string) string {
	if p == "" || filepath.IsAbs(p) || p == ":memory:" {
		return p
	}
	return filepath.Join(c.folder, p)
}

// gameFiles returns the files that `games` names, patterns filled in. A name that fits no file is an error.
func (c *config) gameFiles() ([]string, error) {
	var files []string
	for i, pattern := range c.Games {
		found, err := filepath.Glob(c.path(pattern))
		if err != nil || len(found) == 0 {
			return nil, c.at(fmt.Sprintf("games.%d", i), "%q fits no file; write the path of a game's file, as \"games/*.toml\"", pattern)
		}
		files = append(files, found...)
	}
	return files, nil
}

// password returns what the login's user logs in with.
func (c *config) password(key string, l Login) (string, error) {
	return c.secret(key+".password", l.PasswordEnv, l.PasswordFile)
}

// secret returns what stands in an environment variable, or in a file: the values of key_env and key_file. It is read when
// it is needed, so that a changed file counts.
func (c *config) secret(key, env, file string) (string, error) {
	if env != "" {
		if v := c.getenv(env); v != "" {
			return v, nil
		}
		return "", c.at(key+"_env", "the environment variable %s is not set; set it, or write %s_file", env, key[strings.LastIndex(key, ".")+1:])
	}
	b, err := os.ReadFile(c.path(file))
	if err != nil {
		return "", c.at(key+"_file", "%v; write the %s into that file, readable by you alone", err, key[strings.LastIndex(key, ".")+1:])
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}
