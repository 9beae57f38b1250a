package codectest

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"

	"seaworthy/dialect"
)

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
		if v.Type() == reflect.TypeFor[dialect.Report]() {
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
			if seen[key]++; seen[key] > 1 {
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
