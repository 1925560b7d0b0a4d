package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"arroba/ingest"
	"arroba/orders"
	"arroba/turns"
)

// attachmentCommands are the commands about the files that members attached to their letters.
func attachmentCommands(w world, file *string) []*cobra.Command {
	return []*cobra.Command{
		{
			Use:   "attachments ID",
			Short: "List the files that came with a letter",
			Args:  cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return listAttached(cmd, e, args[0]) })
			},
		},
		{
			Use:   "save ID FOLDER",
			Short: "Write the files that came with a letter into a folder; none that is there is written over",
			Args:  cobra.ExactArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return saveAttached(cmd, e, args[0], args[1]) })
			},
		},
	}
}

// attachedTo returns the files of a letter. None is an error that says why.
func attachedTo(cmd *cobra.Command, e *turns.Engine, id string, bytes bool) ([]ingest.Attached, error) {
	files, err := ingest.AttachedTo(cmd.Context(), e.DB.Read(), id, bytes)
	if err == nil && len(files) == 0 {
		if _, err = ingest.Show(cmd.Context(), e.DB.Read(), id); errors.Is(err, sql.ErrNoRows) {
			err = unknownLetter(id)
		} else if err == nil {
			err = fmt.Errorf("no file came with the letter %s, or it came twice, or its writer is no member; 'arroba inbox show %s' prints it whole", id, id)
		}
	}
	return files, err
}

func listAttached(cmd *cobra.Command, e *turns.Engine, id string) error {
	files, err := attachedTo(cmd, e, id, false)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "NO\tBYTES\tSHA-256\tNAME")
	for _, f := range files {
		fmt.Fprintf(t, "%d\t%d\t%s\t%s\n", f.Ord, f.Size, f.Hash, safeName(f))
	}
	return t.Flush()
}

func saveAttached(cmd *cobra.Command, e *turns.Engine, id, folder string) error {
	files, err := attachedTo(cmd, e, id, true)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	var errs []error
	for _, f := range files {
		if !f.Kept {
			errs = append(errs, fmt.Errorf("%s has %d bytes, over the limit attachment_mb: it stands in the letter alone", safeName(f), f.Size))
			continue
		}
		name, err := saveNew(folder, safeName(f), f.Data)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Fprintln(cmd.OutOrStdout(), name)
	}
	return errors.Join(errs...)
}

// saveNew writes a file under its name, or under one with a number where there is such a file already.
func saveNew(folder, name string, data []byte) (string, error) {
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		as := name
		if n > 1 {
			as = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext)
		}
		path := filepath.Join(folder, as)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		return path, errors.Join(err, f.Close())
	}
}

const maxName = 100 // letters of a file's name

// safeName is the name of a file as it may stand in any folder, whatever its writer called it.
func safeName(f ingest.Attached) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, orders.Clean(f.Name))
	name = strings.Trim(name, " .")
	if r := []rune(name); len(r) > maxName { // the end tells what it is
		name = string(r[len(r)-maxName:])
	}
	if name == "" {
		return fmt.Sprintf("file %d", f.Ord)
	}
	return name
}
