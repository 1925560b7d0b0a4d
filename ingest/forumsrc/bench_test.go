package forumsrc

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"arroba/forum/testboard"
)

// BenchmarkThreadOf500Pages reads a thread of 500 pages again for a deadline. What is held in memory at most while it
// goes on is told beside what a page costs.
func BenchmarkThreadOf500Pages(b *testing.B) {
	p := newPlace(b, testboard.SkinNamed("phpbb33"), 20)
	for n := range 10000 {
		p.pass(60e9)
		p.Post(p.thread, p.user.ID, fmt.Sprint("ADD ", n))
	}
	p.pass(60e9)
	p.poll(b)
	clear(p.got)
	p.order = nil
	p.since = noon
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var peak uint64
	pages := 0
	for b.Loop() {
		for at := p.at; ; {
			batch, err := p.open(b).Poll(context.Background(), at)
			if err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
			if at = batch.Next; !batch.More {
				break
			}
		}
		pages += 500
	}
	b.ReportMetric(float64(peak-before.HeapAlloc)/(1<<20), "MB-held")
	b.ReportMetric(float64(len(p.at))/10000, "B-cursor/post")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(pages), "ms/page")
}
