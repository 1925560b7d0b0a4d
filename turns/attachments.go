package turns

import (
	"cmp"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
)

// DefaultMaxAttachment is how many bytes of an attached file are kept beside its letter.
const DefaultMaxAttachment = 10 << 20

// maxAttached is how many files of one letter are kept beside it.
const maxAttached = 50

// attached are the files of a member's letter. One over the limit is named, and stands in the letter alone, as those
// of strangers do.
func (a *arrival) attached(most int64) []ingest.Attached {
	if a.seat == "" || a.entry.Class != string(letter.Orders) {
		return nil
	}
	var files []ingest.Attached
	for i, f := range a.read.Attachments[:min(len(a.read.Attachments), maxAttached)] {
		file := ingest.Attached{Inbox: a.entry.ID, Ord: i + 1, Name: f.Name, Size: int64(len(f.Data)), Hash: f.SHA256}
		if file.Kept = file.Size <= most; file.Kept {
			file.Data = f.Data
		}
		files = append(files, file)
	}
	return files
}

// writeAttached keeps the files of letters.
func (w *work) writeAttached(letters []*arrival) error {
	var files []ingest.Attached
	for _, a := range letters {
		files = append(files, a.attached(w.maxAttachment())...)
	}
	return ingest.Attach(w.ctx, w.tx, files)
}

func (w *work) maxAttachment() int64 { return cmp.Or(w.e.MaxAttachment, DefaultMaxAttachment) }

// carried are the files of the letter that a mail to a member brings him, who is a GM and not its writer: those that are
// kept, as long as all together are no bigger than one may be. The note in the mail names the rest.
func (t *telling) carried(m *Member) (files []outbox.File) {
	if m == nil || t.letter == nil || t.tried || m.Role != rules.GM || m.Seat == t.letter.seat {
		return nil
	}
	left := t.w.maxAttachment()
	for _, f := range t.letter.attached(left) {
		if left -= f.Size; f.Kept && left >= 0 {
			files = append(files, outbox.File{Name: f.Name, Hash: f.Hash})
		}
	}
	return files
}

// notes are what a mail says of the letter besides what was asked: to its writer, that it came from an address that is
// not his; to a GM, which files came with it.
func (t *telling) notes(p *parcel) ([]string, error) {
	if p.member == nil {
		return nil, nil
	}
	said := []func(*Member) (string, error){t.attachedNote}
	if p.kind == outbox.Receipt {
		said = []func(*Member) (string, error){t.addressNote}
		for _, n := range t.letter.notes {
			said = append(said, func(m *Member) (string, error) { return t.say(m, n.name, n.data) })
		}
	}
	var list []string
	for _, note := range said {
		s, err := note(p.member)
		if err != nil {
			return nil, err
		}
		if s != "" {
			list = append(list, s)
		}
	}
	return list, nil
}

// attachedNote tells a GM which files came with the letter that the cause is, "" when none did.
func (t *telling) attachedNote(m *Member) (string, error) {
	if t.letter == nil || len(t.letter.read.Attachments) == 0 || m.Role != rules.GM || m.Seat == t.letter.seat {
		return "", nil
	}
	var files []map[string]any
	for _, f := range t.letter.read.Attachments[:min(len(t.letter.read.Attachments), maxAttached)] {
		files = append(files, map[string]any{"name": orders.Clean(f.Name), "size": len(f.Data)})
	}
	return t.say(m, "attached", map[string]any{"nick": t.g.seat(t.letter.seat).Nick, "id": t.letter.entry.ID, "files": files})
}

// addressNote tells the writer of a letter that it came from an address that is not on file for him, "" when it is.
func (t *telling) addressNote(m *Member) (string, error) {
	if t.letter.entry.Via != viaMail || m.has(t.letter.entry.Sender) {
		return "", nil
	}
	return t.say(m, "other-address", map[string]any{"from": t.letter.entry.Sender})
}
