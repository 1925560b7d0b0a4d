package letter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// aliases are labels that programs write and no registry knows, by the label without its blanks, "-" and "_".
var aliases = map[string]encoding.Encoding{
	"win1251": charmap.Windows1251, "cp1251": charmap.Windows1251, "windows1251": charmap.Windows1251,
	"ansi1251": charmap.Windows1251, "1251": charmap.Windows1251, "xcp1251": charmap.Windows1251,
	"windowscp1251": charmap.Windows1251, "cyrillicwindows": charmap.Windows1251, "mscyrl": charmap.Windows1251,
	"win1250": charmap.Windows1250, "cp1250": charmap.Windows1250, "windows1250": charmap.Windows1250,
	"win1252": charmap.Windows1252, "cp1252": charmap.Windows1252, "windows1252": charmap.Windows1252,
	"win1257": charmap.Windows1257, "cp1257": charmap.Windows1257,
	"koi8": charmap.KOI8R, "koi8r": charmap.KOI8R, "cskoi8r": charmap.KOI8R, "koi": charmap.KOI8R,
	"koi8u": charmap.KOI8U, "koi8ru": charmap.KOI8U, "koi8ukr": charmap.KOI8U,
	"cp866": charmap.CodePage866, "ibm866": charmap.CodePage866, "866": charmap.CodePage866, "dos": charmap.CodePage866,
	"dos866": charmap.CodePage866, "cpdos": charmap.CodePage866, "alt": charmap.CodePage866, "oem866": charmap.CodePage866,
	"cp437": charmap.CodePage437, "ibm437": charmap.CodePage437, "cp850": charmap.CodePage850, "ibm850": charmap.CodePage850,
	"cp852": charmap.CodePage852, "cp855": charmap.CodePage855, "ibm855": charmap.CodePage855,
	"iso88595": charmap.ISO8859_5, "iso88595e": charmap.ISO8859_5, "isocyrillic": charmap.ISO8859_5, "cyrillic": charmap.ISO8859_5,
	"maccyrillic": charmap.MacintoshCyrillic, "xmaccyrillic": charmap.MacintoshCyrillic, "macukraine": charmap.MacintoshCyrillic,
	"xmacukrainian": charmap.MacintoshCyrillic, "macukrainian": charmap.MacintoshCyrillic, "macroman": charmap.Macintosh,
	"cp932": japanese.ShiftJIS, "ms932": japanese.ShiftJIS, "iso2022jp1": japanese.ISO2022JP, "iso2022jp2": japanese.ISO2022JP,
	"iso2022jpms": japanese.ISO2022JP, "cp50220": japanese.ISO2022JP, "cp50221": japanese.ISO2022JP,
	"utf32le": utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "utf32be": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
	"ucs4": utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
}

// Labels that say nothing of the bytes, or that programs put on anything: the bytes decide.
var vague = map[string]bool{
	"": true, "utf8": true, "usascii": true, "ascii": true, "ansix341968": true, "unknown8bit": true, "unknown": true,
	"default": true, "8bit": true, "7bit": true, "xunknown": true, "xuserdefined": true, "binary": true, "none": true,
	"utf8mb4": true, "cp65001": true, "65001": true, "unicode11utf8": true, "unicode20utf8": true, "iso10646": true, "ansi": true,
}

// decodeText makes valid UTF-8 of bytes in a charset. It never fails: a label is believed only as far as the bytes
// bear it out, and where they do not, the charset is guessed by the frequencies of letters.
func decodeText(s, label string) string {
	key := strings.Map(func(r rune) rune {
		if isAlnum(r) {
			return r
		}
		return -1
	}, strings.ToLower(label))
	if enc := wideEncoding(s, key); enc != nil {
		return decode(s, enc)
	}
	switch {
	case key == "utf7" || key == "unicode11utf7" || key == "xutf7":
		return decodeUTF7(s)
	case strings.HasPrefix(key, "iso2022") || key == "hzgb2312" || strings.Contains(s, "\x1b$"):
		return decode(s, sevenBit(label, key))
	case utf8.ValidString(s) && (vague[key] || !isASCII(s)):
		return strings.TrimPrefix(s, "\ufeff") // text in another charset is valid UTF-8 by a miracle only
	case isASCII(s):
		return s
	}
	if vague[key] && mostlyUTF8(s) {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	enc := declared(label, key)
	if enc == nil || isLatin(enc) && mostlyHigh(s) || isNonsense(s, enc) {
		enc = guess(s)
	}
	if enc == nil {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return decode(s, enc)
}

func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// mostlyUTF8 tells UTF-8 that was damaged from text in another charset.
func mostlyUTF8(s string) bool {
	good, bad := 0, 0
	for _, r := range s {
		switch {
		case r == utf8.RuneError:
			bad++
		case r >= utf8.RuneSelf:
			good++
		}
	}
	return good > 2*bad
}

// decode decodes with enc; x/text puts U+FFFD for what it cannot decode.
func decode(s string, enc encoding.Encoding) string {
	out, err := enc.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return strings.TrimPrefix(strings.ToValidUTF8(out, "\ufffd"), "\ufeff")
}

// declared returns the encoding a label names, nil where it names none.
func declared(label, key string) encoding.Encoding {
	if vague[key] {
		return nil
	}
	if enc := aliases[key]; enc != nil {
		return enc
	}
	label = strings.Trim(strings.ToLower(strings.ReplaceAll(label, "_", "-")), " \t\"'")
	if enc, err := htmlindex.Get(label); err == nil {
		return enc
	}
	if enc, err := ianaindex.MIME.Encoding(label); err == nil {
		return enc
	}
	return nil
}

func sevenBit(label, key string) encoding.Encoding {
	if enc := declared(label, key); enc != nil {
		return enc
	}
	return japanese.ISO2022JP
}

// wideEncoding knows UTF-16 and UTF-32 by a byte order mark, or by where the zero bytes of blanks, digits and line
// ends stand, whatever the label says; an unmarked one is as often little endian as not.
func wideEncoding(s, key string) encoding.Encoding {
	switch {
	case strings.HasPrefix(s, "\xff\xfe\x00\x00"), strings.HasPrefix(s, "\x00\x00\xfe\xff"):
		return utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM)
	case strings.HasPrefix(s, "\xff\xfe") && len(s)%2 == 0, strings.HasPrefix(s, "\xfe\xff") && len(s)%2 == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	}
	wide := strings.HasPrefix(key, "utf16") || strings.HasPrefix(key, "ucs2") || key == "unicode" || key == "iso10646ucs2"
	if !wide && strings.IndexByte(s, 0) < 0 {
		return nil
	}
	var zeros [4]int
	for i := 0; i < len(s); i++ {
		if s[i] == 0 {
			zeros[i%4]++
		}
	}
	even, odd := zeros[0]+zeros[2], zeros[1]+zeros[3]
	all := even + odd
	switch {
	case all == 0 && utf8.ValidString(s):
		return nil // the label lies
	case strings.HasPrefix(key, "utf32") || all*10 > len(s)*6:
		if zeros[0] > zeros[3] {
			return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
		}
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case !wide && (all*10 < len(s)*3 || min(even, odd)*8 > all):
		return nil // stray zero bytes in ordinary text
	case even > odd, even == odd && strings.HasSuffix(key, "be"):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
}

// isLatin tells the encodings that programs declare without being asked.
func isLatin(enc encoding.Encoding) bool {
	return enc == charmap.Windows1252 || enc == charmap.ISO8859_1 || enc == charmap.ISO8859_15
}

// mostlyHigh tells whether the letters of s are mostly outside ASCII somewhere, which no Latin language's are: of
// some word of four letters, all are.
func mostlyHigh(s string) bool {
	run := 0
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			run = 0
			continue
		}
		if run++; run == 4 {
			return true
		}
	}
	return false
}

var cyrillic = []*charmap.Charmap{charmap.Windows1251, charmap.KOI8U, charmap.CodePage866, charmap.ISO8859_5, charmap.MacintoshCyrillic}

// guess chooses between the charsets of Cyrillic by how Russian (or Ukrainian) the letters come out; text whose
// letters are mostly ASCII is Latin.
func guess(s string) encoding.Encoding {
	if !mostlyHigh(s) && !cyrillicWords(s) {
		return charmap.Windows1252
	}
	best, _ := bestCyrillic(s)
	return best
}

// scored is how many bytes of a text are looked at to guess its charset.
const scored = 16 << 10

func bestCyrillic(s string) (best *charmap.Charmap, score int) {
	s = s[:min(len(s), scored)]
	for _, enc := range cyrillic {
		if n := cyrillicScore(s, enc); best == nil || n > score {
			best, score = enc, n
		}
	}
	return best, score
}

// nonsenseLetters is how many letters it takes to disbelieve a declared charset of Cyrillic. The true charset scores
// from 1.7 times as much as the best wrong one on texts of that length.
const nonsenseLetters = 20

// isNonsense tells whether a declared charset of Cyrillic makes no words of a text and another one does.
func isNonsense(s string, enc encoding.Encoding) bool {
	declared, ok := enc.(*charmap.Charmap)
	if !ok || declared != charmap.KOI8R && !slices.Contains(cyrillic, declared) {
		return false
	}
	letters := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			letters++
		}
	}
	if letters < nonsenseLetters {
		return false
	}
	_, best := bestCyrillic(s)
	return best > 0 && cyrillicScore(s[:min(len(s), scored)], declared)*3 < best*2
}

// cyrillicWords tells whether some word of two or more letters is outside ASCII as a whole.
func cyrillicWords(s string) bool {
	high, low := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && s[i] >= utf8.RuneSelf:
			high++
		case i < len(s) && isAlnum(rune(s[i])):
			low++
		default:
			if high >= 2 && low == 0 {
				return true
			}
			high, low = 0, 0
		}
	}
	return false
}

// letterWeights are how often each letter stands in a thousand of Russian text, "а" to "я"; rare ones weigh less than nothing.
var letterWeights = [32]int{80, 16, 45, 17, 30, 84, 9, 16, 73, 12, 35, 44, 32, 67, 109, 28, 47, 55, 63, 26, 2, 10, 5, 14, 7, 3, -5, 19, 17, 3, 6, 20}

// pairs are the commonest pairs of letters.
const pairs = " ст но то на ен ов ни ра во ко ро по ал ер ор ла ол од го ре ть ом ли пр ос ат не он та ет ел те ан ка "

// cyrillicScore adds up the weights of the letters that s decodes to. Small letters before capitals, and signs that
// stand inside words, tell that it is the wrong charset.
func cyrillicScore(s string, enc *charmap.Charmap) int {
	score := 0
	var prev, prevLow rune
	for i := 0; i < len(s); i++ {
		r := enc.DecodeByte(s[i])
		low := r
		switch {
		case r < utf8.RuneSelf:
			prev, prevLow = r, 0
			continue
		case r >= 'а' && r <= 'я':
			score += letterWeights[r-'а']
		case r >= 'А' && r <= 'Я':
			low = r + 'а' - 'А'
			score += letterWeights[low-'а']
			if prev >= 'а' && prev <= 'я' {
				score -= 150
			}
		case strings.ContainsRune("ёЁіІїЇєЄґҐ«»—–№…“”", r):
		default:
			score -= 150
		}
		if prevLow != 0 && strings.Contains(pairs, string([]rune{' ', prevLow, low, ' '})) {
			score += 60
		}
		prev, prevLow = r, low
	}
	return score
}

// decodeUTF7 decodes UTF-7 (RFC 2152): base64 of UTF-16 between "+" and "-".
func decodeUTF7(s string) string {
	var out strings.Builder
	for s != "" {
		plus := strings.IndexByte(s, '+')
		if plus < 0 {
			break
		}
		out.WriteString(s[:plus])
		s = s[plus+1:]
		end := 0
		for end < len(s) && isBase64(s[end]) {
			end++
		}
		if end == 0 {
			out.WriteByte('+')
		} else {
			wide := decodeBase64(s[:end])
			out.WriteString(decode(wide[:len(wide)&^1], unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)))
		}
		s = strings.TrimPrefix(s[end:], "-")
	}
	out.WriteString(s)
	return strings.ToValidUTF8(out.String(), "\ufffd")
}
