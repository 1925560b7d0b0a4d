package ingest

import (
	"database/sql"
	"reflect"
	"testing"
)

func TestAttachedFiles(t *testing.T) {
	db := openStore(t)
	a := Attached{Inbox: "a", Ord: 1, Name: "../save.gm1", Size: 3, Hash: "h1", Kept: true, Data: []byte("abc")}
	big := Attached{Inbox: "a", Ord: 2, Size: 1 << 40, Hash: "h2"}
	empty := Attached{Inbox: "a", Ord: 3, Hash: "h3", Kept: true}
	same := Attached{Inbox: "b", Ord: 1, Name: "copy.gm1", Size: 3, Hash: "h1", Kept: true, Data: []byte("abc")}
	for range 2 { // a letter that is handled again has the same files
		write(t, db, func(tx *sql.Tx) error { return Attach(t.Context(), tx, []Attached{a, big, empty, same}) })
	}
	for inbox, want := range map[string][]Attached{"a": {a, big, empty}, "b": {same}, "c": nil} {
		got, err := AttachedTo(t.Context(), db.Read(), inbox, true)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s has %+v, %v; want %+v", inbox, got, err, want)
		}
	}
	listed, err := AttachedTo(t.Context(), db.Read(), "a", false)
	if err != nil || len(listed) != 3 || listed[0].Data != nil || listed[0].Size != 3 || !listed[0].Kept || listed[1].Kept {
		t.Errorf("listed %+v, %v", listed, err)
	}
	var n int
	if err := db.Read().QueryRow(`SELECT COUNT(*) FROM attachment`).Scan(&n); err != nil || n != 2 {
		t.Errorf("%d contents are kept, %v; want 2", n, err)
	}
}
