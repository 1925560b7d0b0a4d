// Package store opens the database, runs transactions and migrates the schema. Other packages bring their own
// queries; this one has none.
//
// Its promise: what Write has returned from without an error is on the disk, whole, and stays there. SQLite keeps it
// in WAL mode with a full sync at each commit. One connection writes, with transactions that begin immediate, and a
// second pool reads: with more writers, or with transactions that turn into writers later, SQLite answers "database
// is locked".
//
// Two rules follow for those who call it. Inside Write, ask the tx and nothing else: the pool for reading does not
// see what the transaction has done so far, and in a database in memory it waits until the transaction ends, and
// fails after five seconds where the transaction waits for it. And close the rows of a query before writing: in a
// database in memory an open query holds up the commit.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is an open database.
type DB struct {
	write *sql.DB
	read  *sql.DB
	keep  *sql.Conn // holds a database in memory, which ends with its last connection
}

const (
	inMemory = ":memory:"
	readers  = 8 // connections that read at a time
	patience = 5 * time.Second
)

// Open opens a database and brings its schema up to date. The name is a path of a SQLite file (made with mode 0600
// when it is not there) or ":memory:" for one that lives as long as the DB. Its errors say what to do.
func Open(ctx context.Context, name string) (*DB, error) {
	db, err := open(ctx, name)
	// While a new file is turned to WAL by another program, SQLite says that it is busy without waiting.
	for start := time.Now(); busy(err) && time.Since(start) < patience; {
		time.Sleep(10 * time.Millisecond)
		db, err = open(ctx, name)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", name, explain(err))
	}
	return db, nil
}

func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

func open(ctx context.Context, name string) (_ *DB, err error) {
	source, err := dataSource(name)
	if err != nil {
		return nil, err
	}
	db := &DB{}
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	if db.write, err = sql.Open("sqlite", source+"&_txlock=immediate"); err != nil {
		return nil, err
	}
	db.write.SetMaxOpenConns(1)
	if err := db.write.PingContext(ctx); err != nil {
		return nil, err
	}
	if db.read, err = sql.Open("sqlite", source+"&_pragma=query_only(1)"); err != nil {
		return nil, err
	}
	db.read.SetMaxOpenConns(readers)
	db.read.SetMaxIdleConns(readers)
	if name == inMemory {
		if db.keep, err = db.read.Conn(ctx); err != nil {
			return nil, err
		}
	}
	return db, migrate(ctx, db.write)
}

// dataSource is the driver's address of a database, and makes the file when it is not there.
func dataSource(name string) (string, error) {
	options := fmt.Sprintf("?_pragma=busy_timeout(%d)&_pragma=foreign_keys(1)&_pragma=synchronous(FULL)", patience.Milliseconds())
	if name == inMemory {
		return "file:/" + rand.Text() + options + "&vfs=memdb", nil
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return "file:" + (&url.URL{Path: name}).EscapedPath() + options + "&_pragma=journal_mode(WAL)", nil
}

func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	has, knows, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if has > knows {
		return fmt.Errorf("its schema has version %d and this program knows up to %d: use the newer program that wrote it", has, knows)
	}
	if has == knows {
		return nil
	}
	if _, err := p.Up(ctx); err != nil {
		// Another program may have brought it up to date in the same moment.
		if pending, perr := p.HasPending(ctx); perr == nil && !pending {
			return nil
		}
		return fmt.Errorf("bring the schema from version %d to %d: %w", has, knows, err)
	}
	return nil
}

// explain adds to an error of SQLite what to do about it.
func explain(err error) error {
	var e *sqlite.Error
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w", remedies[sqlite3.SQLITE_CANTOPEN], err)
	case !errors.As(err, &e):
		return err
	}
	if remedy := remedies[e.Code()&0xff]; remedy != "" {
		return fmt.Errorf("%s: %w", remedy, err)
	}
	return err
}

// remedies by SQLite's primary result code.
var remedies = map[int]string{
	sqlite3.SQLITE_BUSY:     "another program kept the database locked for 5 seconds; find out which (fuser FILE) and end it",
	sqlite3.SQLITE_LOCKED:   "the database is locked by a query of this program that was not closed",
	sqlite3.SQLITE_FULL:     "the disk is full; make room on it",
	sqlite3.SQLITE_NOTADB:   "the file is no SQLite database; give another path or move the file away",
	sqlite3.SQLITE_CORRUPT:  "the file is damaged; restore it from a backup, or try sqlite3 FILE .recover",
	sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; its folder must exist and be writable for this user, as SQLite keeps files beside it",
	sqlite3.SQLITE_READONLY: "the file or its folder cannot be written to; let this user own both",
	sqlite3.SQLITE_IOERR:    "the disk cannot be read or written; look at its health and free space",
}

// Close closes the database.
func (db *DB) Close() error {
	var errs []error
	if db.keep != nil {
		errs = append(errs, db.keep.Close())
	}
	for _, pool := range []*sql.DB{db.read, db.write} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// Write runs f in one transaction: committed when f returns nil, rolled back when it returns an error or panics.
// Nothing else writes meanwhile, and f must not call Write.
func (db *DB) Write(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", explain(err))
	}
	defer tx.Rollback() // does nothing after a commit
	if err := f(tx); err != nil {
		return explain(err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", explain(err))
	}
	return nil
}

// Read returns the pool for reading. It cannot write.
func (db *DB) Read() *sql.DB { return db.read }

// Micro is an instant as the database keeps it: microseconds since 1970. The zero time is 0.
func Micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Time is the instant that Micro wrote, in UTC.
func Time(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// Text is s without NUL and bad UTF-8, which no database takes.
func Text(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")
}

// idEncoding has its digits in the order of their bytes, so that ids sort as their bits do.
var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns a new id: 26 characters of a to z and 0 to 9 that sort by the microsecond they were made in; the
// second half is random.
func NewID(now time.Time) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMicro())<<8)
	rand.Read(b[7:])
	return idEncoding.EncodeToString(b[:])
}
