package main

import (
	"cmp"
	"fmt"

	"arroba/turns"
)

// limitsConfig is the table [limits]: what one letter, and one sender, may cost.
type limitsConfig struct {
	LetterMB     int `toml:"letter_mb"`
	AttachmentMB int `toml:"attachment_mb"`
	Parts        int `toml:"parts"`
	Lines        int `toml:"lines"`

	SenderLimits
	Games map[string]SenderLimits `toml:"games"` // by name; what a game does not say is as above
}

// SenderLimits are those that a game may have of its own.
type SenderLimits struct {
	Unclear     int `toml:"unclear_lines"`
	LettersHour int `toml:"letters_hour"`
	AnswersHour int `toml:"answers_hour"`
	AnswersDay  int `toml:"answers_day"`
	ErrorsHour  int `toml:"errors_hour"`
	GuessesHour int `toml:"guesses_hour"`
	PressDay    int `toml:"press_day"`
}

func (l *limitsConfig) setDefaults() {
	l.LetterMB, l.Parts, l.Lines = cmp.Or(l.LetterMB, 25), cmp.Or(l.Parts, 200), cmp.Or(l.Lines, 20000)
	l.AttachmentMB = cmp.Or(l.AttachmentMB, turns.DefaultMaxAttachment>>20)
	l.SenderLimits = l.SenderLimits.or(SenderLimits{Unclear: 50, LettersHour: 200, AnswersHour: 100, AnswersDay: 500, ErrorsHour: 50, GuessesHour: 5, PressDay: 100})
}

// or fills in what l does not say.
func (l SenderLimits) or(other SenderLimits) SenderLimits {
	return SenderLimits{
		cmp.Or(l.Unclear, other.Unclear), cmp.Or(l.LettersHour, other.LettersHour), cmp.Or(l.AnswersHour, other.AnswersHour),
		cmp.Or(l.AnswersDay, other.AnswersDay), cmp.Or(l.ErrorsHour, other.ErrorsHour),
		cmp.Or(l.GuessesHour, other.GuessesHour), cmp.Or(l.PressDay, other.PressDay),
	}
}

// bytes are how large a letter may be.
func (l limitsConfig) bytes() int64 { return int64(l.LetterMB) << 20 }

// forGames are the limits as the engine takes them: those of all games, and of games that have their own.
func (l limitsConfig) forGames() (turns.Limits, map[string]turns.Limits) {
	of := func(s SenderLimits) turns.Limits {
		return turns.Limits{Size: l.bytes(), Parts: l.Parts, Lines: l.Lines, Unclear: s.Unclear, Letters: s.LettersHour,
			AnswersHour: s.AnswersHour, AnswersDay: s.AnswersDay, ErrorsHour: s.ErrorsHour, Guesses: s.GuessesHour, PressDay: s.PressDay}
	}
	games := map[string]turns.Limits{}
	for name, s := range l.Games {
		games[name] = of(s.or(l.SenderLimits))
	}
	return of(l.SenderLimits), games
}

// checkLimits refuses what would stop all mail.
func (c *config) checkLimits() error {
	if l := c.Limits; l.LetterMB < 1 || l.LetterMB > 1000 || l.AttachmentMB < 1 || l.AttachmentMB > 1000 || l.Parts < 1 || l.Lines < 1 {
		return c.at("limits", "letter_mb and attachment_mb must be 1 to 1000, parts and lines 1 or more")
	}
	if err := c.checkSender("limits", c.Limits.SenderLimits); err != nil {
		return err
	}
	for name, s := range c.Limits.Games {
		if err := c.checkSender("limits.games."+name, s); err != nil {
			return err
		}
	}
	return nil
}

func (c *config) checkSender(key string, s SenderLimits) error {
	for name, n := range map[string]int{"unclear_lines": s.Unclear, "letters_hour": s.LettersHour, "answers_hour": s.AnswersHour,
		"answers_day": s.AnswersDay, "errors_hour": s.ErrorsHour, "guesses_hour": s.GuessesHour, "press_day": s.PressDay} {
		if n < 0 {
			return c.at(fmt.Sprintf("%s.%s", key, name), "%d is too few; write 1 or more, or leave it out for the default", n)
		}
	}
	return nil
}
