package printing

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"text/template"

	"seaworthy/internal/parse"
)

// control is a line of a layout with nothing but an action.
var control = parse.Lazy(`(?m)^(\{\{(?:if|else|end|with|range|define|template)\b.*\}\})\n`)

// missing marks a line that lacks a value.
const missing = "\x00"

// newLayout returns a function that prints what a command prints, by a template of text/template. A line of nothing but an
// action prints none, nor does one with an opt or an only of what is nil or empty. The template is
// built in: one with a mistake panics at its first use.
func newLayout(text string, funcs template.FuncMap) func(v any) []byte {
	read := sync.OnceValue(func() *template.Template {
		own := template.FuncMap{"opt": optional, "only": onlyWith}
		return template.Must(template.New("").Funcs(own).Funcs(funcs).Parse(control.ReplaceAllString(text, "$1")))
	})
	return func(v any) []byte {
		var whole bytes.Buffer
		if err := read().Execute(&whole, v); err != nil {
			panic(err)
		}
		var out []byte
		for line := range bytes.Lines(whole.Bytes()) {
			if !bytes.Contains(line, []byte(missing)) {
				out = append(out, line...)
			}
		}
		return out
	}
}

// optional is a value as text, a truth as one of two words.
func optional(v any, words ...string) string {
	x := reflect.Indirect(reflect.ValueOf(v))
	switch {
	case !x.IsValid(), x.Kind() == reflect.String && x.Len() == 0:
		return missing
	case x.Kind() == reflect.Bool && x.Bool():
		return words[0]
	case x.Kind() == reflect.Bool:
		return words[1]
	}
	return fmt.Sprint(x.Interface())
}

// onlyWith is nothing, on a line that is printed only with a value that is neither nil nor empty nor false.
func onlyWith(v any) string {
	x := reflect.ValueOf(v)
	if b, is := v.(*bool); is && b != nil {
		x = x.Elem()
	}
	if !x.IsValid() || x.IsZero() {
		return missing
	}
	return ""
}
