package forum

import (
	"net/url"
	"regexp"
)

// phpbbPosting is how phpBB 3 takes replies.
var phpbbPosting = &posting{
	login: func(base *url.URL) string { return within(base, "ucp.php?mode=login") },
	form: func(base *url.URL, thread string) string {
		return within(base, "posting.php?mode=reply&t="+url.QueryEscape(thread))
	},
	user: "username", password: "password", stay: []field{{"autologin", "on"}},
	subject: "subject", message: "message", send: "post", plain: "disable_smilies", newest: "topic_cur_post_id",
	guest: css(`a[href*="ucp.php?mode=login"]`), wrong: css(`#postform .error, #login .error`),
	post:  queryOf("p"),
	held:  threadAlone(func(u *url.URL) bool { return u.Query().Get("t") != "" || u.Query().Get("f") != "" }, queryOf("p")),
	limit: 30_000, markup: bbcode{}.write,
}

// smfPosting is how SMF 2.1 takes replies. It names no post, and a form says before that its posts wait for a moderator.
var smfPosting = &posting{
	login: func(base *url.URL) string { return within(base, "index.php?action=login") },
	form: func(base *url.URL, thread string) string {
		return within(base, "index.php?action=post;topic="+url.QueryEscape(thread)+".0")
	},
	user: "user", password: "passwrd", stay: []field{{"cookielength", "-1"}},
	subject: "subject", message: "message", send: "post", plain: "ns", newest: "last_msg", waits: "not_approved",
	guest: css(`a[href*="action=login"], #guest_form`), wrong: css(`#error_list, #frmLogin .error, .login .error, .login .errorbox`), code: "error_",
	post:  func(u *url.URL) string { return submatch(smfPost, u.RequestURI()) },
	limit: 10_000, markup: bbcode{}.write,
}

var smfPost = regexp.MustCompile(`[/?&;]topic[=,]\d+\.msg(\d+)`)

// mybbPosting is how MyBB 1.8 takes replies.
var mybbPosting = &posting{
	login: func(base *url.URL) string { return within(base, "member.php?action=login") },
	form: func(base *url.URL, thread string) string {
		return within(base, "newreply.php?tid="+url.QueryEscape(thread))
	},
	user: "username", password: "password", stay: []field{{"remember", "yes"}},
	subject: "subject", message: "message", send: "submit", plain: "postoptions[disablesmilies]",
	guest: css(`#quick_login`), wrong: css(`.error`),
	post:  queryOf("pid"),
	held:  threadAlone(func(u *url.URL) bool { return u.Query().Get("tid") != "" || mybbThread.MatchString(u.Path) }, queryOf("pid")),
	limit: 20_000, markup: bbcode{}.write,
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

// xenforoPosting is how XenForo 2 takes replies: by its API where there is a key, else by its form.
var xenforoPosting = &posting{
	login: func(base *url.URL) string { return xenforoAddress(base, "login/") },
	form: func(base *url.URL, thread string) string {
		return xenforoAddress(base, "threads/"+url.PathEscape(thread)+"/reply")
	},
	user: "login", password: "password", stay: []field{{"remember", "1"}},
	message: "message",
	guest:   css(`html[data-logged-in="false"]`), wrong: css(`.blockMessage--error`),
	post:  func(u *url.URL) string { return submatch(xenforoPost, u.RequestURI()+"#"+u.Fragment) },
	held:  func(u *url.URL) bool { return u.Query().Has("pending_approval") },
	api:   xenforoReply,
	limit: 7_000, markup: bbcode{smilies: true}.write,
}

var xenforoPost = regexp.MustCompile(`(?:/posts/|[/#]post-)(\d+)`)

// discoursePosting is the API of Discourse.
var discoursePosting = &posting{api: discourseReply, limit: 20_000, markup: markdown{}.write}

// flarumPosting is the API of Flarum.
var flarumPosting = &posting{api: flarumReply, limit: 30_000, markup: markdown{}.write}

func queryOf(name string) func(*url.URL) string {
	return func(u *url.URL) string { return digits.FindString(u.Query().Get(name)) }
}

// threadAlone tells of an address whether it is of a thread and of no post.
func threadAlone(thread func(*url.URL) bool, post func(*url.URL) string) func(*url.URL) bool {
	return func(u *url.URL) bool { return thread(u) && post(u) == "" }
}
