package testboard

import (
	"net/http"
)

// Fault is something that goes wrong with requests that come in. Faults that are switched on meet requests in the order
// in which they were; a request meets one.
type Fault struct {
	Name    string
	Count   int                        // how many requests it meets; 0 for all
	Meets   func(r *http.Request) bool // which; nil for all but robots.txt
	Instead func(x *Exchange)          // answers in place of the board
	Change  func(x *Exchange)          // changes what is answered

	met int
}

// Fail switches a fault on. Clear switches all off.
func (b *Board) Fail(f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, &f)
}

// Clear switches all faults off.
func (b *Board) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = nil
}

// Robots sets what robots.txt says; there is none when it is "".
func (b *Board) Robots(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.robots = text
}

// meet returns the fault that a request meets, nil for none.
func (b *Board) meet(r *http.Request) *Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		if f.Count > 0 && f.met >= f.Count {
			continue
		}
		if f.Meets == nil && r.URL.Path == "/robots.txt" || f.Meets != nil && !f.Meets(r) {
			continue
		}
		f.met++
		return f
	}
	return nil
}
