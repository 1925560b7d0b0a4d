package heroeslands

import (
	"slices"

	"arroba/rules"
)

// reason is one way to refuse an order, or to ask back: there is a text for each in every language.
type reason struct {
	rule, why string   // rule "" for an unclear order
	keys      []string // the data its text may use
}

// refusals lists every reason.
var refusals = slices.Concat(reasons, calloutReasons, tourneyReasons, warReasons, rosterReasons, beginReasons, stakeReasons, saveReasons)

// reasons are those of vassalages, vassal duels, money, feuds, property and people, and those that several kinds of
// orders share. The lists of the other kinds stand with their orders. Nicks, Lands, feuds and items are names; ranks are landless, knight, baron, count,
// marquis, duke, king; offices are magister, junior, krt; kinds of items are mine, artifact, unit; times are instants.
var reasons = []reason{
	{"HL-01", "", []string{"nick", "rank"}},                                    // who would be suzerain, and his rank
	{"HL-02", "landless", []string{"nick", "land"}},                            // the would-be vassal
	{"HL-02", "rank", []string{"nick", "rank", "suzerain", "suzerain_rank"}},   // the vassal is not of lower rank
	{"HL-02", "higher", []string{"nick", "rank", "suzerain", "suzerain_rank"}}, // OVERRIDE: he is of higher rank
	{"HL-03", "post", nil},                                                    // consent belongs in a mail, not in a post
	{"HL-03", "consents", []string{"nick", "land"}},                           // announced before both consented
	{"HL-04", "place", []string{"nick", "rank", "places"}},                    // the suzerain has no free place
	{"HL-04", "continent", []string{"nick", "continent", "suzerain", "home"}}, // the suzerain's race lives on continent, nick's home is another
	{"HL-07", "vassal", []string{"nick", "clan"}},                             // the would-be vassal is in a clan
	{"HL-07", "clan", []string{"land", "suzerain"}},                           // the writer is a vassal and joins no clan
	{"HL-25", "stranger", []string{"nick", "land"}},                           // not the writer's vassal
	{"HL-25", "twice", []string{"nick"}},                                      // named twice
	{"HL-28", "", []string{"suzerain", "rank", "suzerain_rank"}},              // not of equal rank
	{"HL-32", "", []string{"nick", "clan"}},                                   // a clan member is not challenged
	{"HL-33", "challenger", []string{"rank", "land"}},                         // the writer's rank challenges nobody
	{"HL-33", "landless", []string{"nick", "land"}},                           // the challenged owns no feud
	{"HL-33", "pair", []string{"nick", "rank", "own_rank", "allowed"}},        // allowed: list of ranks
	{"HL-36", "", []string{"amount", "gold"}},                                 // he has gold, and needs amount
	{"HL-37", "initiator", []string{"duel"}},                                  // only the challenged puts property in
	{"HL-37", "limit", []string{"duel"}},                                      // too many items of a kind
	{"HL-37", "level", []string{"item", "level", "most"}},                     // above level 2
	{"HL-38", "", []string{"nick", "land", "until"}},                          // he is immune
	{"HL-39", "", []string{"nick", "land", "suzerain"}},                       // he is a vassal already
	{"HL-40", "suzerain", []string{"nick", "land"}},                           // nick is not the writer's suzerain
	{"HL-40", "property", []string{"duel"}},                                   // no property in an independence duel
	{"HL-41", "", []string{"until"}},                                          // the writer lost such a duel
	{"HL-43", "initiator", []string{"duel"}},                                  // only the challenged postpones
	{"HL-43", "twice", []string{"duel"}},                                      // it was postponed once
	{"HL-43", "late", []string{"duel", "due"}},                                // due is past
	{"HL-43", "earlier", []string{"duel", "due"}},                             // to no later time
	{"HL-43", "month", []string{"duel", "latest"}},                            // by more than a month
	{"HL-44", "challenge", []string{"nick", "duel", "land"}},                  // he is challenged already
	{"HL-44", "service", []string{"nick", "duel", "land"}},                    // he is challenged and enters no vassalage
	{"HL-44", "clan", []string{"duel", "land"}},                               // the writer is challenged and joins no clan
	{"HL-45", "", []string{"nick", "target"}},                                 // the stake would be nick, not target
	{"HL-46", "", []string{"nick", "office", "until"}},                        // until: null for a term without end
	{"HL-76", "", []string{"nick", "land"}},                                   // feuds go to one's own vassals only
	{"HL-80", "release", []string{"nick", "suzerain"}},                        // he is the writer's vassal's vassal
	{"HL-80", "override", []string{"nick", "suzerain"}},                       // suzerain serves nick, directly or not
	{"HL-81", "", nil},                                          // the order is another role's (also the engine's own)
	{"HL-81", "player", nil},                                    // the order is an inhabitant's, the writer the Magistrate
	{"HL-81", "gm", nil},                                        // the order is the Magistrate's
	{"HL-81", "observer", nil},                                  // observers give no orders of the game
	{"HL-82", "", nil},                                          // there is nothing of the kind (also the engine's own)
	{"HL-82", "duel", []string{"duel"}},                         // no such duel of the writer's, or not open
	{"HL-82", "not-open", []string{"duel"}},                     // RESULT, ANNUL: no such open duel
	{"HL-82", "no-duel", nil},                                   // none that the order could mean
	{"HL-82", "fighter", []string{"nick", "duel"}},              // he does not fight in it
	{"HL-82", "offer", []string{"nick", "land"}},                // no offer between the writer and nick
	{"HL-82", "vassalage", []string{"land", "nick"}},            // the writer is no vassal, or not of nick, if one is named
	{"HL-82", "not-vassal", []string{"nick", "land"}},           // OVERRIDE FREE of one who serves nobody
	{"HL-82", "office", []string{"nick", "office"}},             // he does not hold it
	{"HL-82", "no-office", []string{"nick"}},                    // he holds none
	{"HL-82", "clan", nil},                                      // the writer is in no clan
	{"HL-83", "override", []string{"nick"}},                     // OVERRIDE VASSAL of somebody under himself
	{"HL-83", "", nil},                                          // an order to oneself
	{"HL-84", "", []string{"n", "least", "most"}},               // a number out of bounds
	{"HL-85", "", []string{"amount", "gold"}},                   // not enough of his own
	{"HL-86", "feud-not-yours", []string{"feud", "land"}},       //
	{"HL-86", "feud-not-his", []string{"feud", "land", "nick"}}, // TAKE FEUD
	{"HL-86", "feud-owned", []string{"feud", "land", "owner"}},  // GRANT FEUD of an owned one
	{"HL-86", "item-not-yours", []string{"item"}},               //
	{"HL-86", "item-not-his", []string{"item", "nick"}},         // CONFISCATE
	{"HL-86", "item-owned", []string{"item", "owner"}},          // GRANT PROPERTY of an owned one
	{"HL-86", "item-kind", []string{"item", "kind", "level"}},   // GRANT PROPERTY: the one in the store is of another kind or level
	{"HL-86", "item-held", []string{"item", "duel", "war"}},     // it is held for a duel, or a war; 0 for none
	{"HL-86", "item-twice", []string{"item"}},                   // named twice
	{"HL-87", "", []string{"date"}},                             // a date that is past (also the engine's own, then without data)
	{"HL-88", "consent", []string{"nick", "land"}},              // he consented already
	{"HL-88", "agreed", []string{"nick", "land"}},               // both consented already
	{"HL-88", "announced", []string{"nick", "land"}},            // he announced it already
	{"HL-88", "serves", []string{"nick", "land", "suzerain"}},   // nick serves suzerain already
	{"HL-88", "clan", []string{"clan"}},                         // he is in that clan
	{"HL-88", "nick", []string{"nick"}},                         // REGISTER: the nick is in use
	{"HL-88", "address", []string{"address"}},                   // REGISTER: the address is in use, or cannot be one
	{"", "which-land", []string{"slot", "choices"}},             // the Land must be named: those it may mean
	{"", "which-duel", []string{"slot", "choices"}},             // the ids it may mean
	{"", "item-kind", []string{"item"}},                         // GRANT PROPERTY of a new item needs its kind
	{"", "far-date", nil},                                       // a date that no state could keep
	{"", "new-nick", []string{"nick"}},                          // REGISTER: no nick can look like that
	{"", "new-name", []string{"name"}},                          // GRANT of something new: no name can look like that
}

// no refuses an order for one of the reasons above.
func no(rule, why string, data rules.Data) *rules.Ruling {
	r := rules.Refuse(rule, why, data)
	return &r
}

// unclear asks back for one of the reasons above.
func unclear(why string, data rules.Data) *rules.Ruling {
	r := rules.Unclear(why, data)
	return &r
}

// first returns the first refusal, nil when nothing speaks against an order.
func first(checks ...*rules.Ruling) *rules.Ruling {
	for _, r := range checks {
		if r != nil {
			return r
		}
	}
	return nil
}
