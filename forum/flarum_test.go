package forum

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func answerAddress(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const flarumPage = `{"links":{"first":"https://forum.example/api/posts?filter%5Bdiscussion%5D=31","next":"https://forum.example/api/posts?filter%5Bdiscussion%5D=31&page%5Boffset%5D=50"},"data":[
{"type":"posts","id":"501","attributes":{"number":1,"createdAt":"2026-03-13T21:45:00+00:00","contentType":"comment","contentHtml":"<blockquote class=\"uncited\"><div><p>YIELD</p></div></blockquote>\n<p><a href=\"https://forum.example/d/31/2\" class=\"PostMention\" data-id=\"500\">boris</a> CHALLENGE<br>\nPLEDGE HL3</p><details class=\"spoiler\"><summary>Spoiler</summary>HL1 STAYS</details><p><del>READY</del></p>","editedAt":"2026-03-13T21:50:00+00:00"},"relationships":{"user":{"data":{"type":"users","id":"7"}},"discussion":{"data":{"type":"discussions","id":"31"}}}},
{"type":"posts","id":"502","attributes":{"number":2,"createdAt":"2026-03-13T21:46:00+00:00","contentType":"discussionLocked","content":{"locked":true}},"relationships":{"user":{"data":{"type":"users","id":"1"}}}},
{"type":"posts","id":"503","attributes":{"number":3,"createdAt":"2026-03-13T21:47:00+00:00","contentType":"comment","contentHtml":"<p>READY</p>","isHidden":true,"hiddenAt":"2026-03-13T21:50:00+00:00"},"relationships":{"user":{"data":{"type":"users","id":"7"}}}},
{"type":"posts","id":"504","attributes":{"number":4,"createdAt":"2026-03-13T23:48:00+02:00","contentType":"comment","contentHtml":"<p>READY</p>","isHidden":false},"relationships":{"user":{"data":null}}}
],"included":[{"type":"users","id":"7","attributes":{"username":"oleg","displayName":"Magistrate"}},{"type":"discussions","id":"31","attributes":{"title":"Spring war"}}]}`

func TestFlarum(t *testing.T) {
	p := Read(answered("https://forum.example/api/posts?filter%5Bdiscussion%5D=31&sort=number", flarumPage), View{})
	comparePosts(t, p, []wanted{
		{"501", "oleg", "7", true, []string{"boris CHALLENGE", "PLEDGE HL3", "HL1 STAYS"}},
		{"504", "", "", false, []string{"READY"}},
	})
	if p.Board != "flarum" || p.Thread != "31" || p.Title != "Spring war" || !strings.HasSuffix(p.Next, "page%5Boffset%5D=50") {
		t.Errorf("%+v", p)
	}
	if want := time.Date(2026, 3, 13, 21, 48, 0, 0, time.UTC); !p.Posts[1].Posted.At.Equal(want) || p.Posts[0].Permalink != "https://forum.example/d/31/1" {
		t.Errorf("%+v", p.Posts)
	}
	if len(p.Problems) != 1 || !strings.Contains(p.Problems[0], "504") {
		t.Errorf("problems %q, wanted that 504 has no author", p.Problems)
	}
}

func TestF21FlarumSaysSomethingElse(t *testing.T) {
	for body, want := range map[string]Kind{
		`{"errors":[{"status":"401","code":"not_authenticated"}]}`: Login,
		`{"errors":[{"status":"403","code":"permission_denied"}]}`: Message,
		`{"errors":[{"status":"404","code":"not_found"}]}`:         Message,
		`{"links":{"first":"x"},"data":[]}`:                        Message,
	} {
		p := Read(answered("https://forum.example/api/posts?filter[discussion]=31", body), View{})
		if p.Kind != want || p.Board != "flarum" || p.Said == "" {
			t.Errorf("%s: %s of %q, says %q", body, p.Kind, p.Board, p.Said)
		}
	}
}

func TestF40FlarumOfAnotherShapeIsUnreadable(t *testing.T) {
	for name, body := range map[string]string{
		"breaks off":  flarumPage[:900],
		"other types": strings.Replace(flarumPage, `"number":1`, `"number":"one"`, 1),
		"no kind":     strings.ReplaceAll(flarumPage, `"contentType"`, `"content_type"`),
	} {
		if p := Read(answered("https://forum.example/api/posts", body), View{}); p.Kind != Unreadable || len(p.Posts) > 0 || len(p.Problems) == 0 {
			t.Errorf("%s: %s with %d posts, %q", name, p.Kind, len(p.Posts), p.Problems)
		}
	}
	p := Read(answered("https://forum.example/api/posts", strings.Replace(flarumPage, `"contentHtml"`, `"body"`, 1)), View{})
	if p.Kind != Thread || p.Posts[0].Hash != "" || !strings.Contains(p.Problems[0], "501") {
		t.Errorf("a post without its text: %s, %+v", p.Kind, p.Problems)
	}
}
