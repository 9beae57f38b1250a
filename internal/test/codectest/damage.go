package codectest

import (
	"bytes"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"seaworthy/internal/parse"
)

// Damaged checks a good text in the ways texts come damaged: cut off, with
// CRLF, coloured, with messages between the lines. A damaged text may lose
// values, but a value that is left must be one of the good text's, or the
// Report must warn.
func (c Codec[T]) Damaged(t *testing.T, text string) {
	t.Helper()
	good := Facts(c.Read(t, text))
	check := func(name, damaged string, mayWarn, mayLose bool) {
		if t.Failed() {
			return // the first failure says enough
		}
		v, err := c.Parse([]byte(damaged))
		if err != nil {
			if !mayLose {
				t.Errorf("%s: %v", name, err)
			}
			return
		}
		if mayWarn && len(c.Report(v).Warnings) > 0 {
			return
		}
		got := Facts(v)
		for path, value := range got {
			if want, ok := good[path]; value != "" && (!ok || want != value) {
				t.Errorf("%s: %s: got %q, want %q or nothing", name, path, value, want)
			}
		}
		if !mayLose && len(got) < len(good) {
			t.Errorf("%s: got %d values, want %d", name, len(got), len(good))
		}
	}
	step := max(1, len(text)/400)
	for i := 1; i < len(text); i += step {
		check(fmt.Sprintf("cut at byte %d", i), text[:i], true, true)
	}
	check("CRLF", strings.ReplaceAll(text, "\n", "\r\n"), false, false)
	check("no line end", strings.TrimSuffix(text, "\n"), false, true)
	var coloured, noisy strings.Builder
	for l := range strings.Lines(text) {
		coloured.WriteString("\x1b[32m" + strings.TrimSuffix(l, "\n") + "\x1b[0m\n")
		noisy.WriteString(l + "ksh: 0403-057 Syntax error at line 1\n")
	}
	check("coloured", coloured.String(), false, false)
	check("message between lines", noisy.String(), false, true)
	for _, junk := range [][]byte{nil, []byte("\n"), []byte("\x00\xff\n"), bytes.ReplaceAll([]byte(text), []byte(" "), []byte("\t")),
		bytes.ReplaceAll([]byte(text), []byte("."), []byte(","))} {
		if v, err := c.Parse(junk); err == nil && c.Format != nil {
			c.Format(v)
		}
	}
}

// Facts are the typed values of a parsed text by path: what a rule could read.
// Fields with the tag json:"-" (line numbers) and the Report are not facts.
func Facts(v any) map[string]string {
	out := map[string]string{}
	walk(reflect.ValueOf(v), "", out)
	return out
}

func walk(v reflect.Value, path string, out map[string]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), path, out)
		}
	case reflect.Struct:
		if a, ok := v.Interface().(netip.Addr); ok {
			out[path] = a.String()
			return
		}
		if v.Type() == reflect.TypeFor[parse.Report]() {
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && !strings.HasPrefix(f.Tag.Get("json"), "-") {
				walk(v.Field(i), path+"."+f.Name, out)
			}
		}
	case reflect.Slice, reflect.Array:
		seen := map[string]int{}
		for i := range v.Len() {
			key := name(v.Index(i), i)
			seen[key]++
			if seen[key] > 1 {
				key = fmt.Sprintf("%s#%d", key, seen[key])
			}
			walk(v.Index(i), path+"["+key+"]", out)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			walk(v.MapIndex(k), fmt.Sprintf("%s[%v]", path, k), out)
		}
	default:
		out[path] = fmt.Sprint(v.Interface())
	}
}

// name is how a list's element is known: by its Name if it has one, so that a
// lost element does not shift those behind it, or by its index.
func name(v reflect.Value, i int) string {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct {
		if f := v.FieldByName("Name"); f.IsValid() && f.Kind() == reflect.String {
			return f.String()
		}
	}
	return fmt.Sprint(i)
}
