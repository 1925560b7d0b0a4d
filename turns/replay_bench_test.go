package turns

import (
	"encoding/json"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/rules"
)

// BenchmarkReplay measures inputs a second that are played again and compared, against the bare rules and one read of
// the log: every order, decoded before, given to the ruleset, and the log's rows read with what they hold.
func BenchmarkReplay(b *testing.B) {
	r := fileRig(b, func(r *rig) { r.realm(100) })
	const letters = 2000
	for range letters / 100 {
		batch := ingest.Batch{}
		for i := range 100 {
			r.now = r.now.Add(time.Minute)
			from := []string{"anna@x.example", "boris@x.example", "clara@x.example"}[i%3]
			batch.Messages = append(batch.Messages, r.mail(from, "lands@play.example", "Dear all,\n\nGIVE 1 @ TO Lord7\nCHALLENGE Lord8\nGIVE 2 @ TO Lord9\n\nYours"))
		}
		r.take(batch.Messages...)
	}
	var replaying, reading, ruling time.Duration
	inputs := int64(0)
	for b.Loop() {
		begin := time.Now()
		got, err := r.Replay(b.Context(), "lands", nil)
		if err != nil {
			b.Fatal(err)
		}
		replaying += time.Since(begin)
		inputs += got.Inputs
		r, w := r.bareReplay(b)
		reading, ruling = reading+r, ruling+w
	}
	b.ReportMetric(float64(inputs)/replaying.Seconds(), "inputs/s")
	b.ReportMetric(float64(inputs)/(reading+ruling).Seconds(), "bare/s")
	b.ReportMetric(ruling.Seconds()/replaying.Seconds(), "rules/replay")
	b.ReportMetric((reading+ruling).Seconds()/replaying.Seconds(), "ratio")
}

// bareReplay reads the log once, and gives its orders to the ruleset.
func (r *rig) bareReplay(b *testing.B) (reading, ruling time.Duration) {
	b.Helper()
	begin := time.Now()
	var log []Input
	var bodies []any
	for after := int64(-1); ; {
		list, err := Inputs(b.Context(), r.DB.Read(), "lands", after, 500)
		if err != nil {
			b.Fatal(err)
		}
		if len(list) == 0 {
			break
		}
		for _, in := range list {
			after = in.N
			log = append(log, in)
			var body any
			switch in.Kind {
			case kindLetter:
				body, err = in.DecodeLetter()
			case kindDue:
				var due DueBody
				err = json.Unmarshal(in.Body, &due)
				body = due
			}
			if err != nil {
				b.Fatal(err)
			}
			bodies = append(bodies, body)
		}
	}
	reading = time.Since(begin)
	g, err := r.known(b.Context(), r.DB.Read(), "lands")
	if err == nil {
		_, err = g.restore(past{b.Context(), r.DB.Read()}, 0)
	}
	if err != nil {
		b.Fatal(err)
	}
	begin = time.Now()
	for i, in := range log {
		switch body := bodies[i].(type) {
		case LetterBody:
			env := g.env(in.At, body.Now, rules.Actor{Seat: in.Seat, Role: body.Role}, body.Via, &body.Letter)
			for _, o := range body.Orders {
				if o.Verdict != "accepted" {
					continue
				}
				if _, _, err := g.state.Take(*o.Order, env); err != nil {
					b.Fatal(err)
				}
			}
		case DueBody:
			if _, err := g.state.Fire(body.Due, g.env(in.At, body.Now, rules.Actor{}, "", nil)); err != nil {
				b.Fatal(err)
			}
		}
	}
	return reading, time.Since(begin)
}
