package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

// What a host printed must not control the terminal that shows it as JSON, and
// programs must read back what it printed.
func TestJSONEscapes(t *testing.T) {
	for _, text := range []string{
		"plain <b> & \"quoted\" é €", "\u009b31mred", "\x1b[31m\x7f", "\u202eevil\u2066x\u2069", "\U000e0001tag", "tab\tand\nline",
	} {
		var out bytes.Buffer
		if err := Print(Output{W: &out}, "json", Result{Data: map[string]string{"text": text}}); err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["text"] != text {
			t.Errorf("%q: got %q (%v) back from %s", text, back["text"], err, out.Bytes())
		}
		if line := bytes.ReplaceAll(out.Bytes(), []byte("\n"), nil); Safe(string(line)) != string(line) {
			t.Errorf("%q: a terminal would obey %q", text, line)
		}
	}
}
