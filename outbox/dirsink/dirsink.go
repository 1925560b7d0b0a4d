// Package dirsink writes mail into a folder, a file each.
//
// Its promise: a file with the name of a mail holds all of it. It is written under another name, brought to the disk
// and renamed. The name is made of the mail's date and id, so that a mail sent again replaces itself.
package dirsink

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"arroba/outbox"
)

// Sink is an outbox.Sink.
type Sink struct{ dir string }

// New returns a sink that writes into a folder, which is made when it is not there.
func New(dir string) (*Sink, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for outgoing mail: %w", err)
	}
	return &Sink{dir}, nil
}

// String names the sink.
func (s *Sink) String() string { return "mail folder " + s.dir }

// Send writes a mail. The receipt is the file's path. A folder that cannot be written to is an outbox.ErrDown.
func (s *Sink) Send(ctx context.Context, it outbox.Item) (receipt string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	raw, err := outbox.Render(it)
	if err != nil {
		return "", err
	}
	path := filepath.Join(s.dir, it.Date.UTC().Format("20060102T150405Z-")+it.ID+".eml")
	if err := write(path, raw); err != nil {
		return "", fmt.Errorf("write a mail: %w; the folder must exist, be writable for this user and have room: %w", err, outbox.ErrDown)
	}
	return path, nil
}

func write(path string, raw []byte) error {
	dir, name := filepath.Split(path)
	f, err := os.CreateTemp(dir, "."+name+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncDir(dir)
}

// syncDir brings a rename to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
