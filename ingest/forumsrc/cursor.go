package forumsrc

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"

	"arroba/ingest"
)

// cursor is all that a source knows of its thread.
type cursor struct {
	thread string           // where it is now, when the board has moved it; "" where it was told to be
	read   int64            // begin of the last complete reading; 0: there was none
	all    int64            // the same, of the whole thread
	off    int64            // by how much the board's total was wrong then
	latest []int64          // time of the newest post on each page
	posts  map[uint64]*post // every post that was ever seen, by its id
	whole  bool             // the next walk is to begin at the first page
	doubt  bool             // most posts were gone at the last reading
	broken int              // first page that could not be read in the last reading, -1 for none
	failed int              // readings of old pages in a row that did not end well
	tried  int64            // begin of the last of them
	told   map[uint64]bool  // faults that were brought, by a hash; true when they were met in this walk
	walk   *walk            // one that goes on; nil for none
}

// post is what is known of a post.
type post struct {
	hash    uint64
	version int
	page    int  // that it stood on last, from 0
	seen    bool // on this walk
	fresh   bool // seen on this walk for the first time
	gone    bool
	foreign bool
}

// walk is a way through the pages of the thread.
type walk struct {
	began    int64 // by the earliest of the clocks
	first    int   // page that it begins with, 0 for the whole thread
	start    string
	page     int // that comes next
	next     string
	last     string // address of the page before
	failed   int    // pages before that could not be read, in a row
	total    int64  // posts of the thread, as the last page says; -1 when it does not
	broken   int    // first page that could not be read, -1 for none
	pages    int    // that were read in this round
	round    int    // how often it has come to the end
	ids, max uint64 // a digest of the ids that the round before came by, and the greatest of them
	shifts   bool   // posts came or went while the pages were read in this round
	moved    bool   // the board has sent us to another thread
}

// live tells whether a post stands in the thread as far as is known.
func (p *post) live() bool { return !p.gone }

const format = 2 // of cursors

var errDamaged = errors.New("it is not as it was written")

// encode writes the cursor: about a dozen bytes a post, and a sum of all.
func (c *cursor) encode() ingest.Cursor {
	b := []byte{format}
	number := func(n int64) { b = binary.AppendVarint(b, n) }
	text := func(s string) { number(int64(len(s))); b = append(b, s...) }
	flags := func(list ...bool) {
		n := int64(0)
		for i, on := range list {
			if on {
				n |= 1 << i
			}
		}
		number(n)
	}
	text(c.thread)
	number(c.read)
	number(c.all)
	number(c.off)
	number(int64(c.broken))
	number(int64(c.failed))
	number(c.tried)
	flags(c.whole, c.doubt, c.walk != nil)
	number(int64(len(c.latest)))
	before := int64(0)
	for _, t := range c.latest {
		number(t - before)
		before = t
	}
	number(int64(len(c.told)))
	for _, h := range slices.Sorted(maps.Keys(c.told)) {
		b = binary.BigEndian.AppendUint64(b, h)
		flags(c.told[h])
	}
	number(int64(len(c.posts)))
	last := uint64(0)
	for _, id := range slices.Sorted(maps.Keys(c.posts)) {
		p := c.posts[id]
		b = binary.AppendUvarint(b, id-last)
		last = id
		b = binary.BigEndian.AppendUint64(b, p.hash)
		flags(p.seen, p.fresh, p.gone, p.foreign)
		number(int64(p.version))
		number(int64(p.page))
	}
	if w := c.walk; w != nil {
		for _, n := range []int64{w.began, int64(w.first), int64(w.page), int64(w.failed), w.total, int64(w.broken), int64(w.pages), int64(w.round)} {
			number(n)
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, w.ids), w.max)
		flags(w.shifts, w.moved)
		text(w.start)
		text(w.next)
		text(w.last)
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return ingest.Cursor(base64.RawStdEncoding.EncodeToString(b))
}

// decode reads what encode wrote.
func decode(at ingest.Cursor) (*cursor, error) {
	c := &cursor{posts: map[uint64]*post{}, told: map[uint64]bool{}, broken: -1}
	if at == "" {
		return c, nil
	}
	data, err := base64.RawStdEncoding.Strict().DecodeString(string(at))
	end := len(data) - 4
	switch {
	case err != nil:
	case end < 1 || crc32.ChecksumIEEE(data[:end]) != binary.BigEndian.Uint32(data[end:]):
		err = errDamaged
	case data[0] != format:
		err = errors.New("it is of another version of this program")
	default:
		d := decoder{data: data[1:end]}
		if d.cursor(c); d.bad {
			err = errDamaged
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the stored cursor is damaged: %w", err)
	}
	return c, nil
}

// decoder takes values from the front of its data.
type decoder struct {
	data []byte
	bad  bool
}

func (d *decoder) cursor(c *cursor) {
	c.thread, c.read, c.all, c.off, c.broken, c.failed, c.tried = d.text(), d.number(), d.number(), d.number(), d.count(), d.count(), d.number()
	var walks bool
	d.flags(&c.whole, &c.doubt, &walks)
	before := int64(0)
	for range d.length() {
		before += d.number()
		c.latest = append(c.latest, before)
	}
	for range d.length() {
		h := d.word()
		var met bool
		d.flags(&met)
		c.told[h] = met
	}
	id := uint64(0)
	for range d.length() {
		id += d.uvarint()
		p := &post{hash: d.word()}
		d.flags(&p.seen, &p.fresh, &p.gone, &p.foreign)
		p.version, p.page = d.count(), d.count()
		c.posts[id] = p
	}
	if !walks {
		return
	}
	w := &walk{began: d.number(), first: d.count(), page: d.count(), failed: d.count(), total: d.number(), broken: d.count(), pages: d.count(), round: d.count()}
	w.ids, w.max = d.uvarint(), d.uvarint()
	d.flags(&w.shifts, &w.moved)
	w.start, w.next, w.last = d.text(), d.text(), d.text()
	c.walk = w
}

func (d *decoder) take(n int) []byte {
	if d.bad || n <= 0 || n > len(d.data) {
		d.bad, d.data = true, nil
		return make([]byte, 8)
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) number() int64 {
	n, size := binary.Varint(d.data)
	d.take(size)
	return n
}

func (d *decoder) uvarint() uint64 {
	n, size := binary.Uvarint(d.data)
	d.take(size)
	return n
}

func (d *decoder) word() uint64 { return binary.BigEndian.Uint64(d.take(8)) }

// count is a small number.
func (d *decoder) count() int {
	n := d.number()
	if n < -1 || n > math.MaxInt32 {
		d.bad = true
		return 0
	}
	return int(n)
}

// length is how many things follow, each of a byte at least.
func (d *decoder) length() int {
	n := d.count()
	if n < 0 || n > len(d.data) {
		d.bad = true
		return 0
	}
	return n
}

func (d *decoder) text() string {
	n := d.length()
	if n == 0 {
		return ""
	}
	return string(d.take(n))
}

func (d *decoder) flags(list ...*bool) {
	n := d.number()
	for i, on := range list {
		*on = n&(1<<i) != 0
	}
}
