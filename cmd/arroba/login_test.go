package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arroba/ingest/imapsrc"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	provider := httptest.NewServer(mux)
	defer provider.Close()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"device_authorization_endpoint":%q,"token_endpoint":%q}`, provider.URL+"/device", provider.URL+"/token")
	})
	mux.HandleFunc("POST /device", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"https://example.org/device","expires_in":600,"interval":1}`)
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if secret := r.FormValue("client_secret"); secret != "hush" {
			t.Errorf("client secret %q", secret)
		}
		fmt.Fprint(w, `{"access_token":"t0ken","refresh_token":"again","token_type":"Bearer","expires_in":3600}`)
	})
	dir := t.TempDir()
	secret, token := filepath.Join(dir, "client"), filepath.Join(dir, "token")
	if err := os.WriteFile(secret, []byte("hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	login := func(args ...string) (string, error) {
		cmd := loginCommand()
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SetArgs(args)
		err := cmd.ExecuteContext(t.Context())
		return out.String(), err
	}
	out, err := login(provider.URL, "--client-id", "arroba", "--client-secret-file", secret, "--token-file", token)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Open https://example.org/device", "enter the code WDJB-MJHT", "token_file = "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %q", want, out)
		}
	}
	if strings.Contains(out, "t0ken") || strings.Contains(out, "hush") || strings.Contains(out, "again") {
		t.Errorf("a secret is in %q", out)
	}
	if got, err := imapsrc.Tokens(token)(t.Context()); got != "t0ken" || err != nil {
		t.Errorf("the file gives %q, %v", got, err)
	}
	if _, err := login(provider.URL, "--token-file", token); err == nil || !strings.Contains(err.Error(), "client-id") {
		t.Errorf("without a client id: %v", err)
	}
}
