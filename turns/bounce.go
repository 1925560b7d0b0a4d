package turns

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
)

// When an address is in trouble: after one mail that came back for good, or after several that came back for a while.
// Both are forgotten, so that one who is reachable again is no longer shown as lost.
const (
	hardFor  = 30 * day
	softFor  = 7 * day
	softMost = 3
)

// Trouble is what came back from an address lately.
type Trouble struct {
	Hard, Soft int // mails
	Status     string
	Reason     string // of the last one, as the server said it
}

// Lasting tells whether the address must be taken for one that mail does not reach.
func (t Trouble) Lasting() bool { return t.Hard > 0 || t.Soft >= softMost }

// Troubles returns what came back from addresses lately, by folded address.
func Troubles(ctx context.Context, q Queryer, game string, now time.Time) (map[string]Trouble, error) {
	rows, err := q.QueryContext(ctx, `SELECT addr, hard, status, reason FROM bounce WHERE game = $1 AND (hard = 1 AND at > $2 OR hard = 0 AND at > $3) ORDER BY at`,
		game, store.Micro(now.Add(-hardFor)), store.Micro(now.Add(-softFor)))
	if err != nil {
		return nil, fmt.Errorf("reading what came back: %w", err)
	}
	defer rows.Close()
	found := map[string]Trouble{}
	for rows.Next() {
		var addr string
		var hard int
		var t Trouble
		if err := rows.Scan(&addr, &hard, &t.Status, &t.Reason); err != nil {
			return nil, fmt.Errorf("reading what came back: %w", err)
		}
		t.Hard, t.Soft = found[addr].Hard+hard, found[addr].Soft+1-hard
		found[addr] = t
	}
	return found, rows.Err()
}

// forBounces tells a letter that came to an address where only bounces are awaited: whoever answers there is a machine.
func (a *arrival) forBounces() bool {
	for _, to := range a.read.To {
		if outbox.VERPItem(to) != "" {
			return true
		}
	}
	return false
}

// bounced settles a report that a mail of ours did not arrive: it is never an order and never answered. It is believed
// only when it names a mail of ours, by the envelope address or a Message-ID, which none but the recipient and the
// servers on the way have seen.
func (w *work) bounced(a *arrival) error {
	a.settle(ingest.Done, "a bounce that names no mail of ours")
	it, ok, err := w.bouncedItem(a)
	if err != nil || !ok {
		return err
	}
	b := *a.read.Bounce
	switch b.Action {
	case "delivered", "relayed", "expanded":
		a.settle(ingest.Done, "a report that "+it.ID+" arrived")
		return nil
	}
	a.entry.Game = it.Game
	a.settle(ingest.Done, fmt.Sprintf("a bounce (%s) of the %s %s to %s", cmp.Or(b.Status, b.Action), it.Kind, it.ID, it.To))
	return w.takeBounce(it, b, a.entry.Arrived)
}

// bouncedItem is the mail that a bounce speaks of, false when it is none of ours.
func (w *work) bouncedItem(a *arrival) (outbox.Item, bool, error) {
	for _, to := range a.read.To {
		if id := outbox.VERPItem(to); id != "" {
			if it, ok, err := outbox.ByID(w.ctx, w.tx, id); err != nil || ok && it.Via == viaMail {
				return it, ok, err
			}
		}
	}
	ids := []string{bare(a.read.Bounce.MessageID), bare(a.read.InReplyTo)}
	for _, id := range a.read.References[max(len(a.read.References)-maxReferences, 0):] {
		ids = append(ids, bare(id))
	}
	it, ok, err := outbox.ByMessageID(w.ctx, w.tx, ids...)
	return it, ok && it.Via == viaMail, err
}

// takeBounce keeps what came back, and tells the GMs of its game when that makes an address one that mail does not
// reach. What comes back of an alarm, and of the notice itself to a GM, is for the log.
func (w *work) takeBounce(it outbox.Item, b letter.Bounce, at time.Time) error {
	hard := isHard(b)
	w.e.Log.Warn("a mail came back", "item", it.ID, "kind", it.Kind, "game", it.Game, "to", it.To, "hard", hard, "status", b.Status, "reason", b.Reason)
	_, err := w.tx.ExecContext(w.ctx, `INSERT INTO bounce (item, game, addr, at, hard, status, reason, told) VALUES ($1,$2,$3,$4,$5,$6,$7,0)
		ON CONFLICT (item) DO UPDATE SET at = excluded.at, hard = excluded.hard, status = excluded.status, reason = excluded.reason
		WHERE excluded.hard >= bounce.hard`,
		it.ID, it.Game, foldAddress(it.To), store.Micro(at), map[bool]int{true: 1}[hard], store.Text(b.Status), store.Text(b.Reason))
	if err != nil {
		return fmt.Errorf("keeping a bounce: %w", err)
	}
	if it.Game == "" {
		return nil
	}
	all, err := Troubles(w.ctx, w.tx, it.Game, w.now)
	if err != nil || !all[foldAddress(it.To)].Lasting() {
		return err
	}
	return w.showTrouble(it, all[foldAddress(it.To)])
}

// isHard tells a failure that no later mail will escape from one of the moment, or of the mail alone: a mailbox that is
// full, a mail that is too big, or one that the other side takes for spam.
func isHard(b letter.Bounce) bool {
	class, detail, _ := strings.Cut(b.Status, ".")
	if b.Action != "failed" || class == "4" || class == "2" {
		return false
	}
	return detail != "2.2" && detail != "2.3" && detail != "3.4" && !strings.HasPrefix(detail, "7.")
}

// showTrouble shows an address that mail does not reach to the GMs, once as long as it lasts. A GM whose own address it
// is cannot be told by mail; when there is no other, the operator is.
func (w *work) showTrouble(it outbox.Item, t Trouble) error {
	addr := foldAddress(it.To)
	var told int
	err := w.tx.QueryRowContext(w.ctx, `SELECT COUNT(*) FROM bounce WHERE game = $1 AND addr = $2 AND told > $3`,
		it.Game, addr, store.Micro(w.now.Add(-hardFor))).Scan(&told)
	if err != nil || told > 0 {
		return err
	}
	if _, err := w.tx.ExecContext(w.ctx, `UPDATE bounce SET told = $1 WHERE item = $2`, store.Micro(w.now), it.ID); err != nil {
		return fmt.Errorf("keeping a bounce: %w", err)
	}
	g, err := w.members(it.Game)
	if err != nil {
		return err
	}
	data := map[string]any{"game": g.Name, "nick": g.nickAt(addr), "address": it.To, "why": cmp.Or(t.Reason, t.Status, "-"), "mails": t.Hard + t.Soft, "hard": t.Hard > 0}
	reached := false
	for i := range g.Members {
		if m := &g.Members[i]; m.Role == rules.GM && m.mail() != "" && foldAddress(m.mail()) != addr {
			w.ask(g, m, m.mail(), nil, "mail-bounces", data)
			reached = true
		}
	}
	if !reached {
		w.alarm("mail-bounces", data)
	}
	return nil
}

// nickAt is the nick of the member with an address, "" when it is no member's.
func (g *Game) nickAt(addr string) string {
	for _, m := range g.Members {
		for _, a := range m.Addresses {
			if foldAddress(a) == addr {
				return m.Nick
			}
		}
	}
	return ""
}

// lost returns the seats whose mail does not reach them.
func (w *work) lost(g *Game) (map[rules.Seat]bool, error) {
	all, err := Troubles(w.ctx, w.tx, g.Name, w.now)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	lost := map[rules.Seat]bool{}
	for _, m := range g.Members {
		lost[m.Seat] = all[foldAddress(m.mail())].Lasting()
	}
	return lost, nil
}

// Refused takes up that a mail server would not take a mail for good: that is a bounce at once. Only where it refused
// the recipient is it his address that is at fault, and not the mail or we. Of a post that a forum does not take the GMs
// are told.
func (e *Engine) Refused(ctx context.Context, it outbox.Item, cause error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	said := strings.TrimSuffix(cause.Error(), ": "+outbox.ErrPermanent.Error())
	if it.Via == viaForum {
		e.notPosted(ctx, it, said)
		return
	}
	status, why := letter.StatusIn(said)
	action := "refused"
	if strings.Contains(said, "RCPT TO:") {
		action = "failed"
	}
	err := e.write(ctx, func(w *work) error {
		return w.takeBounce(it, letter.Bounce{Action: action, Status: status, Reason: cmp.Or(why, said)}, w.now)
	})
	if err != nil {
		e.Log.Error("a refused mail could not be kept as a bounce", "item", it.ID, "error", err)
	}
}
