package turns

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines tells on which line of a TOML file a key stands. Keys are paths of names and list indices parted by dots, as
// "member.0.email".
type Lines map[string]int

// index is the place in a list as rulesets write it: "property[0].name".
var index = regexp.MustCompile(`\[(\d+)\]`)

// At returns the line of a key; of one that is not there, the line of the nearest table around it, 1 at worst.
func (l Lines) At(key string) int {
	key = index.ReplaceAllString(key, ".$1")
	for key != "" {
		if n := l[key]; n > 0 {
			return n
		}
		key = key[:max(strings.LastIndexByte(key, '.'), 0)]
	}
	return 1
}

// DecodeStrict decodes a TOML file. An unknown key or a value of the wrong type is an error that names file, line,
// key and remedy. The Lines are good even then, as far as the file could be read.
func DecodeStrict(name string, text []byte, into any) (Lines, error) {
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return indexLines(text), explain(name, dec.Decode(into), reflect.TypeOf(into))
}

// explain turns an error of the TOML decoder into one that a person can act on.
func explain(name string, err error, into reflect.Type) error {
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) && len(missing.Errors) > 0 {
		e := &missing.Errors[0]
		line, _ := e.Position()
		return fmt.Errorf("%s:%d: %s: this key is not known here; %s", name, line, strings.Join(e.Key(), "."),
			knownKeys(into, e.Key()))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		what := plainly(strings.TrimPrefix(wrong.Error(), "toml: "))
		if key := strings.Join(wrong.Key(), "."); key != "" {
			what = key + ": " + what
		}
		return fmt.Errorf("%s:%d: %s", name, max(line, 1), what)
	}
	if err != nil {
		return fmt.Errorf("%s:1: %w", name, err)
	}
	return nil
}

// plainly says what the decoder says of a value of the wrong type without speaking of Go.
func plainly(what string) string {
	if strings.HasPrefix(what, "expected keyword") || strings.HasSuffix(what, "at start of value") {
		return what + "; a text stands in quotes, as key = \"value\""
	}
	found, wanted, ok := strings.Cut(strings.TrimPrefix(what, "cannot decode TOML "), " into ")
	if !ok {
		return what
	}
	kind := wanted[strings.LastIndexByte(wanted, ' ')+1:]
	want := "something else"
	switch {
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		want = "a whole number"
	case kind == "string":
		want = "a text in quotes"
	case kind == "bool":
		want = "true or false"
	case kind == "time.Time":
		want = "an instant, as 2026-03-01T12:00:00Z"
	case strings.HasPrefix(kind, "[]"):
		want = "a list"
	case strings.HasPrefix(kind, "map["):
		want = "a table"
	}
	return found + " does not fit here; write " + want
}

// knownKeys lists what may stand where an unknown key stood.
func knownKeys(t reflect.Type, key []string) string {
	for _, part := range key[:len(key)-1] {
		t = step(t, part)
	}
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return "take it out"
	}
	return "take it out, or write one of " + strings.Join(fieldNames(t), ", ")
}

// step goes from a type to that of one of its keys, nil when that is not told by the type.
func step(t reflect.Type, part string) reflect.Type {
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	switch {
	case t == nil:
		return nil
	case t.Kind() == reflect.Map:
		return t.Elem()
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); fieldName(f) == part {
				return f.Type
			}
		}
	}
	return nil
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			names = append(names, fieldNames(f.Type)...)
		} else if n := fieldName(f); n != "" {
			names = append(names, n)
		}
	}
	return names
}

// fieldName is the key that a field is decoded from, "" for none.
func fieldName(f reflect.StructField) string {
	n, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	if !f.IsExported() || n == "-" {
		return ""
	}
	if n == "" {
		return strings.ToLower(f.Name)
	}
	return n
}

// indexLines walks a file once and notes the line of every key.
func indexLines(text []byte) Lines {
	ix := indexer{lines: Lines{}, count: map[string]int{}}
	for i, c := range text {
		if c == '\n' {
			ix.ends = append(ix.ends, i)
		}
	}
	ix.p.Reset(text)
	for ix.p.NextExpression() {
		e := ix.p.Expression()
		switch e.Kind {
		case unstable.Table:
			ix.table = ix.resolve(e)
			ix.note(ix.table, e)
		case unstable.ArrayTable:
			list := ix.resolve(e)
			ix.table = list + "." + strconv.Itoa(ix.count[list])
			ix.count[list]++
			ix.note(list, e)
			ix.note(ix.table, e)
		case unstable.KeyValue:
			ix.keyValue(ix.table, e)
		}
	}
	return ix.lines
}

type indexer struct {
	p     unstable.Parser
	lines Lines
	ends  []int          // of the lines, by which a place is found without counting from the beginning
	count map[string]int // of the tables in a list of tables
	table string         // the one that the walk stands in
}

// resolve returns the path of a table's header: below a list of tables it is the last of them that is meant.
func (ix *indexer) resolve(e *unstable.Node) string {
	path := ""
	for it := e.Key(); it.Next(); {
		if n := ix.count[path]; n > 0 {
			path += "." + strconv.Itoa(n-1)
		}
		path = below(path, string(it.Node().Data))
	}
	return path
}

func (ix *indexer) keyValue(table string, e *unstable.Node) {
	path := table
	for it := e.Key(); it.Next(); {
		path = below(path, string(it.Node().Data))
		ix.note(path, it.Node())
	}
	ix.value(path, e.Value())
}

func (ix *indexer) value(path string, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			ix.keyValue(path, it.Node())
		}
	case unstable.Array:
		i := 0
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			item := path + "." + strconv.Itoa(i)
			ix.note(item, it.Node())
			ix.value(item, it.Node())
			i++
		}
	}
}

// note keeps the line of a key the first time it is met. Nodes that carry no place of their own are found by their
// first child.
func (ix *indexer) note(path string, n *unstable.Node) {
	if ix.lines[path] > 0 {
		return
	}
	for n.Raw.Length == 0 && n.Child() != nil && n.Child().Valid() {
		n = n.Child()
	}
	if n.Raw.Length > 0 {
		ended, _ := slices.BinarySearch(ix.ends, int(n.Raw.Offset))
		ix.lines[path] = ended + 1
	}
}

func below(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
