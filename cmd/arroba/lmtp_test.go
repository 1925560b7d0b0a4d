package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

const lmtpConfig = `operator = "op@example.org"
games = ["lands.toml"]
[[source]]
name = "door"
kind = "lmtp"
address = "mag@lands.example"
listen = "./lmtp"
[[sink]]
name = "out"
kind = "folder"
from = "mag@lands.example"
folder = "out"
`

const lmtpGame = `name = "lands"
ruleset = "heroeslands"
title = "The Lands"
gm = { nick = "Mag", email = "mag@keep.example" }
[[member]]
nick = "Ada"
email = ["ada@example.org"]
[[member]]
nick = "Bo"
email = ["bo@example.org"]
[world]
lands = ["HL3"]
[world.inhabitants.Ada]
gold = 1000
feuds = { HL3 = 5 }
[world.inhabitants.Bo]
feuds = { HL3 = 3 }
`

// TestLettersByLMTP hands letters to a running daemon, which answers when they are carried out and queued.
func TestLettersByLMTP(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "arroba.toml")
	for name, text := range map[string]string{"arroba.toml": lmtpConfig, "lands.toml": lmtpGame} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	arroba := func(ctx context.Context, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := run(ctx, args, nothing, nil, &out, &out); code != 0 {
			t.Fatalf("arroba %v: exit code %d: %s", args, code, &out)
		}
		return out.String()
	}
	arroba(t.Context(), "game", "create", "-c", config, filepath.Join(dir, "lands.toml"))
	if said := arroba(t.Context(), "check", "-c", config); !strings.Contains(said, "./lmtp is free to listen at") {
		t.Errorf("check says %s", said)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan string)
	go func() {
		var log bytes.Buffer
		code := run(ctx, []string{"serve", "-c", config}, nothing, nil, &log, &log)
		ended <- fmt.Sprintf("%sexit code %d", &log, code)
	}()
	conn := dialSocket(t, filepath.Join(dir, "lmtp"))
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	deliver := func(to, letter string) error {
		t.Helper()
		if err := c.Mail("ada@example.org", nil); err != nil {
			return err
		}
		if err := c.Rcpt(to, nil); err != nil {
			return c.Reset()
		}
		w, err := c.Data()
		if err != nil {
			return err
		}
		fmt.Fprint(w, letter)
		return w.Close()
	}
	const letter = "From: ada@example.org\r\nTo: players@lands.example\r\nSubject: A challenge\r\nMessage-ID: <1@example.org>\r\n\r\nCHALLENGE Bo\r\n"
	for _, to := range []string{"mag+lands@lands.example", "mag+lands@lands.example", "nobody@lands.example"} {
		if err := deliver(to, letter); err != nil {
			t.Errorf("deliver to %s: %v", to, err)
		}
	}
	// What the daemon has answered for is there, while it runs.
	list := arroba(t.Context(), "inbox", "list", "-c", config)
	if strings.Count(list, "ada@example.org") != 2 || strings.Count(list, "the same letter came before") != 1 {
		t.Errorf("the inbox:\n%s", list)
	}
	if said := arroba(t.Context(), "check", "-c", config); !strings.Contains(said, "./lmtp answers") {
		t.Errorf("check says %s", said)
	}
	stop()
	if log := <-ended; strings.Contains(log, "level=ERROR") || !strings.HasSuffix(log, "exit code 0") {
		t.Errorf("the daemon's log:\n%s", log)
	}
	arroba(t.Context(), "serve", "--once", "-c", config)
	receipts := 0
	files, _ := filepath.Glob(filepath.Join(dir, "out", "*.eml"))
	for _, f := range files {
		if mail, err := os.ReadFile(f); err == nil && bytes.Contains(mail, []byte("Subject: [lands] Re: A challenge")) {
			receipts++
		}
	}
	if receipts != 1 {
		t.Errorf("%d receipts in %q", receipts, files)
	}
}

// dialSocket connects to a socket as soon as somebody listens there.
func dialSocket(t *testing.T, socket string) net.Conn {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return conn
		}
		if time.Now().After(limit) {
			t.Fatal(err)
		}
	}
}
