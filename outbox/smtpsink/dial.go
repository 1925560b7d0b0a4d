package smtpsink

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/wneessen/go-mail/smtp"

	"arroba/outbox"
)

// loginError is the server's refusal to let us in.
type loginError struct{ err error }

func (e *loginError) Error() string { return "log-in refused: " + e.err.Error() }
func (e *loginError) Unwrap() error { return e.err }

// dialError tells what to do about a connection that could not be made. While other connections stand, a server that
// says "later" wants fewer of them, and is not down.
func (s *Sink) dialError(err error) error {
	var login *loginError
	var cert *tls.CertificateVerificationError
	var unknown *net.DNSError
	var slow net.Error
	check := "check host, port and tls"
	switch {
	case len(s.slots) > 1 && code(err)/100 == 4:
		return fmt.Errorf("%s: %w", s.addr(), err)
	case errors.As(err, &login) && s.cfg.Token != nil:
		check = "check user, and run arroba login again for a new token"
	case errors.As(err, &login):
		check = "check user and password"
	case errors.As(err, &cert):
		check = "check host, or write the file with the certificate of who signed it as ca_file"
	case errors.As(err, &unknown):
		check = "check host, and this machine's DNS"
	case s.cfg.TLS != TLS && errors.As(err, &slow) && slow.Timeout():
		check = "a port that wants TLS from the start says nothing: try tls = \"tls\", or check host and port"
	}
	return fmt.Errorf("%s is %w: %w; %s%s", s.addr(), outbox.ErrDown, err, check, s.place())
}

// dial makes a connection that is private, as the config says, and logged in.
func (s *Sink) dial(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "tcp", s.addr())
	if err != nil {
		return nil, err
	}
	c := &conn{net: nc}
	release := c.guard(ctx)
	err = s.greet(ctx, c)
	if !release() { // whatever failed after that failed of it
		err = fmt.Errorf("no answer: %w", ctx.Err())
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

func (s *Sink) greet(ctx context.Context, c *conn) (err error) {
	stream, cfg := c.net, &tls.Config{ServerName: s.cfg.Host, RootCAs: s.cfg.RootCAs}
	if s.cfg.TLS == TLS {
		t := tls.Client(c.net, cfg)
		if err := t.HandshakeContext(ctx); err != nil {
			return fmt.Errorf("TLS: %w", err)
		}
		stream = t
	}
	if c.smtp, err = smtp.NewClient(stream, s.cfg.Host); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	if err := c.smtp.Hello(s.cfg.HELO); err != nil {
		return fmt.Errorf("EHLO %s: %w", s.cfg.HELO, err)
	}
	if s.cfg.TLS == StartTLS {
		if ok, _ := c.smtp.Extension("STARTTLS"); !ok {
			return errors.New("STARTTLS: the server does not offer it")
		}
		if err := c.smtp.StartTLS(cfg); err != nil {
			return fmt.Errorf("STARTTLS: %w", err)
		}
	}
	return s.login(ctx, c)
}

func (s *Sink) login(ctx context.Context, c *conn) error {
	if s.cfg.User == "" {
		return nil
	}
	if ok, _ := c.smtp.Extension("AUTH"); !ok {
		return &loginError{errors.New("the server offers no log-in on this port")}
	}
	auth := smtp.Auth(&password{s.cfg, nil})
	if s.cfg.Token != nil {
		token, err := s.cfg.Token(ctx)
		if err != nil {
			return &loginError{fmt.Errorf("get an access token: %w", err)}
		}
		auth = smtp.XOAuth2Auth(s.cfg.User, token)
	}
	err := c.smtp.Auth(auth)
	if code(err) != 0 {
		return &loginError{err}
	}
	if err != nil {
		return fmt.Errorf("log in: %w", err)
	}
	return nil
}

// password logs in by PLAIN, or by LOGIN where the server has only that. Both refuse to tell a password to another
// machine in the open.
type password struct {
	cfg Config
	smtp.Auth
}

func (p *password) Start(server *smtp.ServerInfo) (mechanism string, response []byte, err error) {
	p.Auth = smtp.PlainAuth("", p.cfg.User, p.cfg.Password, p.cfg.Host, false)
	if !slices.Contains(server.Auth, "PLAIN") && slices.Contains(server.Auth, "LOGIN") {
		p.Auth = smtp.LoginAuth(p.cfg.User, p.cfg.Password, p.cfg.Host, false)
	}
	return p.Auth.Start(server)
}
