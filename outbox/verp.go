package outbox

import "strings"

// verp parts the mailbox from the item in an envelope address.
const verp = "+b-"

// VERP is the envelope sender of an item whose bounces are to name it (variable envelope return path): the sender's
// mailbox with the item's id as an extension, "gm+b-0s3t…@example.org".
func VERP(it Item) string {
	local, domain, _ := strings.Cut(it.From, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + verp + it.ID + "@" + domain
}

// VERPItem returns the id of the item whose envelope sender an address was, "" when it was none's.
func VERPItem(address string) string {
	local, _, _ := strings.Cut(address, "@")
	_, id, _ := strings.Cut(local, verp)
	return id
}
