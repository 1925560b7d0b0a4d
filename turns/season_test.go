package turns

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

// season is a game that is played at random, the same in every run.
type season struct {
	*rig
	*rand.Rand
	game    string
	members []string // nicks; the first is the GM's
	line    func(*season, string) string
	back    func(*season) string // the GM's letter that takes the game back
	every   time.Duration        // letters come on average
	duels   int                  // that there have been
}

const seasonInputs = 5000

// play plays on until the log has so many inputs, and takes the game back twice on the way.
func (s *season) play() {
	s.Helper()
	backs := 0
	for n := int64(0); n < seasonInputs; n = s.load(s.game).LastInput {
		var batch []ingest.Message
		for range 50 {
			s.now = s.now.Add(time.Duration(s.Int64N(int64(2 * s.every))).Truncate(time.Second))
			batch = append(batch, s.letter())
		}
		s.take(batch...)
		s.duels = s.count(`SELECT COUNT(*) FROM input WHERE game = $1 AND events LIKE '%"duel-declared"%'`, s.game)
		if n > int64(backs+1)*seasonInputs/3 && backs < 2 {
			backs++
			o := s.say(s.address(s.members[0]), s.game+"@play.example", s.back(s))
			if got := s.verdicts(o); got[0] != "accepted E-ROLLBACK" {
				s.Fatalf("the game was not taken back: %v", got)
			}
		}
	}
	if g := s.load(s.game); g.Held != "" || backs != 2 {
		s.Fatalf("the game was taken back %d times, and is held for %q", backs, g.Held)
	}
}

func (s *season) address(nick string) string { return strings.ToLower(nick) + "@x.example" }

// letter is a letter of somebody's: mostly a few orders, now and then with prose and with TEST above.
func (s *season) letter() ingest.Message {
	who := s.members[s.IntN(len(s.members))]
	lines := []string{"Dear all,", ""}
	if s.IntN(40) == 0 {
		lines = []string{"TEST"}
	}
	for range 1 + s.IntN(3) {
		lines = append(lines, s.line(s, who))
	}
	return s.mail(s.address(who), s.game+"@play.example", strings.Join(lines, "\n"))
}

// of picks one of a list.
func of[T any](s *season, list ...T) T { return list[s.IntN(len(list))] }

func (s *season) nick() string { return s.members[1+s.IntN(len(s.members)-1)] }

// check plays the season again and compares.
func (s *season) check(t *testing.T, types ...string) {
	t.Helper()
	got, err := s.Replay(t.Context(), s.game, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Inputs < seasonInputs || got.Snapshots < 3 {
		t.Errorf("%+v", got)
	}
	before := s.encoded(s.game)
	s.forget(s.game)
	if !bytes.Equal(before, s.encoded(s.game)) {
		t.Error("read afresh it stands otherwise")
	}
	for _, typ := range types {
		if n := s.count(`SELECT COUNT(*) FROM input WHERE game = $1 AND events LIKE $2`, s.game, `%"type":"`+typ+`"%`); n < 2 {
			t.Errorf("%d inputs with %s: the season shows too little", n, typ)
		}
	}
}

func (s *season) open(world string) {
	s.Helper()
	text := world
	for i, nick := range s.members {
		if i == 0 {
			text = fmt.Sprintf("gm = { nick = %q, email = %q }\n", nick, s.address(nick)) + text
			continue
		}
		head, rest, _ := strings.Cut(text, "[world]")
		text = head + fmt.Sprintf("[[member]]\nnick = %q\nemail = %q\n", nick, s.address(nick)) + "[world]" + rest
	}
	f, err := ReadGameFile(s.game+".toml", []byte(fmt.Sprintf("name = %q\nmailbox = \"%[1]s@play.example\"\n", s.game)+text))
	if err == nil {
		err = s.Create(s.Context(), f)
	}
	if err != nil {
		s.Fatal(err)
	}
}

var seasonMembers = []string{"Reeve", "Ada", "Bo", "Cuno", "Dag", "Egil", "Frida", "Gerd", "Hauk"}

func TestASeasonOfTheHeroesLands(t *testing.T) {
	s := &season{rig: newRig(t), Rand: rand.New(rand.NewPCG(1, 2)), game: "marches", members: seasonMembers, line: lordsLine, every: 90 * time.Minute,
		back: func(s *season) string { return fmt.Sprintf("ROLLBACK TO EVENT %d\nREDO ALL", s.load(s.game).LastN-150) }}
	world := "ruleset = \"heroeslands\"\n[world]\nlands = [\"HL3\"]\n"
	for i, nick := range s.members[1:] {
		world += fmt.Sprintf("[world.inhabitants.%s]\ngold = 5000\nfeuds = { HL3 = %d }\n", nick, 1+3*i)
	}
	s.open(world)
	s.play()
	s.check(t, "duel-declared", "duel-closed", "vassalage-offered", "offer-lapsed", "gold-moved", "feud-moved", "rank-changed", "rolled-back")
}

// lordsLine is an order of the Heroes Lands.
func lordsLine(s *season, who string) string {
	if who == s.members[0] {
		n := s.duels
		return of(s,
			fmt.Sprintf("CREDIT %d TO %s", 1+s.IntN(900), s.nick()), fmt.Sprintf("GRANT FEUD F%d TO %s", s.IntN(1000), s.nick()),
			fmt.Sprintf("RESULT DUEL %d WINNER %s", max(n-s.IntN(6), 1), s.nick()), fmt.Sprintf("RESULT DUEL %d WINNER %s", max(n-s.IntN(6), 1), s.nick()),
			fmt.Sprintf("RESULT DUEL %d DRAW", max(n-s.IntN(6), 1)), fmt.Sprintf("ANNUL DUEL %d", max(n-s.IntN(6), 1)), "STATUS")
	}
	return of(s, "CHALLENGE "+s.nick(), "CHALLENGE "+s.nick()+" FOR INDEPENDENCE", fmt.Sprintf("GIVE %d TO %s", 1+s.IntN(50), s.nick()),
		"SERVE "+s.nick(), "INVITE "+s.nick(), "ACCEPT VASSALAGE WITH "+s.nick(), "DECLINE VASSALAGE WITH "+s.nick(), "ANNOUNCE VASSALAGE WITH "+s.nick(),
		"RELEASE "+s.nick(), "INDEPENDENCE", fmt.Sprintf("POSTPONE DUEL BY %d DAYS", 1+s.IntN(20)), "GIVE FEUD F7 TO "+s.nick(), "CHALLENG "+s.nick())
}

func TestASeasonOfRounds(t *testing.T) {
	s := &season{rig: newRig(t), Rand: rand.New(rand.NewPCG(3, 4)), game: "muster", members: seasonMembers, line: musterLine, every: 70 * time.Minute,
		back: func(s *season) string {
			n := s.count(`SELECT MAX(round) FROM input WHERE game = $1`, s.game)
			return fmt.Sprintf("ROLLBACK TO ROUND %d\nREDO ALL", n-2)
		}}
	s.open("ruleset = \"muster\"\n[world]\nlasts = \"2d\"\nrounds = 1000\n[[world.places]]\nname = \"Ford\"\nworth = 2\n[[world.places]]\nname = \"Hill\"\nworth = 1\n")
	s.play()
	s.check(t, "round-closed", "place-taken", "drawn", "spied", "deadline-set", "held", "resumed", "rolled-back")
	seed := s.load(s.game).seed
	c, err := VerifyDice(s.game, seed, func(f func(Event) error) error { return EachEvent(t.Context(), s.DB.Read(), s.game, f) })
	if err != nil || c.Draws < 10 || len(c.Wrong)+len(c.Unseen) > 0 {
		t.Errorf("%d draws, wrong %v, unseen %v, %v", c.Draws, c.Wrong, c.Unseen, err)
	}
}

// musterLine is an order of a game with rounds.
func musterLine(s *season, who string) string {
	place := of(s, "Ford", "Hill")
	if who == s.members[0] {
		return of(s, "AWARD 1 TO "+s.nick(), "EXTEND 3h", "PROCESS NOW", "STATUS", of(s, "HOLD", "DEADLINE"), "RESUME", "RESUME")
	}
	return of(s, fmt.Sprintf("SEND %d TO %s", 1+s.IntN(12), place), fmt.Sprintf("SEND %d TO %s", 1+s.IntN(12), place), "SPY ON "+place, "READY", "READY", "WAIT",
		"CANCEL ALL", fmt.Sprintf("CANCEL %d", 1+s.IntN(30)), "WATCHWORD moonstone", "SEND many TO "+place)
}
