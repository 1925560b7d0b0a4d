package main

import (
	"context"
	_ "embed"
	"io"
	"slices"
	"time"
)

// tale is a story that the demo can play, and how it is told.
type tale struct {
	title, about  string
	read          func() (*scenario, error)
	tell          func(*stage, context.Context, io.Writer, scene) error
	end           func(*stage, context.Context, io.Writer) error // what is told after the last scene; nil: nothing
	pause         time.Duration                                  // between two scenes, for who watches
	writer, order string                                         // proposed when the story is over: somebody, and what he could write
}

// spring is a scenario like any other.
//
//go:embed story/spring.txtar
var spring []byte

var springStory = tale{
	title: "THE MARQUISE'S SPRING, a play of the Heroes Lands",
	about: `The lords of one Land write to their Magistrate, each from another mail
program, and in the Tavern, a thread on a forum. Every letter goes by SMTP
into a mailbox, is read by IMAP, ruled on, and answered by SMTP; the thread is
read and posted to as it is on any board: nothing here is acted.`,
	read:   func() (*scenario, error) { return readScenario("spring", spring) },
	tell:   (*stage).write,
	pause:  3 * time.Second,
	writer: "Edric", order: "CHALLENGE Rosamund",
}

// rounds is a scenario like any other.
//
//go:embed story/rounds.txtar
var rounds []byte

var roundsStory = tale{
	title: "THE WARS OF THE ROSES, three Rounds of Kingmaker",
	about: `Three factions lead their nobles over the map of England. They write to the
Game Master and in the Tavern, a thread on a forum, in English and in Russian.
Every letter goes by SMTP into a mailbox, is read by IMAP, ruled on, and
answered by SMTP; the results stand in the thread, and the map on the board.`,
	read:   func() (*scenario, error) { return readScenario("rounds", rounds) },
	tell:   (*stage).write,
	pause:  3 * time.Second,
	writer: "Anna", order: "Percy MOVES TO Tyneside",
}

// year is what is written within a year in the sample world.
//
//go:embed story/year.txtar
var year []byte

var yearStory = tale{
	title: "A YEAR OF THE THREE LANDS, a chronicle of the Heroes Lands",
	about: `Forty lords write to their Magistrate and in the Tavern, in English and in
Russian. Every letter goes by SMTP into a mailbox, is read by IMAP, ruled on,
and answered by SMTP; the Tavern is a thread on a forum, read and posted to as
on any board. Here each letter is told in a few lines, with what was ruled
(the rule's id in brackets), what came of it, and what fell due by itself.`,
	read:   readYear,
	tell:   (*stage).chronicle,
	end:    (*stage).yearsEnd,
	pause:  time.Second / 2,
	writer: "Gervase", order: "CHALLENGE Eluned IN HL3",
}

// readYear makes the scenario of the year: the sample world with a Tavern on the demo's forum, and the letters.
func readYear() (*scenario, error) {
	world, err := sample.ReadFile("sample/heroeslands.toml")
	if err != nil {
		return nil, err
	}
	return readScenario("year", slices.Concat([]byte("-- game.toml --\nforum_names = true\n"), world,
		[]byte("[tavern]\nsource = \"tavern\"\nthread = 1\n"), year))
}
