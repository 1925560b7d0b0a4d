package imapsrc

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"arroba/ingest"
)

// provider is an OAuth2 provider that follows a script: one answer a request for a token.
type provider struct {
	*httptest.Server
	mu      sync.Mutex
	device  string // answer to the request for a code; "" is a good one
	answers []string
	asked   []string // the forms that came, encoded
	headers []string // their Authorization fields
	methods string   // what discovery tells of the secret
	before  func()   // called before an answer
}

func newProvider(t *testing.T, answers ...string) *provider {
	t.Helper()
	p := &provider{answers: answers, methods: `"client_secret_post","client_secret_basic"`}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q,"device_authorization_endpoint":%q,"token_endpoint":%q,
			"token_endpoint_auth_methods_supported":[%s]}`, p.URL, p.URL+"/device", p.URL+"/token", p.methods)
	})
	answer := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(text, `"error"`) {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(w, text)
	}
	mux.HandleFunc("POST /device", func(w http.ResponseWriter, r *http.Request) {
		if p.device != "" {
			answer(w, p.device)
			return
		}
		answer(w, `{"device_code":"d3v","user_code":"WDJB-MJHT","verification_uri":"https://example.org/device","expires_in":600,"interval":1}`)
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		r.ParseForm()
		p.asked = append(p.asked, r.PostForm.Encode())
		p.headers = append(p.headers, r.Header.Get("Authorization"))
		if p.before != nil {
			p.before()
		}
		if len(p.answers) == 0 {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		answer(w, p.answers[0])
		p.answers = p.answers[1:]
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

const (
	pending = `{"error":"authorization_pending"}`
	granted = `{"access_token":"first","refresh_token":"again","token_type":"Bearer","expires_in":3600}`
)

func TestDeviceLogin(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		device  string
		answers []string
		err     string
	}{
		"granted":       {answers: []string{pending, granted}},
		"refused":       {answers: []string{`{"error":"access_denied"}`}, err: "refused"},
		"expired":       {answers: []string{`{"error":"expired_token"}`}, err: "run the command again"},
		"no refresh":    {answers: []string{`{"access_token":"first","token_type":"Bearer"}`}, err: "offline_access"},
		"scope":         {device: `{"error":"invalid_scope"}`, err: "app password"},
		"client":        {device: `{"error":"invalid_client"}`, err: "register"},
		"something new": {device: `{"error":"new_error","error_description":"of today"}`, err: "new_error of today"},
		"no code":       {device: `{}`, err: "gave none"},
		"out of time":   {device: `{"device_code":"d","user_code":"U","verification_uri":"https://example.org","expires_in":1,"interval":60}`, err: "expired"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t, test.answers...)
			p.device = test.device
			found, err := FindProvider(t.Context(), p.URL+"/", []string{"mail"})
			if err != nil {
				t.Fatal(err)
			}
			shown := ""
			g, err := Login(t.Context(), found, "client", "hush", func(at, code string, expires time.Time) {
				shown = at + " " + code
			})
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if shown != "https://example.org/device WDJB-MJHT" {
				t.Errorf("shown %q", shown)
			}
			if g.RefreshToken != "again" || g.AccessToken != "first" {
				t.Errorf("grant %+v", g)
			}
			for _, form := range p.asked {
				if want := "client_id=client&client_secret=hush&device_code=d3v&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&scope=mail"; form != want {
					t.Errorf("asked %q, want %q", form, want)
				}
			}
			if len(p.asked) != 2 {
				t.Errorf("asked %d times", len(p.asked))
			}
		})
	}
}

func TestFindProvider(t *testing.T) {
	for _, name := range []string{"gmail", "outlook"} {
		p, err := FindProvider(t.Context(), name, nil)
		if err != nil || !strings.HasPrefix(p.DeviceURL, "https://") || !strings.HasPrefix(p.TokenURL, "https://") || len(p.Scopes) == 0 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	basic := newProvider(t)
	basic.methods = `"client_secret_basic"`
	if p, err := FindProvider(t.Context(), basic.URL, nil); err != nil || !p.Basic {
		t.Errorf("%+v, %v", p, err)
	}
	nothing := httptest.NewServer(http.NotFoundHandler())
	defer nothing.Close()
	noDevice := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"token_endpoint":"https://example.org/token"}`)
	}))
	defer noDevice.Close()
	leaky := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"token_endpoint":"http://example.org/token","device_authorization_endpoint":"https://example.org/d"}`)
	}))
	defer leaky.Close()
	for name, want := range map[string]string{
		"yahoo": "gmail, outlook", "http://example.org": "https", nothing.URL: "404", noDevice.URL: "no device", leaky.URL: "https",
	} {
		if _, err := FindProvider(t.Context(), name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func TestTokens(t *testing.T) {
	p := newProvider(t,
		`{"access_token":"second","refresh_token":"rotated","token_type":"Bearer","expires_in":60}`,
		`{"access_token":"third","token_type":"Bearer","expires_in":3600}`,
	)
	file := filepath.Join(t.TempDir(), "token")
	g := Grant{ClientID: "client", TokenURL: p.URL + "/token", RefreshToken: "again", AccessToken: "first", Expiry: time.Now().Add(time.Hour)}
	save := func() {
		t.Helper()
		if err := g.Save(file); err != nil {
			t.Fatal(err)
		}
	}
	save()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v (%v)", info.Mode(), err)
	}
	token := Tokens(file)
	want := func(want string) {
		t.Helper()
		if got, err := token(t.Context()); got != want || err != nil {
			t.Errorf("token %q (%v), want %q", got, err, want)
		}
	}
	want("first")
	g.Expiry = time.Now().Add(time.Minute)
	save()
	want("second")
	want("third") // the second one has a minute only
	want("third")
	if len(p.asked) != 2 || !strings.Contains(p.asked[0], "refresh_token=again") || !strings.Contains(p.asked[1], "refresh_token=rotated") {
		t.Errorf("asked %q", p.asked)
	}
	var kept Grant
	if data, err := os.ReadFile(file); err != nil || json.Unmarshal(data, &kept) != nil || kept.RefreshToken != "rotated" {
		t.Errorf("kept %+v", kept)
	}

	// When the provider is down the error is temporary, when it refuses it is not.
	g.Expiry = time.Time{}
	save()
	var auth *ingest.AuthError
	if _, err := token(t.Context()); err == nil || errors.As(err, &auth) {
		t.Errorf("provider down: %v", err)
	}
	// When another program has renewed the token meanwhile, its refusal is no harm.
	p.before = func() {
		other := g
		other.RefreshToken, other.AccessToken, other.Expiry = "of another", "its token", time.Now().Add(time.Hour)
		if err := other.Save(file); err != nil {
			t.Error(err)
		}
	}
	p.answers = []string{`{"error":"invalid_grant"}`}
	want("its token")
	p.before = nil
	save()
	p.answers = []string{`{"error":"invalid_grant"}`}
	if _, err := token(t.Context()); !errors.As(err, &auth) || !strings.Contains(err.Error(), "arroba login") {
		t.Errorf("withdrawn: %v", err)
	}
	if err := os.WriteFile(file, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := token(t.Context()); !errors.As(err, &auth) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("no grant in the file: %v", err)
	}
}
