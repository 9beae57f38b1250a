package entstat_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect/aix/entstat"
)

func TestFieldAsJSON(t *testing.T) {
	n := uint64(7)
	for want, f := range map[string]entstat.Field{
		`{"label":"Transmit Errors","side":"tx","number":7}`:                {Label: "Transmit Errors", Side: entstat.Transmit, Number: &n},
		`{"kind":"list","label":"Driver Flags","items":["Up"]}`:             {Kind: entstat.List, Label: "Driver Flags", Items: []string{"Up"}},
		`{"kind":"heading","label":"General Statistics"}`:                   {Kind: entstat.Heading, Label: "General Statistics"},
		`{"kind":"row","level":1,"label":"Min Buffers","cells":[7,null]}`:   {Kind: entstat.Row, Level: 1, Label: "Min Buffers", Cells: []*uint64{&n, nil}},
		`{"kind":"columns","label":"Buffer Type","items":["Tiny","Small"]}`: {Kind: entstat.Columns, Label: "Buffer Type", Items: []string{"Tiny", "Small"}},
	} {
		got, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
		var back entstat.Field
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f, back, cmp.AllowUnexported(entstat.Field{})); diff != "" {
			t.Errorf("%s read back (-want +got):\n%s", want, diff)
		}
	}
	var f entstat.Field
	for _, text := range []string{`{"kind":"table"}`, `{"side":"left"}`} {
		if err := json.Unmarshal([]byte(text), &f); err == nil {
			t.Errorf("%s: got no error, want one: there is no such name", text)
		}
	}
}
