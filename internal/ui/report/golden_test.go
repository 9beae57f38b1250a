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
	"seaworthy/lab/demo"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outputs are all that a user gets to see, by name.
var outputs = map[string]func(p *report.Printer){
	"findings": func(p *report.Printer) {
		report.Audit(p, report.Audited{Findings: findings(), Groups: finding.Groups(findings())})
	},
	"findings-verbose": func(p *report.Printer) {
		report.Audit(p, report.Audited{Findings: findings(), Groups: finding.Groups(findings()), Verbose: true})
	},
	"ticket": func(p *report.Printer) {
		cat, err := knowledge.Load()
		if err != nil {
			panic(err)
		}
		report.Ticket(p, []string{"lpar1", "lpar2", "vios1"}, audited(), samplePlan(), cat)
	},
	"audit-waived":  func(p *report.Printer) { report.Audit(p, audited()) },
	"audit-brief":   func(p *report.Printer) { report.Audit(p, many(false)) },
	"audit-details": func(p *report.Printer) { report.Audit(p, many(true)) },
	"path":          func(p *report.Printer) { report.Path(p, fleet(), path()) },
	"host": func(p *report.Printer) {
		for _, h := range fleet().Hosts {
			report.Host(p, h)
		}
	},
	"plan":         func(p *report.Printer) { report.Plan(p, samplePlan()) },
	"plan-fleet":   func(p *report.Printer) { report.Plan(p, fleetPlan(12)); report.Windows(p, fleetPlan(12)) },
	"tune":         func(p *report.Printer) { report.Tune(p, studied(true)) },
	"tune-nothing": func(p *report.Printer) { report.Tune(p, studied(false)) },
	"tune-design":  func(p *report.Printer) { report.TuneDesign(p, studied(false)) },
	"plan-empty":   func(p *report.Printer) { report.Plan(p, &plan.Plan{}) },
	"run":          func(p *report.Printer) { report.Run(p, undone()); report.Run(p, pending()) },
	"runs": func(p *report.Printer) {
		runs := []execute.Run{*pending(), *undone(), {ID: "20260303-010101-94d129", Outcome: execute.Applied,
			Lookup: execute.Lookup{Inventory: "lab:pair"}}, {ID: "x", Error: "journal x: cut off"}}
		report.Runs(p, runs, execute.ShortIDs(runs))
	},
	"diff":        func(p *report.Printer) { report.Diff(p, changed(), nil, false) },
	"diff-all":    func(p *report.Printer) { report.Diff(p, changed(), nil, true) },
	"runs-none":   func(p *report.Printer) { report.Runs(p, nil, nil) },
	"trials":      func(p *report.Printer) { report.Trials(p, measured()); report.Conditions(p, measured()) },
	"matrixdelta": func(p *report.Printer) { report.MatrixDelta(p, measured()) },
	"comparison": func(p *report.Printer) {
		report.Comparison(p, measured(), published())
		report.Controls(p, measured())
		report.Conditions(p, measured())
	},
	"report": reportOf,
	"loop": func(p *report.Printer) {
		demo.Report(p, &demo.Result{Started: day, Ended: day.Add(83400000000), Path: path(), Findings: findings()[:2], Plan: samplePlan(), Bench: measured()}, published())
	},
}

func TestGolden(t *testing.T) {
	for name, print := range outputs {
		golden(t, name, print, report.Printer{Width: 80})
	}
	golden(t, "findings.colour", outputs["findings"], report.Printer{Width: 80, Color: true})
}

func golden(t *testing.T, name string, print func(*report.Printer), p report.Printer) {
	t.Run(name, func(t *testing.T) {
		var b bytes.Buffer
		p.W = &b
		print(&p)
		if p.Err != nil {
			t.Fatal(p.Err)
		}
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("want -, got + (go test ./report -update rewrites it)\n%s", diff)
		}
		fit(t, b.String(), p)
	})
}

// fit checks what holds for every output: it fits the terminal, ends no line in
// blanks, and lets no control character through, nor any without colour.
func fit(t *testing.T, text string, p report.Printer) {
	t.Helper()
	for _, l := range strings.Split(text, "\n") {
		plain := l
		if p.Color {
			plain = stripped(l)
		}
		if n := lipgloss.Width(plain); n > p.Width && len(strings.Fields(plain)) > 1 && !copied(plain) {
			t.Errorf("%d columns of %d: %q", n, p.Width, l)
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
	for name, print := range outputs {
		var plain, coloured bytes.Buffer
		print(&report.Printer{W: &plain, Width: 100})
		print(&report.Printer{W: &coloured, Width: 100, Color: true})
		if diff := cmp.Diff(plain.String(), stripped(coloured.String())); diff != "" {
			t.Errorf("%s: plain -, coloured +\n%s", name, diff)
		}
	}
}

// A terminal of any width is survived; without one lines have 120 columns.
func TestNarrow(t *testing.T) {
	for name, print := range outputs {
		for _, width := range []int{1, 20, 40, 79, 0} {
			var b bytes.Buffer
			print(&report.Printer{W: &b, Width: width})
			if b.Len() == 0 {
				t.Errorf("%s at %d columns: nothing was printed", name, width)
			}
			if width == 0 {
				fit(t, b.String(), report.Printer{Width: 120})
			}
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteError(t *testing.T) {
	for name, print := range outputs {
		p := &report.Printer{W: full{}}
		print(p)
		if p.Err == nil {
			t.Errorf("%s: a full disk was not noticed", name)
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
