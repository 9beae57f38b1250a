package topology

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"seaworthy/document"
)

// An Error names the place in the file that is wrong.
type Error = document.Error

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

// fail ends the reading of the file with an error at a line: Parse gives it.
func (r *resolver) fail(line int, format string, args ...any) {
	panic(&Error{File: r.file, Line: line, Msg: fmt.Sprintf(format, args...)})
}

// read reads the text of a file.
func (r *resolver) read(data []byte) *rawTopology {
	doc, err := document.Node(r.file, data)
	if err != nil {
		r.give(err)
	}
	if doc == nil {
		r.fail(0, "expected one YAML document with the keys name, switch and systems")
	}
	t := &rawTopology{}
	r.check(doc, reflect.TypeOf(*t), "topology")
	if err := document.YAML(r.file, data, t); err != nil {
		r.give(err)
	}
	return t
}

// give ends the reading of the file with the first of document's errors.
func (r *resolver) give(err error) {
	e := &Error{File: r.file, Msg: err.Error()}
	errors.As(err, &e)
	panic(e)
}

// check holds a part of the file against the type that it is read as: unknown
// and missing keys, values of another form.
func (r *resolver) check(n *yaml.Node, t reflect.Type, what string) {
	expect := func(ok bool, form string) {
		if !ok {
			r.fail(n.Line, "%s: expected %s, found %s", what, form, kind(n))
		}
	}
	switch {
	case t == reflect.TypeFor[text]() || t.Kind() == reflect.String:
		expect(n.Kind == yaml.ScalarNode && n.Tag != "!!null", "one value")
	case t.Kind() == reflect.Slice:
		expect(n.Kind == yaml.SequenceNode, "a list")
		for _, v := range n.Content {
			r.check(v, t.Elem(), strings.TrimSuffix(what, "s"))
		}
	case t.Kind() == reflect.Map:
		expect(n.Kind == yaml.MappingNode, "a mapping (key: value)")
		for i := 0; i < len(n.Content); i += 2 {
			r.check(n.Content[i+1], t.Elem(), what+" "+n.Content[i].Value)
		}
	default:
		expect(n.Kind == yaml.MappingNode, "a mapping (key: value)")
		r.fields(n, t, what)
	}
}

// fields checks a mapping with known keys.
func (r *resolver) fields(n *yaml.Node, t reflect.Type, what string) {
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
			r.fail(key.Line, "%s: unknown key %q, expected one of %s", what, key.Value,
				strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		r.check(n.Content[i+1], f.Type, what+" "+key.Value)
	}
	for f := range t.Fields() {
		has := func(k *yaml.Node) bool { return k.Value == f.Tag.Get("yaml") }
		if f.Tag.Get("need") != "" && !slices.ContainsFunc(n.Content, has) {
			r.fail(n.Line, "%s: key %q is missing", what, f.Tag.Get("yaml"))
		}
	}
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
