package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-smtp"
)

// postOffice is a mail server on loopback, in memory: SMTP takes mail for any address into a mailbox of its own, and
// IMAP shows each mailbox to whoever knows the one password. It is for the demo: it keeps out nobody.
type postOffice struct {
	now      func() time.Time // the time mail arrives at
	password string
	smtp     *smtp.Server
	imap     *imapserver.Server
	mem      *imapmemserver.Server
	smtpAddr string
	imapAddr string
	arrived  chan struct{} // something was delivered

	mu    sync.Mutex
	users map[string]*imapmemserver.User
}

const mailSizeLimit = 10 << 20

// openPostOffice starts both servers on free ports.
func openPostOffice(now func() time.Time) (*postOffice, error) {
	p := &postOffice{now: now, password: "demo", mem: imapmemserver.New(), users: map[string]*imapmemserver.User{},
		arrived: make(chan struct{}, 1)}
	p.smtp = smtp.NewServer(p)
	p.smtp.Domain = "localhost"
	p.smtp.MaxMessageBytes = mailSizeLimit
	p.smtp.MaxRecipients = 50
	p.smtp.ReadTimeout = time.Minute
	p.smtp.WriteTimeout = time.Minute
	p.smtp.EnableSMTPUTF8 = true
	p.imap = imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return p.mem.NewSession(), nil, nil
		},
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapUIDPlus: {}, imap.CapMove: {}, imap.CapIdle: {}},
		InsecureAuth: true,
	})
	var err error
	if p.smtpAddr, err = listen(p.smtp.Serve); err != nil {
		return nil, fmt.Errorf("opening the post office: %w", err)
	}
	if p.imapAddr, err = listen(p.imap.Serve); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the post office: %w", err), p.close())
	}
	return p, nil
}

// listen serves on a free port of this machine and returns its address.
func listen(serve func(net.Listener) error) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go serve(l) // ends when its server is closed
	return l.Addr().String(), nil
}

func (p *postOffice) close() error { return errors.Join(p.smtp.Close(), p.imap.Close()) }

// mailbox makes sure that an address has a mailbox.
func (p *postOffice) mailbox(address string) (*imapmemserver.User, error) {
	address = strings.ToLower(address)
	p.mu.Lock()
	defer p.mu.Unlock()
	if u := p.users[address]; u != nil {
		return u, nil
	}
	u := imapmemserver.NewUser(address, p.password)
	if err := u.Create("INBOX", nil); err != nil {
		return nil, err
	}
	p.mem.AddUser(u)
	p.users[address] = u
	return u, nil
}

// deliver puts a mail into an address's mailbox; what stands after a + in the address does not matter.
func (p *postOffice) deliver(address string, mail []byte) error {
	local, domain, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	u, err := p.mailbox(local + "@" + domain)
	if err != nil {
		return err
	}
	_, err = u.Append("INBOX", literal{bytes.NewReader(mail)}, &imap.AppendOptions{Time: p.now()})
	return err
}

// literal is a mail as imapmemserver takes it.
type literal struct{ *bytes.Reader }

func (l literal) Size() int64 { return l.Reader.Size() }

// NewSession begins a delivery by SMTP.
func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return &delivery{office: p}, nil }

// delivery is one SMTP session.
type delivery struct {
	office *postOffice
	from   string
	to     []string
}

func (d *delivery) Mail(from string, _ *smtp.MailOptions) error {
	d.from = from
	return nil
}

func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error {
	d.to = append(d.to, to)
	return nil
}

func (d *delivery) Data(r io.Reader) error {
	mail, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	mail = append(fmt.Appendf(nil, "Return-Path: <%s>\r\n", d.from), mail...)
	for _, to := range d.to {
		if err := d.office.deliver(to, mail); err != nil {
			return err
		}
	}
	select {
	case d.office.arrived <- struct{}{}:
	default:
	}
	return nil
}

func (d *delivery) Reset()        { d.from, d.to = "", nil }
func (d *delivery) Logout() error { return nil }
