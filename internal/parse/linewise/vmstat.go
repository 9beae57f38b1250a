package linewise

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// ActivityTable is vmstat INTERVAL of AIX or Linux: what waits for processors and disks.
type ActivityTable struct {
	parse.Report
	Processors *int           `json:"processors,omitempty"` // logical ones; AIX prints them
	Rows       []*ActivityRow `json:"rows"`
}

// ActivityRow is what an interval showed.
type ActivityRow struct {
	Ready       int `json:"ready"`   // threads that could run
	Blocked     int `json:"blocked"` // threads that wait for disks
	WaitPercent int `json:"wait_percent"`
	// Paging space: pages of 4 KiB a second (AIX), KiB a second (Linux); nil where the table has no such column.
	PagedIn  *int `json:"paged_in,omitempty"`
	PagedOut *int `json:"paged_out,omitempty"`
	Line     int  `json:"-"` // 1-based
}

var (
	activityProcessors = parse.Lazy(`\blcpu=(\d+)`)
	activitySummary    = parse.Lazy(`^\s*(?:kthr\b|procs\b|-{3,})`)
)

var activityOutput = &output[ActivityTable]{
	name: "vmstat", reader: readActivity, ignored: activitySummary,
	recognised: func(t *ActivityTable) bool { return len(t.Rows) > 0 },
}

// ParseActivity reads a table; parse.ErrNotRecognised if no row is below a heading. A row with a column that is not a
// number is not understood.
func ParseActivity(text []byte) (*ActivityTable, error) { return activityOutput.parse(text) }

// readActivity reads rows by the columns of the heading above them.
func readActivity(*ActivityTable) line[ActivityTable] {
	var columns []string
	return func(t *ActivityTable, l parse.Line) bool {
		f := strings.Fields(l.Text)
		processors := 0
		switch {
		case activityProcessors.Scan(l.Text, &processors):
			t.Processors = &processors
			return true
		case slices.Contains(f, "r") && slices.Contains(f, "b") && slices.Contains(f, "wa"):
			columns = f
			return true
		case len(columns) == 0 || len(f) < len(columns):
			return false
		}
		row := &ActivityRow{Line: l.Number}
		for name, value := range map[string]*int{"r": &row.Ready, "b": &row.Blocked, "wa": &row.WaitPercent} {
			n, err := strconv.Atoi(f[slices.Index(columns, name)])
			if err != nil {
				return false
			}
			*value = n
		}
		row.PagedIn = activityColumn(f, columns, "pi", "si")
		row.PagedOut = activityColumn(f, columns, "po", "so")
		t.Rows = append(t.Rows, row)
		return true
	}
}

// activityColumn is the number below one of the headings; nil if there is none.
func activityColumn(fields, columns []string, names ...string) *int {
	i := slices.IndexFunc(columns, func(c string) bool { return slices.Contains(names, c) })
	if i < 0 {
		return nil
	}
	n, err := strconv.Atoi(fields[i])
	if err != nil {
		return nil
	}
	return &n
}
