package protocols

import (
	"strings"

	"seaworthy/internal/parse"
)

// Key is the counter's name: the words of its line outside the brackets, in
// lower case, joined with _. Where keys are compared, singular and plural are
// the same: "1 packet received" is found as packets_received.
func (e *Entry) Key() string { return slug(numbered.ReplaceAllString(e.Text, "")) }

var numbered = parse.Lazy(`\([^()]*#[^()]*\)`)

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
