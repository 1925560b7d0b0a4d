package ingest

import (
	"database/sql"
	"fmt"
	"reflect"
	"testing"
)

func TestWaiting(t *testing.T) {
	db := openStore(t)
	early, late, done, other := row(2), row(1), row(3), row(4)
	early.Status, late.Status, other.Status, other.Game = Waiting, Waiting, Waiting, "kings"
	write(t, db, func(tx *sql.Tx) error {
		if _, err := Insert(t.Context(), tx, []Row{late, done, early, other}); err != nil {
			return err
		}
		games, err := GamesWaiting(t.Context(), tx)
		if want := []string{"kings", "lands"}; !reflect.DeepEqual(games, want) {
			t.Errorf("games %v, want %v", games, want)
		}
		if err != nil {
			return err
		}
		list, _, err := WaitingOf(t.Context(), tx, "lands", 10)
		if err != nil {
			return err
		}
		if want := []Row{early, late}; !reflect.DeepEqual(list, want) {
			t.Errorf("waiting %v, want %v", list, want)
		}
		got, err := Statuses(t.Context(), tx, "mail", []string{early.Key, done.Key, "INBOX/7/99"})
		if want := map[string]string{early.Key: Waiting, done.Key: Done}; !reflect.DeepEqual(got, want) {
			t.Errorf("statuses %v, want %v", got, want)
		}
		return err
	})
}

func TestLargeLettersThatWaitComeInParts(t *testing.T) {
	db := openStore(t)
	var rows []Row
	for i := range 5 {
		rows = append(rows, Row{ID: fmt.Sprint(i), Source: "box", Key: fmt.Sprint(i), Game: "lands", Status: Waiting, Raw: make([]byte, 7<<20)})
	}
	write(t, db, func(tx *sql.Tx) error {
		_, err := Insert(t.Context(), tx, rows)
		return err
	})
	list, more, err := WaitingOf(t.Context(), db.Read(), "lands", 10)
	if err != nil || len(list) != 3 || !more || len(list[2].Raw) != 7<<20 {
		t.Errorf("%d letters, more %v, %v", len(list), more, err)
	}
}
