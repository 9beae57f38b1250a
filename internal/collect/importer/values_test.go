package importer_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/codectest"
)

// valuesShown is how many values of each output stand in the golden file, spread over all.
const valuesShown = 6

// named are members that say what a value is, and are none.
var named = map[string]bool{"Label": true, "Section": true, "Kind": true, "Side": true, "Description": true, "Settable": true}

// values holds every real output that a codec reads against how many values it
// gave before, and some of them. (Each codec has more of its own.)
func values(t *testing.T, all []realOutput) {
	golden := map[string]string{}
	for _, one := range all {
		snapshots, err := collect.Open(one.output)
		if err != nil {
			continue // nothing was recognised: the other test counts that
		}
		for _, s := range snapshots {
			for _, rec := range s.Manifest.Commands {
				e := registry.Find(rec.ID)
				if e == nil || e.Parse == nil {
					continue
				}
				text, err := s.Text(&rec)
				if err != nil {
					t.Fatal(err)
				}
				v, err := e.Parse(text, rec.Line)
				if err != nil {
					continue // an output that only says why there is none
				}
				_, line, _ := strings.Cut(strings.TrimPrefix(filepath.Base(rec.From), filepath.Base(one.name)), ":")
				key := fmt.Sprintf("%s:%s %s %s", one.name, line, rec.ID, rec.Element)
				golden[key] = sample(key, codectest.Facts(v))
			}
		}
	}
	if len(golden) < 150 {
		t.Errorf("got %d outputs, want those of both collections", len(golden))
	}
	var text strings.Builder
	for _, k := range slices.Sorted(maps.Keys(golden)) {
		text.WriteString(golden[k])
	}
	codectest.Golden(t, *update, "real-values.golden", []byte(text.String()))
}

// sample says how many values there are, and gives some of them.
func sample(title string, facts map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d values\n", title, len(facts))
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(facts)), func(p string) bool {
		return facts[p] == "" || facts[p] == "0" || facts[p] == "false" || named[p[strings.LastIndexByte(p, '.')+1:]]
	})
	for i := range min(valuesShown, len(paths)) {
		p := paths[i*len(paths)/min(valuesShown, len(paths))]
		fmt.Fprintf(&b, "  %s = %s\n", p, facts[p])
	}
	return b.String()
}
