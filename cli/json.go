package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
)

// answer prints a result as JSON if asked for, else by the given function.
func (a *app) answer(v any, table func()) error {
	if a.format != "json" {
		table()
		return nil
	}
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	err := writeJSON(out, v)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return unwritten(err)
	}
	return nil
}

// writeJSON writes what json.Encoder would, indented, but the lists of a plain
// struct element by element: the findings of a large fleet are not all held as
// text.
func writeJSON(w *bufio.Writer, v any) error {
	enc := element{}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Struct || !plain(r.Type()) {
		if err := enc.write(w, v, ""); err != nil {
			return err
		}
		return w.WriteByte('\n')
	}
	sep := "{\n  "
	for i := range r.NumField() {
		name, options, _ := strings.Cut(r.Type().Field(i).Tag.Get("json"), ",")
		field := r.Field(i)
		if strings.Contains(options, "omitempty") && (field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0) {
			continue
		}
		w.WriteString(sep + `"` + name + `": `)
		sep = ",\n  "
		if field.Kind() != reflect.Slice || field.Len() == 0 || field.Type().Implements(marshaler) {
			if err := enc.write(w, field.Interface(), "  "); err != nil {
				return err
			}
			continue
		}
		w.WriteString("[\n    ")
		for k := range field.Len() {
			if k > 0 {
				w.WriteString(",\n    ")
			}
			if err := enc.write(w, field.Index(k).Interface(), "    "); err != nil {
				return err
			}
		}
		w.WriteString("\n  ]")
	}
	_, err := w.WriteString("\n}\n")
	return err
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// plain says that a struct prints field by field, each under the name of its
// tag, and at least one.
func plain(t reflect.Type) bool {
	if t.Implements(marshaler) || t.NumField() == 0 {
		return false
	}
	always := false
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || name == "" || name == "-" || options != "" && options != "omitempty" {
			return false
		}
		if options != "" && f.Type.Kind() != reflect.Slice && f.Type.Kind() != reflect.String {
			return false
		}
		always = always || options == ""
	}
	return always
}

// element writes one value at an indentation, with buffers that serve the next.
type element struct{ text, indented bytes.Buffer }

func (e *element) write(w *bufio.Writer, v any, indent string) error {
	e.text.Reset()
	e.indented.Reset()
	enc := json.NewEncoder(&e.text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	if err := json.Indent(&e.indented, bytes.TrimRight(e.text.Bytes(), "\n"), indent, "  "); err != nil {
		return err
	}
	_, err := w.Write(e.indented.Bytes())
	return err
}

// inYAML is a part of the catalogue, which has the same names in JSON as in the
// files that people write it in.
type inYAML struct{ v any }

func (y inYAML) MarshalJSON() ([]byte, error) {
	text, err := yaml.Marshal(y.v)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}
