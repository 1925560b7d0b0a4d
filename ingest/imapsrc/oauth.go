package imapsrc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"arroba/ingest"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"
)

// A TokenFunc returns an access token that is good for some time yet: what Config.Token wants, and whoever else logs
// in with the same grant. Its error is an *ingest.AuthError when only a new log-in by a person helps.
type TokenFunc func(ctx context.Context) (string, error)

// Provider is where a mail provider hands out OAuth2 tokens, and what to ask it for.
type Provider struct {
	DeviceURL string
	TokenURL  string
	Scopes    []string
	Basic     bool // it wants the client's secret in the Authorization header
}

// Grant is a mailbox owner's permission to use his mailbox, as it is kept in a file. It is as secret as a password.
type Grant struct {
	ClientID     string    `json:"client_id"`
	ClientSecret string    `json:"client_secret,omitempty"`
	TokenURL     string    `json:"token_url"`
	Basic        bool      `json:"basic,omitempty"`
	Scopes       []string  `json:"scopes"`
	RefreshToken string    `json:"refresh_token"`
	AccessToken  string    `json:"access_token"`
	Expiry       time.Time `json:"expiry"`
}

// FindProvider knows "gmail" and "outlook", and asks any other provider by its URL how it wants to be asked. Scopes
// replace the provider's own unless there are none.
func FindProvider(ctx context.Context, name string, scopes []string) (Provider, error) {
	var p Provider
	var err error
	switch name {
	case "gmail":
		p = known(endpoints.Google, "https://mail.google.com/")
	case "outlook":
		p = known(endpoints.AzureAD("common"), "https://outlook.office.com/IMAP.AccessAsUser.All",
			"https://outlook.office.com/SMTP.Send", "offline_access")
	default:
		p, err = discover(ctx, name)
	}
	if len(scopes) > 0 {
		p.Scopes = scopes
	}
	return p, err
}

func known(e oauth2.Endpoint, scopes ...string) Provider {
	return Provider{DeviceURL: e.DeviceAuthURL, TokenURL: e.TokenURL, Scopes: scopes}
}

// discover reads a provider's own description of itself.
func discover(ctx context.Context, base string) (Provider, error) {
	if err := private(base); err != nil {
		return Provider{}, fmt.Errorf("provider %q: name gmail, outlook or an https address: %w", base, err)
	}
	at := strings.TrimSuffix(base, "/") + "/.well-known/openid-configuration"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return Provider{}, err
	}
	resp, err := httpClient().Do(req)
	if err != nil {
		return Provider{}, fmt.Errorf("ask the provider how it grants access: %w", err)
	}
	defer resp.Body.Close()
	var told struct {
		Device  string   `json:"device_authorization_endpoint"`
		Token   string   `json:"token_endpoint"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
	}
	if resp.StatusCode != http.StatusOK {
		return Provider{}, fmt.Errorf("%s answers %s: is it the provider's address?", at, resp.Status)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&told); err != nil {
		return Provider{}, fmt.Errorf("%s is no description of a provider: %w", at, err)
	}
	if told.Device == "" || told.Token == "" {
		return Provider{}, fmt.Errorf("the provider at %s has no device log-in: use a password of its own for the mailbox", base)
	}
	if err := cmp.Or(private(told.Device), private(told.Token)); err != nil {
		return Provider{}, err
	}
	basic := slices.Contains(told.Methods, "client_secret_basic") && !slices.Contains(told.Methods, "client_secret_post")
	return Provider{told.Device, told.Token, []string{"openid", "offline_access"}, basic}, nil
}

// private refuses addresses over which secrets would travel in the clear.
func private(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("%q is no https address", address)
	}
	return nil
}

func httpClient() *http.Client { return &http.Client{Timeout: 30 * time.Second} }

// Login asks the provider for access, has show tell the mailbox's owner where to allow it with which code, and waits
// until he has done so, refused, or let the code expire.
func Login(ctx context.Context, p Provider, clientID, clientSecret string, show func(at, code string, expires time.Time)) (Grant, error) {
	g := Grant{ClientID: clientID, ClientSecret: clientSecret, TokenURL: p.TokenURL, Basic: p.Basic, Scopes: p.Scopes}
	cfg := g.config()
	cfg.Endpoint.DeviceAuthURL = p.DeviceURL
	ctx = context.WithValue(ctx, oauth2.HTTPClient, httpClient())
	device, err := cfg.DeviceAuth(ctx)
	if err != nil {
		return Grant{}, fmt.Errorf("ask for a code: %w", explain(err))
	}
	if device.UserCode == "" || device.VerificationURI == "" {
		return Grant{}, errors.New("ask for a code: the provider gave none")
	}
	show(device.VerificationURI, device.UserCode, device.Expiry)
	token, err := cfg.DeviceAccessToken(ctx, device)
	if err != nil {
		return Grant{}, fmt.Errorf("wait for permission: %w", explain(err))
	}
	if token.RefreshToken == "" {
		return Grant{}, errors.New("the provider allows access for an hour or so only: it gave no refresh token; ask it for the scope offline_access")
	}
	g.take(token)
	return g, nil
}

// explain turns the provider's codes into words that say what to do.
func explain(err error) error {
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) {
		if errors.Is(err, context.DeadlineExceeded) {
			return errors.New("the code has expired; run the command again")
		}
		return err
	}
	remedy := map[string]string{
		"invalid_scope": "the provider does not give access to mail by this way (Google allows it to few clients): " +
			"create an app password in the account's settings and use it as the mailbox's password",
		"access_denied":       "access was refused in the browser",
		"expired_token":       "the code has expired; run the command again",
		"invalid_client":      "the provider does not know this client id and secret; register the program there as an app for devices",
		"unauthorized_client": "this client id may not use the device log-in; allow it in the app's registration (public client flows)",
		"invalid_grant":       "the permission was withdrawn or has expired; run arroba login again",
	}[answer.ErrorCode]
	if remedy == "" {
		return fmt.Errorf("the provider answers %s: %s %s", answer.Response.Status, answer.ErrorCode, answer.ErrorDescription)
	}
	return fmt.Errorf("%s (%s)", remedy, answer.ErrorCode)
}

func (g *Grant) config() *oauth2.Config {
	style := oauth2.AuthStyleInParams
	if g.Basic && g.ClientSecret != "" {
		style = oauth2.AuthStyleInHeader
	}
	return &oauth2.Config{
		ClientID: g.ClientID, ClientSecret: g.ClientSecret, Scopes: g.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: g.TokenURL, AuthStyle: style},
	}
}

// take keeps a token. A provider may give a new refresh token each time, and then the old one ends.
func (g *Grant) take(t *oauth2.Token) {
	g.AccessToken, g.Expiry = t.AccessToken, t.Expiry
	g.RefreshToken = cmp.Or(t.RefreshToken, g.RefreshToken)
}

// Save keeps the grant in a file that only its owner may read. The file is there whole or not at all.
func (g *Grant) Save(file string) error {
	data, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".token-*") // with mode 0600
	if err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(append(data, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	return nil
}

// Tokens returns access tokens of the grant in a file, and keeps in it what the provider renews, so that all who use
// one file share its tokens.
func Tokens(file string) TokenFunc {
	var mu sync.Mutex
	return func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		g, err := loadGrant(file)
		if err != nil || g.fresh() {
			return g.AccessToken, err
		}
		err = g.renew(ctx)
		var refused *ingest.AuthError
		if errors.As(err, &refused) { // a refresh token may be good once only, and somebody else was quicker
			if now, e := loadGrant(file); e == nil && now.fresh() {
				return now.AccessToken, nil
			}
		}
		if err != nil {
			return "", err
		}
		return g.AccessToken, g.Save(file)
	}
}

func loadGrant(file string) (Grant, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Grant{}, fmt.Errorf("read the token: %w", err)
	}
	var g Grant
	if err := json.Unmarshal(data, &g); err != nil || g.RefreshToken == "" {
		return Grant{}, &ingest.AuthError{Err: fmt.Errorf("%s holds no token: make it with arroba login", file)}
	}
	return g, nil
}

// fresh tells whether the access token will be good for long enough to log in with.
func (g *Grant) fresh() bool { return g.AccessToken != "" && time.Until(g.Expiry) > 2*time.Minute }

// renew gets a new access token. Its error is an *ingest.AuthError when the provider refuses.
func (g *Grant) renew(ctx context.Context) error {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, httpClient())
	token, err := g.config().TokenSource(ctx, &oauth2.Token{RefreshToken: g.RefreshToken}).Token()
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.Response.StatusCode/100 == 4 {
		return &ingest.AuthError{Err: fmt.Errorf("renew the token: %w", explain(err))}
	}
	if err != nil {
		return fmt.Errorf("renew the token: %w", err)
	}
	g.take(token)
	return nil
}
