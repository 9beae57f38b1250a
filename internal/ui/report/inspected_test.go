package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/ui/report"
)

// inspection is an audit with all that the formats of other programs tell apart.
type inspection report.Inspection

func (i inspection) Inspected() report.Inspection { return report.Inspection(i) }

func inspected() inspection {
	lacks := finding.Finding{ID: "R034/vios1:ent0", Rule: "R034", Title: "buffers overrun", Verdict: finding.NotAssessed,
		Severity: finding.Medium, Element: ref("vios1", "ent0"), Missing: []string{"vios1 ent0: speed"}}
	all := append(findings(), lacks)
	accepted := waiver.Waived{Finding: findings()[0], Reason: "the lab's " + hostile, Until: "2027-01-31"}
	return inspection{
		Audited: report.Audited{At: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Version: "1.2.0", Findings: all, Groups: finding.Groups(all),
			Waived: []waiver.Waived{accepted}, NotRead: []string{"vios3: no route to host | 7"}},
		Hosts: []string{"lpar1", "vios1"}, Path: path(),
		File:  func(e finding.Evidence) string { return "today/" + e.Host + "/lsattr El.txt" },
		Fails: func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Medium) },
	}
}

func formatted(t *testing.T, format string) []byte {
	t.Helper()
	var out bytes.Buffer
	err := report.Print(report.Output{W: &out}, format, report.Result{Data: inspected()})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(out.Bytes(), "\x1b\x07") {
		t.Errorf("-f %s passes on controls of a terminal", format)
	}
	return out.Bytes()
}

// schemaOfSARIF is the standard's schema, which go-sarif keeps to itself, from its source.
func schemaOfSARIF(t *testing.T) string {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := strconv.Unquote(file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The standard's own schema accepts the log; so do types that others made of it, which know each field.
func TestSARIF(t *testing.T) {
	text := formatted(t, "sarif")
	var log sarif.Report
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	err := in.Decode(&log)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schemaOfSARIF(t)), gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range result.Errors() {
		t.Errorf("the schema says: %s", wrong)
	}
	kinds := map[string]int{}
	suppressed, flows, files := 0, 0, 0
	for _, r := range log.Runs[0].Results {
		kinds[r.Kind]++
		suppressed += len(r.Suppressions)
		flows += len(r.CodeFlows)
		for _, l := range r.Locations {
			if l.PhysicalLocation != nil && *l.PhysicalLocation.ArtifactLocation.URI == "today/lpar1/lsattr%20El.txt" {
				files++
			}
		}
	}
	if kinds["fail"] == 0 || kinds["open"] == 0 || suppressed != 1 || flows == 0 || files == 0 {
		t.Errorf("got kinds %v, %d suppressed, %d code flows, %d places in files", kinds, suppressed, flows, files)
	}
	if *log.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Error("an audit that lacks a host was called successful")
	}
}

func TestJUnit(t *testing.T) {
	text := formatted(t, "junit")
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	err := xml.Unmarshal(text, &got)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, s := range got.Suites {
		cases += len(s.Cases)
	}
	want := 0
	for _, f := range findings() {
		if f.Verdict == finding.Found && f.Severity.AtLeast(finding.Medium) {
			want++
		}
	}
	if got.Tests != cases || got.Failures != want || got.Errors != 1 || got.Skipped < 2 {
		t.Errorf("got %d tests of %d cases, %d failures (want %d), %d errors, %d skipped", got.Tests, cases, got.Failures, want, got.Errors, got.Skipped)
	}
}

func TestPrometheus(t *testing.T) {
	text := string(formatted(t, "prometheus"))
	for _, want := range []string{
		"# TYPE seaworthy_finding gauge\n", `severity="high",host="lpar1",element="en0"} 1` + "\n",
		`seaworthy_rule_not_assessed{rule="R034"} 1` + "\n", "seaworthy_findings_waived 1\n", "seaworthy_hosts_not_read 1\n",
		"seaworthy_last_audit_timestamp_seconds 1.772600767e+09\n", `seaworthy_build_info{version="1.2.0"} 1` + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %q:\n%s", want, text)
		}
	}
}

func TestMonitor(t *testing.T) {
	full := inspected()
	quiet := report.Inspection{Audited: report.Audited{Findings: []finding.Finding{}, Passed: 3}, Hosts: []string{"lpar1"}}
	unread := quiet
	unread.NotRead = []string{"vios3: no route to host"}
	nothing := quiet
	nothing.Audited = report.Audited{Findings: []finding.Finding{{Rule: "R034", Verdict: finding.NotAssessed}}}
	minor := report.Inspection(inspected())
	minor.Findings = []finding.Finding{{Rule: "R052", Verdict: finding.Found, Severity: finding.Medium, Title: "no per-client statistics", Element: ref("vios1", "ent5")}}
	for _, c := range []struct {
		name   string
		of     report.Inspection
		status int
		first  string
	}{
		{"high", report.Inspection(full), report.MonitorCritical, "SEAWORTHY CRITICAL - "},
		{"medium", minor, report.MonitorWarning, "SEAWORTHY WARNING - 1 finding at or above the limit on 2 hosts, first: medium R052 vios1:ent5"},
		{"nothing wrong", quiet, report.MonitorOK, "SEAWORTHY OK - no finding at or above the limit on 1 host | critical=0"},
		{"not read", unread, report.MonitorUnknown, "SEAWORTHY UNKNOWN - 1 host not read"},
		{"nothing judged", nothing, report.MonitorUnknown, "SEAWORTHY UNKNOWN - nothing could be judged"},
	} {
		var out bytes.Buffer
		status, err := report.Monitor(&out, c.of)
		first, _, _ := strings.Cut(out.String(), "\n")
		if err != nil || status != c.status || !strings.HasPrefix(first, c.first) {
			t.Errorf("%s: got %d %v %q, want %d %q", c.name, status, err, first, c.status, c.first)
		}
		if strings.Count(out.String(), "|") != 1 || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s: figures must follow the only bar: %q", c.name, out.String())
		}
	}
}
