package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/audit"
	"seaworthy/inventory"
)

// What is written piece by piece is what encoding/json writes at once.
func TestWriteJSON(t *testing.T) {
	found := audit.Finding{ID: "R1/a:en0", Rule: "R1", Title: "a < b & c", Verdict: audit.Found, Element: inventory.Ref{Host: "a", Element: "en0"},
		Evidence: []audit.Evidence{{Host: "a", Command: "lsattr", Line: 3, Text: "mtu\t\u2028\x01"}}, Missing: []string{}}
	for name, v := range map[string]any{
		"findings": findings{Schema: SchemaFindings, Hosts: []string{"a", "b"}, Findings: []audit.Finding{found, found}, Notes: []audit.Finding{},
			Passed: 3, Gaps: []hostGap{{"a", inventory.Gap{What: "x", Why: "y"}}}},
		"no findings": findings{},
		"map":         map[string]any{"b": []int{1, 2}, "a": nil},
		"list":        []string{"x"},
		"pointer":     &findings{Hosts: []string{"a"}},
		"nil":         nil,
		"omitted": struct {
			Kept int      `json:"kept"`
			List []string `json:"list,omitempty"`
			Text string   `json:"text,omitempty"`
		}{List: []string{}},
		"own words": struct {
			YAML inYAML   `json:"yaml"`
			Many []inYAML `json:"many"`
		}{inYAML{map[string]int{"a": 1}}, []inYAML{{[]int{2}}, {3}}},
		"unnamed": struct {
			A int
			B []int `json:"b"`
		}{1, []int{2}},
	} {
		var got, want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(&got)
		if err := writeJSON(w, v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		w.Flush()
		if d := cmp.Diff(want.String(), got.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
