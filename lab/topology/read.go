package topology

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/base/decode"
)

// An Error names the place in the file that is wrong.
type Error = decode.Error

// NameForm also bounds names that become file names and host names, and keeps a lab's
// name from being a path.
var NameForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

const nameForm = "small letters, digits and -, at most 31, a letter first"

// reader reads a file into a Topology by the tags of its fields:
//
//	yaml  the key; a field without it is not the file's
//	need  the key must be there
//	def   the value without it
//	form  "name", LOW-HIGH of a number, or the words that a text may be: "a, b or c"
//	what  of a list: how an element is called, before its name
//	only  of a list: the keys that an element may have
//
// A list whose elements have no what is a mapping in the file, from names to elements.
type reader struct {
	file  string
	lines map[string]int // path -> line: "node lpar1 adapters ent0 mac"
}

// words turns a path into what messages call the part.
var words = strings.NewReplacer(" adapters ", " ", " interfaces ", " ", " ports ", " port ")

// fail ends the reading of the file with an error at a key of a part, or at the part: Parse gives it.
func (r *reader) fail(path, key, format string, args ...any) {
	r.failAt(r.line(path+" "+key), cmp.Or(words.Replace(path), "topology")+": "+format, args...)
}

func (r *reader) failAt(line int, format string, args ...any) {
	panic(&Error{File: r.file, Line: line, Msg: fmt.Sprintf(format, args...)})
}

// line is that of a path, or of what it is a part of.
func (r *reader) line(path string) int {
	for path != "" && r.lines[path] == 0 {
		path = path[:max(0, strings.LastIndexByte(path, ' '))]
	}
	return r.lines[path]
}

func (r *reader) given(path, key string) bool { return r.lines[path+" "+key] > 0 }

func join(path, key string) string { return strings.TrimSpace(path + " " + key) }

// read reads the text of a file.
func (r *reader) read(data []byte) *Topology {
	doc, err := decode.Node(r.file, data)
	if err != nil {
		e := &Error{File: r.file, Msg: err.Error()}
		errors.As(err, &e)
		panic(e)
	}
	if doc == nil {
		r.failAt(0, "expected one YAML document with the keys name, switch and systems, or servers")
	}
	t := &Topology{}
	r.lines[""] = doc.Line
	r.value(doc, reflect.ValueOf(t).Elem(), "", "")
	return t
}

// value reads a part of the file.
func (r *reader) value(n *yaml.Node, v reflect.Value, path string, tag reflect.StructTag) {
	switch _, scalar := v.Addr().Interface().(interface{ String() string }); {
	case v.Kind() == reflect.Slice && tag.Get("what") == "" && v.Type().Elem().Kind() == reflect.Struct:
		for name, part := range r.pairs(n, path) {
			v.Grow(1)
			v.SetLen(v.Len() + 1)
			e := v.Index(v.Len() - 1)
			e.FieldByName("Name").SetString(name)
			r.value(part, e, path+" "+name, "")
		}
	case v.Kind() == reflect.Slice:
		r.expect(n, yaml.SequenceNode, path)
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, part := range n.Content {
			at := path
			if what := tag.Get("what"); what != "" {
				at = r.element(part, what)
			} else {
				r.lines[path+" "+part.Value] = part.Line
			}
			r.value(part, v.Index(i), at, tag)
		}
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for key, part := range r.pairs(n, path) {
			e := reflect.New(v.Type().Elem()).Elem()
			r.value(part, e, path+" "+key, "")
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
	case v.Kind() == reflect.Struct && !scalar:
		r.fields(n, v, path, tag)
	default:
		r.expect(n, yaml.ScalarNode, path)
		r.scalar(v, n.Value, path, tag.Get("form"))
	}
}

// element is the path of an element of a list, whose name no other may have.
func (r *reader) element(n *yaml.Node, what string) string {
	var name string
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "name" {
			name = n.Content[i+1].Value
		}
	}
	path := join(what, name)
	if first := r.lines[path]; name != "" && first > 0 {
		r.failAt(n.Line, "%s is there twice (first on line %d)", path, first)
	}
	r.lines[path] = n.Line
	return path
}

// pairs are the keys and values of a mapping.
func (r *reader) pairs(n *yaml.Node, path string) func(func(string, *yaml.Node) bool) {
	r.expect(n, yaml.MappingNode, path)
	return func(yield func(string, *yaml.Node) bool) {
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			r.expect(key, yaml.ScalarNode, path)
			at := join(path, key.Value)
			if first := r.lines[at]; first > 0 {
				r.failAt(key.Line, "mapping key %q already defined at line %d", key.Value, first)
			}
			r.lines[at] = key.Line
			if !yield(key.Value, n.Content[i+1]) {
				return
			}
		}
	}
}

// fields reads a mapping with known keys.
func (r *reader) fields(n *yaml.Node, v reflect.Value, path string, tag reflect.StructTag) {
	only := strings.Fields(tag.Get("only"))
	fields := map[string]reflect.StructField{}
	for f := range v.Type().Fields() {
		key := f.Tag.Get("yaml")
		if def := f.Tag.Get("def"); def != "" {
			r.scalar(v.FieldByIndex(f.Index), def, path, "")
		}
		if key != "" && (len(only) == 0 || slices.Contains(only, key)) {
			fields[key] = f
		}
	}
	for key, part := range r.pairs(n, path) {
		f, known := fields[key]
		if !known {
			r.fail(path, key, "unknown key %q, expected one of %s", key, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		r.value(part, v.FieldByIndex(f.Index), join(path, key), f.Tag)
		if key == "name" && !NameForm.MatchString(part.Value) {
			r.fail(path, key, "name %q, expected %s", part.Value, nameForm)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if fields[key].Tag.Get("need") != "" && r.lines[join(path, key)] == 0 {
			r.fail(path, "", "key %q is missing", key)
		}
	}
}

// scalar sets a field from its text.
func (r *reader) scalar(v reflect.Value, text, path, form string) {
	i := strings.LastIndexByte(path, ' ')
	part, key := path[:max(i, 0)], path[i+1:]
	check := func(ok bool, expected string, args ...any) {
		if !ok {
			r.fail(part, key, "%s %q, expected "+expected, append([]any{key, text}, args...)...)
		}
	}
	var err error
	switch p := v.Addr().Interface().(type) {
	case *int:
		*p, err = strconv.Atoi(text)
		if from, to, ok := strings.Cut(form, "-"); ok {
			low, _ := strconv.Atoi(from)
			high, _ := strconv.Atoi(to)
			check(err == nil && *p >= low && *p <= high, "a number from %d to %d", low, high)
		}
	case *float64:
		*p, err = strconv.ParseFloat(text, 64)
		check(err == nil && *p > 0 && *p <= 256, "cores, e.g. 2.5")
	case *bool:
		*p = text == "true" || text == "yes"
		check(*p || text == "false" || text == "no", "true or false")
	case *uint64:
		if *p, err = ParseRate(text); err != nil {
			r.fail(part, key, "%s %v", key, err)
		}
	case *time.Duration:
		if *p, err = ParseDelay(text); err != nil {
			r.fail(part, key, "%s %v", key, err)
		}
	case *netip.Prefix:
		*p, err = netip.ParsePrefix(text)
		check(err == nil && p.Addr().Is4(), "IPv4 with prefix length, e.g. 10.10.10.11/24")
	case *netip.Addr:
		*p, err = netip.ParseAddr(text)
		check(err == nil, "an address within the interface's subnet")
	default:
		v.SetString(text)
		if form == "name" {
			check(NameForm.MatchString(text), nameForm)
		} else if form != "" {
			check(slices.Contains(strings.Split(strings.ReplaceAll(form, " or ", ", "), ", "), text), form)
		}
	}
}

// expect fails if a part of the file has not the form that it should have.
func (r *reader) expect(n *yaml.Node, form yaml.Kind, path string) {
	if n.Kind == form && n.Tag != "!!null" {
		return
	}
	names := map[yaml.Kind]string{yaml.ScalarNode: "one value", yaml.SequenceNode: "a list", yaml.MappingNode: "a mapping (key: value)"}
	kinds := map[yaml.Kind]string{yaml.ScalarNode: strconv.Quote(n.Value), yaml.SequenceNode: "a list", yaml.MappingNode: "a mapping",
		yaml.AliasNode: "an alias (write the value out)"}
	found := kinds[n.Kind]
	if n.Tag == "!!null" {
		found = "nothing"
	}
	r.failAt(n.Line, "%s: expected %s, found %s", cmp.Or(words.Replace(path), "topology"), names[form], found)
}

// ParseRate reads bit/s: 10G, 100M, 10000000000; from 1M to 1000G.
func ParseRate(text string) (uint64, error) {
	digits := strings.TrimRight(text, "GM")
	units := map[string]uint64{"": 1, "M": 1e6, "G": 1e9}
	unit := units[text[len(digits):]]
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || unit == 0 || v > 1e12/unit || v*unit < 1e6 {
		return 0, fmt.Errorf("%q, expected bit/s from 1M to 1000G, e.g. 10G", text)
	}
	return v * unit, nil
}

// MaxDelay is the longest that a cable can take, one way: that of 20,000 km of
// glass fibre.
const MaxDelay = 100 * time.Millisecond

// ParseDelay reads how long a packet is on a cable: 250us, 1.5ms; from 10us to
// MaxDelay.
func ParseDelay(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 10*time.Microsecond || d > MaxDelay {
		return 0, fmt.Errorf("%q, expected a time from 10us to %s, e.g. 250us", text, MaxDelay)
	}
	return d, nil
}
