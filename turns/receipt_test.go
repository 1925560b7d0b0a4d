package turns

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var receiptLine = regexp.MustCompile(`(?m)^(?:Receipt|Квитанция) (\d+)-([0-9a-f]{10}):`)

// receipt is the number and the hash in the first mail that was queued since the last call.
func (r *rig) receipt() (n int64, hash string) {
	r.Helper()
	text := r.sent()[0].Text
	found := receiptLine.FindStringSubmatch(text)
	if found == nil {
		r.Fatalf("no receipt in\n%s", text)
	}
	n, _ = strconv.ParseInt(found[1], 10, 64)
	return n, found[2]
}

func TestAReceiptIsFoundInTheLog(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 5\nADD 0\nADD many\nhello\nADD 7")
	n, hash := r.receipt()
	sum := sha256.Sum256([]byte("lands\n" + strconv.FormatInt(n, 10) + "\nAnna\nADD 5\nADD 7\n"))
	if want := hex.EncodeToString(sum[:])[:10]; hash != want {
		t.Errorf("the hash is %s, want %s", hash, want)
	}
	got, err := r.CheckReceipt(t.Context(), "lands", n, hash)
	if err != nil {
		t.Fatal(err)
	}
	if got.Seat != "Anna" || len(got.Lines) != 4 || got.Lines[1].Verdict != "refused" || got.Lines[3].Line != "ADD 7" {
		t.Errorf("%+v", got)
	}
	r.say("boris@x.example", "lands@play.example", "ADD 5\nADD 7")
	other, otherHash := r.receipt()
	if otherHash == hash {
		t.Error("another letter has the same hash")
	}
	for _, c := range []struct {
		n    int64
		hash string
	}{{n, otherHash}, {other, hash}, {n, ""}, {0, hash}, {99, hash}, {-1, hash}} {
		if _, err := r.CheckReceipt(t.Context(), "lands", c.n, c.hash); !errors.Is(err, ErrNoReceipt) {
			t.Errorf("%d-%s: %v", c.n, c.hash, err)
		}
	}
	if _, err := r.CheckReceipt(t.Context(), "nowhere", n, hash); !errors.Is(err, ErrUnknownGame) {
		t.Errorf("of no game: %v", err)
	}
	r.exec(`UPDATE input SET body = replace(body, 'ADD 7', 'ADD 8') WHERE game = 'lands' AND n = $1`, n)
	if _, err := r.CheckReceipt(t.Context(), "lands", n, hash); err == nil || !strings.Contains(err.Error(), "changed after it was written") {
		t.Errorf("of a log that was changed: %v", err)
	}
}

func TestATestHasNoReceiptNumber(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "TEST\nADD 5")
	if text := r.sent()[0].Text; receiptLine.MatchString(text) {
		t.Errorf("it has one:\n%s", text)
	}
	if _, err := r.CheckReceipt(t.Context(), "lands", 1, "0000000000"); !errors.Is(err, ErrNoReceipt) {
		t.Error(err)
	}
}
