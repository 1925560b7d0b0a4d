package forum

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Client asks boards for pages, politely. It may be shared by all who speak to the same hosts.
type Client struct {
	HTTP  *http.Client     // with cookies where there is an account
	Agent string           // User-Agent: who we are and where to write to
	Now   func() time.Time // of answers that tell no Date
}

// MaxPage is how many bytes a page may have.
const MaxPage = 8 << 20

// Get asks for a page and follows redirects. An error says that there was no answer at all, or none that can be a page: 429 and 5xx.
func (c *Client) Get(ctx context.Context, address string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return Answer{}, fmt.Errorf("asking for %s: %w", address, err)
	}
	req.Header.Set("User-Agent", c.Agent)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return Answer{}, fmt.Errorf("asking for %s: %w", address, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxPage))
	if err != nil {
		return Answer{}, fmt.Errorf("reading %s: %w", address, err)
	}
	at, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		at = c.Now()
	}
	return Answer{Asked: address, URL: resp.Request.URL.String(), Status: resp.StatusCode, Header: resp.Header, At: at.UTC(), Body: body}, nil
}
