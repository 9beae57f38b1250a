package cli_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/cli"
	"seaworthy/internal/remote/targets"
)

// schema checks values against a JSON Schema, as far as ours goes: a keyword
// that it does not know is a fault of the schema.
type schema struct{ root map[string]any }

func schemaOf(t testing.TB, text string) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal([]byte(text), &s.root); err != nil {
		t.Fatal(err)
	}
	return s
}

// check gives what is wrong with a value, each with where it stands.
func (s schema) check(v any) []string { return s.against(s.root, v, "") }

func (s schema) against(rule map[string]any, v any, at string) (wrong []string) {
	bad := func(format string, args ...any) {
		wrong = append(wrong, strings.TrimPrefix(at, ".")+": "+fmt.Sprintf(format, args...))
	}
	if want, got := rule["type"], typeOf(v); want != nil && got != want {
		if several, ok := want.([]any); !ok || !slices.Contains(several, any(got)) {
			bad("is of type %s, not %s", got, want)
			return wrong // the other keywords are about that type
		}
	}
	object, _ := v.(map[string]any)
	list, _ := v.([]any)
	for _, key := range slices.Sorted(maps.Keys(rule)) {
		want := rule[key]
		switch key {
		case "$schema", "$defs", "title", "description", "type":
		case "$ref":
			name := strings.TrimPrefix(want.(string), "#/$defs/")
			def, ok := s.root["$defs"].(map[string]any)[name].(map[string]any)
			if !ok {
				bad("no definition of %s", name)
				continue
			}
			wrong = append(wrong, s.against(def, v, at)...)
		case "const":
			if v != want {
				bad("is %v, not %v", v, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				bad("is %v, none of %v", v, want)
			}
		case "pattern":
			if text, ok := v.(string); ok && !regexp.MustCompile(want.(string)).MatchString(text) {
				bad("is %q, which %s does not match", text, want)
			}
		case "format":
			if _, err := time.Parse(time.RFC3339, v.(string)); want != "date-time" || err != nil {
				bad("is %q, no %s", v, want)
			}
		case "minimum":
			if v.(float64) < want.(float64) {
				bad("is %v, less than %v", v, want)
			}
		case "maximum":
			if v.(float64) > want.(float64) {
				bad("is %v, more than %v", v, want)
			}
		case "anyOf":
			if !slices.ContainsFunc(want.([]any), func(one any) bool { return len(s.against(one.(map[string]any), v, at)) == 0 }) {
				bad("is none of what it may be")
			}
		case "propertyNames":
			for name := range object {
				wrong = append(wrong, s.against(want.(map[string]any), name, at+"."+name)...)
			}
		case "required":
			for _, name := range want.([]any) {
				if _, ok := object[name.(string)]; !ok {
					bad("%s is missing", name)
				}
			}
		case "additionalProperties":
			known, _ := rule["properties"].(map[string]any)
			for name, x := range object {
				if known[name] != nil {
					continue
				}
				if rest, ok := want.(map[string]any); ok {
					wrong = append(wrong, s.against(rest, x, at+"."+name)...)
				} else {
					bad("%s is not in the schema", name)
				}
			}
		case "properties":
			for name, x := range object {
				if p, ok := want.(map[string]any)[name].(map[string]any); ok {
					wrong = append(wrong, s.against(p, x, at+"."+name)...)
				}
			}
		case "items":
			for i, x := range list {
				wrong = append(wrong, s.against(want.(map[string]any), x, fmt.Sprintf("%s.%d", at, i))...)
			}
		default:
			bad("the schema has the keyword %s, which this test does not know", key)
		}
	}
	return wrong
}

func typeOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	}
	return "null"
}

// conforms is a script's command: the JSON printed last follows the schema, of
// findings or of what is named.
func conforms(ts *testscript.TestScript, neg bool, args []string) {
	text := cli.FindingsSchema
	if len(args) > 0 && args[0] == "plan" {
		text = cli.PlanSchema
	}
	s := schemaOf(of(ts).t, text)
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	if wrong := s.check(v); (len(wrong) > 0) != neg {
		ts.Fatalf("schema: %d faults: %s", len(wrong), strings.Join(wrong, "; "))
	}
}

// The checker must be able to refuse: each of these differs from what is right
// in one place.
func TestSchemaRefuses(t *testing.T) {
	right := func() map[string]any {
		var v map[string]any
		text := `{"schema": "seaworthy.findings/1", "hosts": ["a"], "notes": [], "not_assessed": [], "waived": [], "waivers": [], "passed": 1, "gaps": [], "failed": [],
			"version": "v1", "time": "2026-01-03T03:04:05Z", "gone": [], "lost": [],
			"compared": [{"host": "a", "from": "2026-01-02T03:04:05Z", "to": "2026-01-03T03:04:05Z", "seconds": 86400}],
			"findings": [{"id": "R001/a:en0", "rule": "R001", "title": "t", "verdict": "FINDING", "severity": "high", "class": "O0", "element": {"host": "a", "element": "en0"},
				"evidence": [{"host": "a", "command": "c", "line": 1, "text": "x"}], "cautions": ["c"]}],
			"groups": [{"rule": "R001", "title": "t", "severity": "high", "hosts": 1, "findings": ["R001/a:en0"]}]}`
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	s := schemaOf(t, cli.FindingsSchema)
	if wrong := s.check(right()); len(wrong) > 0 {
		t.Fatalf("what is right: got %v, want no fault", wrong)
	}
	first := func(v map[string]any, list string) map[string]any { return v[list].([]any)[0].(map[string]any) }
	for want, spoil := range map[string]func(map[string]any){
		"schema: is seaworthy.findings/2, not seaworthy.findings/1": func(v map[string]any) { v["schema"] = "seaworthy.findings/2" },
		": groups is missing":                                                  func(v map[string]any) { delete(v, "groups") },
		": extra is not in the schema":                                         func(v map[string]any) { v["extra"] = 1.0 },
		"hosts: is of type null, not array":                                    func(v map[string]any) { v["hosts"] = nil },
		"hosts.0: is of type integer, not string":                              func(v map[string]any) { v["hosts"] = []any{1.0} },
		"passed: is -1, less than 0":                                           func(v map[string]any) { v["passed"] = -1.0 },
		"passed: is of type number, not integer":                               func(v map[string]any) { v["passed"] = 0.5 },
		"findings.0.severity: is bad, none of [critical high medium low info]": func(v map[string]any) { first(v, "findings")["severity"] = "bad" },
		`findings.0.class: is "O7", which ^O[0-6]$ does not match`:             func(v map[string]any) { first(v, "findings")["class"] = "O7" },
		"findings.0.element: element is missing":                               func(v map[string]any) { first(v, "findings")["element"] = map[string]any{"host": "a"} },
		`compared.0.from: is "yesterday", no date-time`:                        func(v map[string]any) { first(v, "compared")["from"] = "yesterday" },
	} {
		v := right()
		spoil(v)
		if got := s.check(v); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What a file says of the hosts, the program and the schema accept alike.
func TestHostsSchema(t *testing.T) {
	s := schemaOf(t, cli.HostsSchema)
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"all keys": {`
ssh_config: ssh_config
become: {lpar*: sudo}
hosts:
  lpar1: {address: 10.1.1.11, user: root, port: 22, via: gate, platform: aix, ssh_config: other, become: sudo, labels: {site: north}}
  vios1:
groups: {vioses: [vios1]}
`, true},
		"one word":        {"become: none\nhosts: {lpar1: {}}\n", true},
		"no hosts":        {"hosts:\n", true},
		"a mistyped key":  {"hosts: {lpar1: {adress: 10.1.1.11}}\n", false},
		"an unknown part": {"host: {lpar1: {}}\n", false},
		"a port of words": {"hosts: {lpar1: {port: ssh}}\n", false},
		"a port too high": {"hosts: {lpar1: {port: 70000}}\n", false},
		"a platform":      {"hosts: {lpar1: {platform: hpux}}\n", false},
		"a method":        {"become: pfexec\nhosts: {lpar1: {}}\n", false},
		"a host name":     {"hosts: {'lpar 1': {}}\n", false},
		"a list of hosts": {"hosts: [lpar1]\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "hosts.yaml")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := targets.Load(t.Context(), file); (err == nil) != tt.ok {
				t.Errorf("reading it: got %v, want it accepted: %v", err, tt.ok)
			}
			var v any
			if err := yaml.Unmarshal([]byte(tt.text), &v); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(v)
			if err == nil {
				err = json.Unmarshal(text, &v) // numbers as JSON has them
			}
			if err != nil {
				t.Fatal(err)
			}
			if wrong := s.check(v); (len(wrong) == 0) != tt.ok {
				t.Errorf("the schema says %q, want it accepted: %v", wrong, tt.ok)
			}
		})
	}
}

// The schemas name the keys of the types, no more and no fewer, and require
// those that are always there.
func TestSchemasFollowTypes(t *testing.T) {
	for _, tt := range []struct {
		name, text, tag string
		of              reflect.Type
		at              string // "": the root
	}{
		{"plan", cli.PlanSchema, "json", reflect.TypeFor[plan.Plan](), ""},
		{"hosts", cli.HostsSchema, "yaml", reflect.TypeFor[targets.Entry](), "host"},
	} {
		s := schemaOf(t, tt.text)
		rule := s.root
		if tt.at != "" {
			rule = s.def(tt.at)
		}
		s.follows(t, tt.name, tt.tag, rule, tt.of, map[reflect.Type]bool{})
	}
}

func (s schema) def(name string) map[string]any {
	rule, _ := s.root["$defs"].(map[string]any)[strings.TrimPrefix(name, "#/$defs/")].(map[string]any)
	return rule
}

// follows holds the keys of a rule against a type's, and of those below.
func (s schema) follows(t *testing.T, at, tag string, rule map[string]any, typ reflect.Type, seen map[reflect.Type]bool) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || rule["$ref"] != nil {
		switch ref, ok := rule["$ref"].(string); {
		case ok:
			rule = s.def(ref)
		case typ.Kind() == reflect.Slice:
			rule, _ = rule["items"].(map[string]any)
			typ = typ.Elem()
		default:
			typ = typ.Elem()
		}
	}
	if typ.Kind() != reflect.Struct || typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()) || seen[typ] {
		return
	}
	seen[typ] = true
	fields, always := map[string]reflect.Type{}, []string{}
	for _, f := range reflect.VisibleFields(typ) {
		name, option, _ := strings.Cut(f.Tag.Get(tag), ",")
		if name == "" || name == "-" {
			continue
		}
		fields[name] = f.Type
		if option == "" {
			always = append(always, name)
		}
	}
	known, _ := rule["properties"].(map[string]any)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(fields)), slices.Sorted(maps.Keys(known))); diff != "" {
		t.Errorf("%s: keys (-type +schema):\n%s", at, diff)
	}
	required := []string{}
	for _, name := range asList(rule["required"]) {
		required = append(required, name.(string))
	}
	slices.Sort(always)
	slices.Sort(required)
	if !slices.Equal(always, required) {
		t.Errorf("%s: always there %v, required by the schema %v", at, always, required)
	}
	for name, child := range known {
		if f, ok := fields[name]; ok {
			s.follows(t, at+"."+name, tag, child.(map[string]any), f, seen)
		}
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}
