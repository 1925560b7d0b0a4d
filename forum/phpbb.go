package forum

import "net/url"

// phpbb is phpBB 3.
var phpbb = &family{
	name: "phpbb",
	themes: []theme{{
		name:  "prosilver 3.1",
		known: css(`body#phpbb`),
		post:  css(`div.post[id^="p"]`), not: css(`.deleted`),
		id: spot{attr: "id"}, author: spot{css(`.postprofile [class^="username"]`), ""}, authorID: spot{css(`.postprofile a[class^="username"]`), "href"},
		date: spot{css(`p.author time[datetime]`), "datetime"}, subject: spot{css(`.postbody h3 a`), ""}, permalink: spot{css(`.postbody h3 a`), "href"},
		body: css(`.postbody .content`), omit: css(`blockquote, .codebox > p, .attachbox`), edited: css(`.postbody .notice`),
		next: spot{css(`.pagination li.next a[rel="next"]`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"},
		title: spot{css(`h2.topic-title`), ""}, message: css(`#message`),
	}},
	thread: func(base *url.URL, id string) string {
		return within(base, "viewtopic.php?t="+url.QueryEscape(id)+"&st=0&sk=t&sd=a")
	},
	from: func(base *url.URL, _, post string) string {
		return within(base, "viewtopic.php?p="+url.QueryEscape(post)+"&st=0&sk=t&sd=a")
	},
	threadID: func(u *url.URL) string { return u.Query().Get("t") },
}

// within is an address under that of a board.
func within(base *url.URL, rest string) string {
	u, err := base.Parse(rest)
	if err != nil {
		return ""
	}
	return u.String()
}
