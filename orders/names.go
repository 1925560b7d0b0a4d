package orders

// Names is one list of things that orders may name, indexed by folded spelling. The zero value is an empty list.
// It is not safe for concurrent change.
type Names struct{}

// Add puts a name in: its ID, which is also how people read it and a spelling of its own, and other spellings.
// It returns the ID of another name that folds alike, or "".
func (n *Names) Add(id string, spellings ...string) (clash string) { return "" }

// Remove takes a name out with all its spellings; it does nothing when there is none.
func (n *Names) Remove(id string) {}

// Find returns the IDs whose spelling this is, in order: none, one, or several that share an alias.
func (n *Names) Find(text string) []string { return nil }

// Near returns at most five IDs whose spelling is nearly this (one letter off, two from eight letters on), best first.
func (n *Names) Near(text string) []string { return nil }

// Lexicon holds the lists by kind ("nick", "land"). A kind without a list has no names.
type Lexicon map[string]*Names

// Fold returns the spelling by which names and keywords are compared: NFC, lower case, ё as е, runs of blanks as one,
// and letters that look alike in Latin and Cyrillic as one letter.
func Fold(s string) string { return s }

// Clean returns a line in the normal form that every reader of letters makes: NFC, every kind of blank as one blank,
// trimmed, control and format characters dropped, curly quotes, long dashes and ellipses in ASCII, full-width ASCII
// in ASCII. Bullets stay: Scan takes them off.
func Clean(s string) string { return s }
