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
