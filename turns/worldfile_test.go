package turns

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/all"
)

// A game.toml may name a world file: beside it, or one that comes with the program. Its own keys take the place of the
// file's as a whole, and a fault names the file that it stands in.
func TestWorldFile(t *testing.T) {
	const hills = `rules = { turn = "12h", combat = "odds" }
odds = ["2-1"]
faction = [ { name = "Blue" } ]
space = [ { name = "Hill" }, { name = "Dale", adjacent = ["Hill"] } ]
location = [ { name = "Fort", space = "Hill", type = "noble", controller = "Blue" } ]
noble = [ { name = "Ann", faction = "Blue", at = "Fort" } ]
`
	for _, c := range []struct{ name, world, want string }{
		{"as it stands", `file = "hills.toml"`, ""},
		{"with a key of one's own", "file = \"hills.toml\"\nlocation = [ { name = \"Keep\", space = \"Hill\", type = \"royal\" } ]\nnoble = []", ""},
		{"with lists of tables", "file = \"hills.toml\"\n[[world.noble]]\nname = \"Bo\"\nfaction = \"Blue\"\nat = \"Dale\"", ""},
		{"a fault of the file's", "file = \"hills.toml\"\nfaction = [ { name = \"Red\" } ]", `hills.toml:5: location[0].controller: there is no faction "Blue"`},
		{"a fault of one's own", "file = \"hills.toml\"\nnoble = [ { name = \"Bo\", faction = \"Blue\", at = \"Moor\" } ]", `game.toml:8: world.noble[0].at: there is no location, space or ship "Moor"`},
		{"a table is replaced as a whole", "file = \"hills.toml\"\nrules = { turn = \"soon\" }", `game.toml:8: world.rules.turn: "soon"`},
		{"one that comes with the program", `file = "england.toml"`, ""},
		{"none", `file = "moon.toml"`, `game.toml:7: world.file: there is no "moon.toml" beside`},
		{"outside", `file = "../hills.toml"`, `game.toml:7: world.file: "../hills.toml" leaves the folder`},
		{"no text", `file = 3`, `game.toml:7: world.file: name a world file in quotes, as "england.toml"`},
		{"a broken one", `file = "broken.toml"`, `broken.toml:1:`},
		{"an unknown key in it", `file = "odd.toml"`, `odd.toml:1: castle: this key is not known here`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"hills.toml": hills, "broken.toml": "space = [", "odd.toml": "castle = 1\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			text := "name = \"rose\"\nruleset = \"kingmaker\"\nmailbox = \"m@x.example\"\ngm = { nick = \"Gareth\", email = \"g@x.example\" }\n[world]\nstart = \"2026-12-05T12:00:00Z\"\n" + c.world + "\n"
			f, err := ReadGameFile(filepath.Join(dir, "game.toml"), []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			w := rules.World{Game: "rose", Zone: time.UTC, Members: []rules.Member{{Seat: "Gareth", Role: rules.GM}}, Decode: f.world, File: f.besides}
			_, _, err = all.Rulesets["kingmaker"].Open(w, "seed")
			if err != nil {
				err = f.worldError(err)
			}
			if got := strings.ReplaceAll(said(err), dir+"/", ""); (c.want == "") != (err == nil) || !strings.Contains(got, c.want) {
				t.Errorf("it says %s", got)
			}
		})
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
