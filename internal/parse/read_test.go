package parse_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
)

func TestScan(t *testing.T) {
	form := parse.Lazy(`^(\w+)(?: (\d+)(?: (\d+))?)?$`)
	var name string
	var first int
	var second *uint64
	if !form.Scan("en0 7", &name, &first, &second) || name != "en0" || first != 7 || second != nil {
		t.Errorf("got %q %d %v", name, first, second)
	}
	if form.Scan("en0 7 99999999999999999999", &name, &first, &second) || second != nil {
		t.Errorf("a number that does not fit: got %v", second)
	}
	if form.Scan("-", &name) {
		t.Error("a text that does not match is taken")
	}
}

func TestRead(t *testing.T) {
	r := &parse.Report{}
	short := func(l parse.Line) bool { return len(l.Text) < 3 }
	if n := r.Read([]byte("a\nlong\nb"), short); n != 2 || len(r.Unknown) != 1 || r.Unknown[0].Number != 2 {
		t.Errorf("got %d taken, %v not understood", n, r.Unknown)
	}
	if n := new(parse.Report).ReadComplete([]byte("a\nlong\nb"), short); n != 1 {
		t.Errorf("a last line that may be cut off is taken: %d", n)
	}
	if _, err := parse.Recognised(r, false); !errors.Is(err, parse.ErrNotRecognised) {
		t.Errorf("got %v", err)
	}
}

func TestFill(t *testing.T) {
	type row struct {
		Name  string `from:"name"`
		Count *int   `from:"count"`
		On    *bool  `from:"on"`
		Other string
	}
	got, want := row{}, row{Name: "x", On: new(false)}
	texts := map[string]string{"name": "x", "count": "many", "on": "0", "Other": "y"}
	parse.Fill(&got, func(name string) string { return texts[name] })
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestPatternFill(t *testing.T) {
	type row struct {
		Name   string `from:"name"`
		Flags  uint64 `from:"flags"`
		Marked bool   `from:"mark"`
		Count  *int   `from:"count"`
	}
	form := parse.Lazy(`^(?P<name>\w+) (?P<flags>\w+)(?P<mark> \*)?(?: (?P<count>\d+))?$`)
	for text, want := range map[string]row{
		"a 0x1f":  {Name: "a", Flags: 31},
		"b 10 *":  {Name: "b", Flags: 10, Marked: true},
		"c 0x0 7": {Name: "c", Count: new(7)},
	} {
		var got row
		if !form.Fill(text, &got) {
			t.Errorf("%q: not taken", text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	for _, text := range []string{"", "a", "a x", "a 0xg", "a 1 99999999999999999999"} {
		if got := (row{}); form.Fill(text, &got) {
			t.Errorf("%q: got %+v, want it refused", text, got)
		}
	}
}
