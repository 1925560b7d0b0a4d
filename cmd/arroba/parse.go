package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"

	"github.com/spf13/cobra"

	"arroba/ingest/letter"
)

// parsed is what `parse --json` prints of one mail.
type parsed struct {
	File          string             `json:"file"`
	Class         letter.Class       `json:"class"`
	From          string             `json:"from"`
	MessageID     string             `json:"message_id"`
	Subject       string             `json:"subject"`
	Lines         []string           `json:"lines"`
	Attachments   []parsedAttachment `json:"attachments"`
	Authenticated string             `json:"authenticated"`
	Problems      []string           `json:"problems"`
}

type parsedAttachment struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

func parseCommand() *cobra.Command {
	var asJSON bool
	var o letter.Options
	var own []string
	cmd := &cobra.Command{
		Use:   "parse [FILE…]",
		Short: "Show what is read of mails: who wrote them and which lines are his own",
		Long: `Read raw mails (.eml) as the daemon would, and show who wrote each and which lines are his own.
A folder stands for the .eml files in it, and - or no name at all for the standard input.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if own != nil {
				o.Own = letter.Addresses(own...)
			}
			p := parser{in: cmd.InOrStdin(), out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr(), json: asJSON, options: o, seen: map[string]bool{}}
			if len(args) == 0 {
				args = []string{"-"}
			}
			return p.all(args)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was read as JSON, one object a line")
	cmd.Flags().StringVar(&o.AuthservID, "authserv-id", "", "believe the Authentication-Results of this `SERVER`")
	cmd.Flags().StringSliceVar(&own, "own", nil, "an `ADDRESS` of our own; mail from it is our own come back; may be repeated")
	cmd.Flags().StringVar(&o.Domain, "domain", "", "the `DOMAIN` of our own Message-IDs")
	return cmd
}

// parser shows mails one by one.
type parser struct {
	in        io.Reader
	out, errs io.Writer
	json      bool
	options   letter.Options
	seen      map[string]bool // fingerprints
	failed    bool
}

// all reads every argument; those that cannot be opened are told and the others still read.
func (p *parser) all(args []string) error {
	for _, arg := range args {
		for _, file := range p.expand(arg) {
			raw, err := p.load(file)
			if err != nil {
				p.complain(file, err)
				continue
			}
			if err := p.show(file, raw); err != nil {
				return fmt.Errorf("writing what was read of %s: %w", file, err)
			}
		}
	}
	if p.failed {
		return &exitError{code: 1}
	}
	return nil
}

// expand returns the .eml files of a folder, and anything else as it is.
func (p *parser) expand(arg string) []string {
	if info, err := os.Stat(arg); err != nil || !info.IsDir() {
		return []string{arg}
	}
	files, err := filepath.Glob(filepath.Join(arg, "*.eml"))
	if err == nil && len(files) == 0 {
		err = errors.New("no .eml file in this folder: name the files")
	}
	if err != nil {
		p.complain(arg, err)
	}
	sort.Strings(files)
	return files
}

// load reads no more than shows that a mail is over the limit.
func (p *parser) load(file string) ([]byte, error) {
	in := p.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, letter.DefaultMaxSize+1))
}

func (p *parser) complain(file string, err error) {
	p.failed = true
	complain(p.errs, file, err)
}

func (p *parser) show(file string, raw []byte) error {
	l := letter.Read(raw, p.options)
	if l.Class == letter.Orders { // a machine's letter stays one however often it comes
		if p.seen[l.Fingerprint] {
			l.Class, l.Lines = letter.Duplicate, nil
		}
		p.seen[l.Fingerprint] = true
	}
	row := parsed{
		File: file, Class: l.Class, From: l.From, MessageID: l.MessageID, Subject: l.Subject, Lines: []string{},
		Attachments: []parsedAttachment{}, Authenticated: l.Authenticated, Problems: append([]string{}, l.Problems...),
	}
	for _, line := range l.Lines {
		if line = letter.WithoutBullet(line); line != "" {
			row.Lines = append(row.Lines, line)
		}
	}
	for _, a := range l.Attachments {
		row.Attachments = append(row.Attachments, parsedAttachment{a.Name, len(a.Data)})
	}
	if p.json {
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(row)
	}
	return p.print(row)
}

// print shows a mail to people.
func (p *parser) print(row parsed) error {
	from := row.From
	if from == "" {
		from = "nobody who can be told"
	}
	fmt.Fprintf(p.out, "%s: %s, from %s, authenticated: %s\n", row.File, row.Class, from, row.Authenticated)
	fmt.Fprintf(p.out, "  Subject: %s\n", row.Subject)
	for _, line := range row.Lines {
		fmt.Fprintf(p.out, "  | %s\n", line)
	}
	for _, a := range row.Attachments {
		fmt.Fprintf(p.out, "  attached: %s (%d bytes)\n", a.Name, a.Bytes)
	}
	for _, problem := range row.Problems {
		fmt.Fprintf(p.out, "  note: %s\n", problem)
	}
	_, err := fmt.Fprintln(p.out)
	return err
}
