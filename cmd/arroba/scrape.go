package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arroba/forum"
)

// scraped is what `scrape --json` prints of one post.
type scraped struct {
	Board     string     `json:"board"`
	Topic     string     `json:"topic"`
	PostID    string     `json:"post_id"`
	Author    string     `json:"author"`
	Posted    *time.Time `json:"posted"`
	Edited    bool       `json:"edited"`
	Permalink string     `json:"permalink"`
	Subject   string     `json:"subject"`
	Lines     []string   `json:"lines"`
	Next      string     `json:"next"`
}

func scrapeCommand() *cobra.Command {
	s := scraper{now: time.Now}
	var fetched, zone, contact string
	cmd := &cobra.Command{
		Use:   "scrape FILE|URL…",
		Short: "Show what is read of a page of a forum's thread",
		Long: `Read pages of forum threads as the daemon would, and show each post: who wrote it, when, and which lines are his own.
A page is a file, an address, or - for the standard input. Of one that is no thread its kind goes to standard error, and
the exit code is 3.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.configure(fetched, zone); err != nil {
				return &exitError{2, err}
			}
			s.in, s.out, s.errs = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			s.client = &forum.Client{HTTP: &http.Client{Timeout: time.Minute}, Agent: agent(contact), Now: s.now}
			return s.all(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&s.json, "json", false, "print what was read as JSON, one object a post")
	cmd.Flags().StringVar(&s.url, "url", "", "the `ADDRESS` at which a file's page was served")
	cmd.Flags().StringVar(&fetched, "fetched", "", "`WHEN` a file's page was served, as 2026-11-30T14:01:40Z (now)")
	cmd.Flags().StringVar(&zone, "zone", "", "the `ZONE` in which the board shows times, as Europe/Berlin (what the page says, else UTC)")
	cmd.Flags().StringVar(&s.view.Board, "board", "", "the `KIND` of board that it must be: one of "+strings.Join(forum.Boards(), ", "))
	cmd.Flags().StringVar(&s.view.Charset, "charset", "", "the `CHARSET` of the pages, whatever they say")
	cmd.Flags().StringVar(&contact, "contact", "", "the `ADDRESS` that boards are told to write to about our visits")
	return cmd
}

// agent is how we name ourselves to boards.
func agent(contact string) string {
	if contact == "" {
		return "arroba"
	}
	return "arroba (+" + contact + ")"
}

// scraper shows pages one by one.
type scraper struct {
	in        io.Reader
	out, errs io.Writer
	client    *forum.Client
	now       func() time.Time
	json      bool
	url       string
	fetched   time.Time
	zone      *time.Location // that times are shown to people in
	view      forum.View
	failed    bool // a page could not be had
	strange   bool // a page was no thread
}

func (s *scraper) configure(fetched, zone string) (err error) {
	if zone == "" {
		s.zone = time.UTC
	} else if s.zone, err = time.LoadLocation(zone); err != nil || zone == "Local" {
		return fmt.Errorf("--zone %s: there is no such zone; write one as Europe/Berlin or UTC", zone)
	}
	if zone != "" {
		s.view.Zone = s.zone
	}
	if fetched == "" {
		s.fetched = s.now().UTC()
	} else if s.fetched, err = time.Parse(time.RFC3339, fetched); err != nil {
		return fmt.Errorf("--fetched %s: it is no instant; write it as 2026-11-30T14:01:40Z", fetched)
	}
	return s.view.Check()
}

// all reads every page; those that cannot be had are told and the others still read.
func (s *scraper) all(ctx context.Context, pages []string) error {
	for _, name := range pages {
		answer, err := s.load(ctx, name)
		if err != nil {
			s.failed = true
			complain(s.errs, name, err)
			continue
		}
		if err := s.show(name, forum.Read(answer, s.view)); err != nil {
			return fmt.Errorf("writing what was read of %s: %w", name, err)
		}
	}
	switch {
	case s.strange:
		return &exitError{code: 3}
	case s.failed:
		return &exitError{code: 1}
	}
	return nil
}

func (s *scraper) load(ctx context.Context, name string) (forum.Answer, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return s.client.Get(ctx, name)
	}
	in := s.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return forum.Answer{}, err
		}
		defer f.Close()
		in = f
	}
	body, err := io.ReadAll(io.LimitReader(in, forum.MaxPage+1))
	if err == nil && len(body) > forum.MaxPage {
		err = fmt.Errorf("it is over %d MB: no page of a board is", forum.MaxPage>>20)
	}
	return forum.Answer{Asked: s.url, At: s.fetched, Body: body}, err
}

// show prints a page's posts, and to standard error what is wrong with it.
func (s *scraper) show(name string, p forum.Page) error {
	if p.Kind != forum.Thread {
		s.strange = true
		fmt.Fprintf(s.errs, "%s: %s\n", name, p.Kind)
		if p.Said != "" {
			fmt.Fprintf(s.errs, "%s: the board says: %s\n", name, p.Said)
		}
	}
	for _, problem := range p.Problems {
		fmt.Fprintf(s.errs, "%s: %s\n", name, problem)
	}
	if p.Kind != forum.Thread {
		return nil
	}
	if s.json {
		return s.encode(p)
	}
	return s.print(name, p)
}

func (s *scraper) encode(p forum.Page) error {
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	for _, post := range p.Posts {
		row := scraped{
			Board: p.Board, Topic: topic(p), PostID: post.ID, Author: post.Author, Edited: post.Edited, Permalink: post.Permalink,
			Subject: post.Subject, Lines: append([]string{}, post.Lines...), Next: p.Next,
		}
		if !post.Posted.IsZero() {
			row.Posted = &post.Posted.At
		}
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// topic is how a thread is called, or numbered where the page does not call it.
func topic(p forum.Page) string {
	if p.Title != "" {
		return p.Title
	}
	return p.Thread
}

// print shows a page to people.
func (s *scraper) print(name string, p forum.Page) error {
	fmt.Fprintf(s.out, "%s: %s, %s\n", name, p.Board, topic(p))
	for _, post := range p.Posts {
		when := "at no time that can be told"
		if !post.Posted.IsZero() {
			when = s.when(post.Posted)
		}
		if post.Edited {
			when += ", edited"
		}
		fmt.Fprintf(s.out, "  %s, %s, %s\n", post.ID, post.Author, when)
		for _, line := range post.Lines {
			fmt.Fprintf(s.out, "  | %s\n", line)
		}
	}
	next := "this is the last page"
	if p.Next != "" {
		next = "next page: " + p.Next
	}
	_, err := fmt.Fprintf(s.out, "  %s\n\n", next)
	return err
}

// when shows an instant in the board's zone, with its uncertainty where that is over a minute.
func (s *scraper) when(i forum.Instant) string {
	const layout = "2006-01-02 15:04:05 MST"
	if i.Late.Sub(i.Early) < time.Minute {
		return i.At.In(s.zone).Format(layout)
	}
	return fmt.Sprintf("between %s and %s", i.Early.In(s.zone).Format(layout), i.Late.In(s.zone).Format(layout))
}

// complain says that a file cannot be read, and what to do about it.
func complain(w io.Writer, file string, err error) {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	advice := ""
	switch {
	case errors.Is(err, os.ErrNotExist):
		advice = "; check the name"
	case errors.Is(err, os.ErrPermission):
		advice = "; make it readable for this user"
	}
	fmt.Fprintf(w, "arroba: cannot read %s: %v%s\n", file, err, advice)
}
