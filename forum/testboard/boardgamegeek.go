package testboard

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"time"
)

// boardgamegeek is BoardGameGeek, its XML alone.
var boardgamegeek = &Skin{
	Name: "boardgamegeek", Family: "boardgamegeek", Size: 25, Cookie: "SessionID",
	Address: func(thread, _ int) string { return fmt.Sprintf("/xmlapi2/thread?id=%d&count=50", thread) },
	Ask:     func(*http.Request, int) *Want { return nil },
	Serve:   geekServe,
	Date:    func(t, _ time.Time, _ string) string { return t.Format("2006-01-02T15:04:05-07:00") },
	Markup: Markup{
		Tags: map[string]func(arg, inner string) string{"b": around("<b>", "</b>"), "i": around("<i>", "</i>"), "s": around("<s>", "</s>")},
		Quote: func(q Quoted) string {
			return `<div class='quote'><div class='quotetitle'><p><b>` + q.Name + ` wrote:</b></p></div><div class='quotebody'><i>` + q.Inner + `</i></div></div>`
		},
		Code:  func(text string) string { return "<pre>" + text + "</pre>" },
		Link:  func(href, text string) string { return `<a target='_blank' href="` + href + `">` + text + `</a>` },
		Break: "<br/>",
		Stray: StrayPrinted,
	},
	Write:   writeGeek,
	Missing: Missing{Status: http.StatusOK, Said: "Thread not found"},
}

// geekServe gives as many articles as are asked for, from the one that is asked for.
func geekServe(x *Exchange) bool {
	if x.R.URL.Path != "/xmlapi2/thread" {
		return false
	}
	q := x.R.URL.Query()
	want := Want{Thread: numberOf(q.Get("id")), Only: []int{}}
	count := numberOf(q.Get("count"))
	x.mu.Lock()
	for _, p := range x.visible(want.Thread, x.User) {
		if p.ID >= numberOf(q.Get("minarticleid")) && (count == 0 || len(want.Only) < count) {
			want.Only = append(want.Only, p.ID)
		}
	}
	x.mu.Unlock()
	x.threadPage(want)
	return true
}

type geekThread struct {
	XMLName     xml.Name      `xml:"thread"`
	ID          int           `xml:"id,attr"`
	NumArticles int           `xml:"numarticles,attr"`
	Link        string        `xml:"link,attr"`
	Subject     string        `xml:"subject"`
	Articles    []geekArticle `xml:"articles>article"`
}

type geekArticle struct {
	ID       int    `xml:"id,attr"`
	Username string `xml:"username,attr"`
	Link     string `xml:"link,attr"`
	PostDate string `xml:"postdate,attr"`
	EditDate string `xml:"editdate,attr"`
	NumEdits int    `xml:"numedits,attr"`
	Subject  string `xml:"subject"`
	Body     string `xml:"body"`
}

type geekError struct {
	XMLName xml.Name `xml:"error"`
	Message string   `xml:"message,attr"`
}

func writeGeek(p *Page) (string, []byte, error) {
	link := fmt.Sprintf("%sthread/%d", p.Base, p.Thread.ID)
	thread := geekThread{ID: p.Thread.ID, NumArticles: len(p.All), Link: link, Subject: p.Thread.Title}
	for _, s := range p.Posts {
		a := geekArticle{
			ID: s.ID, Username: s.Author.Name, Link: fmt.Sprintf("%s/article/%d#%d", link, s.ID, s.ID), PostDate: s.Date, EditDate: s.Date, Subject: s.Subject, Body: string(s.Body),
		}
		if s.Note != nil {
			a.EditDate, a.NumEdits = s.Note.Date, s.Note.Count
		}
		thread.Articles = append(thread.Articles, a)
	}
	var answer any = thread
	if p.Said != "" {
		answer = geekError{Message: p.Said}
	}
	b, err := xml.Marshal(answer)
	return "text/xml; charset=utf-8", append([]byte(xml.Header), b...), err
}
