package parse

import (
	"iter"
	"reflect"
)

// Tagged are pointers to the fields of a struct that have a tag "from", by what it says.
func Tagged(v any) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		x := reflect.ValueOf(v).Elem()
		for i := range x.NumField() {
			if name := x.Type().Field(i).Tag.Get("from"); name != "" && !yield(name, x.Field(i).Addr().Interface()) {
				return
			}
		}
	}
}

// Fill gives the tagged fields of a struct the values that get has by what their tags say, where
// they are of the field's kind: a text, a number, or 0 and 1 for a truth.
func Fill(v any, get func(name string) string) {
	for name, to := range Tagged(v) {
		scan(get(name), to)
	}
}
