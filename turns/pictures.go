package turns

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
)

// drawing holds the pictures that the mails of a cause carry, each drawn once.
type drawing struct {
	files map[string]*outbox.File // by picture and language, nil for one that cannot be drawn
	kept  []outbox.File           // with their bytes
}

// pictures are what a mail shows of the game: the parts of its pictures that the events it tells of have changed, as far
// as its reader may see them. A picture says nothing that the text does not, so one that cannot be drawn keeps nothing
// back: the mail goes without.
func (t *telling) pictures(p *parcel) (files []outbox.File) {
	if t.w.e.Draw == nil || t.g.Settings.NoPictures || t.tried || p.apart {
		return nil
	}
	var events []rules.Event
	for i, ev := range t.events {
		if p.knows[i] {
			events = append(events, rules.Event{Type: ev.Type, Rule: ev.Rule, Data: t.data[i]})
		}
	}
	if len(events) == 0 {
		return nil
	}
	viewer := rules.Viewer{Now: t.events[len(t.events)-1].At, Zone: t.g.Zone}
	if p.member != nil {
		viewer.Seat, viewer.GM = p.member.Seat, p.member.Role == rules.GM
	}
	list, err := t.g.state.Shows(viewer, events)
	if err != nil {
		t.w.e.Log.Warn("a mail goes without its pictures", "game", t.g.Name, "err", err)
	}
	for _, pic := range list {
		if f := t.picture(pic, p.reader.Language); f != nil {
			files = append(files, *f)
		}
	}
	return files
}

// picture draws a picture, or finds it where another mail shows the same; nil when it cannot be drawn.
func (t *telling) picture(pic rules.Picture, language string) *outbox.File {
	what, err := json.Marshal(pic)
	key := language + string(what)
	f, known := t.drawn.files[key]
	if known {
		return f
	}
	var data []byte
	if err == nil {
		data, err = t.w.e.drawn(pic, language)
	}
	if err != nil {
		t.w.e.Log.Warn("a mail goes without a picture", "game", t.g.Name, "picture", pic.Name, "err", err)
	} else {
		sum := sha256.Sum256(data)
		f = &outbox.File{Name: pic.Name + ".png", Hash: hex.EncodeToString(sum[:]), Type: "image/png"}
		t.drawn.kept = append(t.drawn.kept, outbox.File{Hash: f.Hash, Data: data})
	}
	t.drawn.files[key] = f
	return f
}

// drawn draws a picture. A fault of the pen that ends in a panic is an error like any other: no letter may wait for it.
func (e *Engine) drawn(pic rules.Picture, language string) (data []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("drawing it: %v", fault)
		}
	}()
	return e.Draw(pic, language)
}

// writeDrawn keeps the pictures that mails carry.
func (w *work) writeDrawn() error {
	for _, f := range w.drawn {
		if err := ingest.Keep(w.ctx, w.tx, f.Hash, f.Data); err != nil {
			return fmt.Errorf("keep a picture of a mail: %w", err)
		}
	}
	w.drawn = nil
	return nil
}
