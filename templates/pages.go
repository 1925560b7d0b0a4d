package templates

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
)

//go:embed board/*.html board/board.css
var boardFiles embed.FS

// BoardPages returns the web board's pages, "index", "game" and "missing", with what a ruleset adds: its texts may
// hold a file board.html, which is shown on the page of each of its games. The error names the file and what is wrong.
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
