package orders

// Arg returns what filled a slot first; a zero Arg when nothing did.
func (o Order) Arg(slot string) Arg {
	if a := o.Args[slot]; len(a) > 0 {
		return a[0]
	}
	return Arg{}
}

// Has tells whether a slot was filled.
func (o Order) Has(slot string) bool { return len(o.Args[slot]) > 0 }

// ID returns the name that filled a slot, "" when none did.
func (o Order) ID(slot string) string { return o.Arg(slot).ID }

// IDs returns the names of a list.
func (o Order) IDs(slot string) []string {
	var ids []string
	for _, a := range o.Args[slot] {
		ids = append(ids, a.ID)
	}
	return ids
}

// N returns the number that filled a slot, 0 when none did.
func (o Order) N(slot string) int64 { return o.Arg(slot).N }

// Is tells whether a literal word with this tag was matched.
func (o Order) Is(tag string) bool {
	for _, t := range o.Tags {
		if t == tag {
			return true
		}
	}
	return false
}
