package forumsrc

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
	"arroba/ingest"
)

// membersSkins are those that take log-ins, one for each kind of board.
var membersSkins = []string{"phpbb33", "smf21", "mybb18", "fluxbb15", "xenforo2"}

// newMembers returns a thread of three pages that guests may not read, and a source that reads it with an account.
func newMembers(t *testing.T, skin, password string) (*place, *Source, *int) {
	t.Helper()
	var found *testboard.Skin
	for _, s := range testboard.Skins() {
		if s.Name == skin {
			found = s
		}
	}
	if found == nil {
		t.Fatalf("there is no skin %s", skin)
	}
	p := newPlace(t, found, 3)
	p.AddUser(testboard.User{Name: "Reader", Password: "secret"})
	p.Members = true
	p.say(8)
	sent := new(int)
	p.Before = func(r *http.Request) {
		if testboard.Posting(r) {
			*sent++
		}
	}
	src := p.open(t)
	src.cfg.Board.Account = forum.Account{User: "Reader", Password: password}
	return p, src, sent
}

// readAll polls a source until it has brought all.
func (p *place) readAll(t *testing.T, src *Source) {
	t.Helper()
	for range 20 {
		b, err := src.Poll(t.Context(), p.at)
		if err != nil {
			t.Fatal(err)
		}
		p.take(t, b)
		if !b.More {
			if b.Until.IsZero() {
				t.Fatal("the reading is not complete")
			}
			return
		}
	}
	t.Fatal("the source does not come to an end")
}

func TestAThreadForMembersIsReadWithAnAccount(t *testing.T) {
	for _, skin := range membersSkins {
		t.Run(skin, func(t *testing.T) {
			p, src, sent := newMembers(t, skin, "secret")
			want := func(posts, logins int) {
				t.Helper()
				if len(p.order) != posts || *sent != logins || len(p.faults) > 0 {
					t.Fatalf("%d posts, %d log-ins, faults %q; want %d and %d", len(p.order), *sent, p.faults, posts, logins)
				}
			}
			p.readAll(t, src)
			want(8, 1)
			p.say(1)
			p.readAll(t, src)
			want(9, 1)

			p.at, p.order, p.got = "", nil, map[string]ingest.Message{}
			pages := 0
			p.meet = func(_ string, body []byte) []byte { // the session ends in the middle
				if pages++; pages == 2 {
					p.LogOut()
				}
				return body
			}
			p.readAll(t, src)
			want(9, 2)
			p.say(1)
			p.readAll(t, src)
			want(10, 2)
		})
	}
}

func TestAWrongPasswordIsSentOnce(t *testing.T) {
	for _, skin := range membersSkins {
		t.Run(skin, func(t *testing.T) {
			p, src, sent := newMembers(t, skin, "wrong")
			for range 3 {
				b, err := src.Poll(t.Context(), p.at)
				var refused *ingest.AuthError
				if !errors.As(err, &refused) || len(b.Messages) > 0 || *sent != 1 {
					t.Fatalf("%d log-ins, %d letters: %v", *sent, len(b.Messages), err)
				}
			}
			p.pass(time.Hour)
			src.cfg.Board.Account.Password = "secret"
			p.readAll(t, src)
			if len(p.order) != 8 || *sent != 2 {
				t.Errorf("%d posts, %d log-ins", len(p.order), *sent)
			}
		})
	}
}

func TestAWalkGoesOnWhereTheBoardHasMovedTo(t *testing.T) {
	p := newPlace(t, testboard.Skins()[0], 1)
	p.say(30)
	b, err := p.open(t).Poll(t.Context(), p.at)
	if err != nil || !b.More {
		t.Fatalf("more %v: %v", b.More, err)
	}
	p.take(t, b)
	src := p.open(t)
	src.cfg.Board.Address.Host = "moved.example"
	p.readAll(t, src)
	if len(p.order) != 30 || len(p.faults) > 0 {
		t.Errorf("%d posts, faults %q", len(p.order), p.faults)
	}
}
