package normalize

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decode makes UTF-8 of what an editor or a shell of Windows saved as UTF-16,
// and drops marks of the encoding and stray zero bytes. Bytes of an older
// encoding stay, but for those of Windows that stand for blanks, quotation
// marks and dashes.
func decode(text []byte) (out []byte, notes []string) {
	switch {
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		text = text[3:]
	case bytes.HasPrefix(text, []byte("\xff\xfe")) && len(text)%2 == 0 && len(text) >= 4:
		return wide(text[2:], true), nil
	case bytes.HasPrefix(text, []byte("\xfe\xff")) && len(text)%2 == 0 && len(text) >= 4:
		return wide(text[2:], false), nil
	default:
		if little, ok := unmarked(text); ok {
			return wide(text, little), []string{"read as UTF-16, of which it lacks the mark"}
		}
	}
	if n := bytes.Count(text, []byte{0}); n > 0 && (n*16 < len(text) || n < 3) {
		text = bytes.ReplaceAll(text, []byte{0}, nil)
		notes = append(notes, "zero bytes were taken out")
	}
	if !utf8.Valid(text) {
		if t, changed := windows(text); changed {
			text = t
			notes = append(notes, "blanks, quotation marks and dashes of a Windows encoding were replaced")
		}
	}
	return text, notes
}

// unmarked knows UTF-16 without its mark: plain letters have a zero on the
// same side throughout. A file that was cut off may end in half a character.
func unmarked(text []byte) (little, ok bool) {
	head := text[:min(len(text), 4096)&^1]
	if len(head) < 8 {
		return false, false
	}
	even, odd := 0, 0
	for i := 0; i < len(head); i += 2 {
		if head[i] == 0 {
			even++
		}
		if head[i+1] == 0 {
			odd++
		}
	}
	most := len(head) / 2 * 9 / 10
	switch {
	case odd > most && even == 0:
		return true, true
	case even > most && odd == 0:
		return false, true
	}
	return false, false
}

func wide(text []byte, little bool) []byte {
	units := make([]uint16, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		a, b := uint16(text[i]), uint16(text[i+1])
		if little {
			a, b = b, a
		}
		units = append(units, a<<8|b)
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

// windowsByte are the bytes of code page 1252 that word processors put in.
var windowsByte = map[byte]string{
	0xa0: " ", 0x91: "'", 0x92: "'", 0x93: `"`, 0x94: `"`, 0x96: "-", 0x97: "-", 0x85: "...", 0xad: "",
}

func windows(text []byte) (out []byte, changed bool) {
	out = make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			if s, ok := windowsByte[text[i]]; ok {
				out, changed = append(out, s...), true
			} else {
				out = append(out, text[i])
			}
			i++
			continue
		}
		out = append(out, text[i:i+n]...)
		i += n
	}
	return out, changed
}
