package knowledge

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The schemas must name the keys the loader reads, no more and no fewer.
func TestSchemasFollowTypes(t *testing.T) {
	type node struct {
		Properties map[string]node `json:"properties"`
		Items      *node           `json:"items"`
		Required   []string        `json:"required"`
	}
	var walk func(path string, n node, typ reflect.Type)
	walk = func(path string, n node, typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			if n.Items != nil && typ.Kind() == reflect.Slice {
				n = *n.Items
			}
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		var want []string
		fields := map[string]reflect.Type{}
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("yaml"), ",")
			if name != "-" {
				want = append(want, name)
				fields[name] = typ.Field(i).Type
			}
		}
		got := slices.Sorted(maps.Keys(n.Properties))
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: keys (-type +schema):\n%s", path, diff)
		}
		for name, child := range n.Properties {
			if f, ok := fields[name]; ok {
				walk(path+"."+name, child, f)
			}
		}
	}
	for name, item := range map[string]any{"attributes": Attribute{}, "rules": Rule{}, "defects": Defect{}, "sources": Source{}} {
		text, err := os.ReadFile("schema/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		var root node
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		walk(name, root.Properties[name], reflect.SliceOf(reflect.TypeOf(item)))
	}
}
