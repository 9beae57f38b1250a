package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/cli"
)

// schema checks values against a JSON Schema, as far as ours goes: a keyword
// that it does not know is a fault of the schema.
type schema struct{ root map[string]any }

func findingsSchema(t testing.TB) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal([]byte(cli.FindingsSchema), &s.root); err != nil {
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
		bad("is of type %s, not %s", got, want)
		return wrong // the other keywords are about that type
	}
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
		case "required":
			for _, name := range want.([]any) {
				if _, ok := v.(map[string]any)[name.(string)]; !ok {
					bad("%s is missing", name)
				}
			}
		case "additionalProperties":
			known, _ := rule["properties"].(map[string]any)
			for name := range v.(map[string]any) {
				if want == false && known[name] == nil {
					bad("%s is not in the schema", name)
				}
			}
		case "properties":
			for name, x := range v.(map[string]any) {
				if p, ok := want.(map[string]any)[name].(map[string]any); ok {
					wrong = append(wrong, s.against(p, x, at+"."+name)...)
				}
			}
		case "items":
			for i, x := range v.([]any) {
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

// conforms is a script's command: the JSON printed last follows the schema.
func conforms(ts *testscript.TestScript, neg bool, _ []string) {
	s := findingsSchema(of(ts).t)
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
	s := findingsSchema(t)
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
