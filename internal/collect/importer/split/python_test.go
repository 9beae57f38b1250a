package split

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPythonValues(t *testing.T) {
	for text, want := range map[string]any{
		`{'web7': {'uname -a': 'Linux web7\n', 'rc': 0}}`:            map[string]any{"web7": map[string]any{"uname -a": "Linux web7\n", "rc": "0"}},
		"[('web7',\n  'a\\n'\n  'b\\n')]":                            []any{[]any{"web7", "a\nb\n"}},
		`{"it's": b'\x41', 'n': None, 'r': r'\n', }`:                 map[string]any{"it's": "A", "n": "None", "r": `\n`},
		`{'a': """x "y"` + "\n" + `z"""}`:                            map[string]any{"a": "x \"y\"\nz"},
		`{'a': ('b' 'c')}`:                                           map[string]any{"a": "bc"},
		`{"web7"=>{"ip addr"=>"1\n"}}`:                               map[string]any{"web7": map[string]any{"ip addr": "1\n"}},
		"$VAR1 = {\n 'web7' => [\n 'it\\'s'\n ]\n};\n":               map[string]any{"web7": []any{"it's"}},
		"array (\n  'web7' => \n  array (\n    0 => 'x',\n  ),\n)\n": map[string]any{"web7": map[string]any{"0": "x"}},
		`{'a': 'b`:  nil,
		`{a: {`:     nil,
		`{'a' 'b'}`: nil,
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
