package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// mostObjects is how many objects and lists a JSON text of so many bytes may
// hold. Numbers and texts cost little more than their bytes.
func mostObjects(size int) int { return 20_000 + size/32 }

// JSON decodes a text into what a pointer points to. name is the file for
// messages. Keys are matched as they are written, unlike by encoding/json; one
// given twice is an error, and one that the type does not have unless Newer.
// Every error is an *Error.
func JSON(name string, text []byte, into any, accept ...Accept) error {
	s := &scanner{name: name, text: text, line: 1, newer: slices.Contains(accept, Newer), structs: map[reflect.Type]keysOf{}}
	if err := s.scan(reflect.TypeOf(into)); err != nil {
		return err
	}
	err := json.Unmarshal(text, into)
	var (
		syntax *json.SyntaxError
		types  *json.UnmarshalTypeError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return &Error{name, lineAt(text, syntax.Offset), "not JSON: " + syntax.Error()}
	case errors.As(err, &types):
		return &Error{name, lineAt(text, types.Offset), fmt.Sprintf("%s: found %s, expected another type", types.Field, types.Value)}
	}
	return &Error{File: name, Msg: err.Error()}
}

// Accept relaxes what a text may hold.
type Accept int

// Newer lets a text hold keys that the type does not have: a later version may
// have written it.
const Newer Accept = 1

// Fits holds JSON that is decoded into anything, be it several values, against the
// bounds of JSON.
func Fits(name string, text []byte) error {
	return (&scanner{name: name, text: text, line: 1, anyKey: true}).scan(nil)
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), int64(len(text)))], []byte("\n"))
}

// open is an object or a list whose end has not come.
type open struct {
	typ    reflect.Type // nil: not known, anything goes
	object bool
	known  keysOf
	seen   map[string]bool
	value  reflect.Type // of the value that comes next
	key    bool         // a key comes next
}

// scanner walks a JSON text once, without making values. What is not JSON it
// leaves to the decoder.
type scanner struct {
	name    string
	text    []byte
	line    int
	newer   bool
	anyKey  bool // also one that is there twice
	structs map[reflect.Type]keysOf
	stack   []open
}

func (s *scanner) fail(format string, args ...any) error {
	return &Error{s.name, s.line, fmt.Sprintf(format, args...)}
}

func (s *scanner) scan(root reflect.Type) error {
	limit, objects := mostObjects(len(s.text)), 0
	for i := 0; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '\n':
			s.line++
		case '"':
			end := closing(s.text, i+1)
			if err := s.key(s.text[i:min(end+1, len(s.text))]); err != nil {
				return err
			}
			i = end
		case '{', '[':
			objects++
			if objects > limit {
				return s.fail("more than %d objects and lists: too many for a file of its size", limit)
			}
			if len(s.stack) == maxDepth {
				return s.fail("nested deeper than %d levels", maxDepth)
			}
			t := root
			if n := len(s.stack); n > 0 {
				t = s.stack[n-1].value
			}
			s.enter(t, c == '{')
		case '}', ']':
			if n := len(s.stack); n > 0 {
				s.stack = s.stack[:n-1]
			}
		case ',':
			if n := len(s.stack); n > 0 {
				s.stack[n-1].key = s.stack[n-1].object
			}
		}
	}
	return nil
}

// closing is where the text ends that begins at i: at its quotation mark.
func closing(text []byte, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return i
}

func (s *scanner) enter(t reflect.Type, object bool) {
	o := open{typ: pointed(t), object: object, key: object}
	if o.typ != nil && reflect.PointerTo(o.typ).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		o.typ = nil // it decodes itself
	}
	if o.typ != nil {
		switch o.typ.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map:
			o.value = o.typ.Elem()
		case reflect.Struct:
			known, ok := s.structs[o.typ]
			if !ok {
				known = fieldsOf(o.typ, "json")
				s.structs[o.typ] = known
			}
			o.known = known
		}
	}
	s.stack = append(s.stack, o)
}

// key takes the key of an object; other texts are values.
func (s *scanner) key(quoted []byte) error {
	if s.anyKey || len(s.stack) == 0 || !s.stack[len(s.stack)-1].key {
		return nil
	}
	o := &s.stack[len(s.stack)-1]
	o.key = false
	var key string
	if json.Unmarshal(quoted, &key) != nil {
		return nil
	}
	if o.seen == nil {
		o.seen = map[string]bool{}
	}
	if o.seen[key] {
		return s.fail("key %.100q is given twice", key)
	}
	o.seen[key] = true
	if o.typ == nil || o.typ.Kind() != reflect.Struct {
		return nil
	}
	o.value = o.known.types[key]
	if o.value != nil {
		return nil
	}
	for _, name := range o.known.names {
		if strings.EqualFold(name, key) {
			return s.fail("unknown key %q: expected %q", key, name)
		}
	}
	if !s.newer {
		return s.fail("%s", o.known.unknown(key))
	}
	return nil
}
