package turns

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"arroba/rules"
	"arroba/worlds"
)

// WorldFile is a file with the keys of a [world] table, as [world] file names one. What game.toml says besides replaces
// its keys.
type WorldFile struct {
	name  string
	text  []byte
	lines Lines
	keys  map[string]any // as they are written
}

// ReadWorldFile reads a world file as TOML. The error names file, line and remedy.
func ReadWorldFile(name string, text []byte) (*WorldFile, error) {
	w := &WorldFile{name: name, text: text}
	var err error
	w.lines, err = DecodeStrict(name, text, &w.keys)
	return w, err
}

// decode decodes the file strictly into what the ruleset wants.
func (w *WorldFile) decode(into any) error {
	_, err := DecodeStrict(w.name, w.text, into)
	return err
}

// at makes an error about a key of the file.
func (w *WorldFile) at(key, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %s", w.name, w.lines.At(key), key, fmt.Sprintf(format, args...))
}

// Open opens a world of a ruleset for nobody, to look at it or to draw it. Without a start it starts now. The error names
// file, line and key.
func (w *WorldFile) Open(r *rules.Ruleset, now time.Time) (*rules.State, error) {
	world := rules.World{Game: w.name, Start: now, Zone: time.UTC, Calendar: r.Keeps, Decode: w.decode, File: noFile}
	st, _, err := r.Open(world, w.name)
	if err == nil {
		return st, nil
	}
	text := err.Error()
	if strings.HasPrefix(text, w.name+":") {
		return nil, err
	}
	key, text := worldKey(text)
	key = strings.TrimPrefix(key, "world.")
	text = furtherKey.ReplaceAllStringFunc(text, func(s string) string {
		further := strings.TrimPrefix(s[1:len(s)-1], "world.")
		return fmt.Sprintf("(%s, line %d)", further, w.lines.At(further))
	})
	return nil, w.at(key, "%s", text)
}

// noFile is what a world file may name: it cannot name a further one.
func noFile(name string) ([]byte, error) {
	return nil, fmt.Errorf("a world file names no further file, as %q", name)
}

// fileKey is the key of [world] that names a world file.
const fileKey = "file"

// base reads the world file that [world] names; nil when it names none.
func (f *GameFile) base() (*WorldFile, error) {
	v, ok := f.worldKeys[fileKey]
	if !ok || f.worldFile != nil {
		return f.worldFile, nil
	}
	name, ok := v.(string)
	if !ok || name == "" {
		return nil, f.at("world.file", "name a world file in quotes, as %q", worldNames()[0])
	}
	text, err := f.besides(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.at("world.file", "there is no %q beside %s, nor does one come with the program; those that do are %s", name, f.name, strings.Join(worldNames(), ", "))
	}
	if err != nil {
		return nil, f.at("world.file", "%v", err)
	}
	if f.worldFile, err = ReadWorldFile(name, text); err != nil {
		f.worldFile = nil
		return nil, err
	}
	return f.worldFile, nil
}

// worldNames are the world files that come with the program.
func worldNames() (names []string) {
	entries, err := worlds.Files.ReadDir(".")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// world decodes [world] strictly into what the ruleset wants, for rules.World.Decode: first the file that it names, then
// what it says itself, each key in the place of the file's. The errors are complete.
func (f *GameFile) world(into any) error {
	t := reflect.TypeOf(into)
	if t == nil || t.Kind() != reflect.Pointer {
		return errors.New("the ruleset decodes [world] into something that is no pointer")
	}
	base, err := f.base()
	if err != nil {
		return err
	}
	if base != nil {
		if err := base.decode(into); err != nil {
			return err
		}
		f.replace(reflect.ValueOf(into).Elem())
	}
	doc := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "World", Type: t.Elem(), Tag: `toml:"world"`}}))
	doc.Elem().Field(0).Set(reflect.ValueOf(into).Elem()) // defaults stay where the file says nothing
	dec := toml.NewDecoder(bytes.NewReader(f.text))
	dec.DisallowUnknownFields()
	if err := explain(f.name, worldOnly(dec.Decode(doc.Interface())), doc.Type()); err != nil {
		return err
	}
	reflect.ValueOf(into).Elem().Set(doc.Elem().Field(0))
	return nil
}

// replace empties the fields of keys that game.toml writes itself.
func (f *GameFile) replace(into reflect.Value) {
	for i := range into.NumField() {
		if _, own := f.worldKeys[fieldName(into.Type().Field(i))]; own {
			into.Field(i).SetZero()
		}
	}
}

// worldOnly leaves unknown keys out of an error that are not the ruleset's: those outside [world], and the one that names
// a world file.
func worldOnly(err error) error {
	var missing *toml.StrictMissingError
	if !errors.As(err, &missing) {
		return err
	}
	kept := &toml.StrictMissingError{}
	for _, e := range missing.Errors {
		if key := e.Key(); len(key) > 1 && key[0] == "world" && !slices.Equal(key, []string{"world", fileKey}) {
			kept.Errors = append(kept.Errors, e)
		}
	}
	if len(kept.Errors) == 0 {
		return nil
	}
	return kept
}

// worldKey takes the key that a ruleset complains about off its complaint.
func worldKey(text string) (key, rest string) {
	if m := leadingKey.FindStringSubmatch(text); m != nil {
		return "world." + m[1], text[len(m[0]):]
	}
	return "world", text
}

// ofBase tells whether a key of [world] stands in the world file that it names.
func (f *GameFile) ofBase(key string) bool {
	top, _, _ := strings.Cut(index.ReplaceAllString(strings.TrimPrefix(key, "world."), ".$1"), ".")
	if f.worldFile == nil {
		return false
	}
	_, own := f.worldKeys[top]
	_, there := f.worldFile.keys[top]
	return there && !own
}

// baseName is the name of the world file that [world] names; "" for none.
func (f *GameFile) baseName() string {
	if f.worldFile == nil {
		return ""
	}
	return f.worldFile.name
}

// worldKeys are the keys of [world] in a game.toml that was found good before.
func worldKeys(text []byte) map[string]any {
	var t struct {
		World map[string]any `toml:"world"`
	}
	if err := toml.Unmarshal(text, &t); err != nil {
		return nil // opening it says what is wrong
	}
	return t.World
}

// worldError adds file and line to what a ruleset says about [world]: "inhabitants.Oleg.gold: …", and the lines of further
// keys that it puts in brackets: "(world.inhabitants.Anna.gold)".
func (f *GameFile) worldError(err error) error {
	text := err.Error()
	for _, name := range []string{f.name, f.baseName()} {
		if name != "" && (strings.HasPrefix(text, name+":") || strings.Contains(text, " "+name+":")) {
			return err // it says so already
		}
	}
	key, text := worldKey(text)
	text = furtherKey.ReplaceAllStringFunc(text, func(s string) string {
		further := s[1 : len(s)-1]
		if f.ofBase(further) {
			further = strings.TrimPrefix(further, "world.")
			return fmt.Sprintf("(%s, %s:%d)", further, f.worldFile.name, f.worldFile.lines.At(further))
		}
		return fmt.Sprintf("(%s, line %d)", further, f.lines.At(further))
	})
	if f.ofBase(key) {
		return f.worldFile.at(strings.TrimPrefix(key, "world."), "%s", text)
	}
	return f.at(key, "%s", text)
}
