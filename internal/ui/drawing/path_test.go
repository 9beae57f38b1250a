package drawing_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/ui/drawing"
)

func draw(t *testing.T, f *model.Fleet, from, to string, o drawing.Options) *drawing.Drawing {
	t.Helper()
	p, err := graph.Of(f).Path(from, to)
	if err != nil {
		t.Fatal(err)
	}
	return drawing.Path(f, p, o)
}

// What carries the frames is solid and what stands by is dashed, also where each
// VIOS of a pair has some VLANs.
func TestActiveAndStandby(t *testing.T) {
	f := labs(t)["dual-vios"]
	for _, c := range []struct{ from, to, active, standby string }{
		{"lpar1", "lpar2", "vios1a:ent5 vios2a:ent5", "vios1b:ent5 vios2b:ent5"},
		{"lpar1", "lpar3", "vios1a:ent5 vios2b:ent5", "vios1b:ent5 vios2a:ent5"},
	} {
		d := draw(t, f, c.from, c.to, drawing.Options{})
		got := map[bool][]string{}
		x := map[string]float64{}
		for _, b := range d.Boxes {
			if strings.HasSuffix(b.ID, ":ent5") {
				got[b.Standby] = append(got[b.Standby], b.ID)
			}
			x[b.ID] = b.X
		}
		if a, s := strings.Join(got[false], " "), strings.Join(got[true], " "); a != c.active || s != c.standby {
			t.Errorf("%s to %s: active %s, standby %s; want %s and %s", c.from, c.to, a, s, c.active, c.standby)
		}
		if x["vios1a:ent5"] > x["vios1b:ent5"] || x["vios2a:ent5"] > x["vios2b:ent5"] {
			t.Errorf("%s to %s: VIOSes are not in the order of their names: %v", c.from, c.to, x)
		}
		if svg := string(d.SVG()); !strings.Contains(svg, `class="element standby"`) || !strings.Contains(svg, `class="line standby"`) {
			t.Errorf("nothing is dashed:\n%s", svg)
		}
	}
}

func TestSamePicture(t *testing.T) {
	first := ""
	for range 5 {
		f := labs(t)["etherchannel"]
		d := draw(t, f, "lpar1", "lpar2", drawing.Options{})
		all := string(d.SVG()) + string(d.DOT()) + string(d.Mermaid()) + string(d.DrawIO())
		if first == "" {
			first = all
		}
		if all != first {
			t.Fatal("the same input gave two pictures")
		}
	}
}

// What was measured and found stands at its element.
func TestWhatIsShown(t *testing.T) {
	f := labs(t)["two-systems"]
	lpar := model.Ref{Host: "lpar1", Element: "en0"}
	f.Element(model.Ref{Host: "vios2", Element: "ent0"}).Counters = model.CountersOf(map[string]uint64{"rx.No Resource Errors": 42})
	d := draw(t, f, "lpar1", "lpar2", drawing.Options{
		Proved: 1500, Cores: map[string]float64{"lpar1": 0.25}, Changes: map[string][]string{"lpar1:en0": {"mtu_bypass: off → on"}},
		Findings: []finding.Finding{{Rule: "R001", Title: "largesend is off", Verdict: finding.Found, Severity: finding.High, Element: lpar},
			{Rule: "R002", Title: "passed", Verdict: finding.Pass, Element: lpar}},
	})
	want := []drawing.Note{{Kind: "high", At: "lpar1:en0", Text: "R001: largesend is off"},
		{Kind: drawing.Drops, At: "vios2:ent0", Text: "lost packets: No Resource Errors 42 since the counters began"}}
	if fmt.Sprint(d.Notes) != fmt.Sprint(want) {
		t.Errorf("notes: got %v, want %v", d.Notes, want)
	}
	svg := string(d.SVG())
	for _, text := range []string{"MTU 1500", "largesend off", "mtu_bypass: off → on", "0.25 of 2 cores used", "1500 ✓", "10 Gbit/s", "VLAN 1 on ETHERNET0"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the drawing does not have %q", text)
		}
	}
	for _, b := range d.Boxes {
		if b.ID == "lpar1:en0" && fmt.Sprint(b.Marks) != "[1]" || b.ID == "vios2:ent0" && fmt.Sprint(b.Marks) != "[2]" {
			t.Errorf("%s has the marks %v", b.ID, b.Marks)
		}
	}
}

// hostile holds what a host may call itself.
const hostile = "\"]; evil [label=\"<script>alert(1)</script>&'\\ #quot; ]]> end\n\x1b[2J\u202etxt"

// What hosts print becomes text of the picture and nothing else.
func TestHostileNames(t *testing.T) {
	f := labs(t)["two-systems"]
	at := model.Ref{Host: hostile, Element: "en0"}
	f.Hosts[0].Name, f.Hosts[0].MachineID = hostile, hostile
	f.Hosts[0].Elements["en0"].Attrs["mtu"] = &model.Attr{Name: "mtu", Running: new(hostile)}
	path := &model.Path{From: at, To: model.Ref{Host: "lpar2", Element: "en0"},
		Hops: []model.Hop{{Ref: &at, Kind: "interface"}, {Kind: model.HypervisorSwitch, Note: hostile}, {Kind: model.EthernetSwitch, Note: hostile}},
		Gaps: []model.Gap{{What: hostile, Why: hostile}}}
	d := drawing.Path(f, path, drawing.Options{Changes: map[string][]string{at.String(): {hostile}}})
	check(t, "hostile", d)
	for name, text := range map[string]string{"svg": string(d.SVG()), "inline": string(d.Inline()), "drawio": string(d.DrawIO())} {
		dec := xml.NewDecoder(strings.NewReader(text))
		for {
			tok, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s is no XML: %v\n%s", name, err, text)
			}
			if s, ok := tok.(xml.StartElement); ok && !strings.Contains(" svg title style rect circle text polyline mxfile diagram mxGraphModel root mxCell mxGeometry ", " "+s.Name.Local+" ") {
				t.Errorf("%s: an element %s came out of a host's text", name, s.Name.Local)
			}
		}
	}
	quoted := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	if bare := quoted.ReplaceAllString(string(d.DOT()), `""`); strings.Contains(bare, "evil") || strings.Contains(bare, "script") {
		t.Errorf("a host's text left its quotes:\n%s", bare)
	}
	mermaid := string(d.Mermaid())
	if bare := regexp.MustCompile(`"[^"\n]*"`).ReplaceAllString(mermaid, `""`); strings.Contains(bare, "evil") || strings.ContainsAny(bare, "<&'") {
		t.Errorf("a host's text left its quotes:\n%s", bare)
	}
	if strings.Contains(mermaid, "<script") || strings.Contains(mermaid, "alert(1)</") {
		t.Errorf("markup is in the labels of Mermaid:\n%s", mermaid)
	}
	for name, text := range map[string][]byte{"svg": d.SVG(), "dot": d.DOT(), "mermaid": d.Mermaid(), "drawio": d.DrawIO()} {
		if bytes.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("%s: a control character got through", name)
		}
	}
}

// What a result keeps of a path draws the same picture, also from a file.
func TestExcerpt(t *testing.T) {
	for name, f := range labs(t) {
		var ends []string
		for _, h := range f.Hosts {
			if h.Platform != model.VIOS {
				ends = append(ends, h.Name)
			}
		}
		for _, to := range ends[1:] {
			p, err := graph.Of(f).Path(ends[0], to)
			if err != nil {
				continue // no path
			}
			text, err := json.Marshal(drawing.Excerpt(f, p))
			if err != nil {
				t.Fatal(err)
			}
			var x model.Excerpt
			if err := json.Unmarshal(text, &x); err != nil || !x.Whole() {
				t.Fatalf("%s, %s to %s: not whole: %v", name, ends[0], to, err)
			}
			want := drawing.Path(f, p, drawing.Options{}).SVG()
			if got := drawing.Path(x.Fleet, &x.Path, drawing.Options{}).SVG(); !bytes.Equal(got, want) {
				t.Errorf("%s, %s to %s: another picture", name, ends[0], to)
			}
			if len(text) > 64<<10 {
				t.Errorf("%s, %s to %s: %d bytes are kept", name, ends[0], to, len(text))
			}
		}
	}
	for _, text := range []string{`{}`, `{"fleet":{"hosts":[]}}`, `{"path":{"hops":[{},{}]}}`, `{"path":{"hops":[{},{}]},"fleet":{"hosts":[null]}}`,
		`{"path":{"hops":[{},{}]},"fleet":{"hosts":[{"elements":{"en0":null}}]}}`,
		`{"path":{"hops":[{},{}]},"fleet":{"hosts":[{"elements":{"en0":{"attrs":{"mtu":null}}}}]}}`} {
		var x *model.Excerpt
		if err := json.Unmarshal([]byte(text), &x); err != nil || x.Whole() {
			t.Errorf("%s: whole, or %v", text, err)
		}
	}
}
