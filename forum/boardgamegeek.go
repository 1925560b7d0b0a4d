package forum

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// boardgamegeek is BoardGameGeek, by its XML.
var boardgamegeek = &family{
	name:    "boardgamegeek",
	charset: "utf-8",
	themes: []theme{{
		name:  "xml",
		names: true,
		omit:  css(`.quote, .quotetitle, .quotebody, gg-markup-quote, blockquote, summary, .dice, .diceroll, .roll`),
	}},
	data: readGeek,
	keys: func(a Account) http.Header { return http.Header{"Authorization": {"Bearer " + a.Key}} },
	thread: func(base *url.URL, id string) string {
		return within(base, "/xmlapi2/thread?"+url.Values{"id": {id}, "count": {"500"}}.Encode())
	},
	from: func(base *url.URL, thread, post string) string {
		return within(base, "/xmlapi2/thread?"+url.Values{"id": {thread}, "count": {"500"}, "minarticleid": {post}}.Encode())
	},
	threadID: func(u *url.URL) string {
		if strings.HasSuffix(u.Path, "xmlapi2/thread") {
			return u.Query().Get("id")
		}
		if m := geekThread.FindStringSubmatch(u.Path); m != nil {
			return m[1]
		}
		return ""
	},
}

// geekThread is the path of a thread for people.
var geekThread = regexp.MustCompile(`/thread/(\d+)(?:/|$)`)

type geekAnswer struct {
	XMLName  xml.Name
	ID       string        `xml:"id,attr"`
	Articles string        `xml:"numarticles,attr"`
	Subject  string        `xml:"subject"`
	List     []geekArticle `xml:"articles>article"`
	Message  string        `xml:"message,attr"`
	Text     string        `xml:",innerxml"`
}

type geekArticle struct {
	ID       string  `xml:"id,attr"`
	Username string  `xml:"username,attr"`
	Link     string  `xml:"link,attr"`
	Posted   string  `xml:"postdate,attr"`
	Edits    int     `xml:"numedits,attr"`
	Subject  string  `xml:"subject"`
	Body     *string `xml:"body"`
}

func readGeek(f *family, a Answer, text string) (Page, bool) {
	var answer geekAnswer
	if !strings.HasPrefix(strings.TrimSpace(text), "<") {
		return Page{}, false
	}
	if err := xmlDecoder(text).Decode(&answer); err != nil {
		return unreadable("its XML is broken or breaks off: " + err.Error()), true
	}
	switch answer.XMLName.Local {
	case "thread":
		if len(answer.List) == 0 && !strings.Contains(a.URL, "minarticle") {
			return saidJSON(false, "There are no articles."), true
		}
		return answer.page(f, a), true
	case "error", "errors", "message":
	default:
		return Page{}, false
	}
	said := answer.Message
	if said == "" {
		if body, err := bodyOf(answer.Text); err == nil {
			said = words(body) + body.Find("[message]").AttrOr("message", "")
		}
	}
	return saidJSON(unauthorized.MatchString(said), said), true
}

func (answer geekAnswer) page(f *family, a Answer) Page {
	d := newData(f, a, "/xmlapi2/")
	d.page.Title = fold(answer.Subject)
	if answer.ID != "" {
		d.page.Thread = answer.ID
	}
	for _, p := range answer.List {
		d.add(Post{
			ID: p.ID, Author: fold(p.Username), Posted: readDate(p.Posted, dating{}), Edited: p.Edits > 0,
			Permalink: p.Link, Subject: fold(p.Subject),
		}, p.Body)
	}
	d.page.Next = answer.next(a)
	return d.done()
}

// next asks for the articles behind the last one, when the answer holds as many as it may and is not known to hold all.
func (answer geekAnswer) next(a Answer) string {
	u, err := url.Parse(a.URL)
	if err != nil || len(answer.List) == 0 {
		return ""
	}
	q := u.Query()
	count, first := number(q.Get("count"), 0), !q.Has("minarticleid") && !q.Has("minarticledate")
	full := count > 0 && len(answer.List) >= count || count == 0 && first
	if !full || first && len(answer.List) >= number(answer.Articles, 0) {
		return ""
	}
	last, err := strconv.ParseInt(answer.List[len(answer.List)-1].ID, 10, 64)
	if err != nil {
		return ""
	}
	q.Set("minarticleid", strconv.FormatInt(last+1, 10))
	u.RawQuery = q.Encode()
	return u.String()
}
