package report_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab/demo"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outputs are all that a user gets to see, by name.
var outputs = map[string]func(d *report.Document){
	"findings": func(d *report.Document) {
		report.Audit(d, report.Audited{Findings: findings(), Groups: finding.Groups(findings())})
	},
	"findings-verbose": func(d *report.Document) {
		report.Audit(d, report.Audited{Findings: findings(), Groups: finding.Groups(findings()), Verbose: true})
	},
	"ticket": func(d *report.Document) {
		cat, err := knowledge.Load()
		if err != nil {
			panic(err)
		}
		report.Ticket(d, []string{"lpar1", "lpar2", "vios1"}, audited(), samplePlan(), cat)
	},
	"audit-waived":  func(d *report.Document) { report.Audit(d, audited()) },
	"audit-brief":   func(d *report.Document) { report.Audit(d, many(false)) },
	"audit-details": func(d *report.Document) { report.Audit(d, many(true)) },
	"path":          func(d *report.Document) { report.Path(d, fleet(), path()) },
	"host": func(d *report.Document) {
		for _, h := range fleet().Hosts {
			report.Host(d, h)
		}
	},
	"plan":         func(d *report.Document) { report.Plan(d, samplePlan()) },
	"plan-fleet":   func(d *report.Document) { report.Plan(d, fleetPlan(12)); report.Windows(d, fleetPlan(12)) },
	"tune":         func(d *report.Document) { report.Tune(d, studied(true)) },
	"tune-nothing": func(d *report.Document) { report.Tune(d, studied(false)) },
	"tune-design":  func(d *report.Document) { report.TuneDesign(d, studied(false)) },
	"plan-empty":   func(d *report.Document) { report.Plan(d, &plan.Plan{}) },
	"run":          func(d *report.Document) { report.Run(d, undone()); report.Run(d, pending()) },
	"runs": func(d *report.Document) {
		runs := []execute.Run{*pending(), *undone(), {ID: "20260303-010101-94d129", Outcome: execute.Applied,
			Lookup: execute.Lookup{Inventory: "lab:pair"}}, {ID: "x", Error: "journal x: cut off"},
			{ID: "20260303-010102-0b3f31", Outcome: execute.Running, Gone: true}}
		report.Runs(d, runs, execute.ShortIDs(runs))
	},
	"diff":        func(d *report.Document) { report.Diff(d, changed(), nil, false) },
	"diff-all":    func(d *report.Document) { report.Diff(d, changed(), nil, true) },
	"runs-none":   func(d *report.Document) { report.Runs(d, nil, nil) },
	"trials":      func(d *report.Document) { report.Trials(d, measured()); report.Conditions(d, measured()) },
	"matrixdelta": func(d *report.Document) { report.MatrixDelta(d, measured()) },
	"comparison": func(d *report.Document) {
		report.Comparison(d, measured(), published())
		report.Controls(d, measured())
		report.Conditions(d, measured())
	},
	"report": reportOf,
	"loop": func(d *report.Document) {
		demo.Report(d, &demo.Result{Started: day, Ended: day.Add(83400000000), Path: path(), Findings: findings()[:2], Plan: samplePlan(), Bench: measured()}, published())
	},
}

func TestGolden(t *testing.T) {
	for name, fill := range outputs {
		golden(t, name, fill, doc.Screen{Width: 80})
	}
	golden(t, "findings.colour", outputs["findings"], doc.Screen{Width: 80, Color: true})
}

// files are outputs in the formats for files, by name.
var files = map[string]struct {
	output, format string
	data           any
}{
	"findings.csv":   {"audit-waived", "csv", nil},
	"findings.md":    {"findings", "md", nil},
	"plan.csv":       {"plan", "csv", &plan.Plan{}},
	"plan.md":        {"plan", "md", samplePlan()},
	"runs.csv":       {"runs", "csv", nil},
	"diff.csv":       {"diff", "csv", nil}, // whole, though people see a part
	"host.csv":       {"host", "csv", nil},
	"comparison.csv": {"comparison", "csv", measured()},
	"comparison.md":  {"comparison", "md", measured()},
	"trials.csv":     {"trials", "csv", measured()},
	"tune.csv":       {"tune", "csv", nil},
}

func TestGoldenFiles(t *testing.T) {
	for name, f := range files {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := report.Print(report.Output{W: &b}, f.format, report.Result{Data: f.data, Text: outputs[f.output]}); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, name, b.String())
			if strings.ContainsAny(b.String(), "\x1b\a\r\u202e\u009b") {
				t.Errorf("a control character got through: %q", b.String())
			}
		})
	}
}

// printed is a document as text.
func printed(t testing.TB, fill func(*report.Document), screen doc.Screen) string {
	t.Helper()
	var d report.Document
	fill(&d)
	var b bytes.Buffer
	if err := doc.WriteText(&b, &d, screen); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name string, fill func(*report.Document), screen doc.Screen) {
	t.Run(name, func(t *testing.T) {
		got := printed(t, fill, screen)
		compareGolden(t, name, got)
		fit(t, got, screen)
	})
}

// compareGolden compares with a golden file, or rewrites it.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("want -, got + (go test ./internal/ui/report -update rewrites it)\n%s", diff)
	}
}

// fit checks what holds for every output: it fits the terminal, ends no line in
// blanks, and lets no control character through, nor any without colour.
func fit(t *testing.T, text string, screen doc.Screen) {
	t.Helper()
	for _, l := range strings.Split(text, "\n") {
		plain := l
		if screen.Color {
			plain = stripped(l)
		}
		if n := lipgloss.Width(plain); n > screen.Width && len(strings.Fields(plain)) > 1 && !copied(plain) {
			t.Errorf("%d columns of %d: %q", n, screen.Width, l)
		}
		if strings.HasSuffix(plain, " ") {
			t.Errorf("ends in blanks: %q", l)
		}
		for _, r := range plain {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("control character %U: %q", r, l)
			}
		}
	}
}

// copied says that a line is a command, kept whole so that it can be copied.
func copied(line string) bool {
	return strings.Contains(line, "chdev") || strings.Contains(line, "lsattr")
}

// stripped takes the colours of our own out.
func stripped(s string) string {
	for {
		at := strings.Index(s, "\x1b[")
		if at < 0 {
			return s
		}
		end := strings.IndexByte(s[at:], 'm')
		if end < 0 {
			return s
		}
		s = s[:at] + s[at+end+1:]
	}
}

// Colour adds nothing but colour.
func TestColourOnly(t *testing.T) {
	for name, fill := range outputs {
		plain := printed(t, fill, doc.Screen{Width: 100})
		coloured := printed(t, fill, doc.Screen{Width: 100, Color: true})
		if diff := cmp.Diff(plain, stripped(coloured)); diff != "" {
			t.Errorf("%s: plain -, coloured +\n%s", name, diff)
		}
	}
}

// A terminal of any width is survived; without one lines have 120 columns.
func TestNarrow(t *testing.T) {
	for name, fill := range outputs {
		for _, width := range []int{1, 20, 40, 79, 0} {
			got := printed(t, fill, doc.Screen{Width: width})
			if got == "" {
				t.Errorf("%s at %d columns: nothing was printed", name, width)
			}
			if width == 0 {
				fit(t, got, doc.Screen{Width: 120})
			}
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteError(t *testing.T) {
	for _, format := range []string{"table", "html", "md", "csv"} {
		if err := report.Print(report.Output{W: full{}}, format, report.Result{Data: measured(), Text: outputs["comparison"]}); err == nil {
			t.Errorf("%s: a full disk was not noticed", format)
		}
	}
}

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"plain äöü 中 ✓":   "plain äöü 中 ✓",
		"a\tb":            "a b",
		"\x1b[31mred\x07": "·[31mred·",
		"a\r\nb":          "a··b",
		"\u009b2J":        "·2J",
		"\u202eabc\u2066": "·abc·",
		"\xff\xfe":        "��",
	} {
		if got := report.Safe(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
