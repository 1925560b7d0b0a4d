package turns

import (
	"fmt"
	"slices"
	"strings"
)

// Differences says, a line each, where a game.toml and the game that was opened from it differ by now. The file was
// read once, at the opening: what was changed in it since has no effect.
func (f *GameFile) Differences(g *Game) []string {
	var out []string
	differ := func(what, file, game string) {
		if file != game {
			out = append(out, fmt.Sprintf("%s is %q in %s and %q in the game; the game's counts", what, file, f.name, game))
		}
	}
	differ("ruleset", f.Ruleset, g.Ruleset)
	differ("title", f.Title, g.Title)
	differ("language", f.Language, g.Language)
	differ("timezone", f.Zone.String(), g.Zone.String())
	if f.Mailbox != "" {
		differ("mailbox", f.Mailbox, g.Mailbox)
	}
	if f.Sender != "" {
		differ("from", f.Sender, g.Sender)
	}
	differ("authentication", f.Settings.Authentication, g.Settings.Authentication)
	differ("authserv_id", f.Settings.AuthservID, g.Settings.AuthservID)
	differ("copies", strings.Join(f.Copies, ", "), strings.Join(g.Copies, ", "))
	for _, m := range f.Members {
		now := g.seat(m.Seat)
		if now == nil {
			out = append(out, fmt.Sprintf("%s is a member in %s and not in the game; the game's members count", m.Nick, f.name))
			continue
		}
		differ(m.Nick+"'s role", string(m.Role), string(now.Role))
		differ(m.Nick+"'s addresses", strings.Join(m.Addresses, ", "), strings.Join(now.Addresses, ", "))
	}
	for _, m := range g.Members {
		if !slices.ContainsFunc(f.Members, func(o Member) bool { return o.Seat == m.Seat }) {
			out = append(out, fmt.Sprintf("%s is a member in the game and not in %s; the game's members count", m.Nick, f.name))
		}
	}
	return out
}
