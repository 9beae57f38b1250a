package codectest

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
)

// Facts are the typed values of a parsed text by path: what a rule could read.
// Layout (json:"-") and the Report are not facts.
func Facts(v any) map[string]string {
	out := map[string]string{}
	walk(reflect.ValueOf(v), "", func(path string, leaf reflect.Value) {
		out[path] = fmt.Sprint(leaf.Interface())
	})
	return out
}

func walk(v reflect.Value, path string, visit func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), path, visit)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[dialect.Report]() {
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || strings.HasPrefix(f.Tag.Get("json"), "-") {
				continue
			}
			walk(v.Field(i), path+"."+f.Name, visit)
		}
	case reflect.Slice, reflect.Array:
		seen := map[string]int{}
		for i := range v.Len() {
			key := name(v.Index(i), i)
			if seen[key]++; seen[key] > 1 {
				key = fmt.Sprintf("%s#%d", key, seen[key])
			}
			walk(v.Index(i), path+"["+key+"]", visit)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			walk(v.MapIndex(k), fmt.Sprintf("%s[%v]", path, k), visit)
		}
	default:
		visit(path, v)
	}
}

// name is how a list's element is told from the others: by its Name if it has
// one, so that a lost element does not shift those behind it, or by number.
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

// EveryValue changes each typed value of a parsed text in turn, prints it and
// reads it back: the change, and nothing else, must have gone through the
// text. Fields whose path holds one of skip are left out: say why at the call.
func (c Codec[T]) EveryValue(t *testing.T, text []byte, skip ...string) {
	t.Helper()
	v := c.RoundTrip(t, text)
	changed := 0
	walk(reflect.ValueOf(v), "", func(path string, leaf reflect.Value) {
		for _, s := range skip {
			if strings.Contains(path, s) {
				return
			}
		}
		if !leaf.CanSet() {
			return
		}
		old := reflect.ValueOf(leaf.Interface())
		if !change(leaf) {
			return
		}
		defer leaf.Set(old)
		changed++
		want := Facts(v)
		printed := c.Format(v)
		again, err := c.Parse(printed)
		if err != nil {
			t.Errorf("%s: changed to %v: %v\n%s", path, leaf, err, printed)
			return
		}
		if diff := cmp.Diff(want, Facts(again)); diff != "" {
			t.Errorf("%s: changed to %v (-want +got):\n%s\nprinted:\n%s", path, leaf, diff, printed)
		}
	})
	if changed == 0 {
		t.Error("no value was changed: the text holds none")
	}
}

func change(leaf reflect.Value) bool {
	switch leaf.Kind() {
	case reflect.Uint64, reflect.Uint32, reflect.Uint:
		leaf.SetUint(leaf.Uint() + 987654)
	case reflect.Int, reflect.Int64:
		leaf.SetInt(leaf.Int() + 37)
	case reflect.Float64:
		leaf.SetFloat(math.Round((leaf.Float()+17)*1e6) / 1e6)
	case reflect.String:
		if leaf.String() == "" {
			return false
		}
		leaf.SetString(leaf.String() + "x")
	case reflect.Bool:
		leaf.SetBool(!leaf.Bool())
	default:
		return false
	}
	return true
}
