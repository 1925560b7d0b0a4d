package forum

import "net/url"

// fluxbb is FluxBB 1.5, and PunBB 1.2, of which it was made.
var fluxbb = &family{
	name:    "fluxbb",
	posting: fluxbbPosting,
	themes: []theme{{
		name:  "fluxbb",
		known: css(`div.pun[id^="pun"]`),
		post:  css(`div.blockpost[id#=(^p[0-9]+$)]`),
		id:    spot{attr: "id"}, author: spot{css(`.postleft dt strong`), ""}, authorID: spot{css(`.postleft dt strong a`), "href"},
		date: spot{css(`h2 a[href*="pid="]`), ""}, permalink: spot{css(`h2 a[href*="pid="]`), "href"}, subject: spot{css(`.postright h3`), ""},
		body: css(`.postright > .postmsg:not(.postsignature)`), omit: css(`.quotebox, blockquote, .postedit, .codebox h4`), passing: css(`.postedit, cite, .codebox h4, blockquote h4`),
		edited: css(`.postmsg .postedit`),
		next:   spot{css(`link[rel="next"], .pagelink a[rel="next"], .pagelink strong ~ a`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"},
		title: spot{css(`.crumbs strong`), ""}, mark: spot{css(`.pagelink strong`), ""}, thread: spot{css(`.crumbs a[href*="viewtopic.php?id="]`), "href"},
		message: css(`#msg .box, #posterror .box, #punredirect .box, #punmaint .box`), boxes: css(`#brdheader, #brdfooter`),
	}},
	thread: func(base *url.URL, id string) string { return within(base, "viewtopic.php?id="+url.QueryEscape(id)) },
	from: func(base *url.URL, _, post string) string {
		return within(base, "viewtopic.php?pid="+url.QueryEscape(post))
	},
	threadID: topicOf("id"),
}

// fluxbbPosting is how FluxBB 1.5 takes replies.
var fluxbbPosting = &posting{
	login: func(base *url.URL) string { return within(base, "login.php") },
	form: func(base *url.URL, thread string) string {
		return within(base, "post.php?tid="+url.QueryEscape(thread))
	},
	user: "req_username", password: "req_password", stay: []field{{"save_pass", "1"}},
	subject: "req_subject", message: "req_message", send: "submit", plain: "hide_smilies",
	guest: css(`#brdwelcome > p.conl`), wrong: css(`#posterror li`),
	post:  queryOf("pid"),
	limit: 10_000, markup: bbcode{}.write,
}
