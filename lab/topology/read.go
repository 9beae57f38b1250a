package topology

import (
	"fmt"
	"sort"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// An Error names the place in the file that is wrong.
type Error struct {
	File string
	Line int // 1-based; 0: the whole file
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// reader walks a YAML tree. Walking by hand, rather than decoding into
// structs, keeps the line of every value for the messages of resolve.
type reader struct{ file string }

// text is a scalar and where it stands. Line 0: not given.
type text struct {
	s    string
	line int
}

func (t text) given() bool { return t.line > 0 }

func (r *reader) errorf(line int, format string, args ...any) error {
	return &Error{File: r.file, Line: line, Msg: fmt.Sprintf(format, args...)}
}

func (r *reader) parse(data []byte) (ast.Node, error) {
	f, err := parser.ParseBytes(data, 0)
	if err != nil {
		if y, ok := err.(interface {
			GetMessage() string
		}); ok {
			return nil, r.errorf(tokenLine(err), "not YAML: %s", y.GetMessage())
		}
		return nil, r.errorf(0, "not YAML: %v", err)
	}
	if len(f.Docs) != 1 || f.Docs[0].Body == nil {
		return nil, r.errorf(0, "expected one YAML document with the keys name, switch and systems")
	}
	return f.Docs[0].Body, nil
}

// fields is what a mapping may hold.
type fields map[string]func(ast.Node) error

// mapping reads a mapping with known keys.
func (r *reader) mapping(n ast.Node, what string, known fields, required ...string) error {
	seen := map[string]bool{}
	err := r.entries(n, what, func(key text, v ast.Node) error {
		f := known[key.s]
		if f == nil {
			return r.errorf(key.line, "%s: unknown key %q, expected one of %s", what, key.s, keys(known))
		}
		seen[key.s] = true
		return f(v)
	})
	if err != nil {
		return err
	}
	for _, k := range required {
		if !seen[k] {
			return r.errorf(line(n), "%s: key %q is missing", what, k)
		}
	}
	return nil
}

// entries calls f for each key of a mapping, in file order.
func (r *reader) entries(n ast.Node, what string, f func(key text, v ast.Node) error) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return r.errorf(line(n), "%s: expected a mapping (key: value), found %s", what, kind(n))
	}
	seen := map[string]int{}
	for it := m.MapRange(); it.Next(); {
		key := text{it.Key().String(), it.Key().GetToken().Position.Line}
		if s, ok := it.Key().(ast.ScalarNode); ok {
			key.s = fmt.Sprint(s.GetValue())
		}
		if first := seen[key.s]; first > 0 {
			return r.errorf(key.line, "%s: key %q is there twice (first on line %d)", what, key.s, first)
		}
		seen[key.s] = key.line
		if err := f(key, it.Value()); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) list(n ast.Node, what string, f func(v ast.Node) error) error {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		return r.errorf(line(n), "%s: expected a list, found %s", what, kind(n))
	}
	for _, v := range s.Values {
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// scalar reads a value as it is written: 1 and "1" are the same text.
func (r *reader) scalar(what string, to *text) func(ast.Node) error {
	return func(n ast.Node) error {
		switch v := n.(type) {
		case *ast.StringNode:
			*to = text{v.Value, line(n)}
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			*to = text{n.GetToken().Value, line(n)}
		default:
			return r.errorf(line(n), "%s: expected one value, found %s", what, kind(n))
		}
		return nil
	}
}

func (r *reader) scalars(what string, to *[]text) func(ast.Node) error {
	return func(n ast.Node) error {
		return r.list(n, what, func(v ast.Node) error {
			var t text
			if err := r.scalar(what, &t)(v); err != nil {
				return err
			}
			*to = append(*to, t)
			return nil
		})
	}
}

func (r *reader) settings(what string, to *map[string]string) func(ast.Node) error {
	return func(n ast.Node) error {
		*to = map[string]string{}
		return r.entries(n, what, func(key text, v ast.Node) error {
			var t text
			if err := r.scalar(what+" "+key.s, &t)(v); err != nil {
				return err
			}
			(*to)[key.s] = t.s
			return nil
		})
	}
}

func line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return line(m.Values[0])
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		return v.Key.GetToken().Position.Line
	}
	return n.GetToken().Position.Line
}

func kind(n ast.Node) string {
	switch n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case ast.MapNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or alias (write the value out)"
	}
	return fmt.Sprintf("%q", n.String())
}

func keys(f fields) string {
	var all []string
	for k := range f {
		all = append(all, k)
	}
	sort.Strings(all)
	return strings.Join(all, ", ")
}

// tokenLine is the line of a YAML syntax error; 0 if it has none.
func tokenLine(err error) int {
	if t, ok := err.(interface{ GetToken() *token.Token }); ok && t.GetToken() != nil && t.GetToken().Position != nil {
		return t.GetToken().Position.Line
	}
	return 0
}
