package ingest

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
)

// Seen is the cursor of a source whose letters come in any order: which of the keys that it still finds were handled,
// eight bytes for each.
type Seen map[uint64]bool

// ParseSeen reads what Seen.Cursor wrote.
func ParseSeen(at Cursor) (Seen, error) {
	data, err := base64.RawStdEncoding.DecodeString(string(at))
	if err != nil || len(data)%8 != 0 {
		return nil, fmt.Errorf("the stored cursor %q is damaged", at)
	}
	s := make(Seen, len(data)/8)
	for b := range slices.Chunk(data, 8) {
		s[binary.BigEndian.Uint64(b)] = true
	}
	return s, nil
}

// Add adds a key.
func (s Seen) Add(key string) { s[hash(key)] = true }

// Has tells whether a key was added.
func (s Seen) Has(key string) bool { return s[hash(key)] }

// Cursor writes the keys in an order of their own.
func (s Seen) Cursor() Cursor {
	var data []byte
	for _, h := range slices.Sorted(maps.Keys(s)) {
		data = binary.BigEndian.AppendUint64(data, h)
	}
	return Cursor(base64.RawStdEncoding.EncodeToString(data))
}

func hash(key string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, key)
	return h.Sum64()
}
