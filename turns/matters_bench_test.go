package turns

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

// BenchmarkLetterAmongMatters measures what a letter costs, a transaction each, in a Land of 100 inhabitants and in one of
// 10,000 with 2,000 open matters, turn by turn in one run: the time, and the bytes that are written to the disk. The ratios
// are those of the latter to the former.
func BenchmarkLetterAmongMatters(b *testing.B) {
	rigs := []*rig{fileRig(b, func(r *rig) { r.matters(b, 100, 0) }), fileRig(b, func(r *rig) { r.matters(b, 10_000, 500) })}
	var spent [2]time.Duration
	var wrote [2]int64
	letters := 0
	for b.Loop() {
		for i, r := range rigs {
			m := r.mail("anna@x.example", "lands@play.example", "GIVE 1 @ TO Lord7\nCHALLENGE Lord8\nDECLARE WAR ON Clara WITH 9")
			begin, before := time.Now(), written(b)
			if _, err := r.Handle(b.Context(), "box", ingest.Batch{Messages: []ingest.Message{m}, Until: r.now}); err != nil {
				b.Fatal(err)
			}
			spent[i] += time.Since(begin)
			wrote[i] += written(b) - before
		}
		letters++
	}
	for i, name := range []string{"few", "many"} {
		b.ReportMetric(spent[i].Seconds()*1000/float64(letters), "ms-"+name)
		b.ReportMetric(float64(wrote[i])/float64(letters), "B-"+name)
	}
	b.ReportMetric(spent[1].Seconds()/spent[0].Seconds(), "ratio-time")
	b.ReportMetric(float64(wrote[1])/float64(wrote[0]), "ratio-bytes")
}

// written is how many bytes this process has handed to the system so far.
func written(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("wchar: "))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.ParseInt(string(line), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// matters opens a game of the Heroes Lands with so many lords. So many suzerains each have called somebody out, been offered a
// service, challenged somebody and declared war, with a roster.
func (r *rig) matters(b *testing.B, lords, each int) {
	text := strings.ReplaceAll(fmt.Sprintf(toyGame, "lands", "lands@play.example"), "ruleset = \"toy\"", "ruleset = \"heroeslands\"")
	members, world, _ := strings.Cut(text, "[world]")
	world = "[world]" + strings.Replace(world, "sum = 0", "lands = [\"HL3\"]", 1)
	for _, nick := range []string{"Anna", "Boris", "Clara"} {
		world += fmt.Sprintf("[world.inhabitants.%s]\ngold = 1000000\nfeuds = { HL3 = 5 }\n", nick)
	}
	writes := func(i int) bool { return i < 5*each && i%5 == 0 }
	for i := range lords {
		if writes(i) {
			members += fmt.Sprintf("[[member]]\nnick = \"Lord%d\"\nemail = \"lord%d@x.example\"\n", i, i)
		}
		world += fmt.Sprintf("[world.inhabitants.Lord%d]\ngold = 5000\n", i)
		switch i % 5 {
		case 0:
			world += "feuds = { HL3 = 5 }\n"
		case 1:
			world += fmt.Sprintf("feuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Lord%d\" }\n", i-1)
		default:
			world += "feuds = { HL3 = 3 }\n"
		}
	}
	f, err := ReadGameFile("lands.toml", []byte(members+world))
	if err == nil {
		err = r.Create(r.Context(), f)
	}
	if err != nil {
		b.Fatal(err)
	}
	batch := ingest.Batch{Until: r.now}
	for range 1000 { // so that the database of either game is of a size to speak of
		batch.Messages = append(batch.Messages, r.mail("boris@x.example", "lands@play.example", "GIVE 1 @ TO Lord7\nCHALLENGE Lord8"))
	}
	for i := range lords {
		if writes(i) {
			batch.Messages = append(batch.Messages, r.mail(fmt.Sprintf("lord%d@x.example", i), "lands@play.example", fmt.Sprintf(
				"CALL OUT Lord%d FOR 10 @\nINVITE Lord%d\nCHALLENGE Lord%d\nDECLARE WAR ON Lord%d WITH 1\nROSTER Lord%d", i+3, i+4, i+2, i+5*each, i+1)))
		}
	}
	if _, err := r.Handle(b.Context(), "box", batch); err != nil {
		b.Fatal(err)
	}
	if n := r.count(`SELECT count(*) FROM input WHERE events LIKE '%duel-called%vassalage-offered%duel-declared%war-declared%roster-named%'`); n != each {
		b.Fatalf("%d of %d letters were accepted whole", n, each)
	}
	r.sent()
}
