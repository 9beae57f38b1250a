package decode

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// keysOf are the keys of a struct in its order, and the type of each value. open:
// it takes any other, too.
type keysOf struct {
	names []string
	types map[string]reflect.Type
	open  bool
}

// fieldsOf lists the keys that a struct type has under a tag, yaml or json.
func fieldsOf(t reflect.Type, tag string) keysOf {
	k := keysOf{types: map[string]reflect.Type{}}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get(tag), ",")
		embedded := f.Anonymous && tag == "json" && name == ""
		switch {
		case name == "-" && options == "" || !f.IsExported() && !f.Anonymous:
		case embedded || slices.Contains(strings.Split(options, ","), "inline"):
			in := pointed(f.Type)
			if in.Kind() != reflect.Struct {
				k.open = true
				continue
			}
			inner := fieldsOf(in, tag)
			for _, n := range inner.names {
				k.add(n, inner.types[n])
			}
			k.open = k.open || inner.open
		case name != "":
			k.add(name, f.Type)
		case tag == "yaml":
			k.add(strings.ToLower(f.Name), f.Type)
		default:
			k.add(f.Name, f.Type)
		}
	}
	return k
}

func (k *keysOf) add(name string, t reflect.Type) {
	if k.types[name] == nil {
		k.names = append(k.names, name)
	}
	k.types[name] = t
}

func (k *keysOf) unknown(key string) string {
	return fmt.Sprintf("unknown key %.100q (known: %s)", key, strings.Join(k.names, ", "))
}

func pointed(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// knownKeys finds the keys of a YAML document that have no place in the type it is
// decoded into. A type that decodes itself checks its own.
func knownKeys(file string, n *yaml.Node, into any) error {
	c := checker{file: file, structs: map[reflect.Type]keysOf{}}
	c.check(n, reflect.TypeOf(into))
	return errors.Join(c.errs...)
}

type checker struct {
	file    string
	structs map[reflect.Type]keysOf
	errs    []error
}

func (c *checker) check(n *yaml.Node, t reflect.Type) {
	t = pointed(t)
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if t == nil || t == reflect.TypeFor[yaml.Node]() || reflect.PointerTo(t).Implements(reflect.TypeFor[yaml.Unmarshaler]()) {
		return
	}
	switch {
	case n.Kind == yaml.SequenceNode && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		for _, v := range n.Content {
			c.check(v, t.Elem())
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		for i := 0; i+1 < len(n.Content); i += 2 {
			c.check(n.Content[i+1], t.Elem())
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		c.mapping(n, t)
	}
}

func (c *checker) mapping(n *yaml.Node, t reflect.Type) {
	known, ok := c.structs[t]
	if !ok {
		known = fieldsOf(t, "yaml")
		c.structs[t] = known
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch in := known.types[key.Value]; {
		case key.Tag == "!!merge" && value.Kind == yaml.SequenceNode:
			for _, v := range value.Content {
				c.check(v, t)
			}
		case key.Tag == "!!merge":
			c.check(value, t)
		case in != nil:
			c.check(value, in)
		case !known.open && len(c.errs) < maxErrors:
			c.errs = append(c.errs, &Error{c.file, key.Line, known.unknown(key.Value)})
		}
	}
}
