package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What is written part by part is what encoding/json writes.
func TestJSONIsThatOfEncodingJSON(t *testing.T) {
	type item struct {
		Name string
		List []int `json:"list,omitempty"`
	}
	type embedded struct {
		item
		Own string
	}
	type all struct {
		Text    string `json:"text"`
		NoTag   int
		Skipped int              `json:"-"`
		Items   []item           `json:"items"`
		Empty   []item           `json:"empty"`
		Nil     []item           `json:"nil"`
		None    []item           `json:"none,omitempty"`
		Pointer *item            `json:"pointer"`
		NoPtr   *item            `json:"no_pointer,omitempty"`
		Some    []item           `json:"some,omitempty"`
		Times   []time.Time      `json:"times"`
		Raw     []byte           `json:"raw"`
		Map     map[string]*item `json:"map"`
		NoMap   map[string]int   `json:"no_map,omitempty"`
		Any     any              `json:"any"`
		Zero    int              `json:"zero,omitempty"`
		Time    time.Time        `json:"time,omitempty"`
		private int
	}
	full := all{Text: "<a&b>", Items: []item{{"x", []int{1, 2}}, {}}, Empty: []item{}, None: []item{}, Pointer: &item{Name: "p"},
		Some: []item{{Name: "y"}}, Times: []time.Time{time.Unix(0, 0).UTC()}, Raw: []byte("raw"), Map: map[string]*item{"a": nil, "b": {}},
		NoMap: map[string]int{}, Any: []item{{}}, private: 1}
	for _, data := range []any{full, &full, all{}, struct{}{}, embedded{Own: "o"}, time.Unix(0, 0).UTC(), []item{{}}, nil, (*all)(nil), "text",
		struct {
			N int `json:",string"`
		}{3}, struct {
			N int `json:"n,omitempty"`
		}{}} {
		var want, got bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(data); err != nil {
			t.Fatal(err)
		}
		if err := Print(&Printer{W: &got}, "json", Result{Data: data}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("%T (-encoding/json +got):\n%s", data, diff)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func TestJSONReportsErrors(t *testing.T) {
	if err := Print(&Printer{W: fullDisk{}}, "json", Result{Data: struct{ A []struct{} }{make([]struct{}, 1<<20)}}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("got %v, want the writer's error", err)
	}
	if err := Print(&Printer{W: &bytes.Buffer{}}, "json", Result{Data: struct{ A any }{func() {}}}); err == nil {
		t.Error("a function was written as JSON")
	}
}

// What a host printed must not control the terminal that shows it as JSON, and
// programs must read back what it printed.
func TestJSONEscapes(t *testing.T) {
	for _, text := range []string{
		"plain <b> & \"quoted\" é €", "\u009b31mred", "\x1b[31m\x7f", "\u202eevil\u2066x\u2069", "\U000e0001tag", "tab\tand\nline",
	} {
		var out bytes.Buffer
		if err := Print(&Printer{W: &out}, "json", Result{Data: map[string]string{"text": text}}); err != nil {
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
