package main

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"arroba/ingest"
	"arroba/turns"
)

// scenario is a game with the letters that come in it, read from a txtar archive.
type scenario struct {
	game  *turns.GameFile
	steps []step
}

// step is one thing that happens in a scenario.
type step struct {
	ID   string
	At   time.Time
	Kind string // mail, post or tick
	Text []byte
}

// readScenario reads a scenario. The error names file, step and reason.
func readScenario(file string, data []byte) (*scenario, error) {
	a := txtar.Parse(data)
	if len(a.Files) == 0 || a.Files[0].Name != "game.toml" {
		return nil, fmt.Errorf("%s: the first file must be game.toml; write a line \"-- game.toml --\" before it", file)
	}
	game, err := turns.ReadGameFile(file+": game.toml", a.Files[0].Data)
	if err != nil {
		return nil, err
	}
	s := &scenario{game: game}
	seen := map[string]bool{}
	for _, f := range a.Files[1:] {
		st, err := readStep(f)
		switch {
		case err != nil:
		case seen[st.ID]:
			err = fmt.Errorf("the id is used twice")
		case len(s.steps) > 0 && st.At.Before(s.steps[len(s.steps)-1].At):
			err = fmt.Errorf("%s is earlier than the step before", st.At.Format(time.RFC3339))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: step %s: %w", file, cmp.Or(st.ID, f.Name), err)
		}
		seen[st.ID] = true
		s.steps = append(s.steps, st)
	}
	return s, nil
}

var (
	field   = regexp.MustCompile(`^[!-9;-~]+:`)
	mboxRow = regexp.MustCompile(`^From \S`)
)

func readStep(f txtar.File) (step, error) {
	words := strings.Fields(f.Name)
	if len(words) != 3 {
		return step{}, fmt.Errorf("write its header as \"-- <id> <time> mail|post|tick --\"")
	}
	st := step{ID: words[0], Kind: words[2], Text: f.Data}
	var err error
	if st.At, err = time.Parse(time.RFC3339, words[1]); err != nil {
		return st, fmt.Errorf("%q is no time; write one as 2026-01-05T10:00:00Z", words[1])
	}
	st.At = st.At.UTC()
	first := bytes.TrimLeft(st.Text, " \t\r\n")
	switch st.Kind {
	case "tick":
		if len(first) > 0 {
			return st, fmt.Errorf("a tick has no text")
		}
	case "mail":
		if !field.Match(first) && !mboxRow.Match(first) {
			return st, fmt.Errorf("the mail has no fields; begin it with \"From: …\"")
		}
	case "post":
		if head(st.Text, "Author") == "" {
			return st, fmt.Errorf("the post has no author; begin it with \"Author: …\"")
		}
	default:
		return st, fmt.Errorf("%q is no kind of step; write mail, post or tick", st.Kind)
	}
	return st, nil
}

// aside tells what a post of a story shows beside what its writer says: what it Quotes, and his Signature. Neither is his
// order.
func (st step) aside() string {
	quotes, signature := head(st.Text, "Quotes"), head(st.Text, "Signature")
	switch {
	case st.Kind != "post" || quotes+signature == "":
		return ""
	case signature == "":
		return "[Above it the post quotes an earlier one: that is not obeyed.]"
	case quotes == "":
		return fmt.Sprintf("[Below it stands the writer's signature, “%s”: that is not obeyed.]", signature)
	}
	return fmt.Sprintf("[Above it the post quotes an earlier one, and below it stands the writer's signature, “%s”: neither is obeyed.]", signature)
}

// head returns the value of a field in the head of a letter, "" when it is not there.
func head(text []byte, name string) string {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			return ""
		}
		if k, v, ok := strings.Cut(line, ":"); ok && strings.EqualFold(k, name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// message makes a step what a source would have brought. Fields that are left out are made up from the step.
func (st step) message(mailbox string) ingest.Message {
	text := bytes.TrimLeft(st.Text, "\r\n")
	add := func(name, value string) {
		if head(text, name) == "" {
			text = append([]byte(name+": "+value+"\n"), text...)
		}
	}
	if st.Kind == "post" {
		add("Post-ID", "step-"+st.ID)
	} else {
		add("Message-ID", "<step-"+st.ID+"@scenario.invalid>")
		add("Date", st.At.Format(time.RFC1123Z))
		add("To", mailbox)
	}
	return ingest.Message{Key: st.ID, Arrived: st.At, Raw: text, Via: st.Kind, Size: int64(len(text))}
}
