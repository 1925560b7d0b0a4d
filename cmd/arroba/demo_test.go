package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/forum/testboard"
	"arroba/outbox"
	"arroba/rules/all"
	"arroba/turns"
)

// TestDemoPlaysItsStory plays the whole demo: post office, forum, daemon, board.
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
		"Ivo posts in the Tavern: Re: And Ivo",
		"accepted  POSTPONE DUEL BY 5 DAYS (HL-43)",
		"mail to Aldous               question [lands] a post was changed",
		"Aldous posts in the Tavern: Duel 2",
		"accepted  RESULT DUEL 2 DRAW (HL-31)",
		"accepted  ОБЪЯВИТЬ ВАССАЛИТЕТ С Rosamund (HL-03)",
		"post in the Tavern           marked   lands-4-",
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

// TestTheTavernOfTheDemo: each announcement stands in the thread once, by its marker, and neither what posts quote, nor
// signatures, nor what a post says after it was obeyed, are anybody's orders.
func TestTheTavernOfTheDemo(t *testing.T) {
	th, err := openTheatre(t.Context(), io.Discard, springStory)
	if err != nil {
		t.Fatal(err)
	}
	defer th.close()
	for _, st := range th.story.steps {
		if err := th.play(t.Context(), st); err != nil {
			t.Fatal(err)
		}
	}
	said := map[string]int{} // texts in the thread, and in it by whom
	var ours, quotes, edits, signatures int
	for _, p := range th.tavern.Posts(th.tavern.thread) {
		if p.Author == th.tavern.users[herald] {
			ours++
		}
		quotes += strings.Count(p.Text, "[quote=")
		edits += len(p.Edits)
		for word := range strings.FieldsSeq(p.Text) {
			said[word]++
		}
	}
	items, err := outbox.Since(t.Context(), th.db.Read(), 0)
	if err != nil {
		t.Fatal(err)
	}
	announced := 0
	for _, it := range items {
		if it.Via != "forum" {
			continue
		}
		if announced++; it.State != outbox.Sent || said[it.Marker] != 1 {
			t.Errorf("%s is %s, and stands in the thread %d times", it.Marker, it.State, said[it.Marker])
		}
	}
	if announced < 10 || ours != announced {
		t.Errorf("%d announcements, %d posts of ours", announced, ours)
	}
	for _, id := range th.tavern.users {
		th.tavern.Change(id, func(u *testboard.User) { signatures += strings.Count(u.Signature, "CHALLENGE") })
	}
	if quotes == 0 || edits == 0 || signatures == 0 {
		t.Errorf("the story has %d quotes, %d edits and %d signatures", quotes, edits, signatures)
	}
	inputs, err := turns.Inputs(t.Context(), th.db.Read(), th.story.game.Name, -1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, in := range inputs {
		if in.Seat != "Ivo" || in.Kind != "letter" {
			continue
		}
		body, err := in.DecodeLetter()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range body.Orders {
			lines = append(lines, r.Line)
		}
	}
	if want := []string{"POSTPONE DUEL BY 5 DAYS"}; !slices.Equal(lines, want) {
		t.Errorf("Ivo's orders were %q, want %q", lines, want)
	}
}

// TestDemoIsTheSameSimulated holds the story against the same scenario played without network: the same rulings.
func TestDemoIsTheSameSimulated(t *testing.T) {
	var acted, simulated bytes.Buffer
	if err := demo(t.Context(), &acted, springStory, true, 0); err != nil {
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
	if acted2, simulated2 = alike(acted2), alike(simulated2); acted2 != simulated2 {
		t.Errorf("by post:\n%s\nsimulated:\n%s", acted2, simulated2)
	}
}

var byChance = regexp.MustCompile(`(?m)(marked   lands-\d+-|inbox show )\S+|^ +\| Where: .*\n`)

// alike leaves out of a play what is by chance, and where a post stands.
func alike(play string) string { return byChance.ReplaceAllString(play, "$1") }

// TestWriteIntoADemo writes the letter that the demo proposes, by the command that it prints.
func TestWriteIntoADemo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := newWatched()
	ended := make(chan error, 1)
	go func() { ended <- demo(ctx, out, springStory, false, 0) }()
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

// TestPostIntoADemo writes the post that the demo proposes, by the command that it prints.
func TestPostIntoADemo(t *testing.T) {
	t.Parallel() // it waits, as boards like it
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := newWatched()
	ended := make(chan error, 1)
	go func() { ended <- demo(ctx, out, springStory, false, 0) }()
	thread, _, _ := strings.Cut(out.await(t, `demo write --post "`), `"`)
	var said bytes.Buffer
	if code := run(t.Context(), []string{"demo", "write", "--post", thread, "--as", "Edric", "[quote=Ivo]LEAVE GAME[/quote]", "CHALLENGE Rosamund"}, nothing, nil, &said, &said); code != 0 {
		t.Fatalf("exit code %d: %s", code, said.String())
	}
	out.await(t, "Edric posts in the Tavern: ")
	out.await(t, "accepted  CHALLENGE Rosamund (HL-32)")
	if strings.Contains(out.seen, "LEAVE GAME") {
		t.Error("the quote was read")
	}
	_, out.seen, _ = strings.Cut(out.seen, "Edric posts in the Tavern: ")
	out.await(t, "post in the Tavern           marked")
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the demo ended with %v", err)
	}
}

// TestLettersOfOneSecond shows letters that arrive together one by one, each with what came of it.
func TestLettersOfOneSecond(t *testing.T) {
	var out bytes.Buffer
	th, err := openTheatre(t.Context(), &out, springStory)
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
