package testboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// flarumServe gives tokens to users and takes replies by the API.
func flarumServe(x *Exchange) bool {
	switch {
	case x.R.Method != http.MethodPost:
		return false
	case x.R.URL.Path == "/api/token":
		flarumToken(x)
	case x.R.URL.Path == "/api/posts":
		flarumReply(x)
	default:
		return false
	}
	return true
}

func flarumFail(x *Exchange, status int, code, detail string) {
	e := fields{"status": strconv.Itoa(status), "code": code}
	if detail != "" {
		e["detail"], e["source"] = detail, fields{"pointer": "/data/attributes/content"}
	}
	x.Answer(status, fields{"errors": []fields{e}})
}

func flarumToken(x *Exchange) {
	var body struct{ Identification, Password string }
	if json.Unmarshal(x.JSON, &body) != nil || !x.logIn(body.Identification, body.Password) {
		flarumFail(x, http.StatusUnauthorized, "not_authenticated", "")
		return
	}
	x.Answer(http.StatusOK, fields{"token": x.token(), "userId": strconv.Itoa(x.User.ID)})
}

// token gives the user a key for the API, where he has none.
func (x *Exchange) token() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	u := x.user(x.User.ID)
	if u.Key == "" {
		u.Key = x.random()
	}
	return u.Key
}

func flarumReply(x *Exchange) {
	key, ok := strings.CutPrefix(x.R.Header.Get("Authorization"), "Token ")
	key, _, _ = strings.Cut(key, ";") // "; userId=…" follows a key of the administrator
	if ok && !x.keyed(key) {
		flarumFail(x, http.StatusUnauthorized, "not_authenticated", "")
		return
	}
	if !ok {
		flarumFail(x, http.StatusBadRequest, "csrf_token_mismatch", "")
		return
	}
	var body struct {
		Data struct {
			Attributes    struct{ Content string }
			Relationships struct {
				Discussion struct{ Data struct{ ID string } }
			}
		}
	}
	if json.Unmarshal(x.JSON, &body) != nil {
		flarumFail(x, http.StatusBadRequest, "invalid_parameter", "")
		return
	}
	switch m := x.reply(sending{thread: numberOf(body.Data.Relationships.Discussion.Data.ID), text: body.Data.Attributes.Content}); m.verdict {
	case stored, queued:
		s := x.showPost(m.post)
		x.Answer(http.StatusCreated, fields{"data": fields{"type": "posts", "id": strconv.Itoa(s.ID), "attributes": fields{
			"number": s.Number, "createdAt": s.Posted.UTC().Format(time.RFC3339), "contentType": "comment", "contentHtml": string(s.Body), "content": s.Text, "isApproved": m.verdict == stored,
		}}})
	case noThread:
		flarumFail(x, http.StatusNotFound, "not_found", "")
	case tooSoon:
		flarumFail(x, http.StatusTooManyRequests, "too_many_requests", "")
	case empty:
		flarumFail(x, http.StatusUnprocessableEntity, "validation_error", "The content field is required.")
	case tooLong:
		flarumFail(x, http.StatusUnprocessableEntity, "validation_error", fmt.Sprintf("The content may not be greater than %d characters.", x.Limit))
	default:
		flarumFail(x, http.StatusForbidden, "permission_denied", "")
	}
}
