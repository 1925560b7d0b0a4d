package forum

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type xenforoPosts struct {
	Posts      []xenforoEntry `json:"posts"`
	Pagination struct {
		Current int  `json:"current_page"`
		Last    int  `json:"last_page"`
		Total   *int `json:"total"`
	} `json:"pagination"`
	Errors []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
}

type xenforoEntry struct {
	ID       int64  `json:"post_id"`
	Thread   int64  `json:"thread_id"`
	Username string `json:"username"`
	UserID   int64  `json:"user_id"`
	Made     int64  `json:"post_date"`
	Edited   int64  `json:"last_edit_date"`
	State    string `json:"message_state"`
	Text     string `json:"message"`        // BBCode
	HTML     string `json:"message_parsed"` // since 2.1
	URL      string `json:"view_url"`
	Files    int    `json:"attach_count"`
	Topic    struct {
		Title string `json:"title"`
	} `json:"Thread"`
}

// readXenForo reads a page of a thread as XenForo 2 gives it by REST, or an error.
func readXenForo(f *family, a Answer, text string) (Page, bool) {
	var known struct {
		Posts      []map[string]json.RawMessage `json:"posts"`
		Pagination map[string]json.RawMessage   `json:"pagination"`
		Errors     []map[string]json.RawMessage `json:"errors"`
	}
	if json.Unmarshal([]byte(text), &known) != nil || !(known.Pagination != nil && len(known.Posts) > 0 && known.Posts[0]["post_id"] != nil || len(known.Errors) > 0 && known.Errors[0]["code"] != nil && known.Errors[0]["message"] != nil) {
		return Page{}, false
	}
	var list xenforoPosts
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return unreadable("its JSON is not that of a thread of XenForo: " + err.Error()), true
	}
	if len(list.Errors) > 0 {
		first := list.Errors[0]
		return saidJSON(strings.Contains(first.Code, "api_key") || strings.Contains(first.Code, "login"), cmp.Or(first.Message, first.Code)), true
	}
	d := newData(f, a, "/api/")
	d.page.Mark = list.Pagination.Current
	if list.Pagination.Total != nil {
		d.page.Total = *list.Pagination.Total
	}
	for _, p := range list.Posts {
		d.page.Thread, d.page.Title = strconv.FormatInt(p.Thread, 10), cmp.Or(d.page.Title, fold(p.Topic.Title))
		if p.State != "visible" {
			continue
		}
		post := Post{ID: strconv.FormatInt(p.ID, 10), Author: p.Username, AuthorID: userID(strconv.FormatInt(p.UserID, 10)), Edited: p.Edited > 0, Permalink: WithoutSession(p.URL)}
		if p.Made > 0 {
			post.Posted = exactly(time.Unix(p.Made, 0))
		}
		body := cmp.Or(p.HTML, bbcodeHTML(p.Text))
		d.add(post, &body)
		if n := len(d.page.Posts); n > 0 {
			d.page.Posts[n-1].Attachments = p.Files
		}
	}
	d.page.Next = list.next(a)
	return d.done(), true
}

// next is the address of the next page, "" on the last one.
func (l xenforoPosts) next(a Answer) string {
	u, err := url.Parse(a.URL)
	if err != nil || l.Pagination.Current >= l.Pagination.Last {
		return ""
	}
	q := u.Query()
	q.Set("page", strconv.Itoa(l.Pagination.Current+1))
	u.RawQuery = q.Encode()
	return u.String()
}

var bbcodeTag = regexp.MustCompile(`\[(/?)([A-Za-z*]+)(?:=([^\]]*))?\]`)

// bbcodeElements are what XenForo makes of its BBCode, as far as it matters for what is read. Tables are none: one that nobody
// closed would keep a quote from ending, as an s would go on behind it.
var bbcodeElements = map[string]string{
	"quote": `blockquote class="bbCodeBlock--quote"`, "s": "del", "spoiler": "div", "ispoiler": "span", "list": "ul", "b": "b", "i": "i", "u": "u",
	"color": "span", "size": "span", "font": "span", "user": "span", "email": "span", "left": "div", "center": "div", "right": "div", "indent": "div", "heading": "h2",
	"table": "div", "tr": "div",
}

// literal are the tags in which no other counts; those whose text is for machines alone show nothing.
var literal = map[string]string{"code": "pre", "icode": "span", "php": "pre", "html": "pre", "plain": "span", "img": "", "media": "", "attach": "", "unfurl": ""}

// bbcodeHTML is the HTML of BBCode. A tag that XenForo does not know is text.
func bbcodeHTML(text string) string {
	var w strings.Builder
	for text != "" {
		at := bbcodeTag.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		closing, name, arg := at[2] != at[3], strings.ToLower(text[at[4]:at[5]]), ""
		if at[6] >= 0 {
			arg = strings.Trim(text[at[6]:at[7]], `'"`)
		}
		raw := text[at[0]:at[1]]
		w.WriteString(bbcodeText(text[:at[0]]))
		text = text[at[1]:]
		element, known := bbcodeElements[name]
		inside, isLiteral := literal[name]
		switch end := strings.Index(strings.ToLower(text), "[/"+name+"]"); {
		case isLiteral && !closing && end >= 0:
			if inside != "" {
				fmt.Fprintf(&w, "<%s>%s</%s>", inside, html.EscapeString(text[:end]), inside)
			}
			text = text[end+len("[/]")+len(name):]
		case name == "url" && !closing:
			fmt.Fprintf(&w, "<a href=\"%s\">", html.EscapeString(arg))
		case name == "url":
			w.WriteString("</a>")
		case name == "td", name == "th":
			w.WriteString(" ")
		case name == "*":
			w.WriteString("<li>")
		case known && closing:
			element, _, _ = strings.Cut(element, " ")
			w.WriteString("</" + element + ">")
		case known:
			w.WriteString("<" + element + ">")
		default:
			w.WriteString(bbcodeText(raw))
		}
	}
	return w.String() + bbcodeText(text)
}

func bbcodeText(s string) string {
	return strings.ReplaceAll(html.EscapeString(strings.ReplaceAll(s, "\r", "")), "\n", "<br>\n")
}
