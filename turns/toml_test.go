package turns

import (
	"strings"
	"testing"
)

const tomlSample = `name = "x"
gm = { nick = "M", email = "m@x" }

[[member]]
nick = "A"
[[member]]
nick = "B"
email = [
  "b@x",
  "c@x",
]
[world]
[world.inhabitants."Sir John"]
gold = 1
feuds = { HL3 = ["A",
  "B"] }
`

func TestLinesTellWhereAKeyStands(t *testing.T) {
	lines := indexLines([]byte(tomlSample))
	for key, want := range map[string]int{
		"name": 1, "gm.nick": 2, "gm.email": 2, "member": 4, "member.0.nick": 5, "member.1": 6, "member.1.nick": 7,
		"member.1.email": 8, "member.1.email.1": 10, "world": 12, "world.inhabitants.Sir John": 13,
		"world.inhabitants.Sir John.gold": 14, "world.inhabitants.Sir John.feuds.HL3.1": 16,
		"member.1.role": 6, "world.lands": 12, "title": 1,
	} {
		if got := lines.At(key); got != want {
			t.Errorf("%s: line %d, want %d", key, got, want)
		}
	}
}

func TestDecodeStrictNamesFileLineKeyAndRemedy(t *testing.T) {
	type member struct {
		Nick string `toml:"nick"`
		N    int    `toml:"n"`
	}
	for text, want := range map[string]string{
		"name = \"x\"\nnmae = 1\n":                "f.toml:2: nmae: this key is not known here; take it out, or write one of name, member",
		"[[member]]\nnick = \"A\"\n\nnik = \"B\"": "f.toml:4: member.nik: this key is not known here; take it out, or write one of nick, n",
		"[[member]]\nnick = \"A\"\nn = \"B\"":     "f.toml:3: member.n: string does not fit here; write a whole number",
		"name = \"x\"\nname = \"y\"":              "f.toml:2: ",
		"name = new\n":                            "f.toml:1: expected keyword \"nan\"; a text stands in quotes, as key = \"value\"",
		"name = mine\n":                           "f.toml:1: unexpected character U+006D 'm' at start of value; a text stands in quotes",
		"name = \"x\n":                            "f.toml:1: ",
	} {
		var into struct {
			Name   string   `toml:"name"`
			Member []member `toml:"member"`
		}
		_, err := DecodeStrict("f.toml", []byte(text), &into)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q\n got %v\nwant %s…", text, err, want)
		}
	}
}
