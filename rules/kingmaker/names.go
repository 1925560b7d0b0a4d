package kingmaker

import (
	"arroba/orders"
)

// cache is what is worked out from the state once.
type cache struct {
	lexicon orders.Lexicon
}

// names returns what orders may name: faction, noble, ship, heir, place (spaces, sea zones and locations), location, area,
// item and deck.
func (s *State) names() orders.Lexicon {
	if s.cache.lexicon != nil {
		return s.cache.lexicon
	}
	lex := orders.Lexicon{}
	for _, kind := range []string{"faction", "noble", "ship", "heir", "place", "location", "area", "item", "deck"} {
		lex[kind] = &orders.Names{}
	}
	w := s.World
	for _, d := range w.Factions {
		lex["faction"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Nobles {
		lex["noble"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Ships {
		lex["ship"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Heirs {
		lex["heir"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Spaces {
		lex["place"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Seas {
		lex["place"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Locations {
		lex["place"].Add(d.Name, d.Aliases...)
		lex["location"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Areas {
		lex["area"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Items {
		lex["item"].Add(d.Name, d.Aliases...)
	}
	for _, d := range w.Decks {
		lex["deck"].Add(d.Name, d.Aliases...)
	}
	s.cache.lexicon = lex
	return lex
}
