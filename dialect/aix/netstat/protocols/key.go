package protocols

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Key is the counter's name: the words of its line outside the brackets, in
// lower case, joined with _. Where keys are compared, singular and plural are
// the same: "1 packet received" is found as packets_received.
func (e *Entry) Key() string {
	text := e.Text
	for {
		open := strings.IndexByte(text, '(')
		end := strings.IndexByte(text, ')')
		if open < 0 || end < open || !strings.Contains(text[open:end], "#") {
			break
		}
		text = text[:open] + text[end+1:]
	}
	return slug(text)
}

// keys names every value of the entry: the key itself, then the key with the
// words behind a number in brackets: data_packets.bytes.
func (e *Entry) keys() []string {
	key := e.Key()
	var out []string
	for i, part := range strings.Split(e.Text, "#") {
		if i == 0 {
			continue
		}
		if len(out) == 0 && !strings.Contains(beforeNumber(e.Text), "(") {
			out = append(out, key)
			continue
		}
		inside, _, _ := strings.Cut(part, ")")
		out = append(out, key+"."+slug(inside))
	}
	return out
}

func beforeNumber(text string) string {
	before, _, _ := strings.Cut(text, "#")
	return before
}

func slug(text string) string {
	b := make([]byte, 0, len(text))
	gap := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			return slugOfRunes(text)
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		default:
			gap = true
			continue
		}
		if gap && len(b) > 0 {
			b = append(b, '_')
		}
		b, gap = append(b, c), false
	}
	return string(b)
}

func slugOfRunes(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}), "_")
}

// stem makes the key for one and the key for many the same: every word loses
// its plural.
func stem(key string) string {
	var b strings.Builder
	for len(key) > 0 {
		word, sep := key, ""
		if i := strings.IndexAny(key, "_."); i >= 0 {
			word, sep = key[:i], key[i:i+1]
		}
		key = key[len(word)+len(sep):]
		switch {
		case len(word) > 4 && strings.HasSuffix(word, "ies"):
			word = word[:len(word)-3] + "y"
		case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
			word = word[:len(word)-1]
		}
		b.WriteString(word + sep)
	}
	return b.String()
}

// canonical is the wording AIX 7.2 uses for many, by protocol and stem.
var canonical = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, p := range []*Protocol{TCP(), UDP(), IP(), ICMP()} {
		for st, c := range p.index() {
			out[st] = c.key
		}
	}
	return out
})
