package ingest

import "testing"

func TestStamp(t *testing.T) {
	for _, c := range []struct{ raw, value, want string }{
		{"Subject: a\r\n\r\nb\r\n", "<a@b.c>", "X: <a@b.c>\r\nSubject: a\r\n\r\nb\r\n"},
		{"Subject: a\n\nb\n", "<>", "X: <>\nSubject: a\n\nb\n"},
		{"", "a@b.c", "X: a@b.c\n"},
		{"S: a\n", "a\r\nFrom: forged@b.c\x00", "X: aFrom: forged@b.c\nS: a\n"},
	} {
		if got := string(Stamp([]byte(c.raw), "X", c.value)); got != c.want {
			t.Errorf("Stamp(%q, %q) = %q, want %q", c.raw, c.value, got, c.want)
		}
	}
}

func TestConcerns(t *testing.T) {
	for _, c := range []struct {
		mailbox, address string
		want             bool
	}{
		{"gm@lands.example", "GM@Lands.Example", true},
		{"gm@lands.example", "gm+lands@lands.example", true},
		{"gm+a@lands.example", "gm+a@lands.example", true},
		{"gm@lands.example", "gm@lands.example.net", false},
		{"gm@lands.example", "gmx+gm@lands.example", false},
		{"gm@lands.example", "gm", false},
		{"gm@lands.example", "", false},
		{"gm@lands.example", `"gm@lands.example"@other.example`, false},
	} {
		if got := Concerns(c.mailbox, c.address); got != c.want {
			t.Errorf("Concerns(%q, %q) = %v", c.mailbox, c.address, got)
		}
	}
}
