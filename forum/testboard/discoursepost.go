package testboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// discourseServe takes replies by the API.
func discourseServe(x *Exchange) bool {
	if x.R.URL.Path != "/posts.json" && x.R.URL.Path != "/posts" || x.R.Method != http.MethodPost {
		return false
	}
	fail := func(status int, kind string, said string) {
		answer := fields{"errors": []string{said}}
		if kind != "" {
			answer["error_type"] = kind
		} else {
			answer["action"] = "create_post"
		}
		x.Answer(status, answer)
	}
	const noRight = "You are not permitted to view the requested resource."
	if !x.keyed(x.R.Header.Get("Api-Key")) || !strings.EqualFold(x.R.Header.Get("Api-Username"), x.User.Name) {
		fail(http.StatusForbidden, "invalid_access", noRight+" The API username or key is invalid.")
		return true
	}
	thread, text := x.discourseFields()
	if x.similar(thread, text) {
		fail(http.StatusUnprocessableEntity, "", "Body is too similar to what you recently posted")
		return true
	}
	if x.Alone > 0 && x.inARow(thread) >= x.Alone && !x.User.Staff() {
		fail(http.StatusUnprocessableEntity, "", fmt.Sprintf("No more than %d consecutive replies are allowed. Please edit your previous reply, or wait for someone to reply to you.", x.Alone))
		return true
	}
	switch m := x.reply(sending{thread: thread, text: text}); m.verdict {
	case stored:
		s := x.showPost(m.post)
		x.Answer(http.StatusOK, fields{
			"id": s.ID, "username": s.Author.Name, "user_id": s.Author.ID, "created_at": s.Posted.UTC().Format("2006-01-02T15:04:05.000Z"), "cooked": string(s.Body), "raw": s.Text,
			"post_number": s.Number, "post_type": 1, "topic_id": s.Thread, "version": 1,
		})
	case queued:
		x.Answer(http.StatusOK, fields{"action": "enqueued", "success": true, "pending_count": 1, "pending_post": fields{"id": m.post, "raw": text}})
	case noThread, locked, barred:
		fail(http.StatusForbidden, "invalid_access", noRight)
	case tooSoon:
		wait := int(m.wait / time.Second)
		x.Header.Set("Retry-After", strconv.Itoa(wait))
		x.Header.Set("Discourse-Rate-Limit-Error-Code", "create_post")
		x.Answer(http.StatusTooManyRequests, fields{"errors": []string{"You’ve performed this action too many times, please try again later."}, "error_type": "rate_limit", "extras": fields{"wait_seconds": wait}})
	case empty:
		fail(http.StatusUnprocessableEntity, "", "Body can't be blank")
	case tooLong:
		fail(http.StatusUnprocessableEntity, "", fmt.Sprintf("Body is limited to %d characters; you entered more.", x.Limit))
	}
	return true
}

// discourseFields are the thread and the text of a reply, which came as JSON or as a form.
func (x *Exchange) discourseFields() (thread int, text string) {
	var body struct {
		Raw   string      `json:"raw"`
		Topic json.Number `json:"topic_id"`
	}
	if x.Form != nil {
		return numberOf(x.Form.Get("topic_id")), x.Form.Get("raw")
	}
	if json.Unmarshal(x.JSON, &body) != nil {
		return 0, ""
	}
	return numberOf(body.Topic.String()), body.Raw
}

// similar tells whether the user has posted the same within five minutes.
func (x *Exchange) similar(thread int, text string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range x.posts {
		if p.Author == x.User.ID && p.Thread == thread && x.Now().Sub(p.Posted) < 5*time.Minute && p.Text == strings.TrimSpace(text) && !p.Waiting {
			return true
		}
	}
	return false
}

// inARow is how many posts at the end of a thread are the user's.
func (x *Exchange) inARow(thread int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := 0
	for _, p := range x.of(thread) {
		if n++; p.Author != x.User.ID {
			n = 0
		}
	}
	return n
}
