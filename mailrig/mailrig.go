// Package mailrig starts a real mail server for tests: Debian's Dovecot and Postfix on free ports of 127.0.0.1, with
// a configuration, users, mail and logs of their own in a temporary folder, and no system service. Only tests import
// it.
//
// Its promise: nothing of the machine's own mail is touched, and nothing stays behind. Both servers run as children
// of the test, each with all its processes in one group: the groups are killed when the test ends, well or badly, and
// the servers get a signal from the kernel when the test is killed itself. Mail for domains that the rig does not have bounces: none leaves
// the machine.
//
// It takes root, as both servers change their user, and the packages dovecot-imapd (2.3), dovecot-lmtpd and postfix.
// Where one is missing the test is skipped, or fails when ARROBA_REAL is 1.
package mailrig

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"embed"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"time"
)

//go:embed dovecot.conf main.cf master.cf
var files embed.FS

var templates = template.Must(template.ParseFS(files, "*"))

const (
	// Domain is that of users named without one.
	Domain = "lands.example"
	// Password is every user's.
	Password = "secret"

	startLimit = 60 * time.Second
)

// Addr is where a service listens.
type Addr struct {
	Host string
	Port int
}

// String is host:port.
func (a Addr) String() string { return net.JoinHostPort(a.Host, strconv.Itoa(a.Port)) }

// Rig is a running mail server. Log-in names are whole addresses.
type Rig struct {
	Users      []string       // addresses
	CA         *x509.CertPool // that signed the servers' certificate, for 127.0.0.1 and localhost
	CAFile     string         // the same as PEM
	IMAP       Addr           // plain or STARTTLS, any log-in
	IMAPS      Addr
	LMTP       Addr
	SMTP       Addr // takes mail for Users from anybody; STARTTLS offered, no log-in
	Submission Addr // STARTTLS and log-in required
	SMTPS      Addr // TLS from the first byte, log-in required

	t       testing.TB
	dir     string
	dovecot func() // kills it; nil while it does not run
}

// settings is what the configuration files are made of.
type settings struct {
	*Rig
	Options
	Dir      string
	Domain   string
	Domains  []string
	Password string
	UID, GID string // who owns the mail
	Daemons  string // folder of Postfix's programs
}

// Start starts a rig with users, given as names at Domain or whole addresses, and stops it when the test ends.
func Start(t testing.TB, users ...string) *Rig {
	t.Helper()
	return StartWith(t, Options{}, users...)
}

// Options are what a test may have otherwise.
type Options struct {
	Routes   map[string]string // Postfix's transports ("lmtp:inet:127.0.0.1:2400") by address, of users whose mail Dovecot does not get
	Services string            // further lines of master.cf
}

// StartWith is Start with options.
func StartWith(t testing.TB, o Options, users ...string) *Rig {
	t.Helper()
	s, err := look()
	s.Options = o
	if err != nil {
		if os.Getenv("ARROBA_REAL") == "1" {
			t.Fatalf("no real mail server: %v", err)
		}
		t.Skipf("no real mail server: %v", err)
	}
	// A free port may be taken by another program before the server gets to it.
	for range 3 {
		if s.Rig, err = start(t, s, users); err == nil {
			for _, u := range s.Rig.Users {
				s.Rig.makeInbox(u)
			}
			return s.Rig
		}
	}
	t.Fatalf("start the mail server: %v", err)
	return nil
}

// look finds what the machine must have.
func look() (settings, error) {
	s := settings{Domain: Domain, Password: Password}
	if os.Geteuid() != 0 {
		return s, fmt.Errorf("it takes root")
	}
	if _, err := exec.LookPath("dovecot"); err != nil {
		return s, fmt.Errorf("install dovecot-imapd and dovecot-lmtpd: %w", err)
	}
	for _, dir := range []string{"/usr/lib/postfix/sbin", "/usr/libexec/postfix"} {
		if _, err := os.Stat(dir + "/master"); err == nil {
			s.Daemons = dir
		}
	}
	if s.Daemons == "" {
		return s, fmt.Errorf("install postfix: no program master")
	}
	owner, err := user.Lookup("mail")
	if err != nil {
		return s, err
	}
	s.UID, s.GID = owner.Uid, owner.Gid
	return s, nil
}

func start(t testing.TB, s settings, users []string) (*Rig, error) {
	// Not t.TempDir: the servers' own users must get through every folder above, and socket paths are short.
	dir, err := os.MkdirTemp("", "rig")
	if err != nil {
		return nil, err
	}
	r := &Rig{t: t, dir: dir, CAFile: filepath.Join(dir, "cert.pem")}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the mail server's log:\n%s", r.Log())
		}
		os.RemoveAll(dir)
	})
	s.Rig, s.Dir = r, dir
	for _, u := range users {
		if !strings.Contains(u, "@") {
			u += "@" + Domain
		}
		r.Users = append(r.Users, u)
		if domain := u[strings.Index(u, "@")+1:]; !slices.Contains(s.Domains, domain) {
			s.Domains = append(s.Domains, domain)
		}
	}
	if err := r.freePorts(); err != nil {
		return nil, err
	}
	if err := r.certificate(); err != nil {
		return nil, err
	}
	if err := s.write(); err != nil {
		return nil, err
	}
	t.Cleanup(r.StopDovecot)
	if err := r.startDovecot(); err != nil {
		return nil, err
	}
	postfix := exec.Command(s.Daemons+"/master", "-c", filepath.Join(dir, "postfix"), "-d")
	postfix.Env = append(os.Environ(), "MAIL_CONFIG="+filepath.Join(dir, "postfix"))
	stop, err := run(postfix)
	if err != nil {
		return nil, fmt.Errorf("postfix: %w", err)
	}
	t.Cleanup(stop)
	r.retry()
	return r, r.wait()
}

// retry lets Postfix try again every second what it put off. Its own retries are not sure to be soon: one that meets the
// end of the delivery before it is put off for minutes.
func (r *Rig) retry() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				exec.CommandContext(ctx, "postqueue", "-c", filepath.Join(r.dir, "postfix"), "-f").Run() // while it starts or stops it fails
			}
		}
	}()
	r.t.Cleanup(func() { cancel(); <-ended })
}

func (r *Rig) startDovecot() (err error) {
	if r.dovecot, err = run(exec.Command("dovecot", "-F", "-c", filepath.Join(r.dir, "dovecot.conf"))); err != nil {
		return fmt.Errorf("dovecot: %w", err)
	}
	return nil
}

// StopDovecot kills Dovecot, with all connections to it, as when its machine fails. Postfix keeps what it has for the
// mailboxes.
func (r *Rig) StopDovecot() {
	if r.dovecot != nil {
		r.dovecot()
	}
	r.dovecot = nil
}

// StartDovecot starts Dovecot again, on the same ports and with the same mail, and returns when it answers.
func (r *Rig) StartDovecot() {
	r.t.Helper()
	err := r.startDovecot()
	if err == nil {
		err = r.wait()
	}
	if err != nil {
		r.t.Fatalf("start Dovecot again: %v", err)
	}
}

// freePorts gives every service a port.
func (r *Rig) freePorts() error {
	for _, a := range []*Addr{&r.IMAP, &r.IMAPS, &r.LMTP, &r.SMTP, &r.Submission, &r.SMTPS} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close() // all at the end, so that all differ
		*a = Addr{"127.0.0.1", l.Addr().(*net.TCPAddr).Port}
	}
	return nil
}

// certificate makes a key and a certificate that signs itself.
func (r *Rig) certificate() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	r.CA = x509.NewCertPool()
	r.CA.AppendCertsFromPEM(cert)
	if err := os.WriteFile(r.CAFile, cert, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600)
}

// folder is one that a server expects, with its owner and mode.
type folder struct {
	path, user, group string
	mode              os.FileMode
}

var folders = []folder{
	{"", "root", "root", 0o755},
	{"run", "root", "root", 0o755}, {"state", "root", "root", 0o755}, {"mail", "mail", "mail", 0o700},
	{"postfix", "root", "root", 0o755}, {"data", "postfix", "postfix", 0o700}, {"queue", "root", "root", 0o755}, {"queue/pid", "root", "root", 0o755},
	{"queue/public", "postfix", "postdrop", 0o710}, {"queue/maildrop", "postfix", "postdrop", 0o730},
	{"queue/private", "postfix", "root", 0o700}, {"queue/incoming", "postfix", "root", 0o700}, {"queue/active", "postfix", "root", 0o700},
	{"queue/deferred", "postfix", "root", 0o700}, {"queue/defer", "postfix", "root", 0o700}, {"queue/bounce", "postfix", "root", 0o700},
	{"queue/corrupt", "postfix", "root", 0o700}, {"queue/flush", "postfix", "root", 0o700}, {"queue/hold", "postfix", "root", 0o700},
	{"queue/saved", "postfix", "root", 0o700}, {"queue/trace", "postfix", "root", 0o700},
}

// write makes the folders and the configuration.
func (s settings) write() error {
	for _, f := range folders {
		if err := f.make(s.Dir); err != nil {
			return err
		}
	}
	for name, path := range map[string]string{"dovecot.conf": "dovecot.conf", "main.cf": "postfix/main.cf", "master.cf": "postfix/master.cf"} {
		var b bytes.Buffer
		if err := templates.ExecuteTemplate(&b, name, s); err != nil {
			return err
		}
		path = filepath.Join(s.Dir, path)
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			return err
		}
		// Postfix waits with a file that was written in the last seconds.
		before := time.Now().Add(-time.Minute)
		if err := os.Chtimes(path, before, before); err != nil {
			return err
		}
	}
	var users bytes.Buffer
	for _, u := range s.Users {
		fmt.Fprintf(&users, "%s:{PLAIN}%s::::::\n", u, Password)
	}
	return os.WriteFile(filepath.Join(s.Dir, "users"), users.Bytes(), 0o644)
}

func (f folder) make(root string) error {
	path := filepath.Join(root, f.path)
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	u, err := user.Lookup(f.user)
	if err != nil {
		return err
	}
	g, err := user.LookupGroup(f.group)
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(g.Gid)
	if err := os.Chown(path, uid, gid); err != nil {
		return err
	}
	return os.Chmod(path, f.mode)
}

// wait returns when every service answers.
func (r *Rig) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	for _, s := range []struct {
		at       Addr
		greeting string // "" where TLS comes first
	}{{r.IMAP, "* OK"}, {r.IMAPS, ""}, {r.LMTP, "220"}, {r.SMTP, "220"}, {r.Submission, "220"}, {r.SMTPS, ""}} {
		for !greets(s.at, s.greeting) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("%v does not answer; the log says:\n%s", s.at, r.Log())
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

func greets(at Addr, greeting string) bool {
	c, err := net.DialTimeout("tcp", at.String(), time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	b := make([]byte, len(greeting))
	_, err = c.Read(b)
	return greeting == "" || err == nil && string(b) == greeting
}

// Log is what both servers have logged.
func (r *Rig) Log() string {
	var b strings.Builder
	for _, name := range []string{"dovecot.log", "postfix.log"} {
		text, _ := os.ReadFile(filepath.Join(r.dir, name))
		b.Write(text)
	}
	return b.String()
}
