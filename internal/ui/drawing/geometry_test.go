package drawing_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/drawing"
)

// labs are the inventories of every built-in topology, as collected from labs.
func labs(t testing.TB) map[string]*model.Fleet {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d inventories, %v, want those of 8 topologies", len(files), err)
	}
	all := map[string]*model.Fleet{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := &model.Fleet{}
		if err := json.Unmarshal(text, f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = f
	}
	return all
}

// pairs are the interfaces of a fleet with an address, two and two.
func pairs(f *model.Fleet) (all [][2]string) {
	var ends []string
	for _, h := range f.Hosts {
		for _, name := range h.Interfaces() {
			if len(h.Elements[name].Addrs) > 0 {
				ends = append(ends, h.Name+":"+name)
			}
		}
	}
	for i, a := range ends {
		for _, b := range ends[i+1:] {
			all = append(all, [2]string{a, b})
		}
	}
	return all
}

// Every path of every topology, with notes on all elements, with and without
// what was measured: nothing overlaps, and no line crosses an element.
func TestNothingOverlaps(t *testing.T) {
	n := 0
	for name, f := range labs(t) {
		for _, pair := range pairs(f) {
			p, err := graph.Of(f).Path(pair[0], pair[1])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o := drawing.Options{Proved: 9000, Cores: map[string]float64{}, Changes: map[string][]string{}}
			for _, h := range p.Hops {
				if h.Ref == nil {
					continue
				}
				o.Cores[h.Ref.Host] = 0.4
				o.Changes[h.Ref.String()] = []string{"an_attribute_of_a_long_name: some value → another value"}
				for range 6 {
					o.Findings = append(o.Findings, finding.Finding{Verdict: finding.Found, Severity: finding.High, Element: *h.Ref,
						Rule: "R001", Title: strings.Repeat("words that need more than a line ", 6)})
				}
			}
			for _, options := range []drawing.Options{{}, o} {
				check(t, name+" "+pair[0]+" "+pair[1], drawing.Path(f, p, options))
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("%d drawings, want those of all pairs of interfaces", n)
	}
}

// check judges the geometry of a drawing.
func check(t *testing.T, name string, d *drawing.Drawing) {
	t.Helper()
	by := map[string]*drawing.Box{}
	for _, b := range d.Boxes {
		if by[b.ID] != nil {
			t.Errorf("%s: two boxes %s", name, b.ID)
		}
		by[b.ID] = b
	}
	page := drawing.Rect{W: d.Width, H: d.Height}
	for i, b := range d.Boxes {
		if !page.Holds(b.Rect) {
			t.Errorf("%s: %s is not on the page: %+v of %+v", name, b.ID, b.Rect, page)
		}
		if b.In != "" && (by[b.In] == nil || !by[b.In].Holds(b.Rect)) {
			t.Errorf("%s: %s %+v is not inside %s %+v", name, b.ID, b.Rect, b.In, by[b.In])
		}
		for _, o := range d.Boxes[i+1:] {
			if b.In == o.In && b.Overlaps(o.Rect) {
				t.Errorf("%s: %s %+v and %s %+v overlap", name, b.ID, b.Rect, o.ID, o.Rect)
			}
		}
	}
	var at []drawing.Rect
	for i := range d.Texts {
		at = append(at, d.Texts[i].Rect())
	}
	for i := range d.Texts {
		x, r := &d.Texts[i], at[i]
		if !page.Holds(r) || x.In != "" && !by[x.In].Holds(r) {
			t.Errorf("%s: the text %q %+v is not inside %q", name, x.Text, r, x.In)
		}
		for k := range d.Texts[i+1:] {
			if o := i + 1 + k; r.Overlaps(at[o]) {
				t.Errorf("%s: the texts %q %+v and %q %+v overlap", name, x.Text, r, d.Texts[o].Text, at[o])
			}
		}
	}
	for _, l := range d.Lines {
		for i := range l.Points[1:] {
			a, b := l.Points[i], l.Points[i+1]
			r := drawing.Rect{X: min(a.X, b.X), Y: min(a.Y, b.Y), W: max(a.X, b.X) - min(a.X, b.X) + .1, H: max(a.Y, b.Y) - min(a.Y, b.Y) + .1}
			for _, x := range d.Boxes {
				if x.Class == drawing.Element && x.ID != l.From && x.ID != l.To && r.Overlaps(x.Rect) {
					t.Errorf("%s: the line %s to %s crosses %s", name, l.From, l.To, x.ID)
				}
			}
		}
	}
}

// A picture of the path is made in no time.
func BenchmarkPath(b *testing.B) {
	f := labs(b)["dual-vios"]
	for b.Loop() {
		p, err := graph.Of(f).Path("lpar1", "lpar2")
		if err != nil {
			b.Fatal(err)
		}
		if len(drawing.Path(f, p, drawing.Options{}).SVG()) == 0 {
			b.Fatal("nothing drawn")
		}
	}
}
