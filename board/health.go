package board

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"arroba/outbox"
)

// Source is how the reading of one source of letters goes.
type Source struct {
	Name  string     `json:"name"`
	Read  *time.Time `json:"read"`            // when it was last read well; nil: never yet
	Until *time.Time `json:"until"`           // everything that had come by then has been seen
	Error string     `json:"error,omitempty"` // why the last attempt failed
	Since *time.Time `json:"since,omitempty"` // since when every attempt has failed
}

// health is the answer of /healthz.
type health struct {
	OK       bool     `json:"ok"`
	Database string   `json:"database"` // "ok", or what is wrong
	Sources  []Source `json:"sources"`
	Outbox   outboxed `json:"outbox"`
}

// outboxed counts what has not been sent.
type outboxed struct {
	Due    int64 `json:"due"`
	Failed int64 `json:"failed"`
}

// health answers 200 when the database answers and every source was read well at the last attempt, else 503. Mail
// that could not be delivered is counted and makes no fault: the operator hears of each.
func (b *board) health(w http.ResponseWriter, r *http.Request) {
	h := health{Database: "ok", Sources: []Source{}}
	if b.Sources != nil {
		h.Sources = append(h.Sources, b.Sources()...)
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	counts, err := outbox.Counts(ctx, b.DB.Read())
	if err != nil {
		b.Log.Error("the database does not answer", "err", err)
		h.Database = "does not answer"
	}
	h.Outbox = outboxed{Due: counts[outbox.Due], Failed: counts[outbox.Failed]}
	h.OK = err == nil
	for _, s := range h.Sources {
		h.OK = h.OK && s.Error == ""
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if !h.OK {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	_ = e.Encode(h) // the reader may have gone
}
