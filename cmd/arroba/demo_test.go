package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"arroba/rules/all"
)

// TestDemoPlaysItsStory plays the whole demo: post office, daemon, board.
func TestDemoPlaysItsStory(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"demo", "--once"}, nothing, nil, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	for _, want := range []string{
		"accepted  challenge boris (HL-32)",
		"A machine's mail (auto-reply): it is kept, not obeyed and not answered.",
		"accepted  POSTPONE DUEL BY 10 DAYS (HL-43)",
		"unclear   CHALLENGE Ivor",
		"refused   ВЫЗОВ Rosamund (HL-33)",
		"The same letter came before: it is not obeyed twice.",
		"Nobody writes; time passes.",
		"The story ends here.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the play lacks %q", want)
		}
	}
	if strings.Contains(out.String(), "POSTPONE DUEL BY 30") {
		t.Error("the quoted line was taken for the writer's own")
	}
}

// TestDemoIsTheSameSimulated holds the story against the same scenario played without network: the same rulings.
func TestDemoIsTheSameSimulated(t *testing.T) {
	var acted, simulated bytes.Buffer
	if err := demo(t.Context(), &acted, true, 0); err != nil {
		t.Fatal(err)
	}
	s, err := readScenario("spring", spring)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlay(t.Context(), s, all.Rulesets)
	if err != nil {
		t.Fatal(err)
	}
	defer p.db.Close()
	if err := p.run(t.Context(), "spring", &simulated, false); err != nil {
		t.Fatal(err)
	}
	_, acted2, _ := strings.Cut(acted.String(), "== ")
	acted2, _, _ = strings.Cut(acted2, "The story ends here.")
	_, simulated2, _ := strings.Cut(simulated.String(), "== ")
	if acted2 != simulated2 {
		t.Errorf("by post:\n%s\nsimulated:\n%s", acted2, simulated2)
	}
}

// TestWriteIntoADemo writes the letter that the demo proposes, by the command that it prints.
func TestWriteIntoADemo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := newWatched()
	ended := make(chan error, 1)
	go func() { ended <- demo(ctx, out, false, 0) }()
	printed := out.await(t, "demo write --server ")
	server, _, _ := strings.Cut(printed, " ")
	var said bytes.Buffer
	if code := run(t.Context(), []string{"demo", "write", "--server", server, "CHALLENGE Rosamund"}, nothing, nil, &said, &said); code != 0 {
		t.Fatalf("exit code %d: %s", code, said.String())
	}
	out.await(t, "accepted  CHALLENGE Rosamund (HL-32)")
	if code := run(t.Context(), []string{"demo", "write", "--server", server, "HELP"}, nothing, nil, &said, &said); code != 0 {
		t.Fatalf("exit code %d: %s", code, said.String())
	}
	out.await(t, "| > CHALLENGE <lord>") // the answer itself
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the demo ended with %v", err)
	}
}

// TestLettersOfOneSecond shows letters that arrive together one by one, each with what came of it.
func TestLettersOfOneSecond(t *testing.T) {
	var out bytes.Buffer
	th, err := openTheatre(t.Context(), &out)
	if err != nil {
		t.Fatal(err)
	}
	defer th.close()
	want := []string{"WHO", "a word of no order", "CHALLENGE Ivo", "DEADLINE", "STATUS"}
	for i, line := range want {
		mail := fmt.Sprintf("From: rosamund@hill.example\r\nTo: %s\r\nMessage-ID: <%d@hill.example>\r\n\r\n%s\r\n", th.box, i, line)
		if err := post(th.office.smtpAddr, "rosamund@hill.example", th.box, []byte(mail)); err != nil {
			t.Fatal(err)
		}
	}
	if err := th.show(t.Context()); err != nil {
		t.Fatal(err)
	}
	scenes := strings.Split(out.String(), "\n== ")
	scenes[0] = strings.TrimPrefix(scenes[0], "== ")
	if len(scenes) != len(want) {
		t.Fatalf("%d scenes:\n%s", len(scenes), out.String())
	}
	for i, line := range want {
		kind := "receipt"
		if i == 1 {
			kind = "question"
		}
		if sc := scenes[i]; !strings.Contains(sc, "| "+line+"\n") || strings.Count(sc, "mail to Rosamund") != 1 || !strings.Contains(sc, kind) ||
			strings.Contains(sc, "mail to Ivo") != (line == "CHALLENGE Ivo") {
			t.Errorf("scene %d, of %q:\n%s", i, line, sc)
		}
	}
}

func nothing(string) string { return "" }

// watched is an output in which one can wait for a text.
type watched struct {
	chunks chan string
	seen   string
}

func newWatched() *watched { return &watched{chunks: make(chan string, 10000)} }

func (w *watched) Write(p []byte) (int, error) {
	w.chunks <- string(p)
	return len(p), nil
}

// await waits for a text and returns what was written after it in the same chunk.
func (w *watched) await(t *testing.T, text string) string {
	t.Helper()
	for {
		if _, after, ok := strings.Cut(w.seen, text); ok {
			return after
		}
		select {
		case c := <-w.chunks:
			w.seen += c
		case <-time.After(time.Minute): // ends a test that would hang
			t.Fatalf("%q was never written; only:\n%s", text, w.seen)
		}
	}
}
