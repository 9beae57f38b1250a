package rehearsed

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"schema": "seaworthy.plan/2"}`, `its format is "seaworthy.plan/2"`},
		{`{"schema": "` + Schema + `"`, "result.json"},
	} {
		_, err := Parse("result.json", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

// A result that somebody hands over is data: whatever is in it is read, or refused with its name.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schema": "` + Schema + `", "phases": [{"name": "apply", "steps": [{"step": 1}]}]}`))
	f.Add([]byte(`{"schema": "` + Schema + `", "phases": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse("result.json", text)
		if (r == nil) == (err == nil) {
			t.Errorf("got %v and %v", r, err)
		}
		if err != nil && !strings.Contains(err.Error(), "result.json") {
			t.Errorf("the message does not name the file: %v", err)
		}
	})
}
