package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"arroba/board"
	"arroba/forum"
	"arroba/ingest"
	"arroba/ingest/dirsrc"
	"arroba/ingest/imapsrc"
	"arroba/ingest/lmtpsrc"
	"arroba/ingest/maildirsrc"
	"arroba/ingest/mboxsrc"
	"arroba/outbox"
	"arroba/outbox/dirsink"
	"arroba/outbox/smtpsink"
	"arroba/rules/all"
	"arroba/store"
	"arroba/turns"
)

// daemon is everything that a config asks for, ready to run.
type daemon struct {
	log     *slog.Logger
	now     func() time.Time
	db      *store.DB
	engine  *turns.Engine
	readers []*turns.Reader
	threads *turns.Threads
	doors   []door
	ticker  *turns.Ticker
	sender  *outbox.Sender
	board   http.Handler
	listen  string // where the board listens; "" for no board
	client  *forum.Client

	closers []io.Closer // in the order of opening
}

// door is a source that mail servers hand letters to.
type door struct {
	name string
	*lmtpsrc.Server
}

// open opens the database and makes every part. Nothing runs and no server is spoken to yet.
func (c *config) open(ctx context.Context, log *slog.Logger) (_ *daemon, err error) {
	d := &daemon{log: log, now: time.Now, listen: c.Board.Listen}
	d.client = c.newClient(time.Now)
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if d.db, err = store.Open(ctx, c.path(c.Database)); err != nil {
		return nil, err
	}
	d.closers = append(d.closers, d.db)
	settings := c.engine(d.db)
	settings.Log, settings.Steady = log, steady()
	settings.Wake = func() { d.sender.Wake() }
	if d.engine, err = turns.New(settings); err != nil {
		return nil, err
	}
	if err := d.openSources(c); err != nil {
		return nil, err
	}
	if err := d.openSinks(c); err != nil {
		return nil, err
	}
	d.ticker = &turns.Ticker{Engine: d.engine, Readers: d.readers, Threads: d.threads}
	d.board, err = d.newBoard(c.Board.URL)
	return d, err
}

func (d *daemon) openSources(c *config) error {
	boards, err := c.forums(d.client)
	if err != nil {
		return err
	}
	d.threads = c.threads(d.engine, d.log, boards)
	for i, s := range c.Sources {
		switch s.Kind {
		case kindPipe, kindForum: // 'arroba receive' takes its letters; games name the threads
			continue
		case kindLMTP:
			server, err := c.newDoor(i, d.log, d.engine)
			if err != nil {
				return err
			}
			d.doors = append(d.doors, door{s.Name, server})
			continue
		}
		src, err := c.newSource(i, d.log)
		if err != nil {
			return err
		}
		if cl, ok := src.(io.Closer); ok {
			d.closers = append(d.closers, cl)
		}
		d.readers = append(d.readers, &turns.Reader{Engine: d.engine, Name: s.Name, Source: src, Every: s.Poll.Duration})
	}
	return nil
}

func (d *daemon) openSinks(c *config) error {
	byFrom, onForum := map[string]outbox.Sink{}, map[string]outbox.Sink{}
	var first outbox.Sink
	for i, s := range c.Sinks {
		if s.Kind == kindForum {
			sink, err := c.newForumSink(i, d.client)
			if err != nil {
				return err
			}
			onForum[s.Source] = sink
			continue
		}
		sink, err := c.newSink(i)
		if err != nil {
			return err
		}
		if cl, ok := sink.(io.Closer); ok {
			d.closers = append(d.closers, cl)
		}
		if first == nil {
			first = sink
		}
		byFrom[strings.ToLower(c.Sinks[i].From)] = sink
	}
	d.sender = &outbox.Sender{DB: d.db, Now: d.now, Log: d.log, Alarm: d.engine.Tell, Refused: d.engine.Refused, Content: d.engine.Content, Route: func(it outbox.Item) (outbox.Sink, error) {
		if it.Via == "forum" {
			name, _, _ := strings.Cut(it.To, "/")
			if sink := onForum[name]; sink != nil {
				return sink, nil
			}
			return nil, fmt.Errorf("no [[sink]] of kind \"forum\" posts to %s; write one with source = %q", it.To, name)
		}
		if sink := byFrom[strings.ToLower(it.From)]; sink != nil {
			return sink, nil
		}
		return first, nil
	}}
	return nil
}

// newDoor makes the i-th source of the config, which mail servers hand letters to.
func (c *config) newDoor(i int, log *slog.Logger, e *turns.Engine) (*lmtpsrc.Server, error) {
	s := c.Sources[i]
	listen := s.Listen
	if lmtpsrc.IsSocket(listen) {
		listen = c.path(listen)
	}
	server, err := lmtpsrc.New(lmtpsrc.Config{
		Listen: listen, Address: s.Address, MaxSize: s.MaxSize, Log: log.With("source", s.Name),
		Take: func(ctx context.Context, m ingest.Message) error { return take(ctx, e, s.Name, m) },
	})
	if err != nil {
		return nil, c.at(fmt.Sprintf("source.%d.listen", i), "%v", err)
	}
	return server, nil
}

// take rules on a letter that was handed over.
func take(ctx context.Context, e *turns.Engine, source string, m ingest.Message) error {
	_, err := e.Handle(ctx, source, ingest.Batch{Messages: []ingest.Message{m}})
	return err
}

// newSource makes the i-th source of the config, which letters are looked for in.
func (c *config) newSource(i int, log *slog.Logger) (ingest.Source, error) {
	s, key := c.Sources[i], fmt.Sprintf("source.%d", i)
	switch s.Kind {
	case kindFolder:
		return dirsrc.New(dirsrc.Config{Dir: c.path(s.Folder), Move: s.Done == "move", MaxSize: s.MaxSize})
	case kindMaildir:
		src, err := maildirsrc.New(maildirsrc.Config{Dir: c.path(s.Folder), Done: s.Done, MoveTo: s.MoveTo, MaxSize: s.MaxSize})
		if err != nil {
			return nil, c.at(key+".move_to", "%v", err)
		}
		return src, nil
	case kindMbox:
		zone := time.Local
		if s.TimeZone != "" {
			var err error
			if zone, err = time.LoadLocation(s.TimeZone); err != nil {
				return nil, c.at(key+".timezone", "%v", err)
			}
		}
		return mboxsrc.New(mboxsrc.Config{File: c.path(s.File), Zone: zone, MaxSize: s.MaxSize})
	}
	roots, err := c.roots(key, s.CAFile)
	if err != nil {
		return nil, err
	}
	cfg := imapsrc.Config{
		Addr: s.addr(), TLS: s.TLS, RootCAs: roots, User: s.User, Mailbox: s.Mailbox, Done: s.Done, MoveTo: s.MoveTo,
		First: s.First, MaxSize: s.MaxSize, Log: log.With("source", s.Name),
		Password: func() (string, error) { return c.password(key, s.Login) },
	}
	if s.TokenFile != "" {
		cfg.Token = imapsrc.Tokens(c.path(s.TokenFile))
	}
	src, err := imapsrc.New(cfg)
	if err != nil {
		return nil, c.at(key, "%v", err)
	}
	return src, nil
}

// newSink makes the i-th sink of the config.
func (c *config) newSink(i int) (outbox.Sink, error) {
	s, key := c.Sinks[i], fmt.Sprintf("sink.%d", i)
	if s.Kind == kindFolder {
		return dirsink.New(c.path(s.Folder))
	}
	roots, err := c.roots(key, s.CAFile)
	if err != nil {
		return nil, err
	}
	cfg := smtpsink.Config{
		Name: s.Name, Host: s.Host, Port: s.Port, TLS: s.TLS, RootCAs: roots, User: s.User, HELO: s.Hello, Connections: s.Connections, VERP: s.VERP,
	}
	switch {
	case s.TokenFile != "":
		cfg.Token = imapsrc.Tokens(c.path(s.TokenFile))
	case s.User != "":
		if cfg.Password, err = c.password(key, s.Login); err != nil {
			return nil, err
		}
	}
	sink, err := smtpsink.New(cfg)
	if err != nil {
		return nil, c.at(key, "%v", err)
	}
	return sink, nil
}

// roots returns the certificates to trust beside no others, nil for the system's.
func (c *config) roots(key, file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(c.path(file))
	if err != nil {
		return nil, c.at(key+".ca_file", "%v; write the path of a file of PEM certificates, or leave it out", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, c.at(key+".ca_file", "there is no PEM certificate in %s; write the path of a file that has one, or leave it out", file)
	}
	return pool, nil
}

func (d *daemon) newBoard(url string) (http.Handler, error) {
	return board.New(board.Config{
		DB: d.db, Games: d.engine, Rulesets: all.Rulesets, URL: url, Now: d.now, Sources: d.health, Metrics: d.metrics(), Log: d.log,
	})
}

// health tells how each source does, for /healthz.
func (d *daemon) health() []board.Source {
	instant := func(t time.Time) *time.Time {
		if t.IsZero() {
			return nil
		}
		t = t.UTC()
		return &t
	}
	var list []board.Source
	for _, h := range d.sources() {
		s := board.Source{Name: h.Name, Read: instant(h.LastRead), Since: instant(h.Down)}
		if h.Err != nil {
			s.Error = h.Err.Error()
		}
		if _, until, err := ingest.Load(context.Background(), d.db.Read(), h.Name); err == nil {
			s.Until = instant(until)
		}
		list = append(list, s)
	}
	return list
}

// sources tells how each source does, read or handed over.
func (d *daemon) sources() []turns.Health {
	var list []turns.Health
	for _, r := range d.readers {
		list = append(list, r.Health())
	}
	for _, door := range d.doors {
		taken, err := door.Health()
		list = append(list, turns.Health{Name: door.name, LastRead: taken, Err: err})
	}
	return append(list, d.threads.Health()...)
}

func (d *daemon) metrics() http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	reg.MustRegister(d.engine.Metrics.Collectors()...)
	reg.MustRegister(&gauges{d})
	return promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
}

var (
	outboxGauge = prometheus.NewDesc("arroba_outbox_items", "Items of the outbox that are not sent, by state.", []string{"state"}, nil)
	sourceGauge = prometheus.NewDesc("arroba_source_last_read_seconds", "When a source was last read well, in seconds since 1970.", []string{"source"}, nil)
	downGauge   = prometheus.NewDesc("arroba_source_up", "1 when the last attempt to read a source was good, else 0.", []string{"source"}, nil)
)

// gauges are metrics that are looked up when somebody asks.
type gauges struct{ d *daemon }

func (g *gauges) Describe(ch chan<- *prometheus.Desc) {
	ch <- outboxGauge
	ch <- sourceGauge
	ch <- downGauge
}

func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := outbox.Counts(ctx, g.d.db.Read())
	if err != nil {
		ch <- prometheus.NewInvalidMetric(outboxGauge, err)
	}
	for state, n := range counts {
		ch <- prometheus.MustNewConstMetric(outboxGauge, prometheus.GaugeValue, float64(n), state)
	}
	for _, h := range g.d.sources() {
		up := 1.0
		if h.Err != nil {
			up = 0
		}
		ch <- prometheus.MustNewConstMetric(downGauge, prometheus.GaugeValue, up, h.Name)
		if !h.LastRead.IsZero() {
			ch <- prometheus.MustNewConstMetric(sourceGauge, prometheus.GaugeValue, float64(h.LastRead.UnixMilli())/1000, h.Name)
		}
	}
}

// once does one full pass: read, tick, send.
func (d *daemon) once(ctx context.Context) error {
	var errs []error
	for _, r := range d.readers {
		if _, err := r.Once(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	errs = append(errs, d.threads.Once(ctx), d.ticker.Once(ctx))
	_, err := d.sender.Once(ctx)
	return errors.Join(append(errs, err)...)
}

// stopLimit is how long everything has to stop; closing has the rest of the five seconds that are promised.
const stopLimit = 4 * time.Second

// run runs everything until ctx ends, and returns within stopLimit after.
func (d *daemon) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	steps := []func(context.Context) error{d.threads.Run, d.ticker.Run, d.sender.Run}
	for _, r := range d.readers {
		steps = append(steps, r.Run)
	}
	for _, door := range d.doors {
		steps = append(steps, door.Run)
	}
	if d.listen != "" {
		steps = append(steps, d.serveBoard)
	}
	for _, run := range steps {
		group.Go(func() error { return run(ctx) })
	}
	done := make(chan error, 1)
	go func() { done <- group.Wait() }()
	<-ctx.Done()
	select {
	case err := <-done:
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	case <-time.After(stopLimit):
		return errors.New("something did not stop in time; nothing is lost, it goes on at the next start")
	}
}

// serveBoard serves the board until ctx ends.
func (d *daemon) serveBoard(ctx context.Context) error {
	l, err := net.Listen("tcp", d.listen)
	if err != nil {
		return fmt.Errorf("opening the board: %w; write another address as board.listen, or end the program that uses it", err)
	}
	srv := &http.Server{
		Handler: d.board, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
	}
	d.log.Info("the board is open", "address", "http://"+l.Addr().String())
	stop := context.AfterFunc(ctx, func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if srv.Shutdown(ending) != nil {
			srv.Close()
		}
	})
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the board: %w", err)
	}
	return ctx.Err()
}

// close closes what open opened, the last first.
func (d *daemon) close() error {
	var errs []error
	for _, c := range slices.Backward(d.closers) {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
