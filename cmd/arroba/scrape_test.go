package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestScrapeAddress reads a page from a server, by the Date of its answer, and says who asks.
func TestScrapeAddress(t *testing.T) {
	t.Parallel() // it waits, as boards like it
	var agent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/viewtopic.php" {
			agent = r.UserAgent()
		}
		fmt.Fprint(w, `<body id="phpbb"><div id="p12" class="post"><dl class="postprofile"><span class="username">Ada</span></dl><div class="postbody">`+
			`<p class="author"><time datetime="2026-11-29T20:15:30Z"></time></p><div class="content">WHO</div></div></div>`)
	}))
	defer server.Close()
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"scrape", "--json", "--contact", "gm@example.org", server.URL + "/viewtopic.php?t=3"}, func(string) string { return "" }, strings.NewReader(""), &out, &errs)
	want := `{"board":"phpbb","topic":"3","post_id":"12","author":"Ada","posted":"2026-11-29T20:15:30Z","edited":false,"permalink":"","subject":"","lines":["WHO"],"next":""}` + "\n"
	if code != 0 || out.String() != want || errs.Len() > 0 {
		t.Errorf("code %d, %s%s, wanted %s", code, out.String(), errs.String(), want)
	}
	if !strings.Contains(agent, "arroba") || !strings.Contains(agent, "gm@example.org") {
		t.Errorf("it asked as %q", agent)
	}
}
