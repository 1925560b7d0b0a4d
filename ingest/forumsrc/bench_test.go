package forumsrc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"testing"
	"time"

	"arroba/forum/testboard"
)

// replay answers as a board has answered before, so that making the pages costs a walk nothing, and sees at every tenth
// page how much memory is held.
type replay struct {
	http.RoundTripper
	answers map[string][]byte // bodies, by address
	header  http.Header
	asked   int
	bytes   int // of the pages
	peak    uint64
}

func (r *replay) RoundTrip(q *http.Request) (*http.Response, error) {
	if r.asked++; r.asked%10 == 0 {
		r.peak = max(r.peak, memory().HeapAlloc)
	}
	address := q.URL.RequestURI()
	if body, ok := r.answers[address]; ok {
		r.bytes += len(body)
		return &http.Response{StatusCode: http.StatusOK, Header: r.header, Body: io.NopCloser(bytes.NewReader(body)), Request: q}, nil
	}
	resp, err := r.RoundTripper.RoundTrip(q)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	r.answers[address], r.header = body, resp.Header
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// memory tells what is in use once nothing is left to be collected.
func memory() (now runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&now)
	return now
}

// BenchmarkWalk reads a long thread and one of a tenth of it again, as for a deadline, when all of their posts are known.
// It tells how often what its pages have is allocated (they link to all others, so that those of the longer thread are
// bigger), and what is held at most while a walk goes on: the cursor, and nothing that grows beside it.
func BenchmarkWalk(b *testing.B) {
	for _, pages := range []int{50, 500} {
		b.Run(fmt.Sprint(pages), func(b *testing.B) {
			const each = 20 // posts on a page
			p := newPlace(b, testboard.SkinNamed("phpbb33"), each)
			for n := range pages * each {
				p.pass(time.Minute)
				p.Post(p.thread, p.user.ID, fmt.Sprint("ADD ", n))
			}
			p.pass(time.Minute)
			p.since = noon
			r := &replay{RoundTripper: p, answers: map[string][]byte{}}
			walk := func() (asked int) {
				before := r.asked
				for {
					source := p.open(b)
					source.cfg.Board.Client.HTTP.Transport = r
					batch, err := source.Poll(context.Background(), p.at)
					if err != nil {
						b.Fatal(err)
					}
					if p.at = batch.Next; !batch.More {
						return r.asked - before
					}
				}
			}
			walk()
			walk()
			before := memory()
			r.peak, r.bytes = 0, 0
			asked := 0
			for b.Loop() {
				asked += walk()
			}
			after := memory()
			if asked < pages*b.N {
				b.Fatalf("%d pages were asked for", asked)
			}
			b.ReportMetric(float64(r.bytes)/float64(asked)/1024, "KB/page")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(r.bytes), "x-allocated")
			b.ReportMetric(float64(r.peak-before.HeapAlloc)/(1<<20), "MB-held")
			b.ReportMetric(float64(r.peak-before.HeapAlloc)/float64(pages*each), "B-held/post")
			b.ReportMetric(float64(len(p.at))/float64(pages*each), "B-cursor/post")
		})
	}
}
