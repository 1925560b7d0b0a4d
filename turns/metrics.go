package turns

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count what the engine does. Register them with whoever collects.
type Metrics struct {
	Letters *prometheus.CounterVec // by class and status
	Orders  *prometheus.CounterVec // by verdict
	Fired   prometheus.Counter
	Held    prometheus.Counter
}

func newMetrics() Metrics {
	return Metrics{
		Letters: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "arroba_letters_total", Help: "Letters taken in, by class and by what became of them."}, []string{"class", "status"}),
		Orders:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "arroba_orders_total", Help: "Orders and unclear lines ruled on, by verdict."}, []string{"verdict"}),
		Fired:   prometheus.NewCounter(prometheus.CounterOpts{Name: "arroba_fired_total", Help: "Due things that fired by themselves."}),
		Held:    prometheus.NewCounter(prometheus.CounterOpts{Name: "arroba_games_held_total", Help: "Times that a game was held for a fault."}),
	}
}

// Collectors returns all metrics for registering.
func (m Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.Letters, m.Orders, m.Fired, m.Held}
}

// count adds what a transaction that committed has done.
func (m Metrics) count(w *work) {
	for _, a := range w.letters {
		m.Letters.WithLabelValues(a.entry.Class, a.entry.Status).Inc()
	}
	for verdict, n := range w.verdicts {
		m.Orders.WithLabelValues(string(verdict)).Add(float64(n))
	}
	m.Fired.Add(float64(w.fired))
	m.Held.Add(float64(w.held))
}
