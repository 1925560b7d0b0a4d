package board

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestInChromium looks at the pages as people do, on a desktop and on a telephone, in light and dark: everything is
// there, nothing is wider than the window, nothing was blocked or failed to load. With ARROBA_SHOTS=DIR it leaves the
// screenshots there, to be looked at.
func TestInChromium(t *testing.T) {
	f := sample(t)
	f.member("lands", "Олег Рыжий", "player", "link")
	f.game("kings", "Kingmaker in the north", "en", "UTC")
	server := httptest.NewServer(f.h)
	defer server.Close()
	b := startBrowser(t)

	sizes := []struct {
		name          string
		width, height int
		phone, dark   bool
	}{{"desktop", 1280, 900, false, false}, {"desktop-dark", 1280, 900, false, true}, {"telephone", 390, 844, true, false}, {"telephone-dark", 390, 844, true, true}, {"small", 320, 568, true, false}}
	pages := []struct {
		name, path string
		articles   int
		text       []string
	}{
		{"index", "/", 0, []string{"Земли Героев: весна 2026", "Kingmaker in the north"}},
		{"game", "/g/lands", postsShown, []string{"Олег Рыжий", "Emelyan_the_Long-Nicked", "герцог", "Дуэль № 1 окончена", "22.03.2026, 15:00", "Лента Atom", "Войны", "Перепись"}},
		{"register", "/g/lands/register", 0, []string{"Перепись", "The register."}},
		{"older", "/g/lands?before=5", 4, []string{"К последним"}},
		{"member", "/m/link", postsShown, []string{"Your own page, Олег Рыжий", "2700 @", "Сапоги Скорохода"}},
		{"missing", "/none", 0, []string{"Такой страницы нет."}},
	}
	for _, size := range sizes {
		for _, page := range pages {
			if (size.dark || size.width < 390) && page.name != "game" && page.name != "member" {
				continue // what differs there shows on these two
			}
			t.Run(size.name+"/"+page.name, func(t *testing.T) {
				b.T = t
				got := b.look(server.URL+page.path, size.width, size.height, size.phone, size.dark)
				if got.Width > size.width {
					t.Errorf("the page is %d pixels wide in a window of %d: %s", got.Width, size.width, got.Wide)
				}
				if got.Articles != page.articles || got.Unloaded != 0 || got.Unstyled {
					t.Errorf("%d announcements, %d pictures not loaded, no style %v", got.Articles, got.Unloaded, got.Unstyled)
				}
				for _, want := range page.text {
					if !strings.Contains(got.Text, want) {
						t.Errorf("%q is not to be read", want)
					}
				}
				for _, complaint := range b.complaints {
					t.Errorf("the browser complains: %s", complaint)
				}
				if dir := os.Getenv("ARROBA_SHOTS"); dir != "" {
					b.shoot(filepath.Join(dir, page.name+"-"+size.name+".png"))
				}
			})
		}
	}
}

// measure is what is looked at in a page.
const measure = `JSON.stringify({
	width: document.documentElement.scrollWidth,
	wide: [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".picture")).map(e => e.tagName + "." + e.className).slice(0, 5).join(" "),
	articles: document.querySelectorAll("article").length,
	unloaded: [...document.images].filter(i => !i.complete || !i.naturalWidth).length,
	unstyled: getComputedStyle(document.body).marginTop !== "0px",
	text: document.body.innerText,
})`

type measured struct {
	Width, Articles, Unloaded int
	Unstyled                  bool
	Wide, Text                string
}

// browser is a Chromium without a window that is spoken to in its DevTools protocol, over two pipes.
type browser struct {
	*testing.T
	in         io.Writer
	out        *bufio.Reader
	session    string
	last       int
	complaints []string // what it logged of the last page: blocked, not found
}

// reply is an answer or an event of the browser.
type reply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("ARROBA_REAL") == "1" {
			t.Fatal("chromium is missing: apt-get install chromium")
		}
		t.Skip("chromium is missing")
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync",
		"--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--user-data-dir="+home, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{T: t, in: in, out: bufio.NewReader(out)}
	deadline := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }) // a browser that hangs ends the pipe
	t.Cleanup(func() {
		in.Close() // it ends with its pipe
		_ = cmd.Wait()
		deadline.Stop()
		out.Close()
	})

	var target struct{ TargetID string }
	b.decode(b.call("Target.createTarget", map[string]any{"url": "about:blank"}), &target)
	var session struct{ SessionID string }
	b.decode(b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}), &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page.enable", "Log.enable", "Runtime.enable"} {
		b.call(domain, nil)
	}
	return b
}

// call sends a command and waits for its answer.
func (b *browser) call(method string, params any) json.RawMessage {
	b.Helper()
	b.last++
	msg := map[string]any{"id": b.last, "method": method}
	if params != nil {
		msg["params"] = params
	}
	if b.session != "" {
		msg["sessionId"] = b.session
	}
	raw, err := json.Marshal(msg)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := b.in.Write(append(raw, 0)); err != nil {
		b.Fatalf("%s: %v", method, err)
	}
	r := b.await(func(r reply) bool { return r.ID == b.last })
	if r.Error != nil {
		b.Fatalf("%s: %s", method, r.Error)
	}
	return r.Result
}

// await reads on until something comes, and notes complaints meanwhile.
func (b *browser) await(what func(reply) bool) reply {
	b.Helper()
	for {
		raw, err := b.out.ReadBytes(0)
		if err != nil {
			b.Fatalf("the browser says nothing more: %v", err)
		}
		var r reply
		b.decode(raw[:len(raw)-1], &r)
		if r.Method == "Log.entryAdded" {
			b.complaints = append(b.complaints, string(r.Params))
		}
		if what(r) {
			return r
		}
	}
}

func (b *browser) decode(raw []byte, into any) {
	b.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		b.Fatalf("%s: %v", raw, err)
	}
}

// look opens a page in a window of a size and measures it.
func (b *browser) look(url string, width, height int, phone, dark bool) (m measured) {
	b.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
	b.complaints = nil
	b.call("Page.navigate", map[string]any{"url": url})
	b.await(func(r reply) bool { return r.Method == "Page.loadEventFired" })
	var value struct{ Result struct{ Value string } }
	b.decode(b.call("Runtime.evaluate", map[string]any{"expression": measure}), &value)
	b.decode([]byte(value.Result.Value), &m)
	b.complaints = slices.DeleteFunc(b.complaints, func(c string) bool {
		return strings.Contains(c, "favicon.ico") || strings.Contains(c, fmt.Sprintf("%q", url)) // a page that is missing on purpose
	})
	return m
}

// shoot writes a picture of the whole page to a file.
func (b *browser) shoot(path string) {
	b.Helper()
	var shot struct{ Data string }
	b.decode(b.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}), &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(path, raw, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}
