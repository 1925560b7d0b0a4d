package forum

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// apiError is what the APIs say when something is wrong.
type apiError struct {
	Errors []json.RawMessage `json:"errors"`
	Extras struct {
		WaitSeconds float64 `json:"wait_seconds"`
	} `json:"extras"`
}

// said are the words of an API's answer: errors are texts, or objects with a code and a text.
func (e apiError) said() string {
	var all []string
	for _, raw := range e.Errors {
		var text string
		var object struct{ Code, Message, Detail string }
		if json.Unmarshal(raw, &text) == nil {
			all = append(all, text)
		} else if json.Unmarshal(raw, &object) == nil {
			all = append(all, object.Code+" "+object.Message+" "+object.Detail)
		}
	}
	return fold(strings.Join(all, " "))
}

// judgeAPI reads an answer that does not say that the reply was taken. The reply is the zero value when it does.
func (b *Board) judgeAPI(a Answer, err error) (Reply, error) {
	var busy *ThrottledError
	var e apiError
	_ = json.Unmarshal(a.Body, &e) // what is no JSON has no errors in it
	said := e.said()
	switch {
	case errors.As(err, &busy) && busy.Status == http.StatusTooManyRequests:
		return Reply{Outcome: Wait, Wait: max(busy.Until.Sub(b.Client.Now()), time.Duration(e.Extras.WaitSeconds*float64(time.Second))), Said: said}, nil
	case err != nil && unsent(err):
		return Reply{}, fmt.Errorf("send the reply: %w", err)
	case err != nil:
		return Reply{Outcome: Unclear, Said: err.Error()}, nil
	case a.Status == http.StatusUnauthorized || strings.Contains(said, "api_key"):
		return Reply{Outcome: LogIn, Said: said}, nil
	case a.Status >= 300 && a.Status < 400:
		return Reply{Outcome: Unclear, Said: "it sends to " + WithoutSession(a.Header.Get("Location"))}, nil
	case a.Status >= 400:
		if said == "" { // a page, of whomever
			return Reply{Outcome: Unclear, Said: said}, nil
		}
		r := judgeWords(said)
		switch {
		case strings.Contains(said, "similar"): // to what was posted a moment ago: it may be this
			r.Outcome = Unclear
		case strings.Contains(said, "consecutive"): // somebody else must write first
			r.Wait = time.Hour
		}
		if r.Outcome == "" || r.Outcome == Again {
			r.Outcome = Refused
		}
		r.Said = said
		return r, nil
	}
	return Reply{}, nil
}

// callJSON sends JSON to an API.
func (b *Board) callJSON(ctx context.Context, keys http.Header, address string, v any) (Answer, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return Answer{}, &unsentError{err}
	}
	return b.call(ctx, keys, address, "application/json", body)
}

// call speaks to an API.
func (b *Board) call(ctx context.Context, keys http.Header, address, contentType string, body []byte) (Answer, error) {
	keys.Set("Content-Type", contentType)
	keys.Set("Accept", "application/json")
	return b.Client.do(ctx, b.cookies(), request{method: http.MethodPost, address: address, header: keys, body: body})
}

func xenforoKeys(a Account) http.Header {
	h := http.Header{"Xf-Api-Key": {a.Key}}
	if _, err := strconv.Atoi(a.User); err == nil { // a key of a super user speaks for anybody
		h.Set("XF-Api-User", a.User)
	}
	return h
}

func xenforoReply(b *Board, ctx context.Context, thread, text string) (Reply, error) {
	form := url.Values{"thread_id": {thread}, "message": {text}}
	a, err := b.call(ctx, xenforoKeys(b.Account), xenforoAddress(b.Address, "api/posts/"), "application/x-www-form-urlencoded", []byte(form.Encode()))
	if r, err := b.judgeAPI(a, err); err != nil || r.Outcome != "" {
		return r, err
	}
	var taken struct {
		Post struct {
			ID    int    `json:"post_id"`
			State string `json:"message_state"`
		} `json:"post"`
	}
	if err := json.Unmarshal(a.Body, &taken); err != nil || taken.Post.ID == 0 {
		return Reply{Outcome: Unclear, Said: "its answer has no post"}, nil
	}
	if taken.Post.State == "moderated" {
		return Reply{Outcome: Queued}, nil
	}
	return Reply{Outcome: Posted, Post: strconv.Itoa(taken.Post.ID)}, nil
}

func discourseKeys(a Account) http.Header {
	return http.Header{"Api-Key": {a.Key}, "Api-Username": {a.User}}
}

func discourseReply(b *Board, ctx context.Context, thread, text string) (Reply, error) {
	id, err := strconv.Atoi(thread)
	if err != nil {
		return Reply{}, fmt.Errorf("%q is no number of a thread", thread)
	}
	a, err := b.callJSON(ctx, discourseKeys(b.Account), within(b.Address, "posts.json"), map[string]any{"raw": text, "topic_id": id})
	if r, err := b.judgeAPI(a, err); err != nil || r.Outcome != "" {
		return r, err
	}
	var taken struct {
		ID     int    `json:"id"`
		Action string `json:"action"`
		Post   struct {
			ID int `json:"id"`
		} `json:"post"`
	}
	if err := json.Unmarshal(a.Body, &taken); err != nil {
		return Reply{Outcome: Unclear, Said: "its answer is no JSON"}, nil
	}
	switch {
	case taken.Action == "enqueued":
		return Reply{Outcome: Queued}, nil
	case taken.ID+taken.Post.ID > 0:
		return Reply{Outcome: Posted, Post: strconv.Itoa(max(taken.ID, taken.Post.ID))}, nil
	}
	return Reply{Outcome: Unclear, Said: "its answer has no post"}, nil
}

func flarumKeys(a Account) http.Header {
	return http.Header{"Authorization": {"Token " + a.Key}}
}

func flarumReply(b *Board, ctx context.Context, thread, text string) (Reply, error) {
	type object map[string]any
	a, err := b.callJSON(ctx, flarumKeys(b.Account), within(b.Address, "api/posts"), object{"data": object{"type": "posts", "attributes": object{"content": text},
		"relationships": object{"discussion": object{"data": object{"type": "discussions", "id": thread}}}}})
	if r, err := b.judgeAPI(a, err); err != nil || r.Outcome != "" {
		return r, err
	}
	var taken struct {
		Data struct {
			ID         string `json:"id"`
			Attributes struct {
				Approved *bool `json:"isApproved"`
			} `json:"attributes"`
		} `json:"data"`
	}
	if err := json.Unmarshal(a.Body, &taken); err != nil || taken.Data.ID == "" {
		return Reply{Outcome: Unclear, Said: "its answer has no post"}, nil
	}
	if approved := taken.Data.Attributes.Approved; approved != nil && !*approved {
		return Reply{Outcome: Queued}, nil
	}
	return Reply{Outcome: Posted, Post: taken.Data.ID}, nil
}
