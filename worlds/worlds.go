// Package worlds holds the world files that come with the program: maps that a game.toml may name as [world] file.
package worlds

import "embed"

// Files are the world files by their names, as "england.toml".
//
//go:embed *.toml
var Files embed.FS
