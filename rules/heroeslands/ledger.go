package heroeslands

import (
	"time"

	"arroba/rules"
)

// Gold is kept by double entry: whatever moves goes from one account to another, so that all accounts together are always
// zero. What a game opened with stands on the opening balance, the other way round.

// account is a place where gold can be: the treasury, someone's purse, what is held of his, or the opening balance.
type account *int64

// purse is where someone's spendable gold is, the Magistrate's in the treasury.
func (s *State) purse(who string) account {
	if who == magistrate {
		return &s.Treasury
	}
	return &s.Inhabitants[who].Gold
}

// held is what is set aside of someone's gold.
func (s *State) held(who string) account { return &s.Inhabitants[who].Held }

// move is the one way by which gold moves.
func move(from, to account, amount int64) {
	*from -= amount
	*to += amount
}

// opens pays somebody what he has at the opening.
func (s *State) opens(who string, amount int64) {
	move(&s.Opening, s.purse(who), amount)
	if who == magistrate {
		s.Book.Balance = amount
	}
}

// Book is the treasury's: what it took in and paid out within a year, and the balance before that.
type Book struct {
	Balance int64     // brought forward
	Until   time.Time // of the last entry that is in it; zero when there is none
	Entries []Entry   // by time
}

// Entry is a movement of gold from or to the treasury, with what it was about, if anything.
type Entry struct {
	At        time.Time
	From, To  string // a nick or "magistrate"
	Amount    int64
	Reason    string
	Rule      string
	Duel, War int
	Tourney   string
}

// in is what an entry brings the treasury, less than nothing when it takes from it.
func (e *Entry) in() int64 {
	if e.From == magistrate {
		return -e.Amount
	}
	return e.Amount
}

// enter writes a movement into the treasury's book, if it is one of the treasury's, and folds what is older than a year
// into the balance.
func (a *act) enter(from, to string, amount int64, reason, rule string, about rules.Data) {
	if from != magistrate && to != magistrate {
		return
	}
	e := Entry{At: a.At.UTC(), From: from, To: to, Amount: amount, Reason: reason, Rule: rule}
	e.Duel, _ = about["duel"].(int)
	e.War, _ = about["war"].(int)
	e.Tourney, _ = about["tourney"].(string)
	b := &a.Book
	old, year := 0, addMonths(a.At, a.Zone, -12)
	for old < len(b.Entries) && b.Entries[old].At.Before(year) {
		b.Balance += b.Entries[old].in()
		b.Until = b.Entries[old].At
		old++
	}
	b.Entries = append(b.Entries[old:], e)
}

// viewLedger is the treasury's book as the GM sees it: the page's JSON with a key of its own.
type viewLedger struct {
	Opening int64       `json:"opening"` // the counter-account of all: below zero by what the game opened with
	Balance int64       `json:"balance"` // brought forward
	Until   *time.Time  `json:"until"`   // of the last entry that is in it
	Entries []viewEntry `json:"entries"`
}

type viewEntry struct {
	At      time.Time `json:"at"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Amount  int64     `json:"amount"`
	Balance int64     `json:"balance"` // of the treasury after it
	Reason  string    `json:"reason"`
	Rule    string    `json:"rule"`
	Duel    int       `json:"duel,omitempty"`
	War     int       `json:"war,omitempty"`
	Tourney string    `json:"tourney,omitempty"`
}

// ledger shows the treasury's book.
func (s *State) ledger() *viewLedger {
	v := &viewLedger{Opening: s.Opening, Balance: s.Book.Balance, Entries: []viewEntry{}}
	if !s.Book.Until.IsZero() {
		v.Until = &s.Book.Until
	}
	balance := v.Balance
	for _, e := range s.Book.Entries {
		balance += e.in()
		v.Entries = append(v.Entries, viewEntry{e.At, e.From, e.To, e.Amount, balance, e.Reason, e.Rule, e.Duel, e.War, e.Tourney})
	}
	return v
}
