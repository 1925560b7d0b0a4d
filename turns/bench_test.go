package turns

import (
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/store"
)

// BenchmarkHandle measures letters a second, parsed, ruled on and committed to SQLite, against bare transactions of
// the same rows in the same run.
func BenchmarkHandle(b *testing.B) {
	for _, size := range []int{100, 500} {
		b.Run(fmt.Sprintf("toy/batch=%d", size), func(b *testing.B) {
			benchmarkHandle(b, size, func(r *rig) { r.game("lands") }, "ADD 3\nTELL Boris")
		})
		b.Run(fmt.Sprintf("heroeslands/batch=%d", size), func(b *testing.B) {
			benchmarkHandle(b, size, func(r *rig) { r.realm(1000) }, "GIVE 1 @ TO Lord7\nCHALLENGE Lord8")
		})
	}
}

func benchmarkHandle(b *testing.B, size int, open func(*rig), text string) {
	r, other := fileRig(b, open), fileRig(b, open)
	var handling, bare time.Duration
	letters := 0
	for b.Loop() {
		batch := ingest.Batch{Until: r.now}
		for i := range size {
			from := []string{"anna@x.example", "boris@x.example", "clara@x.example"}[i%3]
			batch.Messages = append(batch.Messages, r.mail(from, "lands@play.example", "Dear all,\n\n"+text+"\n\nYours"))
		}
		var rows work
		begin := time.Now()
		err := r.write(b.Context(), func(w *work) error {
			_, err := w.handle("box", batch)
			rows = *w
			return err
		})
		handling += time.Since(begin)
		if err != nil {
			b.Fatal(err)
		}
		begin = time.Now()
		if err := other.DB.Write(b.Context(), func(tx *sql.Tx) error { return rows.bare(tx) }); err != nil {
			b.Fatal(err)
		}
		bare += time.Since(begin)
		letters += size
	}
	b.ReportMetric(float64(letters)/handling.Seconds(), "letters/s")
	b.ReportMetric(float64(letters)/bare.Seconds(), "bare/s")
	b.ReportMetric(bare.Seconds()/handling.Seconds(), "ratio")
}

// realm opens a game of the Heroes Lands with so many lords.
func (r *rig) realm(lords int) {
	r.Helper()
	text := strings.ReplaceAll(fmt.Sprintf(toyGame, "lands", "lands@play.example"), "ruleset = \"toy\"", "ruleset = \"heroeslands\"")
	text = strings.Replace(text, "sum = 0", "lands = [\"HL3\"]", 1)
	for _, nick := range []string{"Anna", "Boris", "Clara"} {
		text += fmt.Sprintf("[world.inhabitants.%s]\ngold = 1000000\nfeuds = { HL3 = 5 }\n", nick)
	}
	for i := range lords {
		text += fmt.Sprintf("[world.inhabitants.Lord%d]\ngold = 500\nfeuds = { HL3 = 2 }\n", i)
	}
	f, err := ReadGameFile("lands.toml", []byte(text))
	if err == nil {
		err = r.Create(r.Context(), f)
	}
	if err != nil {
		r.Fatal(err)
	}
	r.sent()
}

// fileRig is a rig on a database on the disk, with a game.
func fileRig(b *testing.B, open func(*rig)) *rig {
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	r := rigOn(b, db)
	r.Engine.Log = slog.New(slog.DiscardHandler)
	open(r)
	return r
}

// bare writes the rows of a transaction and does nothing else.
func (w work) bare(tx *sql.Tx) error {
	w.tx = tx
	for i := range w.items {
		w.items[i].ID, w.items[i].MessageID = "", ""
	}
	for _, write := range []func() error{w.writeLetters, w.writeInputs, w.writeGames} {
		if err := write(); err != nil {
			return err
		}
	}
	if err := ingest.Save(w.ctx, tx, "box", "", w.now); err != nil {
		return err
	}
	return outbox.Queue(w.ctx, tx, w.now, w.items)
}
