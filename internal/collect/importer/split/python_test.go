package split

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPythonValues(t *testing.T) {
	for text, want := range map[string]any{
		`{'web7': {'uname -a': 'Linux web7\n', 'rc': 0}}`: map[string]any{"web7": map[string]any{"uname -a": "Linux web7\n", "rc": "0"}},
		"[('web7',\n  'a\\n'\n  'b\\n')]":                 []any{[]any{"web7", "a\nb\n"}},
		`{"it's": b'\x41', 'n': None, 'r': r'\n', }`:      map[string]any{"it's": "A", "n": "None", "r": `\n`},
		`{'a': """x "y"` + "\n" + `z"""}`:                 map[string]any{"a": "x \"y\"\nz"},
		`{'a': ('b' 'c')}`:                                map[string]any{"a": "bc"},
		`{'a': 'b`:                                        nil,
		`{a: {`:                                           nil,
		`{'a' 'b'}`:                                       nil,
	} {
		var got any
		if values := fromPython([]byte(text)); len(values) > 0 {
			got = values[0]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// Any text is read without a panic.
func FuzzPython(f *testing.F) {
	f.Add([]byte(`{'web7': {'uname -a': 'Linux web7\n'}}`))
	f.Add([]byte(`[("a" 'b'), r'\x', """c"""]`))
	f.Fuzz(func(t *testing.T, text []byte) { fromPython(text) })
}
