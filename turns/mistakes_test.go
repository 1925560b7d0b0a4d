package turns

import (
	"regexp"
	"strings"
	"testing"
)

// located is how every complaint about a game's file begins.
var located = regexp.MustCompile(`^game\.toml:[1-9][0-9]*: `)

func TestEveryMistakeInAGameFileIsLocated(t *testing.T) {
	const good = "name = \"lands\"\nruleset = \"toy\"\nmailbox = \"lands@x.example\"\ngm = { nick = \"Gareth\", email = \"gm@x.example\" }\n"
	if _, err := ReadGameFile("game.toml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	member := func(rest string) string { return good + "[[member]]\nnick = \"Anna\"\n" + rest + "\n" }
	for _, text := range []string{
		"", "\xff", "name = ", good + "name = \"twice\"", good + "gold = 1", "name = 7\n" + strings.SplitAfterN(good, "\n", 2)[1],
		strings.Replace(good, `"lands"`, `"la nds"`, 1), strings.Replace(good, `"lands"`, `"`+strings.Repeat("x", 65)+`"`, 1),
		strings.Replace(good, "lands@x.example", "lands", 1), strings.Replace(good, "{ nick", "{ nock", 1), strings.Replace(good, `"gm@x.example"`, `""`, 1),
		strings.Replace(good, `, email = "gm@x.example"`, "", 1), strings.Replace(good, `gm = { nick = "Gareth", email = "gm@x.example" }`, "gm = []", 1),
		strings.Replace(good, `gm = { nick = "Gareth", email = "gm@x.example" }`, `gm = "Gareth"`, 1),
		strings.Replace(good, `gm = { nick = "Gareth", email = "gm@x.example" }`, `gm = [ { nick = "A", email = "a@x.example" }, 7 ]`, 1),
		good + "title = \"a\\u001b[31mb\"", good + "title = \"a\\nb\"", good + "title = \"" + strings.Repeat("x", 300) + "\"",
		good + "timezone = \"Local\"", good + "timezone = \"Mars/Olympus\"", good + "language = \"fr\"", good + "from = \"a@b@c\"",
		good + "authentication = \"faith\"", good + "authentication = \"dmarc\"", good + "copies = 7", good + "copies = [\"x\"]", good + "copies = [ { scope = \"public\" } ]",
		good + "[tavern]\nsource = \"forum\"", good + "[[thread]]\nsource = \"x\"", good + "anonymous_press = 1", good + "press_copies = \"yes\"",
		good + "[join]\nopen = 1", good + "[calendar]\ndays = 2", good + "[world]\nsum = -1", good + "[world]\ngold = 1", good + "[world]\nsum = \"x\"",
		good + "[[member]]", member("email = 7"), member("email = [7]"), member("email = \"x\""), member("email = [\"a@x.example\", \"A@x.example\"]"),
		member("role = \"king\""), member("language = \"fr\""), member("timezone = \"x\""), member("forum = { board = \"b\", id = true }"), member("age = 3"),
		member("email = \"GM@x.example\""), member("[[member]]\nnick = \"аnnа\""), member("[[member]]\nnick = \"gareth\""), member("[[member]]\nnick = \"B\"\nforum = \"Anna\""),
		good + "[[member]]\nnick = \"a,b\"", good + "[[member]]\nnick = \"Всем\"", good + "[[member]]\nnick = \"\\u200b\"", good + "[[member]]\nnick = \"" + strings.Repeat("x", 101) + "\"",
	} {
		f, err := ReadGameFile("game.toml", []byte(text))
		if err == nil {
			err = newRig(t).Check(f)
		}
		switch {
		case err == nil:
			t.Errorf("no complaint about\n%s", text)
		case !located.MatchString(err.Error()) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%v\nabout\n%s", err, text)
		}
	}
}
