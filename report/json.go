package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

var _ = register(Format{Name: "json", Print: func(p *Printer, r Result) error {
	return writeJSON(p.W, r.Data)
}})

// writeJSON writes what an indenting json.Encoder would, which holds several
// copies of the whole text: of a struct, one field at a time, and of a list in
// it, one element.
func writeJSON(w io.Writer, data any) error {
	j := newJSONWriter(w)
	v := reflect.Indirect(reflect.ValueOf(data))
	if !plainStruct(v) {
		j.value(data, "")
	} else {
		j.fields(v)
	}
	j.text("\n")
	if j.err != nil {
		return j.err
	}
	return j.out.Flush()
}

// jsonWriter writes JSON part by part; after an error it does nothing.
type jsonWriter struct {
	out  *bufio.Writer
	part bytes.Buffer
	enc  *json.Encoder // to part
	err  error
}

func newJSONWriter(w io.Writer) *jsonWriter {
	j := &jsonWriter{out: bufio.NewWriterSize(w, 64<<10)}
	j.enc = json.NewEncoder(&j.part)
	j.enc.SetEscapeHTML(false)
	return j
}

func (j *jsonWriter) text(s string) {
	if j.err == nil {
		_, j.err = j.out.WriteString(s)
	}
}

func (j *jsonWriter) value(v any, prefix string) {
	if j.err != nil {
		return
	}
	j.part.Reset()
	j.enc.SetIndent(prefix, "  ")
	if j.err = j.enc.Encode(v); j.err == nil {
		_, j.err = j.out.Write(escape(bytes.TrimSuffix(j.part.Bytes(), []byte("\n"))))
	}
}

func (j *jsonWriter) fields(v reflect.Value) {
	sep := "{\n  "
	for i := range v.NumField() {
		key, omitempty, _ := jsonKey(v.Type().Field(i))
		f := v.Field(i)
		list := f.Kind() == reflect.Slice && f.Len() > 0 && f.Type().Elem().Kind() == reflect.Struct && !f.Type().Implements(marshaler)
		if key == "" || omitempty && empty(f) {
			continue
		}
		j.text(sep)
		j.value(key, "")
		j.text(": ")
		sep = ",\n  "
		if !list {
			j.value(f.Interface(), "  ")
			continue
		}
		between := "[\n    "
		for n := range f.Len() {
			j.text(between)
			j.value(f.Index(n).Addr().Interface(), "    ")
			between = ",\n    "
		}
		j.text("\n  ]")
	}
	if sep == "{\n  " {
		j.text("{}")
	} else {
		j.text("\n}")
	}
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct, reflect.Array:
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// plainStruct reports whether jsonWriter writes a value's fields as
// encoding/json does.
func plainStruct(v reflect.Value) bool {
	if v.Kind() != reflect.Struct || reflect.PointerTo(v.Type()).Implements(marshaler) {
		return false
	}
	for i := range v.NumField() {
		if _, _, ok := jsonKey(v.Type().Field(i)); !ok {
			return false
		}
	}
	return true
}

// jsonKey is the key of a field, empty if it has none; false if it is embedded
// or has a rare option.
func jsonKey(f reflect.StructField) (key string, omitempty, ok bool) {
	key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || key == "-" {
		return "", false, !f.Anonymous
	}
	if key == "" {
		key = f.Name
	}
	return key, options != "", !f.Anonymous && (options == "" || options == "omitempty")
}

// escape writes what could control a terminal or turn the order of letters
// round as \u escapes. encoding/json escapes C0 only; such runes occur only
// in strings.
func escape(text []byte) []byte {
	hidden := func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }
	if bytes.IndexFunc(text, hidden) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case !hidden(r):
			out = append(out, text[:n]...)
		case r > 0xffff:
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out
}
