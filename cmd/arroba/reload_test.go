package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"arroba/forum/testboard"
	"arroba/ingest"
)

// TestThreadsAreReadOnAfterAReload: in the middle of a walk the config is read again, and says that the board has another
// address now. The thread is read on there, and nothing twice.
func TestThreadsAreReadOnAfterAReload(t *testing.T) {
	v := newTavern(t, tavernGame)
	v.Size = 2
	v.open(t).close()
	for i := range 6 {
		v.Add(testboard.Post{Thread: v.thread, Author: v.oleg.ID, Text: "STATUS", Posted: time.Now().Add(time.Duration(i+1) * time.Second)})
	}
	asked := make(chan string, 100)
	front := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			v.ServeHTTP(w, r)
			if testboard.Reading(r) {
				asked <- r.Host
			}
		}))
		t.Cleanup(s.Close)
		return s
	}
	old, fresh := front(), front()
	file := filepath.Join(v.folder, "arroba.toml")
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	move := func(to string) {
		t.Helper()
		text := strings.Replace(string(first), v.config.Sources[1].URL, to+"/", 1)
		v.write(t, "arroba.toml", text)
	}
	move(old.URL)
	c, err := readConfig(file, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	c.pause = time.Millisecond
	hup := make(chan os.Signal, 1)

	// run runs the daemon of a config until it has asked a host for so many pages, and returns the config that is next.
	run := func(c *config, host string, pages int) *config {
		t.Helper()
		d, err := c.open(t.Context(), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		running, stop := context.WithCancel(t.Context())
		next, ended := make(chan *config, 1), make(chan error, 1)
		go func() {
			defer stop()
			next <- c.awaitNext(running, hup, d)
		}()
		go func() { ended <- d.run(running) }()
		for range pages {
			if got := <-asked; "http://"+got != host {
				t.Errorf("%s was asked, want %s", got, host)
			}
		}
		hup <- syscall.SIGHUP
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := d.close(); err != nil {
			t.Error(err)
		}
		for len(asked) > 0 {
			<-asked
		}
		c = <-next
		c.pause = time.Millisecond
		return c
	}
	move(fresh.URL)
	c = run(c, old.URL, 2)
	c = run(c, fresh.URL, 2)
	d, err := c.open(t.Context(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	for range 2 {
		if err := d.once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := ingest.List(t.Context(), d.db.Read(), "", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 {
		t.Errorf("%d letters: %+v", len(rows), rows)
	}
	for len(asked) > 0 {
		if got := <-asked; "http://"+got != fresh.URL {
			t.Errorf("%s was asked after the reload", got)
		}
	}
}
