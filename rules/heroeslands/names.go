package heroeslands

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"arroba/orders"
	"arroba/rules"
)

// cache is what is worked out from the state once and then kept up.
type cache struct {
	nicks   []string
	owners  map[string]map[string]string // by Land: feud to owner, those in store left out
	lexicon orders.Lexicon
	timers  []timer           // sorted; nil when unknown
	wars    map[string][]*War // open ones by who is in them; nil when unknown
}

// feudOwners returns who owns which feud of a Land.
func (s *State) feudOwners(land string) map[string]string {
	if s.cache.owners == nil {
		s.cache.owners = map[string]map[string]string{}
		for _, l := range s.Lands {
			s.cache.owners[l] = map[string]string{}
		}
		for nick, p := range s.Inhabitants {
			for l, st := range p.In {
				for _, f := range st.Feuds {
					s.cache.owners[l][f] = nick
				}
			}
		}
	}
	return s.cache.owners[land]
}

// heroesLand tells that a Land is a version of the game HoMM, so that its number alone names it.
var heroesLand = regexp.MustCompile(`^HL(\d+)$`)

// names returns what orders may name now: land, nick, magistrate, clan, feud, item, tourney.
func (s *State) names() orders.Lexicon {
	if s.cache.lexicon != nil {
		return s.cache.lexicon
	}
	lex := orders.Lexicon{}
	for _, kind := range []string{"land", "nick", magistrate, "clan", "feud", "item", "tourney"} {
		lex[kind] = &orders.Names{}
	}
	lex["item"].Quiet = true // what somebody owns is known to him alone
	s.cache.lexicon = lex
	for _, land := range s.Lands {
		var also []string
		if m := heroesLand.FindStringSubmatch(land); m != nil {
			also = []string{m[1], "HMM" + m[1], "HOMM" + m[1]}
		}
		lex["land"].Add(land, also...)
	}
	lex[magistrate].Add(magistrate, s.magistrateNames()...)
	for _, clan := range s.Clans {
		lex["clan"].Add(clan)
	}
	for _, nick := range s.nicks() {
		lex["nick"].Add(nick)
	}
	for _, land := range s.Lands {
		for _, f := range s.Store[land] {
			lex["feud"].Add(f)
		}
		for _, f := range sorted(s.feudOwners(land)) {
			lex["feud"].Add(f)
		}
	}
	for _, i := range sorted(s.Items) {
		lex["item"].Add(i)
	}
	for _, t := range s.Tourneys {
		lex["tourney"].Add(t.Name)
	}
	return lex
}

// magistrateNames are the names of the treasury's keeper, but those that are an inhabitant's.
func (s *State) magistrateNames() []string {
	names := []string{"МАГИСТРАТ"}
	for _, gm := range s.GMs {
		if s.Inhabitants[gm] == nil {
			names = append(names, gm)
		}
	}
	return names
}

// addName makes a name of a kind known.
func (s *State) addName(kind, name string) { s.names()[kind].Add(name) }

// newName returns the known name of a kind that a text is, or the text itself as a new one.
func (a *act) newName(text, kind string) (string, *rules.Ruling) {
	if ids := a.names()[kind].Find(text); len(ids) > 0 {
		return ids[0], nil
	}
	if badNewName(text) {
		return "", unclear("new-name", rules.Data{"name": text})
	}
	return text, nil
}

// badName tells that something cannot be a name: no order could say it.
func badName(s string) bool { return s == "" || s != orders.Clean(s) }

// badNewName tells that an order cannot make something of that name, for later ones would be hard to read.
func badNewName(s string) bool {
	return badName(s) || utf8.RuneCountInString(s) > 60 || strings.ContainsAny(s, "@,;:") ||
		!strings.ContainsFunc(s, unicode.IsLetter)
}
