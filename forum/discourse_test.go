package forum

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// discoursePost is a post of Discourse, with further fields.
func discoursePost(id, number int, cooked, more string) string {
	return fmt.Sprintf(`{"id":%d,"name":"The Magistrate","username":"oleg_%d","user_id":%d,"created_at":"2026-03-13T21:45:00.987Z","updated_at":"2026-03-13T21:45:00.987Z","cooked":%q,"post_number":%d,"post_type":1,"version":1,"topic_id":31,"topic_slug":"spring-war","hidden":false,"wiki":false,"deleted_at":null,"user_deleted":false%s}`,
		id, id, id+1000, cooked, number, more)
}

// discourseTopicPage is an answer with these posts of a topic with these.
func discourseTopicPage(stream string, posts ...string) string {
	return `{"post_stream":{"posts":[` + strings.Join(posts, ",") + `],"stream":[` + stream + `]},"id":31,"title":"Spring war","slug":"spring-war","posts_count":40,"chunk_size":20}`
}

const cooked = `<aside class="quote no-group" data-username="boris" data-post="1" data-topic="31">
<div class="title"><div class="quote-controls"></div> boris:</div><blockquote><p>YIELD</p></blockquote></aside>
<p><a class="mention" href="/u/boris">@boris</a> CHALLENGE <img src="/images/emoji/twitter/smile.png?v=12" title=":smile:" class="emoji" alt=":smile:" loading="lazy"><br>
<strong>PL</strong><em>EDGE</em> HL3 <s>READY</s></p>
<details><summary>Roster</summary><p>HL1 STAYS</p></details>
<p><span class="spoiler">HL2 MOVES</span></p>
<pre><code class="lang-auto">HL4    STAYS

HL5    MOVES
</code></pre>
<aside class="onebox allowlistedgeneric" data-onebox-src="https://a.example/"><header class="source">a.example</header><article class="onebox-body"><h3>READY</h3></article></aside>
<p>See <a href="https://a.example/map" class="inline-onebox">READY - a map</a></p>
<p><div class="lightbox-wrapper"><a class="lightbox" href="/uploads/map.png"><img src="/uploads/map.png" alt="READY"><div class="meta"><span class="filename">READY.png</span><span class="informations">800×600</span></div></a></div></p>
<p><a class="attachment" href="/uploads/orders.txt">orders.txt</a> (12 Bytes)</p>
<blockquote><p>WAIT</p></blockquote>`

func TestDiscourse(t *testing.T) {
	page := discourseTopicPage("501,502,503,504,505,506,507,508",
		discoursePost(501, 1, cooked, ""),
		discoursePost(502, 2, "<p>READY</p>", `,"version":2`),
		discoursePost(503, 3, "<p>pinned</p>", `,"post_type":3`),
		discoursePost(504, 4, "<p>READY</p>", `,"hidden":true`),
		discoursePost(505, 5, "<p>READY</p>", `,"deleted_at":"2026-03-13T22:00:00Z"`),
		discoursePost(506, 6, "<p>(post deleted by author)</p>", `,"user_deleted":true`),
		discoursePost(507, 7, "<p>READY</p>", `,"wiki":true`),
		discoursePost(508, 8, "<p>psst</p>", `,"post_type":4`),
	)
	p := Read(answered("https://forum.example/talk/t/31.json", page), View{})
	comparePosts(t, p, []wanted{
		{"501", "oleg_501", "1501", false, []string{"@boris CHALLENGE :smile:", "PLEDGE HL3", "HL1 STAYS", "HL2 MOVES", "HL4 STAYS", "HL5 MOVES", "See https://a.example/map", "(12 Bytes)"}},
		{"502", "oleg_502", "1502", true, []string{"READY"}},
		{"507", "oleg_507", "1507", false, []string{"READY"}},
	})
	if p.Board != "discourse" || p.Thread != "31" || p.Title != "Spring war" || p.Next != "" || len(p.Problems) > 0 {
		t.Errorf("%+v", p)
	}
	post := p.Posts[0]
	if !post.Posted.At.Equal(time.Date(2026, 3, 13, 21, 45, 0, 0, time.UTC)) || post.Permalink != "https://forum.example/talk/t/spring-war/31/1" || post.Attachments != 1 || post.Wiki {
		t.Errorf("%+v", post)
	}
}

func TestF46APostThatAnybodyMayEditIsMarked(t *testing.T) {
	p := Read(answered("https://forum.example/t/31.json", discourseTopicPage("501", discoursePost(501, 1, "<p>READY</p>", `,"wiki":true`))), View{})
	if len(p.Posts) != 1 || !p.Posts[0].Wiki {
		t.Errorf("%+v", p)
	}
}

func TestDiscourseIsWalkedToItsEnd(t *testing.T) {
	const posts = 95
	var all, stream []string
	for i := range posts {
		all = append(all, discoursePost(500+i, i+1, "<p>READY</p>", ""))
		stream = append(stream, fmt.Sprint(500+i))
	}
	page := discourseTopicPage(strings.Join(stream, ","), all[:20]...)
	address, seen := "https://forum.example/t/31.json", 0
	for range posts {
		p := Read(Answer{Asked: address, URL: strings.Split(address, "#")[0], Body: []byte(page)}, View{Board: "discourse"})
		if p.Kind != Thread || p.Thread != "31" {
			t.Fatalf("%s: %s %v", address, p.Kind, p.Problems)
		}
		for _, post := range p.Posts {
			if want := fmt.Sprint(500 + seen); post.ID != want {
				t.Fatalf("post %s where %s should be", post.ID, want)
			}
			seen++
		}
		if p.Next == "" {
			break
		}
		address = p.Next
		var asked []string
		u := discourseQuery(t, address)
		for _, id := range u["post_ids[]"] {
			asked = append(asked, all[number(id, 0)-500])
		}
		page = `{"post_stream":{"posts":[` + strings.Join(asked, ",") + `]},"id":31}`
	}
	if seen != posts {
		t.Errorf("%d of %d posts were read", seen, posts)
	}
}

func TestDiscourseTellsNoIdsOfALongTopic(t *testing.T) {
	var all []string
	for i := range 20 {
		all = append(all, discoursePost(500+i, i+1, "<p>READY</p>", ""))
	}
	first := `{"post_stream":{"posts":[` + strings.Join(all, ",") + `],"isMegaTopic":true},"id":31,"isMegaTopic":true}`
	p := Read(answered("https://forum.example/t/31.json", first), View{})
	if want := "https://forum.example/t/31/posts.json?asc=true&post_number=20"; p.Next != want {
		t.Fatalf("the next page is %q", p.Next)
	}
	rest := `{"post_stream":{"posts":[` + strings.Join(all, ",") + `]},"id":31}`
	if next := Read(Answer{Asked: p.Next, URL: p.Next, Body: []byte(rest)}, View{}).Next; next == "" {
		t.Error("a full answer has no next one")
	}
	if next := Read(Answer{Asked: p.Next, URL: p.Next, Body: []byte(`{"post_stream":{"posts":[` + all[0] + `]},"id":31}`)}, View{}).Next; next != "" {
		t.Errorf("the last answer has a next one: %s", next)
	}
}

func discourseQuery(t *testing.T, address string) map[string][]string {
	t.Helper()
	return answerAddress(t, address).Query()
}

func TestF21DiscourseSaysSomethingElse(t *testing.T) {
	for body, want := range map[string]Kind{
		`{"errors":["The requested URL or resource could not be found."],"error_type":"not_found"}`:          Message,
		`{"errors":["You need to be logged in to do that."],"error_type":"not_logged_in"}`:                   Login,
		`{"errors":["You are not permitted to view the requested resource."],"error_type":"invalid_access"}`: Message,
	} {
		p := Read(answered("https://forum.example/t/31.json", body), View{})
		if p.Kind != want || p.Board != "discourse" || p.Said == "" {
			t.Errorf("%s: %s of %q, says %q", body, p.Kind, p.Board, p.Said)
		}
	}
}

func TestF39ABrokenAnswerOfDiscourseIsUnreadable(t *testing.T) {
	whole := discourseTopicPage("501,502", discoursePost(501, 1, "<p>READY</p>", ""), discoursePost(502, 2, "<p>READY</p>", ""))
	deep := strings.Repeat("<blockquote>", 600) + "x"
	for name, body := range map[string]string{
		"breaks off":        whole[:len(whole)/2],
		"other types":       strings.Replace(whole, `"post_number":1`, `"post_number":"first"`, 1),
		"no type of a post": strings.Replace(whole, `"post_type":1`, `"kind":1`, 1),
		"no id":             strings.Replace(whole, `"id":501`, `"pid":501`, 1),
		"too deep":          discourseTopicPage("501,502", discoursePost(501, 1, deep, ""), discoursePost(502, 2, "<p>READY</p>", "")),
	} {
		if p := Read(answered("https://forum.example/t/31.json", body), View{}); p.Kind != Unreadable || len(p.Posts) > 0 || len(p.Problems) == 0 {
			t.Errorf("%s: %s with %d posts, %q", name, p.Kind, len(p.Posts), p.Problems)
		}
	}
}

func TestF39OfAnAnswerWithAPostThatIsTooDeepTheNextIsKnown(t *testing.T) {
	deep := strings.Repeat("<blockquote>", 600) + "x"
	p := Read(answered("https://forum.example/t/31.json", discourseTopicPage("501,502", discoursePost(501, 1, deep, ""))), View{})
	if p.Kind != Unreadable || !strings.Contains(p.Next, "502") {
		t.Errorf("%s, next %q", p.Kind, p.Next)
	}
}
