package topology

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
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

// reader names the file in messages.
type reader struct{ file string }

// text is a scalar as it is written (1 and "1" are the same), and where. Line
// 0: not given.
type text struct {
	s            string
	line, column int
}

func (t text) given() bool { return t.line > 0 }

// UnmarshalYAML reads a scalar; its form has been checked.
func (t *text) UnmarshalYAML(n *yaml.Node) error {
	*t = text{n.Value, n.Line, n.Column}
	return nil
}

func (r *reader) errorf(line int, format string, args ...any) error {
	return &Error{File: r.file, Line: line, Msg: fmt.Sprintf(format, args...)}
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\n\s*)?line (\d+): (.*)$`)

// wrong is an error of the YAML library, with file and line.
func (r *reader) wrong(err error) error {
	msg := err.Error()
	var types *yaml.TypeError
	if errors.As(err, &types) {
		msg = types.Errors[0]
	}
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ := strconv.Atoi(m[1])
		return r.errorf(line, "not YAML as expected: %s", m[2])
	}
	return r.errorf(0, "not YAML: %s", strings.TrimPrefix(msg, "yaml: "))
}

// topology reads the text of a file.
func (r *reader) topology(data []byte) (*rawTopology, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, r.wrong(err)
	}
	if len(doc.Content) != 1 {
		return nil, r.errorf(0, "expected one YAML document with the keys name, switch and systems")
	}
	t := &rawTopology{}
	if err := r.check(doc.Content[0], reflect.TypeOf(*t), "topology"); err != nil {
		return nil, err
	}
	if err := doc.Decode(t); err != nil {
		return nil, r.wrong(err)
	}
	return t, nil
}

// check holds a part of the file against the type that it is read as: unknown
// and missing keys, values of another form.
func (r *reader) check(n *yaml.Node, t reflect.Type, what string) error {
	expected := func(form string) error { return r.errorf(n.Line, "%s: expected %s, found %s", what, form, kind(n)) }
	switch {
	case t == reflect.TypeFor[text]() || t.Kind() == reflect.String:
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return expected("one value")
		}
	case t.Kind() == reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			return expected("a list")
		}
		for _, v := range n.Content {
			if err := r.check(v, t.Elem(), strings.TrimSuffix(what, "s")); err != nil {
				return err
			}
		}
	case n.Kind != yaml.MappingNode:
		return expected("a mapping (key: value)")
	case t.Kind() == reflect.Map:
		for i := 0; i < len(n.Content); i += 2 {
			if err := r.check(n.Content[i+1], t.Elem(), what+" "+n.Content[i].Value); err != nil {
				return err
			}
		}
	default:
		return r.fields(n, t, what)
	}
	return nil
}

// fields checks a mapping with known keys.
func (r *reader) fields(n *yaml.Node, t reflect.Type, what string) error {
	fields := map[string]reflect.StructField{}
	for f := range t.Fields() {
		if key := f.Tag.Get("yaml"); key != "" {
			fields[key] = f
		}
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		f, known := fields[key.Value]
		if !known {
			return r.errorf(key.Line, "%s: unknown key %q, expected one of %s", what, key.Value,
				strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		if err := r.check(n.Content[i+1], f.Type, what+" "+key.Value); err != nil {
			return err
		}
	}
	for f := range t.Fields() {
		has := func(k *yaml.Node) bool { return k.Value == f.Tag.Get("yaml") }
		if f.Tag.Get("need") != "" && !slices.ContainsFunc(n.Content, has) {
			return r.errorf(n.Line, "%s: key %q is missing", what, f.Tag.Get("yaml"))
		}
	}
	return nil
}

func kind(n *yaml.Node) string {
	switch {
	case n.Tag == "!!null":
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias (write the value out)"
	}
	return strconv.Quote(n.Value)
}
