package turns

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/store"
)

// An archive holds one game, whole, as a ZIP: a file of JSON lines for each table with a line a row, every letter as it
// came, the files that came with them, and for those who only want to read it events.jsonl. The last file has the
// SHA-256 of all others, in the form of sha256sum. It holds the game's seed and everybody's letters and tokens.

const (
	archiveFormat = 1
	archiveHead   = "archive.json"
	archiveEvents = "events.jsonl"
	archiveSums   = "SHA256SUMS"
)

// Head is what an archive says of itself.
type Head struct {
	Format  int    `json:"format"`
	Game    string `json:"game"`
	Ruleset string `json:"ruleset"`
	Version int    `json:"version"` // of the ruleset; 0 when the game has not begun
	Input   int64  `json:"input"`   // the last one
}

// tables are the tables that hold something of a game: which rows, and in what order they are written. The bytes of
// letters and of the files that came with them have files of their own.
var tables = []struct{ name, of, order string }{
	{"game", "name = $1", "name"},
	{"opening", "game = $1", "ord"},
	{"waiting", "game = $1", "since, addr"},
	{"member", "game = $1", "ord"},
	{"address", "game = $1", "seat, via, ord"},
	{"pending", "game = $1", "code"},
	{"input", "game = $1", "n"},
	{"turn", "game = $1", "n, line"},
	{"snapshot", "game = $1", "n"},
	{"outbox", "game = $1", "seq"},
	{"bounce", "game = $1", "item"},
	{"inbox", "game = $1", "id"},
	{"attached", "inbox IN (SELECT id FROM inbox WHERE game = $1)", "inbox, ord"},
}

// column is a column of a table: its name, and what it holds.
type column struct{ name, holds string }

// What a column holds.
const (
	holdsText   = "a text"
	holdsNumber = "a number"
	holdsBytes  = "bytes"
)

// columnsOf are the columns of a table that an archive has.
func columnsOf(ctx context.Context, q Queryer, table string) (list []column, err error) {
	rows, err := q.QueryContext(ctx, `SELECT * FROM `+table+` WHERE 1 = 0`)
	if err != nil {
		return nil, fmt.Errorf("looking at the table %s: %w", table, err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	for _, t := range types {
		c := column{t.Name(), holdsNumber}
		switch t.DatabaseTypeName() {
		case "TEXT":
			c.holds = holdsText
		case "BLOB", "BYTEA":
			c.holds = holdsBytes
		}
		if table != "inbox" || c.name != "raw" {
			list = append(list, c)
		}
	}
	return list, err
}

// names are the names of columns, with commas between them.
func names(columns []column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.name
	}
	return strings.Join(list, ", ")
}

// archiver writes an archive.
type archiver struct {
	ctx  context.Context
	q    Queryer
	game string
	zip  *zip.Writer
	sums bytes.Buffer
}

// Export writes a game into an archive, as it stands at one moment. It holds what must stay secret.
func (e *Engine) Export(ctx context.Context, game string, w io.Writer) error {
	tx, err := e.DB.Read().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("exporting %s: %w", game, err)
	}
	defer tx.Rollback()
	g, err := LoadGame(ctx, tx, game)
	if err != nil {
		return err
	}
	a := &archiver{ctx: ctx, q: tx, game: game, zip: zip.NewWriter(w)}
	head := Head{archiveFormat, g.Name, g.Ruleset, g.Version, g.LastInput}
	for _, write := range []func() error{
		func() error { return a.json(archiveHead, head) },
		a.tables, a.events, a.letters, a.files, a.seal, a.zip.Close,
	} {
		if err := write(); err != nil {
			return fmt.Errorf("exporting %s: %w", game, err)
		}
	}
	return nil
}

// file writes one file of the archive.
func (a *archiver) file(name string, write func(io.Writer) error) error {
	f, err := a.zip.Create(name)
	if err != nil {
		return err
	}
	hash := sha256.New()
	b := bufio.NewWriter(io.MultiWriter(f, hash))
	if err := errors.Join(write(b), b.Flush()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(&a.sums, "%x  %s\n", hash.Sum(nil), name)
	return nil
}

func (a *archiver) json(name string, v any) error {
	return a.file(name, func(w io.Writer) error { return line(w, v) })
}

// line writes a value as JSON on a line.
func line(w io.Writer, v any) error {
	b, err := plain(v)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// seal writes the hashes of all files.
func (a *archiver) seal() error {
	f, err := a.zip.Create(archiveSums)
	if err == nil {
		_, err = f.Write(a.sums.Bytes())
	}
	return err
}

func (a *archiver) tables() error {
	for _, t := range tables {
		columns, err := columnsOf(a.ctx, a.q, t.name)
		if err != nil {
			return err
		}
		query := `SELECT ` + names(columns) + ` FROM ` + t.name + ` WHERE ` + t.of + ` ORDER BY ` + t.order
		if err := a.file(t.name+".jsonl", func(w io.Writer) error { return a.rows(w, columns, query) }); err != nil {
			return err
		}
	}
	return nil
}

// rows writes the rows of a query, a line each.
func (a *archiver) rows(w io.Writer, columns []column, query string) error {
	rows, err := a.q.QueryContext(a.ctx, query, a.game)
	if err != nil {
		return err
	}
	defer rows.Close()
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row := map[string]any{}
		for i, c := range columns {
			if b, ok := values[i].([]byte); ok {
				values[i] = blob{b}
			}
			row[c.name] = values[i]
		}
		if err := line(w, row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// blob is how bytes stand in JSON, so that they are not taken for a text.
type blob struct {
	Base64 []byte `json:"base64"`
}

func (a *archiver) events() error {
	return a.file(archiveEvents, func(w io.Writer) error {
		return EachEvent(a.ctx, a.q, a.game, func(ev Event) error { return line(w, ev) })
	})
}

// list returns the first column of a query for the game.
func (a *archiver) list(query string) (list []string, err error) {
	rows, err := a.q.QueryContext(a.ctx, query, a.game)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}

func letterFile(id string) string    { return "letters/" + id + ".eml" }
func contentFile(hash string) string { return "files/" + hash }

func (a *archiver) letters() error {
	ids, err := a.list(`SELECT id FROM inbox WHERE game = $1 ORDER BY id`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		row, err := ingest.Show(a.ctx, a.q, id)
		if err == nil {
			err = a.file(letterFile(id), func(w io.Writer) error { _, err := w.Write(row.Raw); return err })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *archiver) files() error {
	hashes, err := a.list(`SELECT DISTINCT attachment.hash FROM attachment JOIN attached ON attached.hash = attachment.hash
		JOIN inbox ON inbox.id = attached.inbox WHERE inbox.game = $1`)
	if err != nil {
		return err
	}
	mails, err := outbox.Carrying(a.ctx, a.q, a.game)
	if err != nil {
		return err
	}
	for _, it := range mails {
		for _, f := range it.Files {
			hashes = append(hashes, f.Hash)
		}
	}
	slices.Sort(hashes)
	for _, hash := range slices.Compact(hashes) {
		data, err := ingest.Content(a.ctx, a.q, hash)
		if err == nil {
			err = a.file(contentFile(hash), func(w io.Writer) error { _, err := w.Write(data); return err })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Archive is an archive that is open for reading.
type Archive struct {
	Head
	zip *zip.ReadCloser
}

// ErrAltered says that an archive is not as it was written.
var ErrAltered = errors.New("the archive was changed after it was written")

// OpenArchive opens an archive, and looks whether every file in it is as it was written.
func OpenArchive(name string) (*Archive, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("opening the archive %s: %w", name, err)
	}
	a := &Archive{zip: z}
	if err = a.check(); err == nil {
		err = a.each(archiveHead, func(d *json.Decoder) error { return d.Decode(&a.Head) })
	}
	if err == nil && a.Format != archiveFormat {
		err = fmt.Errorf("it is of format %d, and this program reads %d", a.Format, archiveFormat)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the archive %s: %w", name, err), z.Close())
	}
	return a, nil
}

// Close closes the archive.
func (a *Archive) Close() error { return a.zip.Close() }

// read returns the bytes of a file.
func (a *Archive) read(name string) ([]byte, error) {
	f, err := a.zip.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: it lacks %s", ErrAltered, name)
	}
	defer f.Close()
	return io.ReadAll(f)
}

// check compares every file with its hash.
func (a *Archive) check() error {
	text, err := a.read(archiveSums)
	if err != nil {
		return err
	}
	sums := map[string]string{}
	for l := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "  ")
		sums[name] = sum
	}
	for _, f := range a.zip.File {
		if f.Name == archiveSums {
			continue
		}
		sum, err := hashOf(f)
		if err != nil || sums[f.Name] != sum {
			return errors.Join(fmt.Errorf("%w: %s", ErrAltered, f.Name), err)
		}
		delete(sums, f.Name)
	}
	for name := range sums {
		return fmt.Errorf("%w: it lacks %s", ErrAltered, name)
	}
	return nil
}

func hashOf(f *zip.File) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, r)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// each calls f with a decoder until the file ends.
func (a *Archive) each(name string, f func(*json.Decoder) error) error {
	r, err := a.zip.Open(name)
	if err != nil {
		return fmt.Errorf("%w: it lacks %s", ErrAltered, name)
	}
	defer r.Close()
	d := json.NewDecoder(bufio.NewReader(r))
	d.UseNumber()
	for d.More() {
		if err := f(d); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return nil
}

// EachEvent calls f for every event of the game, in their order.
func (a *Archive) EachEvent(f func(Event) error) error {
	return a.each(archiveEvents, func(d *json.Decoder) error {
		var ev Event
		if err := d.Decode(&ev); err != nil {
			return err
		}
		return f(ev)
	})
}

// Import brings a game back from an archive, as it was when it was exported: what was sent is sent, what was to be sent
// is to be sent, and a letter that came is known. Nothing is changed by a game that cannot be brought back whole.
func (e *Engine) Import(ctx context.Context, a *Archive) error {
	k := e.kits[a.Ruleset]
	switch {
	case k == nil:
		return fmt.Errorf("the game %s needs the ruleset %q, which is not built into this program", a.Game, a.Ruleset)
	case a.Version != 0 && a.Version != k.Version:
		return fmt.Errorf("the game %s was opened under version %d of %s, and this program has version %d: use the program it was opened with", a.Game, a.Version, a.Ruleset, k.Version)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.DB.Write(ctx, func(tx *sql.Tx) error {
		i := &importer{ctx: ctx, tx: tx, a: a}
		if err := i.all(); err != nil {
			return err
		}
		if err := CheckChain(ctx, tx, a.Game); err != nil {
			return err
		}
		if err := (past{ctx, tx}).checkTurns(a.Game); err != nil {
			return err
		}
		_, err := e.read(ctx, tx, a.Game)
		return err
	})
	if err != nil {
		return fmt.Errorf("bringing %s back: %w", a.Game, err)
	}
	e.Wake()
	return nil
}

// importer writes what an archive holds into the database.
type importer struct {
	ctx context.Context
	tx  *sql.Tx
	a   *Archive
	seq int64 // of the outbox
}

func (i *importer) all() error {
	var n int
	err := i.tx.QueryRowContext(i.ctx, `SELECT COUNT(*) FROM game WHERE LOWER(name) = $1`, strings.ToLower(i.a.Game)).Scan(&n)
	if err == nil && n > 0 {
		err = fmt.Errorf("a game called %q is there already", i.a.Game)
	}
	if err == nil {
		err = i.tx.QueryRowContext(i.ctx, `SELECT COALESCE(MAX(seq), 0) FROM outbox`).Scan(&i.seq)
	}
	if err == nil {
		err = listed(i.ctx, i.tx)
	}
	for _, t := range tables {
		if err == nil {
			err = i.table(t.name)
		}
	}
	if err != nil {
		return err
	}
	for _, f := range i.a.zip.File {
		hash, ok := strings.CutPrefix(f.Name, contentFile(""))
		if !ok {
			continue
		}
		if err := i.content(f.Name, hash); err != nil {
			return err
		}
	}
	return nil
}

// table writes the rows of one table.
func (i *importer) table(name string) error {
	columns, err := columnsOf(i.ctx, i.tx, name)
	if err != nil {
		return err
	}
	put := func(row map[string]any) error { return i.letter(row) }
	if name != "inbox" {
		var q strings.Builder
		q.WriteString(`INSERT INTO ` + name + ` (` + names(columns) + `) VALUES `)
		writeRow(&q, 0, len(columns))
		insert, err := i.tx.PrepareContext(i.ctx, q.String())
		if err != nil {
			return err
		}
		defer insert.Close()
		put = func(row map[string]any) error {
			args := make([]any, len(columns))
			for k, c := range columns {
				args[k] = row[c.name]
			}
			_, err := insert.ExecContext(i.ctx, args...)
			return err
		}
	}
	return i.a.each(name+".jsonl", func(d *json.Decoder) error {
		row, err := i.row(d, name, columns)
		if err != nil {
			return err
		}
		return put(row)
	})
}

// row reads a row, and looks whether it is one of the table and of the game.
func (i *importer) row(d *json.Decoder, table string, columns []column) (map[string]any, error) {
	row := map[string]any{}
	if err := d.Decode(&row); err != nil {
		return nil, err
	}
	if len(row) != len(columns) {
		return nil, fmt.Errorf("a row has %d columns, and the table of this program has %d: the archive is of another version", len(row), len(columns))
	}
	for _, c := range columns {
		v, ok := row[c.name]
		if !ok {
			return nil, fmt.Errorf("a row lacks the column %s: the archive is of another version", c.name)
		}
		var err error
		if row[c.name], err = c.value(v); err != nil {
			return nil, fmt.Errorf("the column %s: %w", c.name, err)
		}
	}
	for _, c := range []string{"game", "name"} {
		if of, ok := row[c]; ok && (c == "game" || table == "game") && of != i.a.Game {
			return nil, fmt.Errorf("%w: a row is of the game %v", ErrAltered, of)
		}
	}
	if table == "outbox" {
		i.seq++
		row["seq"] = i.seq
	}
	return row, nil
}

// value is a value of JSON as the database takes it. NULL is one that the table takes or not; a value of another kind it
// would take, and whoever reads it later would fail.
func (c column) value(v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case json.Number:
		if c.holds == holdsNumber {
			return v.Int64()
		}
	case string:
		if c.holds == holdsText {
			return v, nil
		}
	case map[string]any:
		if c.holds == holdsBytes {
			text, _ := v["base64"].(string)
			return base64.StdEncoding.DecodeString(text)
		}
	}
	return nil, fmt.Errorf("%w: %v is not %s", ErrAltered, v, c.holds)
}

// letter puts a letter into the inbox. One that another source of this database brought under the same key keeps its
// place; this one is known by its fingerprint all the same.
func (i *importer) letter(row map[string]any) error {
	text := func(c string) string { s, _ := row[c].(string); return s }
	number := func(c string) int64 { n, _ := row[c].(int64); return n }
	raw, err := i.a.read(letterFile(text("id")))
	if err != nil {
		return err
	}
	r := ingest.Row{ID: text("id"), Source: text("source"), Key: text("ukey"), Fingerprint: text("fingerprint"),
		Arrived: store.Time(number("arrived")), Taken: store.Time(number("taken")), Before: store.Time(number("read_before")), Via: text("via"), Class: text("class"),
		Sender: text("sender"), Subject: text("subject"), MessageID: text("message_id"), Game: text("game"), Seat: text("seat"),
		Status: text("status"), Note: text("note"), Raw: raw}
	fresh, err := ingest.Insert(i.ctx, i.tx, []ingest.Row{r})
	if err == nil && !fresh[r.ID] {
		r.Key = "imported/" + r.Game + "/" + r.Key
		_, err = ingest.Insert(i.ctx, i.tx, []ingest.Row{r})
	}
	if err == nil {
		_, err = i.tx.ExecContext(i.ctx, `UPDATE inbox SET marked = $1 WHERE id = $2`, number("marked"), r.ID)
	}
	return err
}

// content keeps a file that came with a letter.
func (i *importer) content(name, hash string) error {
	data, err := i.a.read(name)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
		return fmt.Errorf("%w: %s", ErrAltered, name)
	}
	_, err = i.tx.ExecContext(i.ctx, `INSERT INTO attachment (hash, data) VALUES ($1, $2) ON CONFLICT DO NOTHING`, hash, data)
	return err
}
