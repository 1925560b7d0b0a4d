package mailrig

import (
	"fmt"
	"net"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-smtp"
)

const arriveLimit = 90 * time.Second

// Deliver puts mails into a user's mailbox, in order, and returns when they are there.
func (r *Rig) Deliver(to string, mails ...[]byte) {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.LMTP.String())
	if err != nil {
		r.t.Fatalf("deliver: %v", err)
	}
	defer conn.Close()
	c := smtp.NewClientLMTP(conn)
	for _, raw := range mails {
		if err := transfer(c, "sender@example.net", to, raw); err != nil {
			r.t.Fatalf("deliver to %s: %v", to, err)
		}
	}
}

// Post mails a letter as anybody in the world could, to a user. It returns when Postfix has taken it; it may refuse.
func (r *Rig) Post(from, to string, raw []byte) error {
	conn, err := net.Dial("tcp", r.SMTP.String())
	if err != nil {
		return fmt.Errorf("post: %w", err)
	}
	defer conn.Close()
	return transfer(smtp.NewClient(conn), from, to, raw)
}

func transfer(c *smtp.Client, from, to string, raw []byte) error {
	if err := c.Mail(from, nil); err != nil {
		return err
	}
	if err := c.Rcpt(to, nil); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	return w.Close()
}

// Dial logs a user in by IMAP, without TLS. The caller closes the client.
func (r *Rig) Dial(user string) *imapclient.Client {
	r.t.Helper()
	c, err := imapclient.DialInsecure(r.IMAP.String(), nil)
	if err == nil {
		err = c.Login(user, Password).Wait()
	}
	if err != nil {
		r.t.Fatalf("log in as %s: %v", user, err)
	}
	return c
}

// makeInbox makes a user's inbox. Dovecot makes it when it is first needed, and answers "already exists" to one of two
// who need it at the same moment.
func (r *Rig) makeInbox(user string) {
	r.t.Helper()
	c := r.Dial(user)
	defer c.Close()
	if _, err := c.Select("INBOX", nil).Wait(); err != nil {
		r.t.Fatalf("make the inbox of %s: %v", user, err)
	}
}

// Fill puts n mails into a user's inbox, much faster than they could be mailed. Mail makes the ith.
func (r *Rig) Fill(user string, n int, mail func(i int) []byte) {
	r.t.Helper()
	c := r.Dial(user)
	defer c.Close()
	var sent []*imapclient.AppendCommand // that were not answered yet
	for i := range n {
		raw := mail(i)
		cmd := c.Append("INBOX", int64(len(raw)), nil)
		cmd.Write(raw)
		cmd.Close()
		if sent = append(sent, cmd); len(sent) < 100 && i < n-1 {
			continue
		}
		for _, cmd := range sent {
			if _, err := cmd.Wait(); err != nil {
				r.t.Fatalf("fill the mailbox of %s: %v", user, err)
			}
		}
		sent = sent[:0]
	}
}

// Mails returns a user's mails, oldest first, as soon as there are at least n. It fails the test when they do not
// come.
func (r *Rig) Mails(user string, n int) [][]byte {
	r.t.Helper()
	c := r.Dial(user)
	defer c.Close()
	for deadline := time.Now().Add(arriveLimit); ; time.Sleep(20 * time.Millisecond) {
		mails, err := fetch(c)
		if err != nil {
			r.t.Fatalf("read the mails of %s: %v", user, err)
		}
		if len(mails) >= n {
			return mails
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("%s has %d mails after %v, not %d", user, len(mails), arriveLimit, n)
		}
	}
}

// fetch reads the inbox without changing a flag.
func fetch(c *imapclient.Client) ([][]byte, error) {
	box, err := c.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil || box.NumMessages == 0 {
		return nil, err
	}
	body := &imap.FetchItemBodySection{Peek: true}
	list, err := c.Fetch(imap.SeqSet{{Start: 1, Stop: 0}}, &imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		return nil, err
	}
	var mails [][]byte
	for _, m := range list {
		mails = append(mails, m.FindBodySection(body))
	}
	return mails, nil
}
