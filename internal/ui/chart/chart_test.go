package chart_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/ui/chart"
)

var day = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

const hostile = "\"]<script>alert(1)</script>&'\x1b[2J\u202e"

func charts(name string) []chart.Chart {
	low, high, one := 1.5, 1.9, 0.4
	return []chart.Chart{
		&chart.Trials{Name: name, Unit: "Mbit/s", Groups: []chart.Group{{Name: name, Rows: []chart.Row{
			{Name: "before", Samples: []chart.Sample{{Block: 1, Value: 100}, {Block: 2, Value: 110}}, Median: 105, Low: &low, High: &high},
			{Name: name, Samples: []chart.Sample{{Block: 2, Value: 210}, {Block: 1, Value: 190}}, Median: 200}}}}},
		&chart.Effects{Name: name, Rows: []chart.Effect{{Name: name, Ratio: 1.7, Low: &low, High: &high, Blocks: []float64{1.6, 1.8}, Verdict: "improved", Class: 2}}},
		&chart.Stack{Name: name, Unit: "cores", Parts: []string{name, "lpar2"}, Rows: []chart.Bar{{Name: name, Values: []*float64{&one, nil}}}},
		&chart.Matrix{Name: name, Columns: []string{name}, Rows: []chart.Cells{{Name: name, Cells: []*chart.Cell{{Effect: chart.Effect{Ratio: 1.7}, Better: 1.7}}}, {Name: "b", Cells: []*chart.Cell{nil}}}},
		&chart.Course{Name: name, Unit: "Gbit/s", Groups: []chart.Strips{{Name: name, Rows: []chart.Strip{{Name: name, Trials: []chart.Curve{
			{Block: 1, Seconds: []float64{0.5, 1, 2}, Values: []float64{3, 0, 9}}, {Block: 2, Seconds: []float64{2}, Values: []float64{5}}}}}}}},
		&chart.Timeline{Name: name, Seconds: 20, Bands: []chart.Band{{Mark: "a", Name: name, From: 1, To: 4}, {Mark: "b", Name: "s2", From: 4.1, To: 9, Worse: true}},
			Tracks: []chart.Track{{Name: name, Gaps: []chart.Gap{{From: 4.5, To: 6.25, Lost: 350}}}, {Name: "lpar2 - lpar3"}}},
		&chart.Past{Name: name, From: day, To: day.AddDate(0, 0, 7), Parts: []chart.Part{{Name: name, Rows: []chart.Lane{
			{Name: name, Unit: "bit/s", Steps: []chart.Step{{From: day, To: day.Add(time.Hour), Value: 9.3e9}, {From: day.Add(time.Hour), To: day.Add(2 * time.Hour), Value: math.NaN(), Why: name}}},
			{Name: "R001 of lpar1:en0", Spells: []chart.Spell{{From: day.AddDate(0, 0, -1), To: day.AddDate(0, 0, 9), Text: name}}}}}}},
		&chart.HalfNormal{Name: name, Effects: []chart.Factor{{Name: name, Ratio: 1.5}, {Name: "b", Ratio: 1.01}, {Name: "c", Ratio: 0.99}}},
	}
}

// Whatever a workload or a host is called, a chart is XML with the elements of
// charts only; as many trials as there are stand in it, those of a block joined.
func TestCharts(t *testing.T) {
	for _, c := range charts(hostile) {
		svg := chart.Inline(c)
		d := xml.NewDecoder(strings.NewReader(string(svg)))
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%T: %v\n%s", c, err, svg)
			}
			if s, ok := tok.(xml.StartElement); ok && !strings.Contains(" svg style title line rect circle path text ", " "+s.Name.Local+" ") {
				t.Errorf("%T: an element %s came out of a name", c, s.Name.Local)
			}
		}
		if strings.ContainsAny(string(svg), "\x1b\u202e") {
			t.Errorf("%T: a control character got through", c)
		}
		table := c.Table()
		if table.Empty() {
			t.Errorf("%T has no numbers", c)
		}
		for _, r := range table.Rows {
			if len(r.Cells) != len(table.Columns) {
				t.Errorf("%T: a row of %d cells below %d heads", c, len(r.Cells), len(table.Columns))
			}
		}
	}
	svg := string(chart.Inline(charts("w")[0]))
	if points, pairs := strings.Count(svg, `"point `), strings.Count(svg, `"pair"`); points != 4 || pairs != 2 {
		t.Errorf("%d points and %d pairs, want 4 and 2", points, pairs)
	}
}

// A stall within a trial is drawn and counted, and the mean is one of time.
func TestCourse(t *testing.T) {
	for _, c := range charts("w") {
		if course, ok := c.(*chart.Course); ok {
			var texts []string
			for _, cell := range course.Table().Rows[0].Cells {
				texts = append(texts, cell.Text)
			}
			if got, want := strings.Join(texts, " "), "w w 1 0 5.25 9 3"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			svg := string(chart.Inline(course))
			if n := strings.Count(svg, `class="curve `); n != 2 || !strings.Contains(svg, ">max 9<") || !strings.Contains(svg, ">min 0<") {
				t.Errorf("%d curves, want 2, with the least and the greatest", n)
			}
			return
		}
	}
}

// Twice as much is as far from no effect as half is.
func TestEffectsAxisIsLogarithmic(t *testing.T) {
	e := &chart.Effects{Rows: []chart.Effect{{Name: "a", Ratio: 2}, {Name: "b", Ratio: 0.5}, {Name: "c", Ratio: 1}}}
	var x []float64
	d := xml.NewDecoder(strings.NewReader(string(chart.Inline(e))))
	for {
		tok, err := d.Token()
		if err != nil {
			break
		}
		if s, ok := tok.(xml.StartElement); ok && s.Name.Local == "circle" {
			x = append(x, attribute(t, s, "cx"))
		}
	}
	if len(x) != 3 || math.Abs(x[0]+x[1]-2*x[2]) > 0.2 || x[0] <= x[2] {
		t.Errorf("2, ½ and 1 stand at %v", x)
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 9412.6: "9 413", 0.5512: "0.551", 17.12: "17.1", 1e6: "1 000 000", -1234: "-1 234"} {
		if got := chart.Number(v); got != want {
			t.Errorf("%g: got %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{1: "±0 %", 1.68: "+68 %", 0.972: "−2.8 %", 12: "×12"} {
		if got := chart.Percent(v); got != want {
			t.Errorf("%g: got %q, want %q", v, got, want)
		}
	}
}

func attribute(t *testing.T, s xml.StartElement, name string) float64 {
	t.Helper()
	for _, a := range s.Attr {
		if a.Name.Local == name {
			v, err := strconv.ParseFloat(a.Value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("%s has no %s", s.Name.Local, name)
	return 0
}
