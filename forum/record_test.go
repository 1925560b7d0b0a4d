package forum

import (
	"reflect"
	"testing"
	"time"
)

func TestARecordComesBackAsItWasWritten(t *testing.T) {
	at := time.Date(2026, 3, 14, 20, 2, 0, 0, time.UTC)
	want := Record{
		Post: Post{ID: "5216", Author: "Борис Годунов", AuthorID: "12", Subject: "Re: the “spring”", Permalink: "https://forum.example/posts/5216/",
			Posted: spanning(at, time.Minute), Edited: true, Hash: "00ff", Attachments: 2, Wiki: true,
			HTML: "<b>SERVE</b> Oleg<br>HL3\n\nand a blank line<blockquote>CHALLENGE Oleg</blockquote>", Lines: []string{"SERVE Oleg", "HL3 and a blank line"}},
		Board: "phpbb", Theme: "prosilver", Source: "square", Thread: "412", Fetched: at.Add(time.Hour), Withdrawn: true, Version: 3, Added: 2,
	}
	got, err := ReadRecord(want.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestAPostWrittenByHandIsRead(t *testing.T) {
	got, err := ReadRecord([]byte("Author: Boris\nSubject: I accept (-)\n\nCHALLENGE Oleg\n\n  twice\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Record{Post: Post{Author: "Boris", Subject: "I accept (-)", Lines: []string{"CHALLENGE Oleg", "", "  twice"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestANameThatLooksEncodedStaysAsItIs(t *testing.T) {
	for _, name := range []string{"=?utf-8?b?0JDQvdC90LA=?=", "=?utf-8?q?Anna?=", "Анна =?utf-8?q?Anna?=", "Anna\u00a0", "\u00a0Anna", "Anna\u200b", "Аnna", "Anna\u3000B", "=?", "a: b"} {
		r := Record{Board: "phpbb", Theme: "prosilver", Post: Post{ID: "1", Author: name, Subject: name}}
		got, err := ReadRecord(r.Encode())
		if err != nil || got.Author != name || got.Subject != name {
			t.Errorf("%q comes back as %q, %q (%v)", name, got.Author, got.Subject, err)
		}
	}
}
