package decode

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxDepth is how deep values are nested in no file that a person wrote.
const maxDepth = 64

// mostValues is how many values a text of so many bytes may hold: short files any
// number, long ones as many as people write.
func mostValues(size int) int { return 20_000 + size/5 }

// YAML decodes the one document of a text into what a pointer points to. name is
// the file for messages. An empty text leaves it unchanged. Every error is an
// *Error, or several joined.
func YAML(name string, text []byte, into any) error {
	n, err := Node(name, text)
	if n == nil || err != nil {
		return err
	}
	unknown := knownKeys(name, n, into)
	mistaken := wrong(name, text, "", n.Decode(into))
	if unknown != nil && mistaken != nil {
		return errors.Join(unknown, mistaken)
	}
	return cmp.Or(unknown, mistaken)
}

// Node parses a text without decoding it; nil for an empty one. It is within all
// bounds.
func Node(name string, text []byte) (*yaml.Node, error) {
	if !utf8.Valid(text) {
		return nil, &Error{File: name, Msg: "not text in UTF-8"}
	}
	if limit := mostValues(len(text)); marks(text) > limit {
		return nil, tooMany(name, 0, limit)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, next yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, wrong(name, text, "not YAML: ", err)
	}
	if err := d.Decode(&next); err == nil {
		return nil, &Error{name, next.Line, "a second document: expected one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, wrong(name, text, "not YAML: ", err)
	}
	w := walk{name: name, limit: mostValues(len(text)), aliases: map[*yaml.Node]extent{}}
	if _, err := w.measure(doc.Content[0], 1); err != nil {
		return nil, err
	}
	return doc.Content[0], nil
}

// marks counts what begins a value, a comment or an alias: never fewer than there are.
func marks(text []byte) (n int) {
	for i, c := range text {
		switch c {
		case ',', '[', '{', '#', '&', '*', '!':
			n++
		case ':', '-', '?':
			if i+1 == len(text) || text[i+1] <= ' ' {
				n++
			}
		}
	}
	return n
}

func tooMany(name string, line, limit int) error {
	return &Error{name, line, fmt.Sprintf("more than %d values: too many for a file of its size", limit)}
}

func tooDeep(name string, line int) error {
	return &Error{name, line, fmt.Sprintf("nested deeper than %d levels, or an alias within what it stands for", maxDepth)}
}

// walk measures a document before anything is made of it.
type walk struct {
	name    string
	limit   int
	aliases map[*yaml.Node]extent
}

// extent is how many values a part holds, those that aliases stand for each time,
// and how many levels.
type extent struct{ values, levels int }

func (w *walk) measure(n *yaml.Node, depth int) (extent, error) {
	if depth > maxDepth {
		return extent{}, tooDeep(w.name, n.Line)
	}
	if n.Kind == yaml.AliasNode {
		e, known := w.aliases[n.Alias]
		var err error
		if !known {
			e, err = w.measure(n.Alias, depth)
			w.aliases[n.Alias] = e
		} else if depth+e.levels > maxDepth {
			err = tooDeep(w.name, n.Line)
		}
		return e, err
	}
	sum := extent{values: 1}
	for _, c := range n.Content {
		e, err := w.measure(c, depth+1)
		if err != nil {
			return sum, err
		}
		sum.values += e.values
		sum.levels = max(sum.levels, e.levels+1)
		if sum.values > w.limit {
			return sum, tooMany(w.name, c.Line, w.limit)
		}
	}
	return sum, nil
}

var (
	atLine    = regexp.MustCompile(`^(?:yaml: )?line (\d+): (?s)(.*)$`)
	wrongType = regexp.MustCompile("cannot unmarshal !!(\\w+) (?:`(.*)` )?into (.*)$")
)

const maxErrors = 20

// wrong gives the library's errors, or those of a type that decodes itself, their
// file and line.
func wrong(name string, text []byte, prefix string, err error) error {
	if err == nil {
		return nil
	}
	lines := []string{err.Error()}
	if types := (*yaml.TypeError)(nil); errors.As(err, &types) {
		lines = types.Errors
	}
	var errs []error
	for _, l := range lines[:min(len(lines), maxErrors)] {
		e := &Error{File: name, Msg: prefix + strings.TrimPrefix(l, "yaml: ")}
		if m := atLine.FindStringSubmatch(l); m != nil {
			e.Line, _ = strconv.Atoi(m[1]) // digits
			e.Msg = prefix + m[2]
		}
		if strings.Contains(e.Msg, "exceeded max depth") {
			return tooDeep(name, deepLine(text))
		}
		if prefix != "" && indentsByTab(text, e.Line) {
			e.Msg += ": a tab indents this line, YAML takes spaces only"
		}
		e.Msg = wrongType.ReplaceAllStringFunc(e.Msg, expected)
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// indentsByTab says whether a tab is among the white space that a line, counted from 1, begins with.
func indentsByTab(text []byte, line int) bool {
	lines := bytes.Split(text, []byte("\n"))
	if line < 1 || line > len(lines) {
		return false
	}
	begin := lines[line-1]
	indent := begin[:len(begin)-len(bytes.TrimLeft(begin, " \t"))]
	return bytes.IndexByte(indent, '\t') >= 0
}

// forms are Go's types as people who write YAML call them.
var forms = []struct{ prefix, word string }{
	{"[]", "a list"}, {"map[", "a mapping"}, {"int", "a number"}, {"uint", "a number"}, {"float", "a number"}, {"bool", "true or false"},
	{"string", "text"},
}

// found are YAML's tags.
var found = map[string]string{"seq": "a list", "map": "a mapping", "null": "nothing"}

func expected(complaint string) string {
	m := wrongType.FindStringSubmatch(complaint)
	want, got := "a mapping", found[m[1]]
	for _, f := range forms {
		if strings.HasPrefix(strings.TrimLeft(m[3], "*"), f.prefix) {
			want = f.word
			break
		}
	}
	if got == "" {
		got = strconv.Quote(m[2])
	}
	return "expected " + want + ", found " + got
}

// deepLine is where brackets are open deeper than is read; 0: nowhere.
func deepLine(text []byte) int {
	line, depth := 1, 0
	for _, c := range text {
		switch c {
		case '\n':
			line++
		case '[', '{':
			depth++
			if depth > maxDepth {
				return line
			}
		case ']', '}':
			depth--
		}
	}
	return 0
}

// Texts visits the texts of a YAML node, in their order, each with the line in which it begins. A block begins below its mark.
func Texts(n *yaml.Node, visit func(text string, line int)) {
	if n.Kind == yaml.ScalarNode {
		line := n.Line
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			line++
		}
		visit(n.Value, line)
	}
	for _, inside := range n.Content {
		Texts(inside, visit)
	}
}
