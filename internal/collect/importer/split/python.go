package split

import (
	"bytes"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// assigned is what Perl's Data::Dumper writes before a value.
var assigned = parse.Lazy(`^\$VAR\d+ = `)

// looksPrinted reports whether a text begins as Perl's Data::Dumper or PHP's var_export writes values.
func looksPrinted(text []byte) bool {
	return assigned.Match(text) || bytes.HasPrefix(text, []byte("array ("))
}

// fromPython are the dictionaries and lists of a text as Python, Ruby, Perl or PHP print them, up to the first thing that is none.
func fromPython(text []byte) (values []any) {
	r := &pythonReader{rest: string(text)}
	for len(values) < maxPieces {
		r.next(";")
		r.next("")
		r.rest = assigned.ReplaceAllString(r.rest, "")
		if !strings.HasPrefix(r.rest, "{") && !strings.HasPrefix(r.rest, "[") && !strings.HasPrefix(r.rest, "array (") {
			break
		}
		v := r.value(0)
		if r.failed {
			break
		}
		values = append(values, v)
	}
	return values
}

// pythonReader reads literals of Python.
type pythonReader struct {
	rest   string
	failed bool
}

// next takes a sign; false if another one comes.
func (r *pythonReader) next(sign string) bool {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	rest, ok := strings.CutPrefix(r.rest, sign)
	r.rest = rest
	return ok
}

// value reads a dictionary, a list, a tuple, a text or a word.
func (r *pythonReader) value(depth int) any {
	if depth > maxNested || r.failed {
		r.failed = true
		return nil
	}
	switch {
	case r.next("{"):
		return r.dictionary("}", depth)
	case r.next("array ("):
		return r.dictionary(")", depth)
	case r.next("["):
		return r.list("]", depth)
	case r.next("("):
		list := r.list(")", depth)
		if len(list) == 1 { // ('a'\n 'b')
			return list[0]
		}
		return list
	}
	if text, ok := r.text(); ok {
		return text
	}
	end := strings.IndexAny(r.rest, ",:=]})\n")
	if end <= 0 {
		r.failed = true
		return nil
	}
	word := strings.TrimSpace(r.rest[:end])
	r.rest = r.rest[end:]
	return word
}

func (r *pythonReader) dictionary(end string, depth int) map[string]any {
	out := map[string]any{}
	for !r.failed && !r.next(end) {
		name, ok := r.value(depth + 1).(string)
		if !ok || !r.next(":") && !r.next("=>") {
			r.failed = true
			return nil
		}
		out[name] = r.value(depth + 1)
		if !r.next(",") && !strings.HasPrefix(r.rest, end) {
			r.failed = true
		}
	}
	return out
}

func (r *pythonReader) list(end string, depth int) (out []any) {
	for !r.failed && !r.next(end) {
		out = append(out, r.value(depth+1))
		if !r.next(",") && !strings.HasPrefix(r.rest, end) {
			r.failed = true
		}
	}
	return out
}

// text reads a text, and those that follow it without a comma: they are one.
func (r *pythonReader) text() (text string, ok bool) {
	for {
		r.next("")
		at := strings.IndexAny(r.rest[:min(len(r.rest), 3)], `'"`)
		if at < 0 || strings.Trim(r.rest[:at], "bBuUrRfF") != "" {
			return text, ok
		}
		raw := strings.ContainsAny(r.rest[:at], "rR")
		quote := r.rest[at : at+1]
		if strings.HasPrefix(r.rest[at:], strings.Repeat(quote, 3)) {
			quote = strings.Repeat(quote, 3)
		}
		body := r.rest[at+len(quote):]
		end := endOfText(body, quote)
		if end < 0 {
			r.failed = true
			return "", false
		}
		r.rest = body[end+len(quote):]
		body = body[:end]
		if !raw {
			body = unescapePython(body)
		}
		text, ok = text+body, true
	}
}

// endOfText is where the quotation mark stands that ends a text; -1 if none does.
func endOfText(text, quote string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.HasPrefix(text[i:], quote) {
			return i
		}
	}
	return -1
}

// unescapePython replaces the escape sequences of a text. One that is none stays as it is.
func unescapePython(text string) string {
	var b strings.Builder
	for text != "" {
		if text[0] != '\\' {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		c, multibyte, rest, err := strconv.UnquoteChar(text, 0)
		switch {
		case err != nil && len(text) > 1 && (text[1] == '\'' || text[1] == '"'):
			b.WriteByte(text[1])
			text = text[2:]
		case err != nil:
			b.WriteByte(text[0])
			text = text[1:]
		case multibyte:
			b.WriteRune(c)
			text = rest
		default:
			b.WriteByte(byte(c))
			text = rest
		}
	}
	return b.String()
}
