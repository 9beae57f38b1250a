package report

import (
	"encoding/xml"
	"fmt"
	"strings"

	"seaworthy/internal/audit/finding"
)

// What JUnit's readers in CI systems agree on: a suite a host, a case a rule on an element.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"timestamp,attr,omitempty"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string      `xml:"classname,attr"`
		Name    string      `xml:"name,attr"`
		Failure *junitWhy   `xml:"failure,omitempty"`
		Error   *junitWhy   `xml:"error,omitempty"`
		Skipped *junitWhy   `xml:"skipped,omitempty"`
		Output  *junitLines `xml:"system-out,omitempty"`
	}
	junitWhy struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
	junitLines struct {
		Text string `xml:",chardata"`
	}
)

var _ = register(Format{
	Name: "junit",
	Fits: func(data any) bool { _, ok := data.(inspected); return ok },
	Print: func(to Output, r Result) error {
		text, err := xml.MarshalIndent(junitOf(r.Data.(inspected).Inspected()), "", " ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to.W, "%s%s\n", xml.Header, text)
		return err
	},
})

// junitOf is an audit as test results: findings at or above --fail-on fail, those below pass with what they found, what was
// not assessed or is waived was skipped, a host that was not read is an error.
func junitOf(a Inspection) junitSuites {
	all := junitSuites{Name: "seaworthy audit"}
	suites := map[string]*junitSuite{}
	for _, host := range a.Hosts {
		suites[host] = &junitSuite{Name: Safe(host)}
		if !a.At.IsZero() {
			suites[host].Time = a.At.UTC().Format("2006-01-02T15:04:05")
		}
	}
	add := func(f finding.Finding, fill func(*junitCase)) {
		c := junitCase{Class: Safe(f.Element.String()), Name: Safe(f.Rule + " " + f.Title)}
		fill(&c)
		suite := suites[f.Element.Host]
		if suite == nil { // of a fact that stands between hosts
			suite = &junitSuite{Name: Safe(f.Element.Host)}
			suites[f.Element.Host] = suite
			a.Hosts = append(a.Hosts, f.Element.Host)
		}
		suite.add(c)
	}
	for _, f := range a.Open() {
		add(f, func(c *junitCase) {
			if a.Fails(f) {
				c.Failure = &junitWhy{Safe(f.Title), string(f.Severity), proofLines(f)}
				return
			}
			c.Output = &junitLines{string(f.Severity) + ": " + Safe(f.Title) + "\n" + proofLines(f)}
		})
	}
	for _, f := range a.Lacks() {
		add(f, func(c *junitCase) {
			c.Skipped = &junitWhy{Message: Safe("not assessed, it lacks " + strings.Join(f.Missing, ", "))}
		})
	}
	for _, w := range a.Waived {
		add(w.Finding, func(c *junitCase) {
			c.Skipped = &junitWhy{Message: Safe("accepted until " + w.Until + ": " + w.Reason)}
		})
	}
	for _, host := range a.Hosts {
		all.add(*suites[host])
	}
	if len(a.NotRead) > 0 {
		unread := junitSuite{Name: "hosts that were not read"}
		for _, text := range a.NotRead {
			unread.add(junitCase{Class: "collect", Name: Safe(text), Error: &junitWhy{Message: Safe(text)}})
		}
		all.add(unread)
	}
	return all
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (all *junitSuites) add(s junitSuite) {
	all.Suites = append(all.Suites, s)
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.Skipped += s.Skipped
}

// proofLines are the lines that prove a finding, and how to read more.
func proofLines(f finding.Finding) string {
	var b strings.Builder
	for _, e := range f.Evidence {
		fmt.Fprintf(&b, "%s $ %s: %s\n", Safe(e.Host), Safe(e.Command), Safe(e.Text))
	}
	fmt.Fprintf(&b, "More: %s\n", f.ExplainedBy())
	return b.String()
}
