package testboard

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// xenforo1 is XenForo 1.5.
var xenforo1 = &Skin{
	Name: "xenforo1", Family: "xenforo", Size: 10, Cookie: "xf_session",
	Address: xenforoAddress, Ask: xenforoAsk, Date: xenforoDate, Noted: xenforoNoted, Markup: xenforo1Markup,
	PastEnd: EndRedirect, Trash: true, Missing: Missing{Said: "The requested thread could not be found."},
}

func xenforoAddress(thread, page int) string {
	if page > 1 {
		return fmt.Sprintf("/threads/thread.%d/page-%d", thread, page)
	}
	return fmt.Sprintf("/threads/thread.%d/", thread)
}

var (
	xenforoThread = regexp.MustCompile(`^/threads/(?:[^/]*\.)?(\d+)/(?:(page|post)-(\d+))?$`)
	xenforoPost   = regexp.MustCompile(`^/posts/(\d+)/?$`)
)

func xenforoAsk(r *http.Request, _ int) *Want {
	if m := xenforoPost.FindStringSubmatch(r.URL.Path); m != nil {
		return &Want{Post: numberOf(m[1])}
	}
	m := xenforoThread.FindStringSubmatch(r.URL.Path)
	switch {
	case m == nil:
		return nil
	case m[2] == "post":
		return &Want{Thread: numberOf(m[1]), Post: numberOf(m[3])}
	}
	return &Want{Thread: numberOf(m[1]), Page: numberOf(m[3])}
}

func xenforoDate(t, _ time.Time, _ string) string { return t.Format("Jan 2, 2006 at 3:04 PM") }

// xenforoNoted: moderators may edit without a trace.
func xenforoNoted(e Edit, _ time.Duration) bool { return !e.Staff || e.Reason != "" }

var xenforo1Markup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<b>", "</b>"), "i": around("<i>", "</i>"), "u": around(`<span style="text-decoration: underline">`, "</span>"), "s": around(`<span style="text-decoration: line-through">`, "</span>"),
		"color": withArg(`<span style="color: %s">`, `</span>`), "size": withArg(`<span style="font-size: %spx">`, `</span>`),
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" class="bbCodeImage LbImage" alt="[&#x200B;IMG]" />`
		},
		"spoiler": func(arg, inner string) string {
			return `<div class="ToggleTriggerAnchor bbCodeSpoilerContainer"><button type="button" class="button bbCodeSpoilerButton ToggleTrigger Tooltip JsOnly" data-target="&gt; .SpoilerTarget"><span>Spoiler: <span class="SpoilerTitle">` +
				escaped(arg) + `</span></span></button><div class="SpoilerTarget bbCodeSpoilerText">` + inner + `</div></div>`
		},
	},
	Quote: func(q Quoted) string {
		head := ""
		if q.Name != "" {
			link := ""
			if q.Post > 0 {
				link = fmt.Sprintf(` <a href="goto/post?id=%d#post-%d" class="AttributionLink">&uarr;</a>`, q.Post, q.Post)
			}
			head = `<div class="attribution type">` + q.Name + ` said:` + link + `</div>`
		}
		return `<div class="bbCodeBlock bbCodeQuote" data-author="` + q.Name + `"><aside>` + head + `<blockquote class="quoteContainer"><div class="quote">` + q.Inner +
			`</div><div class="quoteExpand">Click to expand...</div></blockquote></aside></div>`
	},
	Code: func(text string) string {
		return `<div class="bbCodeBlock bbCodeCode"><div class="type">Code:</div><pre>` + text + `</pre></div>`
	},
	List: items,
	Link: func(href, text string) string {
		return `<a href="` + href + `" target="_blank" class="externalLink" rel="nofollow">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="styles/default/xenforo/clear.png" class="mceSmilieSprite mceSmilie1" alt=":)" title="Smile    :)" />`,
		"8)": `<img src="styles/default/xenforo/clear.png" class="mceSmilieSprite mceSmilie6" alt="8)" title="Cool    8)" />`,
	},
	Mention: func(u User) string {
		return fmt.Sprintf(`<a href="members/%s.%d/" class="username" data-user="%d, @%s">@%s</a>`, slug(u.Name), u.ID, u.ID, escaped(u.Name), escaped(u.Name))
	},
	Break: "<br />\n",
	Stray: StrayPrinted,
}

// slug is a name as it stands in an address.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == ' ':
			return '-'
		}
		return -1
	}, name)
}
