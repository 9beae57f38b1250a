package cli

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/growth"
)

// The schema names the keys that are printed, no more and no fewer.
func TestSchemaFollowsTypes(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal([]byte(FindingsSchema), &root); err != nil {
		t.Fatal(err)
	}
	defs := root["$defs"].(map[string]any)
	for name, typ := range map[string]reflect.Type{
		"": reflect.TypeFor[findings.Document](), "finding": reflect.TypeFor[finding.Finding](), "evidence": reflect.TypeFor[finding.Evidence](),
		"group": reflect.TypeFor[finding.Group](), "interval": reflect.TypeFor[growth.Interval](), "setting": reflect.TypeFor[finding.Setting](),
		"gap": reflect.TypeFor[findings.Gap](), "failed": reflect.TypeFor[fleet.Failure](),
	} {
		def := root
		if name != "" {
			def = defs[name].(map[string]any)
		}
		var keys, always []string
		for f := range fields(typ) {
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key == "-" {
				continue
			}
			keys = append(keys, key)
			if options == "" {
				always = append(always, key)
			}
		}
		var required []string
		for _, r := range def["required"].([]any) {
			required = append(required, r.(string))
		}
		slices.Sort(keys)
		slices.Sort(always)
		slices.Sort(required)
		if diff := cmp.Diff(keys, slices.Sorted(maps.Keys(def["properties"].(map[string]any)))); diff != "" {
			t.Errorf("%s: keys (-type +schema):\n%s", typ, diff)
		}
		if diff := cmp.Diff(always, required); diff != "" {
			t.Errorf("%s: keys that are always there (-type +schema):\n%s", typ, diff)
		}
	}
}

// fields are those of a struct and of what it embeds.
func fields(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous && f.IsExported() && !yield(f) {
				return
			}
		}
	}
}
