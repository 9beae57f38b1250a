package serve

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"seaworthy/audit/finding"
	"seaworthy/serve/store"
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
}

// overview lists hosts or systems with the number of their findings.
func (s *Server) overview(r *request) (*view, error) {
	if s.o.Store == nil {
		return s.live(r)
	}
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
	rows := asked(r)
	if b.By == "system" {
		rows = bySystem(rows)
	}
	by, down := r.order("severity")
	sortLines(rows, by, down)
	b.Rows, b.Pager = paged(r.query, rows, perPage)
	columns := []string{b.By}
	for _, x := range severities {
		columns = append(columns, "#"+string(x))
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

// sortLines sorts by a column; lines that are alike there stay in order of their names.
func sortLines(rows []line, by string, down bool) {
	column := slices.IndexFunc(severities, func(x finding.Severity) bool { return string(x) == by })
	compare := func(a, b line) int {
		switch {
		case column >= 0:
			return a.Found[column] - b.Found[column]
		case by == "severity":
			return slices.Compare(a.Found[:], b.Found[:])
		case by == "not assessed":
			return a.NotAssessed - b.NotAssessed
		case by == "hosts":
			return a.Hosts - b.Hosts
		case by == "read":
			return a.Taken.Compare(b.Taken)
		case by == "platform":
			return strings.Compare(a.Platform, b.Platform)
		case by == "level":
			return strings.Compare(a.Level, b.Level)
		case by == "system":
			return strings.Compare(a.System, b.System)
		}
		return strings.Compare(a.Name, b.Name)
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
