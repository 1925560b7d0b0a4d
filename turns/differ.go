package turns

import (
	"cmp"
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
	differ("tavern.name", f.Settings.Tavern, g.Settings.Tavern)
	differ("thread", threadWords(f.Settings.Threads), threadWords(g.Settings.Threads))
	differ("anonymous_press", fmt.Sprint(f.Settings.AnonymousPress), fmt.Sprint(g.Settings.AnonymousPress))
	differ("press_copies", fmt.Sprint(f.Settings.PressCopies), fmt.Sprint(g.Settings.PressCopies))
	differ("pictures", fmt.Sprint(!f.Settings.NoPictures), fmt.Sprint(!g.Settings.NoPictures))
	differ("register", cmp.Or(f.Settings.Register, RegisterGM), cmp.Or(g.Settings.Register, RegisterGM))
	differ("forum_names", fmt.Sprint(f.Settings.ForumNames), fmt.Sprint(g.Settings.ForumNames))
	differ("join.open", fmt.Sprint(f.Settings.Join.Open), fmt.Sprint(g.Settings.Join.Open))
	differ("join.seats", fmt.Sprint(f.Settings.Join.Seats), fmt.Sprint(g.Settings.Join.Seats))
	differ("join.waiting", f.Settings.Join.waitingWord(), g.Settings.Join.waitingWord())
	now := calendarWords(g.Settings.Calendar)
	for i, in := range calendarWords(f.Settings.Calendar) {
		if in[1] != "" { // what the file does not say is the ruleset's
			differ("calendar."+in[0], in[1], now[i][1])
		}
	}
	differ("copies", copyWords(f.Copies), copyWords(g.Copies))
	for _, m := range f.Members {
		now := g.seat(m.Seat)
		if now == nil {
			out = append(out, fmt.Sprintf("%s is a member in %s and not in the game; the game's members count", m.Nick, f.name))
			continue
		}
		differ(m.Nick+"'s role", string(m.Role), string(now.Role))
		differ(m.Nick+"'s addresses", strings.Join(m.Addresses, ", "), strings.Join(now.Addresses, ", "))
		differ(m.Nick+"'s forum names", accountList(m.Accounts), accountList(now.Accounts))
		out = append(out, f.otherSecrets(m, now)...)
	}
	for _, m := range g.Members {
		if !slices.ContainsFunc(f.Members, func(o Member) bool { return o.Seat == m.Seat }) {
			out = append(out, fmt.Sprintf("%s is a member in the game and not in %s; the game's members count", m.Nick, f.name))
		}
	}
	return out
}

// String is the thread with what is special about it.
func (t Thread) String() string {
	s := t.Name()
	if t.Tavern {
		s += " (Tavern)"
	}
	if t.Edits != "" {
		s += ", edits " + t.Edits
	}
	return s
}

func threadWords(list []Thread) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.String()
	}
	return strings.Join(words, "; ")
}

// accountList is accounts in a line.
func accountList(accounts []Account) string {
	var list []string
	for _, a := range accounts {
		list = append(list, a.String())
	}
	return strings.Join(list, ", ")
}

// otherSecrets says which secrets of a member are others in the file and in the game, without telling them.
func (f *GameFile) otherSecrets(m Member, now *Member) []string {
	var out []string
	kept := key{token: now.token, password: now.password}
	if m.token != "" && !sameSecret(kept.token, m.token) {
		out = append(out, fmt.Sprintf("%s's token in %s is not the one in the game; the game's counts", m.Nick, f.name))
	}
	if m.password != "" && !kept.opens(m.password) {
		out = append(out, fmt.Sprintf("%s's password in %s is not the one in the game; the game's counts", m.Nick, f.name))
	}
	return out
}
