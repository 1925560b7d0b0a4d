// Package store opens the database, runs transactions and migrates the schema. Other packages bring their own
// queries; this one has none.
//
// SQLite has one connection for writing, whose transactions begin immediate, and a second pool for reading: with
// more writers, or with transactions that turn into writers later, SQLite answers "database is locked". A query
// outside the transaction must therefore never be made inside Write: use the tx.
package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// DB is an open database.
type DB struct {
	write *sql.DB
	read  *sql.DB
}

// Open opens a database and brings its schema up to date. The name is a path of a SQLite file (made with mode 0600
// when it is not there) or ":memory:" for one that lives as long as the DB.
func Open(ctx context.Context, name string) (*DB, error) { return nil, errors.New("not built") }

// Close closes the database.
func (db *DB) Close() error { return errors.New("not built") }

// Write runs f in one transaction: committed when f returns nil, rolled back otherwise. Nothing else writes meanwhile.
func (db *DB) Write(ctx context.Context, f func(tx *sql.Tx) error) error { return errors.New("not built") }

// Read returns the pool for reading.
func (db *DB) Read() *sql.DB { return db.read }

// Micro is an instant as the database keeps it: microseconds since 1970. The zero time is 0.
func Micro(t time.Time) int64 { return t.UnixMicro() }

// Time is the instant that Micro wrote, in UTC.
func Time(us int64) time.Time { return time.UnixMicro(us).UTC() }

// Text is s without NUL and bad UTF-8, which no database takes.
func Text(s string) string { return s }

// NewID returns a new id: 26 characters that sort by the time they were made in.
func NewID(now time.Time) string { return "" }
