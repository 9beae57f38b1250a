package knowledge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const siteRule = `rules:
  - id: SITE1
    title: clients have a name server
    severity: low
    class: O0
    confidence: high
    why: our own
    checks:
      - kind: [interface]
        condition: 'el.used'
`

func TestLoadRules(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"good", siteRule, ""},
		{"unknown key", strings.Replace(siteRule, "why:", "because:", 1), "site.yaml:7: unknown key"},
		{"severity", strings.Replace(siteRule, "severity: low", "severity: bad", 1), `severity "bad" is not one of critical`},
		{"class", strings.Replace(siteRule, "O0", "X", 1), `class "X"`},
		{"kind", strings.Replace(siteRule, "[interface]", "[thing]", 1), `kind "thing" is not one of`},
		{"no condition", strings.Replace(siteRule, "condition: 'el.used'", "says: x", 1), "kind and condition are needed"},
		{"id", strings.Replace(siteRule, "SITE1", "a/b", 1), "an id without blanks and slashes"},
		{"twice", siteRule + strings.TrimPrefix(siteRule, "rules:\n"), "is listed twice"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadRules(t.Context(), dir)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got error %v, want none", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
	if _, err := LoadRules(t.Context(), t.TempDir()); err == nil {
		t.Error("empty folder: got no error, want one")
	}
	if _, err := LoadRules(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no folder: got no error, want one")
	}
}

func FuzzRules(f *testing.F) {
	f.Add([]byte(siteRule))
	f.Add([]byte("rules: [{id: x, checks: [{kind: [sea], condition: \"el.on('x')\", remedy: [{attr: a, value: b}]}]}]"))
	f.Add([]byte("rules: &a [*a]"))
	f.Add([]byte("rules:\n  - id: 0\n    checks:\n      - kind: !0\n0"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, err := decodeRules("fuzz.yaml", text)
		if err != nil {
			return
		}
		wrong := checkRules(rules, nil)
		for _, e := range wrong {
			if !strings.HasPrefix(e.Error(), "fuzz.yaml: ") {
				t.Errorf("got error %q, want one that names the file", e)
			}
		}
		for _, r := range rules {
			if (r.ID == "" || len(r.Checks) == 0) && len(wrong) == 0 {
				t.Errorf("rule %q without id or checks passes", r.ID)
			}
		}
	})
}
