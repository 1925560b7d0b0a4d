package turns

import (
	"regexp"
	"strings"
	"testing"

	"arroba/outbox"
)

// asked returns the question that was sent last, with its code.
func asked(t *testing.T, items []outbox.Item) (outbox.Item, string) {
	t.Helper()
	for i := len(items) - 1; i >= 0; i-- {
		if code := regexp.MustCompile(`confirm-[a-z0-9]{16}`).FindString(items[i].Subject); code != "" {
			if !strings.HasPrefix(items[i].MessageID, code+"@") {
				t.Errorf("the Message-ID %s lacks the code %s", items[i].MessageID, code)
			}
			return items[i], code
		}
	}
	t.Fatalf("nothing was asked: %+v", items)
	return outbox.Item{}, ""
}

func TestAddressIsRuledOn(t *testing.T) {
	tests := []struct{ line, want string }{
		{"ADDRESS anna@new.example", "accepted E-ADDRESS"},
		{"АДРЕС <anna@new.example>", "accepted E-ADDRESS"},
		{"ADDRESS anna@home.example", "accepted E-ADDRESS"},
		{"ADDRESS ANNA@HOME.example", "accepted E-ADDRESS"},
		{"ADDRESS Boris@X.example", "refused E-ADDRESS"},
		{"ADDRESS archive@x.example", "refused E-ADDRESS"},
		{"ADDRESS lands@play.example", "refused E-ADDRESS"},
		{"ADDRESS lands+anna@play.example", "refused E-ADDRESS"},
		{"ADDRESS other@play.example", "refused E-ADDRESS"},
		{"ADDRESS arroba@x.example", "refused E-ADDRESS"},
		{"ADDRESS ops@x.example", "refused E-ADDRESS"},
		{"ADDRESS anna", "unclear"},
		{"TEST\nADDRESS anna@new.example", "accepted E-TEST accepted E-ADDRESS"},
	}
	for _, tt := range tests {
		r := newRig(t)
		r.game("lands")
		r.game("other")
		equal(t, tt.line, []string{strings.Join(r.verdicts(r.say("anna@x.example", "lands@play.example", tt.line)), " ")}, tt.want)
		if n := r.count(`SELECT COUNT(*) FROM pending`); n != 0 && strings.HasPrefix(tt.line, "TEST") {
			t.Errorf("%q asks for a confirmation", tt.line)
		}
	}
}

func TestAddressWaitsUntilTheOldOneConfirms(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	tests := []struct {
		name, from, text string
		fields           func(q outbox.Item, code string) []string
		taken            bool     // the address counts
		told             []string // what came of the letter
	}{
		{"an answer", "anna@home.example", "Yes, please.", func(q outbox.Item, _ string) []string {
			return []string{"Subject: Re: it", "Message-ID: <y@x>", "In-Reply-To: <" + q.MessageID + ">"}
		}, true, []string{"question anna@home.example", "question anna@new.example"}},
		{"deep in a thread, with an order", "anna@home.example", "ADD 5", func(q outbox.Item, _ string) []string {
			return []string{"Subject: Re: it", "Message-ID: <y@x>", "References: <a@x> <" + q.MessageID + "> <b@x>"}
		}, true, []string{"question anna@home.example", "question anna@new.example", "receipt anna@home.example", "copy gm@lands.example", "copy archive@x.example", "copy clara@x.example", "post tavern"}},
		{"the code in the subject", "anna@home.example", "", func(_ outbox.Item, code string) []string {
			return []string{"Subject: Re: " + strings.ToUpper(code), "Message-ID: <y@x>"}
		}, true, []string{"question anna@home.example", "question anna@new.example"}},
		{"the code in the text", "anna@home.example", "It is (CODE).", nil, true, []string{"question anna@home.example", "question anna@new.example"}},
		{"no", "anna@home.example", "No.", func(q outbox.Item, _ string) []string {
			return []string{"Subject: Re: it", "Message-ID: <y@x>", "In-Reply-To: <" + q.MessageID + ">"}
		}, false, nil},
		{"no in Russian", "anna@home.example", "нет", func(_ outbox.Item, code string) []string { return []string{"Subject: " + code, "Message-ID: <y@x>"} }, false, nil},
		{"another code", "anna@home.example", "confirm-0000000000000000", nil, false, nil},
		{"from the other address", "anna@x.example", "It is CODE", nil, false, []string{"question anna@x.example"}},
		{"from the new address", "anna@new.example", "It is CODE", nil, false, nil},
		{"from a member", "boris@x.example", "It is CODE", nil, false, []string{"question boris@x.example"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			equal(t, "verdict", r.verdicts(r.say("anna@home.example", "lands@play.example", "ADDRESS anna@new.example")), "accepted E-ADDRESS")
			items := r.sent()
			q, code := asked(t, items)
			if len(items) != 2 || q.To != "anna@home.example" || !strings.Contains(items[0].Text, "question was sent") {
				t.Errorf("asked %+v", items)
			}
			equal(t, "before the answer", r.load("lands").seat("Anna").Addresses, "anna@x.example", "anna@home.example")
			fields := []string{"Subject: hello", "Message-ID: <y@x>"}
			if tt.fields != nil {
				fields = tt.fields(q, code)
			}
			out := r.say(tt.from, "lands@play.example", strings.ReplaceAll(tt.text, "CODE", code), fields...)
			want := []string{"anna@x.example", "anna@home.example"}
			if tt.taken {
				want = []string{"anna@new.example", "anna@x.example", "anna@home.example"}
				if out.Status != "done" {
					t.Errorf("the letter is %+v", out)
				}
			}
			equal(t, "told", r.told(), tt.told...)
			equal(t, "after it", r.load("lands").seat("Anna").Addresses, want...)
			r.say(tt.from, "lands@play.example", strings.ReplaceAll(tt.text, "CODE", code)+" ", append(fields[:1:1], "Message-ID: <z@x>")...)
			equal(t, "after the same once more", r.load("lands").seat("Anna").Addresses, want...)
			r.say("gm@lands.example", "lands@play.example", "AS Anna\nADDRESS anna@x.example")
			r.say(tt.from, "lands@play.example", code)
			if got := r.load("lands").seat("Anna").Addresses[0]; tt.taken && got != "anna@x.example" {
				t.Errorf("a code that was used counts again: %s is first", got)
			}
		})
	}
}

func TestAMachineConfirmsNothing(t *testing.T) {
	tests := []struct {
		subject, text string
		counts        bool
	}{
		{"Re: CODE", "I am out of the office until Monday and will answer then.", false},
		{"Out of office Re: CODE", "Until Monday.", false},
		{"Ticket 123 created: CODE", "Your request has been received.", false},
		{"Thank you", "Your message “CODE” was read on Monday.", false},
		{"Re: CODE", "Сейчас я в отпуске, отвечу потом.\nНахожусь в отпуске до 5 марта.", false},
		{"Re: CODE", "Das Büro ist geschlossen, ich bin im Urlaub.", false},
		{"Re: CODE", "Yes. I am on vacation, so write there.", true},
		{"Re: CODE", "Да, я в отпуске.", true},
		{"Re: CODE", "It was me.", true},
		{"Re: CODE", "", true},
	}
	for _, tt := range tests {
		r := newRig(t)
		r.game("lands")
		r.say("anna@x.example", "lands@play.example", "ADDRESS anna@new.example")
		_, code := asked(t, r.sent())
		fill := strings.NewReplacer("CODE", code).Replace
		r.say("anna@x.example", "lands@play.example", fill(tt.text), "Subject: "+fill(tt.subject))
		if counts := len(r.load("lands").seat("Anna").Addresses) == 3; counts != tt.counts {
			t.Errorf("%s, %s: it counts: %v", tt.subject, tt.text, counts)
		}
		r.say("anna@x.example", "lands@play.example", "YES", "Subject: Re: "+code)
		equal(t, "after an answer of hers", r.load("lands").seat("Anna").Addresses, "anna@new.example", "anna@x.example", "anna@home.example")
	}
}

func TestAConfirmationCountsOnceAndForAWeek(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADDRESS anna@one.example")
	_, old := asked(t, r.sent())
	r.say("anna@x.example", "lands@play.example", "ADDRESS anna@two.example")
	_, code := asked(t, r.sent())
	r.say("anna@x.example", "lands@play.example", old)
	equal(t, "the older question", r.load("lands").seat("Anna").Addresses, "anna@x.example", "anna@home.example")
	r.now = r.now.Add(pendingFor)
	r.say("anna@x.example", "lands@play.example", code)
	equal(t, "after a week", r.load("lands").seat("Anna").Addresses, "anna@x.example", "anna@home.example")
	r.say("anna@x.example", "lands@play.example", "ADDRESS anna@two.example")
	_, code = asked(t, r.sent())
	r.say("boris@x.example", "lands@play.example", "ADDRESS anna@two.example")
	_, second := asked(t, r.sent())
	r.say("boris@x.example", "lands@play.example", second)
	r.sent()
	r.say("anna@x.example", "lands@play.example", code)
	equal(t, "taken meanwhile", r.load("lands").seat("Anna").Addresses, "anna@x.example", "anna@home.example")
	if items := r.sent(); len(items) != 1 || !strings.Contains(items[0].Text, "another member") {
		t.Errorf("told %+v", items)
	}
}

func TestAddressCountsAtOnceWhereMailIsProved(t *testing.T) {
	r := newRig(t)
	r.game("lands", `authentication = "token"`)
	r.exec(`UPDATE member SET token = 'annasecrettoken' WHERE seat = 'Anna'`)
	r.now = noon
	h := r.take(r.mail("anna@x.example", "lands+annasecrettoken@play.example", "ADDRESS anna@new.example"))
	equal(t, "verdict", r.verdicts(h.Letters[0]), "accepted E-ADDRESS")
	equal(t, "told", r.told(), "receipt anna@x.example", "receipt anna@new.example")
	equal(t, "on file", r.load("lands").seat("Anna").Addresses, "anna@new.example", "anna@x.example", "anna@home.example")
	r.say("gm@lands.example", "lands@play.example", "AS Boris\nADDRESS boris@new.example", "Subject: x")
	if got := r.load("lands").seat("Boris").Addresses; len(got) != 1 {
		t.Errorf("the GM did not prove himself, and Boris has %v", got)
	}
}

func TestAddressOnFileMovesToTheFront(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADDRESS anna@home.example")
	equal(t, "told", r.told(), "receipt anna@x.example", "receipt anna@home.example")
	equal(t, "on file", r.load("lands").seat("Anna").Addresses, "anna@home.example", "anna@x.example")
	r.say("gm@lands.example", "lands@play.example", "AS Boris\nADDRESS boris@new.example")
	equal(t, "told of the GM's", r.told(), "receipt gm@lands.example", "results boris@new.example", "question boris@x.example")
	equal(t, "of the GM's", r.load("lands").seat("Boris").Addresses, "boris@new.example", "boris@x.example")
}

// The letter after the one that changed a member is read as of then.
func TestANewAddressCountsWithinTheBatch(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	first := r.mail("gm@lands.example", "lands@play.example", "AS Anna\nADDRESS anna@new.example")
	second := r.mail("anna@new.example", "lands@play.example", "ADD 5")
	h := r.take(first, second)
	if got := h.Letters[1]; got.Seat != "Anna" || r.sum("lands") != 5 {
		t.Errorf("the second letter is %+v", got)
	}
}

// What a fault cut short leaves the member as he was.
func TestAFaultTakesTheAddressBack(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.take(r.mail("anna@x.example", "lands@play.example", "ADDRESS anna@home.example\nBOOM"), r.mail("boris@x.example", "lands@play.example", "ADD 1"))
	if r.load("lands").Held == "" {
		t.Fatal("the game is not held")
	}
	equal(t, "on file", r.load("lands").seat("Anna").Addresses, "anna@x.example", "anna@home.example")
}

func TestRemoveAddress(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	other := rigOn(t, r.DB)
	other.now = noon.Add(100 * day)
	other.say("anna@home.example", "lands@play.example", "WHO") // so that it holds the game in memory
	tests := []struct{ member, address, fails string }{
		{"Anna", "boris@x.example", "no address of Anna"},
		{"Zed", "boris@x.example", "nobody in lands"},
		{"boris", "boris@x.example", "only address"},
		{"anna", "ANNA@x.example", ""},
	}
	for _, tt := range tests {
		err := r.RemoveAddress(t.Context(), "lands", tt.member, tt.address)
		if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	equal(t, "on file", r.load("lands").seat("Anna").Addresses, "anna@home.example")
	other.sent()
	other.n = 100
	if out := other.say("anna@x.example", "lands@play.example", "ADD 1"); out.Seat != "" {
		t.Errorf("another process takes the letter: %+v", out)
	}
	other.say("boris@x.example", "lands@play.example", "TELL Anna")
	equal(t, "another process tells", other.told(), "receipt boris@x.example", "results anna@home.example")
}
