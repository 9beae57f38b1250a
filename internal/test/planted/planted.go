// Package planted puts secrets that look harmless into what hosts print, for tests that look whether
// any of them comes through.
package planted

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/transcripts"
)

// Secret is a planted word: as it is written, and what must not be found afterwards.
type Secret struct {
	Planted string
	Gone    []string
}

// Disguises make a secret look like something harmless. Their word has ten letters, no
// two secrets share five of them in a row.
var Disguises = map[string]func(n int, word string) Secret{
	"like a device": func(n int, word string) Secret {
		before := []string{"port1", "vlan200", "net1", "sea1", "os1", "br0", "ent0", "en5s", "eth3_", "fcs2f1", "ibm9"}
		return Secret{before[n%len(before)] + word, []string{word}}
	},
	"like a level": func(n int, word string) Secret {
		address := fmt.Sprintf("5.%d.%d.77", 9+n/200%200, 20+n%200)
		switch n % 3 {
		case 0:
			return Secret{address, []string{address}}
		case 1:
			return Secret{"7.2.0." + word, []string{word}}
		}
		return Secret{"V7R2M0" + word, []string{word}}
	},
	"like a date": func(n int, word string) Secret {
		before := []string{"20261126", "2026-11-26", "26.11.2026", "2026-11-26T10:00:00", "10:15:00", "Nov-26-"}
		return Secret{before[n%len(before)] + word, []string{word}}
	},
	"in capitals": func(_ int, word string) Secret { return Secret{strings.ToUpper(word), []string{word}} },
	"split by a line end": func(_ int, word string) Secret {
		return Secret{word[:5] + "\n" + word[5:], []string{word[:5], word[5:]}}
	},
	"in another script": func(n int, word string) Secret {
		switch n % 3 {
		case 0:
			other := strings.Map(func(c rune) rune { return 'а' + c - 'a' }, word) // Cyrillic
			return Secret{other, []string{other}}
		case 1:
			other := strings.Map(func(c rune) rune { return '東' + c - 'a' }, word)
			return Secret{"port1" + other, []string{other}}
		}
		return Secret{word[:5] + "ü" + word[5:], []string{word[:5], word[5:]}}
	},
	"percent-encoded": func(n int, word string) Secret {
		forms := []string{"%%%02X", "%%%02x", `\u%04x`}
		var b strings.Builder
		for i := range len(word) {
			fmt.Fprintf(&b, forms[n%len(forms)], word[i])
		}
		return Secret{b.String(), []string{b.String(), word}}
	},
}

// Word is the n-th secret word.
func Word(n int) string {
	half := func(first byte, n int) string {
		b := []byte{first, 'q', 0, 0, 0}
		for i := 2; i < len(b); i++ {
			b[i] = "bcdfghjkmnprstvwxz"[n%18]
			n /= 18
		}
		return string(b)
	}
	return half('z', n) + half('x', n)
}

// Left gives what of a secret is in a text, also encoded.
func (s Secret) Left(text string) []string {
	low, plain := strings.ToLower(text), strings.ToLower(unescape(text))
	return slices.DeleteFunc(slices.Clone(s.Gone), func(w string) bool {
		w = strings.ToLower(w)
		return !strings.Contains(low, w) && !strings.Contains(plain, w)
	})
}

// Output is what a host printed, and what it is of.
type Output struct{ Name, ID, Command, Text string }

// Field is a value of an output, and where it stands.
type Field struct {
	Path     string
	From, To int
}

var (
	keys     = regexp.MustCompile(`\[[^\]]*\]`)
	pastWord = regexp.MustCompile(`[\pL\pN_]`)
)

// mostOfAField bounds how often one field is planted into: another key of a table is the same field.
const mostOfAField = 2

// Fields finds the values of an output that seen does not have often enough.
func (o Output) Fields(seen map[string]int) []Field {
	v, err := registry.Find(o.ID).Parse([]byte(o.Text), o.Command)
	if err != nil {
		return nil
	}
	facts := codectest.Facts(v)
	var out []Field
	for _, path := range slices.Sorted(maps.Keys(facts)) {
		value := facts[path]
		path = o.ID + keys.ReplaceAllString(path, "[]")
		if strings.TrimSpace(value) == "" || strings.Contains(value, "\n") || seen[path] >= mostOfAField {
			continue
		}
		for at := range occurrences(o.Text, value) {
			f := Field{path, at, at + len(value)}
			if slices.ContainsFunc(out, func(g Field) bool { return f.From < g.To && g.From < f.To }) {
				continue
			}
			out = append(out, f)
			seen[path]++
			break
		}
	}
	slices.SortFunc(out, func(a, b Field) int { return a.From - b.From })
	return out
}

// occurrences are the places where a value stands as a whole word.
func occurrences(text, value string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for at := 0; ; {
			i := strings.Index(text[at:], value)
			if i < 0 {
				return
			}
			from, to := at+i, at+i+len(value)
			inside := from > 0 && pastWord.MatchString(text[from-1:from]) || to < len(text) && pastWord.MatchString(text[to:to+1])
			if !inside && !yield(from) {
				return
			}
			at = to
		}
	}
}

// recognised gives a text as an output, if a codec reads it.
func recognised(name, text, command string) (Output, bool) {
	f, ok := detect.Text([]byte(text), detect.Hint{})
	if !ok || !f.Known {
		return Output{}, false
	}
	return Output{name, f.ID, f.Command, text}, true
}

// escape is a byte or a letter as JSON, a shell, udev or an address writes it.
var escape = regexp.MustCompile(`\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\\[0-7]{3}`)

// unescape gives the letters that a text escapes.
func unescape(s string) string {
	return escape.ReplaceAllStringFunc(s, func(e string) string {
		base := 16
		if e[0] == '\\' && e[1] != 'u' && e[1] != 'x' {
			base = 8
		}
		n, err := strconv.ParseUint(strings.TrimLeft(e, `%\ux`), base, 16)
		switch {
		case err != nil:
			return e
		case e[1] == 'u':
			return string(rune(n))
		}
		return string([]byte{byte(n)})
	})
}

// In puts a secret in one disguise into each field of an output, the words counted from next on.
func (o Output) In(fields []Field, disguise func(n int, word string) Secret, next int) (text string, secrets []Secret) {
	var b strings.Builder
	at := 0
	for i, f := range fields {
		s := disguise(next+i, Word(next+i))
		b.WriteString(o.Text[at:f.From] + s.Planted)
		secrets = append(secrets, s)
		at = f.To
	}
	b.WriteString(o.Text[at:])
	return b.String(), secrets
}

// Real are one in n of the real outputs beside the repository, the shortest first.
func Real(t *testing.T, n int) []Output {
	t.Helper()
	var all []Output
	for _, file := range draw.OneIn(t, n, codectest.Files(t, "*/*.txt")) {
		o, ok := recognised(filepath.Base(file), codectest.Text(t, file), "")
		if ok {
			all = append(all, o)
		}
	}
	return shortestFirst(all)
}

// Transcripts are the outputs in the transcripts of two Power systems, the shortest first.
func Transcripts(t *testing.T) []Output {
	t.Helper()
	var all []Output
	texts := transcripts.Texts(t)
	for _, host := range slices.Sorted(maps.Keys(texts)) {
		for part := range strings.SplitSeq(texts[host], "\n$ ") {
			command, output, _ := strings.Cut(part, "\n")
			o, ok := recognised(host+": "+command, output+"\n", command)
			if ok {
				all = append(all, o)
			}
		}
	}
	return shortestFirst(all)
}

func shortestFirst(all []Output) []Output {
	slices.SortStableFunc(all, func(a, b Output) int { return len(a.Text) - len(b.Text) })
	return all
}
