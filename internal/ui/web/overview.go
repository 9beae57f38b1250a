package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/web/store"
)

// severities are the columns of findings.
var severities = []finding.Severity{finding.Critical, finding.High, finding.Medium, finding.Low, finding.Info}

// perPage is how many lines of a list a page has.
const perPage = 100

// line is a row of the overview: a host or a managed system.
type line struct {
	store.Row
	Name  string
	Hosts int
	Link  string
}

type overview struct {
	By         string
	Severities []finding.Severity
	Platforms  []string
	Headings   []Heading
	Rows       []line
	Pager      Pager
	Hosts      int
	Total      [5]int
	Audited    bool
	Verdict    string          // what is wrong, in a line
	Causes     []finding.Group // the severest that are more than notes
	HMCs       []string        // that were read too
}

// overview lists hosts or systems with the number of their findings.
func (s *Server) overview(r *request) (*view, error) {
	b := overview{By: "host", Severities: severities, Hosts: len(r.state.Rows), Audited: r.state.Phase == store.Ready}
	if r.Get("by") == "system" {
		b.By = "system"
	}
	for _, x := range r.state.Rows {
		if x.Platform != "" && !slices.Contains(b.Platforms, x.Platform) {
			b.Platforms = append(b.Platforms, x.Platform)
		}
		for i, n := range x.Found {
			b.Total[i] += n
		}
	}
	slices.Sort(b.Platforms)
	if b.Audited && r.state.Fleet != nil {
		for _, x := range r.state.Fleet.HMCs {
			b.HMCs = append(b.HMCs, x.Name)
		}
		slices.Sort(b.HMCs)
		b.HMCs = slices.Compact(b.HMCs)
	}
	if b.Audited && b.Hosts > 0 {
		b.Verdict, b.Causes = verdict(r.state)
	}
	rows := asked(r)
	if b.By == "system" {
		rows = bySystem(rows)
	}
	by, down := r.order("severity")
	sortLines(rows, by, down)
	b.Rows, b.Pager = paged(r.query, rows, perPage)
	columns := []string{b.By}
	for _, x := range severities {
		columns = append(columns, "#"+x.Word())
	}
	columns = append(columns, "#not assessed")
	if b.By == "host" {
		columns = append(columns, "system", "platform", "level", "#read")
	} else {
		columns = append(columns, "#hosts")
	}
	b.Headings = r.headings("severity", columns...)
	return &view{Title: "Overview", Body: b}, nil
}

// mostCauses is how many groups of findings the overview names.
const mostCauses = 5

// verdict says what is wrong in a line, and names the severest groups of findings.
func verdict(state *store.State) (text string, causes []finding.Group) {
	groups, findings, unassessed := 0, 0, 0
	for _, g := range state.Groups {
		if g.Severity == finding.Info {
			continue
		}
		groups++
		findings += len(g.Findings)
		if len(causes) < mostCauses {
			causes = append(causes, g)
		}
	}
	for _, row := range state.Rows {
		unassessed += row.NotAssessed
	}
	checks := fmt.Sprintf("%d of %s passed, %d not possible",
		state.Healthy, report.Plural(state.Healthy+unassessed+findings, "check"), unassessed)
	switch {
	case groups == 0 && state.Healthy == 0:
		return "Nothing could be judged: " + checks + ".", nil
	case groups == 0:
		return "No finding above a note: " + checks + ".", nil
	}
	return fmt.Sprintf("%s of %s; %s.", report.Plural(findings, "finding"), report.Plural(groups, "kind"), checks), causes
}

// asked are the hosts that the filters let through.
func asked(r *request) []line {
	words, platform, severity := r.words(), r.Get("platform"), finding.Severity(r.Get("severity")).Rank()
	var out []line
	for _, x := range r.state.Rows {
		found := severity >= len(x.Found)
		for i, n := range x.Found {
			found = found || i <= severity && n > 0
		}
		if found && (platform == "" || x.Platform == platform) && (r.Get("system") == "" || x.System == r.Get("system")) &&
			matches(words, x.Host, x.System, x.Platform, x.Level) {
			out = append(out, line{Row: x, Name: x.Host, Hosts: 1, Link: link("/host", "name", x.Host)})
		}
	}
	return out
}

func bySystem(hosts []line) []line {
	at := map[string]int{}
	var out []line
	for _, h := range hosts {
		i, ok := at[h.System]
		if !ok {
			i = len(out)
			at[h.System] = i
			name := cmp.Or(h.System, "managed system unknown")
			out = append(out, line{Name: name, Link: link("/", "system", h.System), Row: store.Row{System: h.System}})
		}
		x := &out[i]
		x.Hosts++
		x.NotAssessed += h.NotAssessed
		for k, n := range h.Found {
			x.Found[k] += n
		}
	}
	return out
}

// orders are those of the columns that are no severity; any other is that of names.
var orders = map[string]func(a, b line) int{
	"severity":     func(a, b line) int { return slices.Compare(a.Found[:], b.Found[:]) },
	"not assessed": func(a, b line) int { return a.NotAssessed - b.NotAssessed },
	"hosts":        func(a, b line) int { return a.Hosts - b.Hosts },
	"read":         func(a, b line) int { return a.Taken.Compare(b.Taken) },
	"platform":     func(a, b line) int { return strings.Compare(a.Platform, b.Platform) },
	"level":        func(a, b line) int { return strings.Compare(a.Level, b.Level) },
	"system":       func(a, b line) int { return strings.Compare(a.System, b.System) },
}

// sortLines sorts by a column; lines that are alike there stay in order of their names.
func sortLines(rows []line, by string, down bool) {
	compare := orders[by]
	if column := slices.IndexFunc(severities, func(s finding.Severity) bool { return s.Word() == by }); column >= 0 {
		compare = func(a, b line) int { return a.Found[column] - b.Found[column] }
	}
	if compare == nil {
		compare = func(a, b line) int { return strings.Compare(a.Name, b.Name) }
	}
	slices.SortStableFunc(rows, func(a, b line) int {
		c := compare(a, b)
		if down {
			c = -c
		}
		return cmp.Or(c, strings.Compare(a.Name, b.Name))
	})
}

// Read says when a host was read.
func (l line) Read() string {
	if l.Taken.IsZero() {
		return "–"
	}
	return l.Taken.UTC().Format(time.DateOnly + " 15:04")
}
