package ingest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// HandedOver is a letter that a mail server hands over now. Its key is its own each time: one that is handed over
// again is kept again, and known by its fingerprint. It has no time of arrival, so it arrives when it is taken.
func HandedOver(raw []byte, now time.Time) Message {
	sum := sha256.Sum256(raw)
	key := fmt.Sprintf("%s/%x", now.UTC().Format("20060102T150405.000000000"), sum[:8])
	return Message{Key: key, Raw: raw, Via: "mail", Size: int64(len(raw))}
}

// Stamp returns a letter with one more field, before all others: where a field stands twice the first counts, whatever
// the writer put below. The last server on a letter's way adds Return-Path and Delivered-To so.
func Stamp(raw []byte, field, value string) []byte {
	end := "\n"
	if line, _, found := bytes.Cut(raw, []byte("\n")); found && bytes.HasSuffix(line, []byte("\r")) {
		end = "\r\n"
	}
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f { // it must not end its line
			return -1
		}
		return r
	}, value)
	return append([]byte(field+": "+value+end), raw...)
}

// Concerns tells whether mail to an address is for a mailbox: the address is the mailbox's own, or has besides an
// extension after a + ("gm+lands@example.org" for "gm@example.org").
func Concerns(mailbox, address string) bool {
	mailbox, address = strings.ToLower(mailbox), strings.ToLower(address)
	local, domain, _ := strings.Cut(address, "@")
	base, _, _ := strings.Cut(local, "+")
	return mailbox == address || mailbox == base+"@"+domain
}
