package heroeslands

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// world is the [world] table. Numbers and dates, and what may be written in two ways, are read as they stand and
// checked here, so that a fault names its key and says what is needed.
type world struct {
	Lands       []string                 `toml:"lands"`
	Presenter   string                   `toml:"presenter"`
	Clans       []string                 `toml:"clans"`
	Magistrate  worldMagistrate          `toml:"magistrate"`
	Races       map[string]string        `toml:"races"`
	Ranks       *worldRanks              `toml:"ranks"`
	Capacity    *worldCapacity           `toml:"capacity"`
	Keep        *worldRanks              `toml:"keep"`
	Bonus       map[string]any           `toml:"bonus"`
	Rules       worldRules               `toml:"rules"`
	Inhabitants map[string]worldLandsman `toml:"inhabitants"`
}

type worldMagistrate struct {
	Gold     any                 `toml:"gold"`
	Feuds    map[string][]string `toml:"feuds"`
	Property []worldItem         `toml:"property"`
}

type worldItem struct {
	Name  string `toml:"name"`
	Kind  string `toml:"kind"`
	Level any    `toml:"level"`
}

type worldRanks struct {
	Knight  any `toml:"knight"`
	Baron   any `toml:"baron"`
	Count   any `toml:"count"`
	Marquis any `toml:"marquis"`
	Duke    any `toml:"duke"`
	King    any `toml:"king"`
}

type worldCapacity struct {
	Count   any `toml:"count"`
	Marquis any `toml:"marquis"`
	Duke    any `toml:"duke"`
	King    any `toml:"king"`
}

type worldRules struct {
	OfferDays     any     `toml:"offer_days"`
	CalloutDays   any     `toml:"callout_days"`
	DuelDays      any     `toml:"duel_days"`
	DuelCover     *bool   `toml:"duel_cover"`
	ContinentRule *string `toml:"continent_rule"`
	KRTMonths     any     `toml:"krt_months"`
	BeginDay      any     `toml:"begin_day"`
	FeudPrice     any     `toml:"feud_price"`
	FeudGifts     *string `toml:"feud_gifts"`
}

type worldLandsman struct {
	Gold            any               `toml:"gold"`
	Race            string            `toml:"race"`
	Continent       string            `toml:"continent"`
	Clan            string            `toml:"clan"`
	Offices         map[string]any    `toml:"offices"` // a date, or true
	Feuds           map[string]any    `toml:"feuds"`   // a list of names, or a number
	Property        []worldItem       `toml:"property"`
	Suzerain        map[string]string `toml:"suzerain"`
	Since           map[string]any    `toml:"since"` // dates
	Immunity        map[string]any    `toml:"immunity"`
	IndependenceBar map[string]any    `toml:"independence_bar"`
	WarImmunity     map[string]any    `toml:"war_immunity"`
}

// fault is an error in the world file, with the path of the key it is about.
type fault struct {
	path, what string
}

func (f *fault) Error() string { return f.path + ": " + f.what }

// opener makes a state of a world file. It works on after a fault and keeps the first.
type opener struct {
	*State
	w      world
	in     rules.World
	places map[string]string // the keys at which feuds and items are named
	err    error
}

// openWorld begins a game. Of the rules nothing is checked but what makes a file malformed.
func openWorld(in rules.World, _ *rules.Dice) (*State, []rules.Event, error) {
	o := &opener{in: in, places: map[string]string{}, State: &State{}}
	if err := in.Decode(&o.w); err != nil {
		return nil, nil, err
	}
	o.lands()
	o.settings()
	o.members()
	if o.err == nil {
		o.magistrate()
		o.people()
		o.namesDiffer()
	}
	if o.err == nil {
		o.vassalages()
	}
	return o.State, nil, o.err
}

// fail records a fault at a key.
func (o *opener) fail(path, format string, args ...any) {
	if o.err == nil {
		o.err = &fault{path: path, what: fmt.Sprintf(format, args...)}
	}
}

// key writes a path of keys below [world].
func key(parts ...any) string {
	path := "world"
	for _, p := range parts {
		path += fmt.Sprintf(".%v", p)
	}
	return path
}

// name checks that something can be a name.
func (o *opener) name(path, name string) {
	if badName(name) {
		o.fail(path, "%q cannot be a name: it must have at least one letter, and single blanks only between words", name)
	}
}

// land checks that a Land is one of the game's.
func (o *opener) land(path, land string) bool {
	ok := slices.Contains(o.Lands, land)
	if !ok {
		o.fail(path, "%q is none of the Lands of this game, which are %v", land, o.Lands)
	}
	return ok
}

func (o *opener) lands() {
	if len(o.w.Lands) == 0 {
		o.fail(key("lands"), `a list of at least one Land is needed, as lands = ["HL3"]`)
	}
	for i, land := range o.w.Lands {
		o.name(key("lands"), land)
		if slices.Contains(o.w.Lands[:i], land) {
			o.fail(key("lands"), "%q stands twice", land)
		}
	}
	o.Lands = o.w.Lands
	o.Races = map[string]string{}
	for _, race := range sorted(o.w.Races) {
		o.name(key("races"), race)
		o.Races[race] = o.w.Races[race]
	}
}

// members enters the GMs, the presenter, and the players as inhabitants.
func (o *opener) members() {
	o.Inhabitants = map[string]*Inhabitant{}
	for _, m := range o.in.Members {
		nick := string(m.Seat)
		o.Members = append(o.Members, nick)
		switch m.Role {
		case rules.GM:
			o.GMs = append(o.GMs, nick)
		case rules.Player:
			o.Inhabitants[nick] = o.newInhabitant()
		}
	}
	o.Presenter = o.w.Presenter
	switch {
	case o.Presenter != "" && !slices.Contains(o.Members, o.Presenter):
		o.fail(key("presenter"), "%q is no member of the game", o.Presenter)
	case o.Presenter == "" && len(o.GMs) > 0:
		o.Presenter = o.GMs[0]
	}
}

// mostGold bounds gold in a world file, so that no sum can overflow.
const mostGold = 1_000_000_000_000_000

// gold reads an amount of @, 0 when left out.
func (o *opener) gold(path string, v any) int64 {
	if v == nil {
		return 0
	}
	n, whole := v.(int64)
	if !whole || n < -mostGold || n > mostGold {
		o.fail(path, "a whole number of @ is needed, below 0 for a debt, not %s", shown(v))
	}
	return n
}

func (o *opener) magistrate() {
	o.opens(magistrate, o.gold(key("magistrate.gold"), o.w.Magistrate.Gold))
	o.Store = map[string][]string{}
	o.Items = map[string]*Item{}
	for _, land := range o.Lands {
		o.Store[land] = []string{}
	}
	for _, land := range sorted(o.w.Magistrate.Feuds) {
		path := key("magistrate.feuds", land)
		if !o.land(path, land) {
			return
		}
		for i, f := range o.w.Magistrate.Feuds[land] {
			o.newFeud(fmt.Sprintf("%s[%d]", path, i), land, f)
			o.Store[land] = append(o.Store[land], f)
		}
	}
	o.property(key("magistrate.property"), magistrate, o.w.Magistrate.Property)
}

// newFeud checks a feud that the file names; every feud is named once in a Land.
func (o *opener) newFeud(path, land, feud string) {
	o.name(path, feud)
	if owner := o.owner(land, feud); owner != "" {
		o.fail(path, "the feud %q stands twice in %s; %s has it already (%s)", feud, land, owner, o.places[land+"."+feud])
	}
	o.places[land+"."+feud] = path
}

// property enters items.
func (o *opener) property(path, owner string, items []worldItem) {
	for n, i := range items {
		at := fmt.Sprintf("%s[%d]", path, n)
		o.name(at+".name", i.Name)
		if old := o.Items[i.Name]; old != nil {
			o.fail(at+".name", "%q stands twice; %s has it already (%s)", i.Name, old.Owner, o.places[i.Name])
		}
		o.places[i.Name] = at + ".name"
		item := &Item{Kind: i.Kind, Owner: owner}
		if i.Level != nil {
			item.Level = int(o.number(at+".level", i.Level, 1, 9))
		}
		switch {
		case i.Kind != "mine" && i.Kind != "artifact" && i.Kind != "unit":
			o.fail(at+".kind", "%q is none of mine, artifact, unit", i.Kind)
		case i.Level == nil && i.Kind != "mine":
			o.fail(at+".level", "%s %q needs a level from 1 to 9", i.Kind, i.Name)
		case i.Kind == "mine":
			item.Level = 0
		}
		o.Items[i.Name] = item
	}
}

// people enters the inhabitants that the file names, but for their vassalages.
func (o *opener) people() {
	o.Clans = append([]string{}, o.w.Clans...)
	for _, clan := range o.Clans {
		o.name(key("clans"), clan)
	}
	for _, nick := range sorted(o.w.Inhabitants) {
		o.person(nick, o.w.Inhabitants[nick])
	}
	slices.Sort(o.Clans)
	o.Clans = slices.Compact(o.Clans)
}

func (o *opener) person(nick string, w worldLandsman) {
	path := key("inhabitants", nick)
	o.name(path, nick)
	if nick == magistrate {
		o.fail(path, "the Magistrate's own word cannot be an inhabitant's nick")
	}
	p := o.Inhabitants[nick]
	if p == nil {
		p = o.newInhabitant()
		o.Inhabitants[nick] = p
	}
	o.opens(nick, o.gold(path+".gold", w.Gold))
	p.Race, p.Continent, p.Clan = w.Race, w.Continent, w.Clan
	if p.Continent == "" {
		p.Continent = o.raceContinent(p.Race)
	}
	if p.Clan != "" {
		o.name(path+".clan", p.Clan)
		o.Clans = append(o.Clans, p.Clan)
	}
	o.offices(path+".offices", p, w.Offices)
	for _, land := range sorted(w.Feuds) {
		if o.land(path+".feuds."+land, land) {
			o.feuds(path+".feuds."+land, land, nick, w.Feuds[land])
		}
	}
	o.property(path+".property", nick, w.Property)
	o.bars(path, p, w)
}

// bars enters what keeps others from challenging someone, or him from challenging.
func (o *opener) bars(path string, p *Inhabitant, w worldLandsman) {
	for _, land := range sorted(w.Immunity) {
		if t := o.ahead(path+".immunity."+land, land, w.Immunity[land]); t != nil {
			p.In[land].Immunity = &Immunity{Until: *t}
		}
	}
	for _, land := range sorted(w.IndependenceBar) {
		if t := o.ahead(path+".independence_bar."+land, land, w.IndependenceBar[land]); t != nil {
			p.In[land].Bar = t
		}
	}
	for _, land := range sorted(w.WarImmunity) {
		if o.land(path+".war_immunity."+land, land) {
			p.In[land].WarImmune = o.count(path+".war_immunity."+land, w.WarImmunity[land])
		}
	}
}

// offices enters terms of office; one that is over is none.
func (o *opener) offices(path string, p *Inhabitant, terms map[string]any) {
	for _, office := range sorted(terms) {
		at := path + "." + office
		if !slices.Contains(offices, office) {
			o.fail(at, "%q is none of the offices krt, magister, junior", office)
		}
		switch v := terms[office].(type) {
		case bool:
			if v {
				p.Offices[office] = Office{}
			}
		default:
			if t := o.date(at, v); !t.Before(o.in.Start) {
				p.Offices[office] = Office{Until: &t}
			}
		}
	}
}

// feuds enters someone's feuds: a list of names, or how many.
func (o *opener) feuds(path, land, nick string, v any) {
	var names []string
	at := func(int) string { return path }
	switch v := v.(type) {
	case int64:
		for i := range o.count(path, v) {
			names = append(names, fmt.Sprintf("%s%d", nick, i+1))
		}
	case []any:
		at = func(i int) string { return fmt.Sprintf("%s[%d]", path, i) }
		for i, e := range v {
			name, ok := e.(string)
			if !ok {
				o.fail(at(i), "%v is no name of a feud", e)
			}
			names = append(names, name)
		}
	default:
		o.fail(path, "a list of feuds or their whole number is needed, not %s", shown(v))
	}
	st := o.Inhabitants[nick].In[land]
	owners := o.feudOwners(land)
	for i, f := range names {
		o.newFeud(at(i), land, f)
		owners[f] = nick
	}
	st.Feuds = names
	st.Rank = o.Settings.rankOf(len(names))
}

// mostCount bounds counts in a world file.
const mostCount = 100_000

// count reads a number of things.
func (o *opener) count(path string, v any) int { return int(o.number(path, v, 0, mostCount)) }

// number reads a whole number within bounds; after a fault it is 0.
func (o *opener) number(path string, v any, least, most int64) int64 {
	n, whole := v.(int64)
	if !whole || n < least || n > most {
		o.fail(path, "a whole number from %d to %d is needed, not %s", least, most, shown(v))
		return 0
	}
	return n
}

// shown writes a value so that it is plain why it does not fit: a text in quotes, and 5.0 not as 5.
func shown(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		if v == math.Trunc(v) {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
	}
	return fmt.Sprint(v)
}

// date reads a date; without a zone it is the game's.
func (o *opener) date(path string, v any) time.Time {
	var t time.Time
	switch v := v.(type) {
	case time.Time:
		t = v.UTC()
	case interface {
		AsTime(*time.Location) time.Time
	}:
		t = v.AsTime(o.in.Zone).UTC()
	default:
		o.fail(path, "a date is needed, as 2026-05-01T00:00:00Z, not %s", shown(v))
	}
	if t.Year() >= farYear {
		o.fail(path, "the year %d is too far away; a date before the year %d is needed", t.Year(), farYear)
	}
	return t
}

// ahead reads until when something lasts in a Land; nil when it is over already.
func (o *opener) ahead(path, land string, v any) *time.Time {
	if !o.land(path, land) {
		return nil
	}
	t := o.date(path, v)
	if t.Before(o.in.Start) {
		return nil
	}
	return &t
}

// vassalages enters who serves whom, when all are known.
func (o *opener) vassalages() {
	for _, nick := range o.nicks() {
		w := o.w.Inhabitants[nick]
		for _, land := range sorted(w.Suzerain) {
			o.vassalage(key("inhabitants", nick, "suzerain", land), land, nick, w.Suzerain[land])
		}
		for _, land := range sorted(w.Since) {
			path := key("inhabitants", nick, "since", land)
			if o.land(path, land) {
				o.State.in(land, nick).Since = o.date(path, w.Since[land])
			}
		}
	}
	if o.err != nil {
		return
	}
	for _, nick := range o.nicks() {
		for _, land := range o.Lands {
			if o.serves(land, nick, nick) {
				o.fail(key("inhabitants", nick, "suzerain", land), "%s would serve himself", nick)
				return
			}
			if lord := o.suzerain(land, nick); lord != "" {
				ls := o.State.in(land, lord)
				ls.Vassals = append(ls.Vassals, nick)
			}
		}
	}
	for _, nick := range o.nicks() {
		for _, land := range o.Lands {
			st := o.State.in(land, nick)
			slices.SortFunc(st.Vassals, o.byService(land))
			st.Flag = len(st.Vassals) >= flagVassals
		}
	}
}

// vassalage enters whom someone serves in a Land.
func (o *opener) vassalage(path, land, nick, lord string) {
	if !o.land(path, land) {
		return
	}
	p, l := o.Inhabitants[nick], o.Inhabitants[lord]
	if l == nil {
		o.fail(path, "%q is no inhabitant", lord)
		return
	}
	st := p.In[land]
	switch {
	case st.Rank == Landless:
		o.fail(path, "%s has no feud in %s, so he cannot be a vassal there", nick, land)
	case p.Clan != "":
		o.fail(path, "%s is in a clan, so he cannot be a vassal", nick)
	case st.Rank > l.In[land].Rank:
		o.fail(path, "%s is %s, of higher rank than %s, who is %s", nick, st.Rank, lord, l.In[land].Rank)
	}
	st.Suzerain, st.Since = lord, o.in.Start.UTC()
}

// serves tells whether someone serves a lord in a Land, directly or not; suzerains in a ring end the search.
func (s *State) serves(land, nick, lord string) bool {
	seen := map[string]bool{}
	for l := s.suzerain(land, nick); l != "" && !seen[l]; l = s.suzerain(land, l) {
		if l == lord {
			return true
		}
		seen[l] = true
	}
	return false
}

// namesDiffer looks for names of one list that read alike.
func (o *opener) namesDiffer() {
	var feuds []string
	for _, land := range o.Lands {
		feuds = append(append(feuds, o.Store[land]...), sorted(o.feudOwners(land))...)
	}
	o.differ("lands", o.Lands)
	o.differ("clans", o.Clans)
	o.differ("inhabitants", append(slices.Clone(o.Members), o.nicks()...))
	o.differ("feuds", feuds)
	o.differ("property", sorted(o.Items))
}

func (o *opener) differ(what string, list []string) {
	alike := map[string]string{}
	for _, name := range list {
		fold := orders.Fold(name)
		if old, ok := alike[fold]; ok && old != name {
			o.fail(key(what), "%q and %q read alike, so no order could tell them apart", old, name)
		}
		alike[fold] = name
	}
}

// settings reads the numbers of the rules.
func (o *opener) settings() {
	s := &o.Settings
	*s = Settings{
		Feuds:     PerRank{0, 1, 3, 5, 8, 12, 16},
		Capacity:  PerRank{0, 0, 0, 2, 3, 5, noLimit},
		Keep:      PerRank{0, 0, 2, 3, 5, noLimit, noLimit},
		Bonus:     map[string]int64{"HL2": 15, "HL3": 10, "HL4": 20},
		OfferDays: 30, CalloutDays: 14, DuelDays: 30, DuelCover: true, ContinentRule: "count-marquis",
		KRTMonths: 4, BeginDay: 35, FeudPrice: 500, FeudGifts: "vassals",
	}
	if o.w.Ranks != nil {
		s.Feuds = o.perRank("ranks", o.w.Ranks.list())
		o.rising(s.Feuds)
	}
	if c := o.w.Capacity; c != nil {
		none := any(int64(0))
		s.Capacity = o.perRank("capacity", []any{none, none, c.Count, c.Marquis, c.Duke, c.King})
	}
	if o.w.Keep != nil {
		s.Keep = o.perRank("keep", o.w.Keep.list())
	}
	if o.w.Bonus != nil {
		usual := s.Bonus // names Lands that a game need not have, and so may a file
		s.Bonus = map[string]int64{}
		for _, land := range sorted(o.w.Bonus) {
			if _, known := usual[land]; !known {
				o.land(key("bonus", land), land)
			}
			s.Bonus[land] = o.number(key("bonus", land), o.w.Bonus[land], 0, mostAmount)
		}
	}
	o.rules()
}

func (w *worldRanks) list() []any {
	return []any{w.Knight, w.Baron, w.Count, w.Marquis, w.Duke, w.King}
}

// perRank reads a number for each rank from knight on; one left out has no limit.
func (o *opener) perRank(table string, list []any) (p PerRank) {
	for i, n := range list {
		r := Knight + Rank(i)
		p[r] = noLimit
		if n != nil {
			p[r] = o.count(key(table, r), n)
		}
	}
	return p
}

// rising checks that a higher rank needs more feuds.
func (o *opener) rising(feuds PerRank) {
	last := 0
	for r := Knight; r <= King; r++ {
		if feuds[r] == noLimit {
			continue
		}
		if feuds[r] <= last {
			o.fail(key("ranks", r), "ranks must rise: %d feuds are no more than the %d below", feuds[r], last)
		}
		last = feuds[r]
	}
}

func (o *opener) rules() {
	s, w := &o.Settings, o.w.Rules
	const mostDays = 10_000
	set := func(name string, from any, to *int, least, most int64) {
		if from != nil {
			*to = int(o.number(key("rules", name), from, least, most))
		}
	}
	set("offer_days", w.OfferDays, &s.OfferDays, 0, mostDays)
	set("callout_days", w.CalloutDays, &s.CalloutDays, 0, mostDays)
	set("duel_days", w.DuelDays, &s.DuelDays, 0, mostDays)
	set("krt_months", w.KRTMonths, &s.KRTMonths, 0, mostDays)
	set("begin_day", w.BeginDay, &s.BeginDay, 35, 49)
	if w.FeudPrice != nil {
		s.FeudPrice = o.number(key("rules.feud_price"), w.FeudPrice, 0, mostAmount)
	}
	if w.DuelCover != nil {
		s.DuelCover = *w.DuelCover
	}
	o.choice("rules.continent_rule", w.ContinentRule, &s.ContinentRule, "count-marquis", "marquis", "off")
	o.choice("rules.feud_gifts", w.FeudGifts, &s.FeudGifts, "vassals", "anyone")
}

// choice reads one word of several.
func (o *opener) choice(name string, from *string, to *string, words ...string) {
	if from == nil {
		return
	}
	if !slices.Contains(words, *from) {
		o.fail(key(name), "%q is none of %v", *from, words)
	}
	*to = *from
}
