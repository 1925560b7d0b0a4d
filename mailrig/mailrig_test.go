package mailrig_test

import (
	"bytes"
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"arroba/mailrig"
)

const letter = "From: boris@example.org\r\nTo: oleg@lands.example\r\nSubject: Challenge\r\nMessage-ID: <1@example.org>\r\n\r\nCHALLENGE Oleg\r\n"

func TestRig(t *testing.T) {
	var dir string
	t.Run("running", func(t *testing.T) {
		rig := mailrig.Start(t, "oleg", "boris@example.org")
		dir = strings.TrimSuffix(rig.CAFile, "/cert.pem")
		rig.Deliver("oleg@lands.example", []byte(letter), []byte(letter))
		if err := rig.Post("anybody@example.net", "oleg+lands@lands.example", []byte(letter)); err != nil {
			t.Error(err)
		}
		if err := rig.Post("anybody@example.net", "boris@example.org", []byte(letter)); err != nil {
			t.Error(err)
		}
		for user, n := range map[string]int{"oleg@lands.example": 3, "boris@example.org": 1} {
			mails := rig.Mails(user, n)
			if len(mails) != n {
				t.Errorf("%s has %d mails, want %d", user, len(mails), n)
			}
			for _, m := range mails {
				if !bytes.Contains(m, []byte("CHALLENGE Oleg")) {
					t.Errorf("%s has\n%s", user, m)
				}
			}
		}
		if len(running(t, dir)) < 4 {
			t.Error("the servers' processes cannot be told")
		}
		for _, to := range []string{"nobody@lands.example", "somebody@example.com"} {
			if err := rig.Post("anybody@example.net", to, []byte(letter)); err == nil {
				t.Errorf("a stranger's mail to %s was taken", to)
			}
		}
		for _, at := range []mailrig.Addr{rig.IMAPS, rig.SMTPS} {
			c, err := tls.Dial("tcp", at.String(), &tls.Config{RootCAs: rig.CA})
			if err != nil {
				t.Errorf("%v: %v", at, err)
				continue
			}
			c.Close()
		}
	})
	if dir == "" {
		t.SkipNow()
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is still there", dir)
	}
	// A process that was killed takes a moment to end.
	for deadline := time.Now().Add(5 * time.Second); len(running(t, dir)) != 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still running: %v", running(t, dir))
		}
	}
}

// running lists the processes that work in a folder.
func running(t *testing.T, dir string) (pids []string) {
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(procs) == 0 {
		t.Fatalf("read /proc: %v", err)
	}
	for _, p := range procs {
		if cwd, err := os.Readlink(p + "/cwd"); err == nil && strings.HasPrefix(cwd, dir) {
			pids = append(pids, filepath.Base(p))
		}
	}
	return pids
}
