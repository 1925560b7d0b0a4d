package kingmaker

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/worlds"
)

// The map shows every place once and every unit where it stands; nothing lies outside of it, and no text covers another.
func TestMap(t *testing.T) {
	text, err := worlds.Files.ReadFile("england.toml")
	if err != nil {
		t.Fatal(err)
	}
	england := "[world]\n" + swap(string(text), `limits = {`, "start = \"2026-01-01T12:00:00Z\"\nlimits = {")
	for name, world := range map[string]string{"england": england, "the march": theMarch, "in Cyrillic": strings.NewReplacer("Crag", "Утёс", "Aske", "Аск", `aliases = ["Аск"]`, ``).Replace(theMarch)} {
		t.Run(name, func(t *testing.T) {
			s := openedFor(t, world)
			list := pictures(s, rules.Viewer{})
			if len(list) != 1 {
				t.Fatalf("there are %d pictures", len(list))
			}
			p := list[0]
			var boxes []box
			var texts []string
			for _, shape := range p.Shapes {
				for _, at := range shape.Points {
					if at[0] < 0 || at[1] < 0 || at[0] > p.Width || at[1] > p.Height {
						t.Errorf("%q at %v is outside of %v by %v", shape.Text, at, p.Width, p.Height)
					}
				}
				if shape.Text == "" {
					continue
				}
				w := min(shape.Fit, letterWidth*shape.Size*float64(utf8.RuneCountInString(shape.Text)))
				b := box{shape.Points[0][0], shape.Points[0][1] - shape.Size*0.8, w, shape.Size * 0.8}
				for i, o := range boxes {
					if b.meets(o) {
						t.Errorf("%q covers %q", shape.Text, texts[i])
					}
				}
				boxes, texts = append(boxes, b), append(texts, shape.Text)
			}
			for _, l := range s.World.Locations {
				if n := counted(texts, s.withCodeOf(l.Name)); n != 1 {
					t.Errorf("%s is there %d times", l.Name, n)
				}
			}
		})
	}
}

func (s *State) withCodeOf(location string) string {
	return (&chart{State: s, codes: s.codes()}).withCode(location, s.Control[location])
}

func counted(list []string, text string) (n int) {
	for _, x := range list {
		if x == text {
			n++
		}
	}
	return n
}

// openedFor is a world whose players need not be members.
func openedFor(t *testing.T, file string) *State {
	t.Helper()
	s, _, err := openWorld(rulestest.World(file), &rules.Dice{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Units stand on the map by faction, with who is aboard, whom they hold, and their army.
func TestMapShowsUnits(t *testing.T) {
	s := opened(t, theMarch)
	s.Nobles["Ayton"].Ship, s.Nobles["Ayton"].Place = "Tern", Place{}
	s.Heirs["Rosamund"].Holder = "Bolam"
	s.Groups = []*Group{{N: 3, Kind: army, Members: []string{"Bolam", "Bewick"}}}
	var texts []string
	for _, shape := range pictures(s, rules.Viewer{})[0].Shapes {
		texts = append(texts, shape.Text)
	}
	for _, want := range []string{"Crag (R)", "R: Aske", "R ~ Tern + Ayton", "R ~ Auk", "B: Bolam [3] * Rosamund", "* Edmund", "G  Green", "G2  Grey", "Mead City (G)", "Oxton"} {
		if counted(texts, want) != 1 {
			t.Errorf("%q is there %d times among %q", want, counted(texts, want), texts)
		}
	}
}

// A letter shows the part of the map where something has happened, and nothing when nothing has.
func TestShows(t *testing.T) {
	s := opened(t, theMarch)
	if list := shows(s, rules.Viewer{}, []rules.Event{{Type: "turn-began", Data: rules.Data{"turn": "Red"}}, {Type: "alliance-formed", Data: rules.Data{"members": []string{"Red", "Blue"}}}}); list != nil {
		t.Errorf("nothing has moved, and it shows %d pictures", len(list))
	}
	list := shows(s, rules.Viewer{}, []rules.Event{{Type: "moved", Data: rules.Data{"from": "Crag", "to": "Hazeldene"}}})
	if len(list) != 1 {
		t.Fatalf("it shows %d pictures", len(list))
	}
	var texts []string
	for _, shape := range list[0].Shapes {
		texts = append(texts, shape.Text)
	}
	if counted(texts, "Crag (R)") != 1 || counted(texts, "Hazelburgh") != 1 || counted(texts, "Birkby") != 1 || counted(texts, "Mead City (G)") != 0 {
		t.Errorf("it shows %q", texts)
	}
}

// A world without coordinates has no map.
func TestNoMap(t *testing.T) {
	if list := pictures(opened(t, coordinates.ReplaceAllString(theMarch, "")), rules.Viewer{}); list != nil {
		t.Errorf("it draws %d pictures", len(list))
	}
}

var coordinates = regexp.MustCompile(`, lat = [-0-9.]+, lon = [-0-9.]+`)
