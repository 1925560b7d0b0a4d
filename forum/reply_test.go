package forum

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// boardAt is a board of a family at a test server, with an account.
func boardAt(t *testing.T, family, address string) *Board {
	t.Helper()
	u, err := url.Parse(address + "/")
	if err != nil {
		t.Fatal(err)
	}
	return &Board{Name: "square", Address: u, View: View{Board: family}, Client: newPolite().Client, Account: Account{User: "Herald", Password: "tabard"}}
}

const oldForm = `<html><head><meta charset="windows-1251"></head><body id="phpbb"><form method="post" action="./posting.php?mode=reply&amp;t=4">
<input type="hidden" name="form_token" value="&eacute;"><input type="hidden" name="topic_cur_post_id" value="9"><input type="checkbox" name="attach_sig" checked><input type="checkbox" name="notify">
<input type="checkbox" name="disable_smilies"><input type="radio" name="icon" value="0" checked><input type="radio" name="icon" value="1"><select name="lang"><option value="a">A<option value="b" selected>B</select>
<input name="subject" value="Re: x" maxlength="12"><textarea name="message">old</textarea><input type="file" name="f"><input name="off" value="1" disabled>
<input type="submit" name="preview" value="Preview"><input type="submit" name="post" value="Submit"></form></body></html>`

func TestF28AFormGoesOutAsABrowserSendsIt(t *testing.T) {
	var sent, referer string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			sent, referer = string(body), r.Referer()
			http.Redirect(w, r, "/viewtopic.php?p=10#p10", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=windows-1251")
		io.WriteString(w, oldForm)
	}))
	defer s.Close()
	r, err := boardAt(t, "phpbb", s.URL).Reply(t.Context(), "4", "Вызов принят, а потом?", "Да\n🎲 é")
	if err != nil || r.Outcome != Posted || r.Post != "10" {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := s.URL + "/posting.php?mode=reply&t=4"; referer != want {
		t.Errorf("Referer %q, want %q", referer, want)
	}
	fields := map[string]string{}
	for part := range strings.SplitSeq(sent, "&") {
		name, value, _ := strings.Cut(part, "=")
		fields[name], _ = url.QueryUnescape(value)
	}
	for name, want := range map[string]string{"topic_cur_post_id": "9", "attach_sig": "on", "disable_smilies": "on", "icon": "0", "lang": "b", "post": "Submit", "form_token": "&#233;",
		"message": "\xc4\xe0\r\n&#127922; &#233;", "subject": "\xc2\xfb\xe7\xee\xe2 \xef\xf0\xe8\xed\xff\x85"} {
		if fields[name] != want {
			t.Errorf("%s is %q, want %q", name, fields[name], want)
		}
	}
	for _, name := range []string{"preview", "notify", "f", "off"} {
		if _, ok := fields[name]; ok {
			t.Errorf("%s was sent", name)
		}
	}
}

func TestAnswersInManyLanguages(t *testing.T) {
	for _, c := range []struct {
		said string
		want Outcome
		wait time.Duration
	}{
		{"You cannot make another post so soon after your last.", Wait, 0},
		{"You must wait at least 15 seconds before performing this action.", Wait, 15 * time.Second},
		{"At least 60 seconds have to pass between posts. Please wait 40 seconds and try posting again.", Wait, time.Minute},
		{"The last posting from your IP was less than 2 seconds ago. Please try again later.", Wait, 2 * time.Second},
		{"You are trying to post too quickly after a previous post. Please wait 3 more minutes.", Wait, 0},
		{"Du kannst so schnell nach deinem letzten Beitrag keinen neuen schreiben.", Wait, 0},
		{"Вы не можете отправить сообщение сразу после предыдущего.", Wait, 0},
		{"Подождите 30 секунд.", Wait, 30 * time.Second},
		{"This message has been submitted successfully, but it will need to be approved by a moderator before it is publicly viewable.", Queued, 0},
		{"Der Beitrag muss erst von einem Moderator freigegeben werden.", Queued, 0},
		{"Ваше сообщение будет опубликовано после проверки модератором.", Queued, 0},
		{"This topic is locked, you cannot edit posts or make further replies.", Refused, 0},
		{"Dieses Thema ist gesperrt.", Refused, 0},
		{"Тема закрыта.", Refused, 0},
		{"Эта тема заблокирована.", Refused, 0},
		{"You do not have permission to access this page.", Refused, 0},
		{"You have been permanently banned from this board.", Refused, 0},
		{"[b] was found without a matching [/b]", Refused, 0},
		{"error_topic_locked", Refused, 0},
		{"error_postWaitTime_broken", Wait, 0},
		{"error_session_timeout", Again, 0},
		{"The submitted form was invalid. Try submitting again.", Again, 0},
		{"Das Formular war ungültig.", Again, 0},
		{"Bad HTTP_REFERER.", Again, 0},
		{"Authorization code mismatch.", Again, 0},
		{"You have already submitted this post! You might have accidentally double clicked.", Unclear, 0},
		{"You have already posted this reply to the specified thread.", Unclear, 0},
		{"Jotain tapahtui.", "", 0},
	} {
		r := judgeWords(c.said)
		if r.Outcome != c.want || c.wait > 0 && r.Wait != c.wait {
			t.Errorf("%q is %q with a wait of %s, want %q and %s", c.said, r.Outcome, r.Wait, c.want, c.wait)
		}
	}
	for _, said := range []string{"This bulletin board is currently closed.", "Das Forum ist wegen Wartungsarbeiten geschlossen.", "Форум временно отключён на техническое обслуживание.", "The board is disabled"} {
		if !closed(said) {
			t.Errorf("%q does not say that the board is closed", said)
		}
	}
}

func TestF38AnswersOfAPIs(t *testing.T) {
	for _, c := range []struct {
		family string
		status int
		body   string
		want   Outcome
		post   string
	}{
		{"xenforo", 200, `{"success":true,"post":{"post_id":17,"message_state":"visible"}}`, Posted, "17"},
		{"xenforo", 200, `{"success":true,"post":{"post_id":17,"message_state":"moderated"}}`, Queued, ""},
		{"xenforo", 200, `<html>`, Unclear, ""},
		{"xenforo", 400, `{"errors":[{"code":"thread_not_open","message":"You may not perform this action because the discussion is closed."}]}`, Refused, ""},
		{"xenforo", 400, `{"errors":[{"code":"flood","message":"You must wait at least 15 seconds before performing this action."}]}`, Wait, ""},
		{"xenforo", 401, `{"errors":[{"code":"api_key_not_found","message":"API key provided in request was not found."}]}`, LogIn, ""},
		{"xenforo", 403, `<html>Forbidden</html>`, Unclear, ""},
		{"discourse", 200, `{"id":17,"post_number":4,"topic_id":4}`, Posted, "17"},
		{"discourse", 200, `{"action":"enqueued","success":true}`, Queued, ""},
		{"discourse", 422, `{"errors":["Body is too similar to what you recently posted"]}`, Unclear, ""},
		{"discourse", 422, `{"errors":["No more than 3 consecutive replies are allowed. Please edit your previous reply, or wait for someone to reply to you."]}`, Wait, ""},
		{"discourse", 422, `{"errors":["Body is too short (minimum is 20 characters)"]}`, Refused, ""},
		{"discourse", 403, `{"errors":["You are not permitted to view the requested resource."],"error_type":"invalid_access"}`, Refused, ""},
		{"discourse", 429, `{"errors":["You've performed this action too many times."],"extras":{"wait_seconds":25}}`, Wait, ""},
		{"discourse", 500, `{}`, Unclear, ""},
		{"flarum", 201, `{"data":{"type":"posts","id":"17","attributes":{"isApproved":true}}}`, Posted, "17"},
		{"flarum", 201, `{"data":{"type":"posts","id":"17","attributes":{"isApproved":false}}}`, Queued, ""},
		{"flarum", 403, `{"errors":[{"status":"403","code":"permission_denied"}]}`, Refused, ""},
		{"flarum", 429, `{"errors":[{"status":"429","code":"too_many_requests"}]}`, Wait, ""},
	} {
		var asked *http.Request
		var sent string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			asked, sent = r, string(body)
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		}))
		b := boardAt(t, c.family, s.URL)
		b.Account.Key = "key-1"
		r, err := b.Reply(t.Context(), "4", "Round 2", "Hear & see")
		s.Close()
		if err != nil || r.Outcome != c.want || r.Post != c.post {
			t.Errorf("%s answers %d %s: %+v, %v; want %q and post %q", c.family, c.status, c.body, r, err, c.want, c.post)
		}
		key := asked.Header.Get("XF-Api-Key") + asked.Header.Get("Api-Key") + strings.TrimPrefix(asked.Header.Get("Authorization"), "Token ")
		if key != "key-1" || !strings.Contains(sent, "4") || !strings.Contains(sent, "Hear") {
			t.Errorf("%s was sent %s with key %q", c.family, sent, key)
		}
	}
}
