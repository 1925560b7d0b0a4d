package templates

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
)

//go:embed board/*.html board/board.css
var boardFiles embed.FS

// BoardPages returns the web board's pages, "index", "game", "register" and "missing", with what a ruleset adds: its texts may
// hold a file board.html, shown on the page of each of its games. It is executed with
//
//	.View            the ruleset's view for who looks, as JSON decodes it
//	.Seat            his seat in it, "" on public pages
//	.Say NAME DATA   a text; DATA may be left out
//	.Time X          an instant on his clock, for {{template "time"}}
//	.Past X          whether an instant is over
//	.Picture NAME    one of his pictures, for {{template "picture"}}; nil when there is none
//	.List A B        a list of the words given
//	.Join XS         a list of names in one line
//
// The error names the file and what is wrong.
func BoardPages(texts fs.FS) (*template.Template, error) {
	pages, err := template.ParseFS(boardFiles, "board/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the board's pages: %w", err)
	}
	if texts == nil {
		return pages, nil
	}
	own, err := fs.ReadFile(texts, "board.html")
	if err != nil {
		return pages, nil // it has nothing to add
	}
	if _, err := pages.New("ruleset").Parse(string(own)); err != nil {
		return nil, fmt.Errorf("reading the ruleset's board.html: %w", err)
	}
	return pages, nil
}

// BoardStyle returns the style sheet of the board's pages.
func BoardStyle() []byte {
	css, err := boardFiles.ReadFile("board/board.css")
	if err != nil {
		panic(err) // it is built in
	}
	return css
}
