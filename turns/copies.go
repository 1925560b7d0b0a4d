package turns

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// What an address of copies may want besides types of events.
const (
	scopePublic   = "public"   // what the Tavern may know
	scopeOfficial = "official" // what is meant for copies
	scopeLand     = "land:"    // with the name of a Land: what happens there
)

// wants tells whether an event is one of those that the address gets. Nothing reaches it that is neither public nor
// official, whatever its scope says.
func (c CopyTo) wants(ev Event, data rules.Data) bool {
	public, official := slices.Contains(ev.Audience, "tavern"), slices.Contains(ev.Audience, "copies")
	if !public && !official {
		return false
	}
	return c.Scope == nil || slices.ContainsFunc(c.Scope, func(word string) bool {
		land, isLand := strings.CutPrefix(word, scopeLand)
		switch {
		case word == scopePublic:
			return public
		case word == scopeOfficial:
			return official
		case isLand:
			name, _ := data["land"].(string)
			return orders.Fold(name) == orders.Fold(land)
		}
		return word == ev.Type
	})
}

// String is the address as game.toml would have it.
func (c CopyTo) String() string {
	s := c.Address
	if c.Scope != nil {
		s += " for " + strings.Join(c.Scope, " ")
	}
	if c.Digest {
		s += " once a day"
	}
	return s
}

// readCopies reads `copies`: addresses, or tables of an address with its scope.
func (f *GameFile) readCopies(t *gameTable) error {
	list, isList := t.Copies.([]any)
	if !isList && t.Copies != nil {
		list = []any{t.Copies}
	}
	for i, item := range list {
		key := fmt.Sprintf("copies.%d", i)
		c, err := f.copyTo(key, item)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(f.Copies, func(o CopyTo) bool { return foldAddress(o.Address) == foldAddress(c.Address) }) {
			return f.at(key, "%s stands there twice; put all that it is to get into one scope", c.Address)
		}
		f.Copies = append(f.Copies, c)
	}
	return nil
}

// copyTo reads one of the copies, an address or a table.
func (f *GameFile) copyTo(key string, item any) (c CopyTo, err error) {
	table, ok := item.(map[string]any)
	if !ok {
		table = map[string]any{"email": item}
	}
	for _, k := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains([]string{"email", "scope", "digest"}, k) {
			return c, f.at(key+"."+k, "this key is not known here; write email, scope or digest")
		}
	}
	if c.Address, ok = table["email"].(string); !ok || !goodAddress(c.Address) {
		return c, f.at(key, "write a mail address, as \"archive@example.org\"")
	}
	if c.Digest, ok = table["digest"].(bool); !ok && table["digest"] != nil {
		return c, f.at(key+".digest", "write true for one mail a day, or false for one whenever something happens")
	}
	if c.Scope, err = f.texts(key+".scope", table["scope"]); err == nil && table["scope"] != nil && len(c.Scope) == 0 {
		err = f.at(key+".scope", "an empty list wants nothing; leave it out for everything public or official")
	}
	return c, err
}

// checkScopes finds words in the scopes of copies that mean nothing in this ruleset.
func (f *GameFile) checkScopes(k *kit) error {
	for i, c := range f.Copies {
		for _, word := range c.Scope {
			land, isLand := strings.CutPrefix(word, scopeLand)
			if word == scopePublic || word == scopeOfficial || isLand && strings.TrimSpace(land) != "" || !isLand && k.texts.Tells(word) {
				continue
			}
			return f.at(fmt.Sprintf("copies.%d.scope", i), "%q is not known here; write \"public\", \"official\", \"land:\" and the name of a Land, or the type of an event of %s, as \"seed-committed\"", word, k.Name)
		}
	}
	return nil
}
