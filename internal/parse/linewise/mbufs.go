package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// MbufStatistics is the output of netstat -m of AIX: the kernel's network memory, by size for each CPU and by type.
// The interesting columns are failed and delayed: requests for mbufs that were refused or had to wait.
type MbufStatistics struct {
	parse.Report
	Tables   []*MbufTable   `json:"tables,omitempty"`
	Counters []*MbufCounter `json:"counters,omitempty"` // lines such as "0 requests for mbufs denied"
}

// MbufTable is one table: by size of one CPU, or by type.
type MbufTable struct {
	CPU     *uint64    `json:"cpu,omitempty"` // nil for a table of the whole system
	Key     string     `json:"key"`           // "By size", "By type"
	Columns []string   `json:"columns"`       // inuse, calls, failed, delayed, free, hiwat, freed
	Rows    []*MbufRow `json:"rows"`
}

// MbufRow is one size in bytes, or one type.
type MbufRow struct {
	Name   string   `json:"name"` // "2048", "mbuf"
	Values []uint64 `json:"values"`
}

// MbufCounter is a number with what it counts.
type MbufCounter struct {
	Count uint64 `json:"count"`
	Name  string `json:"name"`
}

var (
	mbufsCPU     = parse.Lazy(`^\*+ CPU (\d+) \*+$`)
	mbufsHeading = parse.Lazy(`^[A-Za-z].*:$`)
	mbufsCounter = parse.Lazy(`^(0|[1-9]\d*) ([a-z].*mb.*|mb.*)$`)
)

var mbufsOutput = &output[MbufStatistics]{
	name:       "netstat-m",
	reader:     readMbufs,
	recognised: func(s *MbufStatistics) bool { return s.Tables != nil || s.Counters != nil },
}

// readMbufs reads tables by their headings, so that other columns and other levels need nothing new.
func readMbufs(*MbufStatistics) line[MbufStatistics] {
	var table *MbufTable // that rows belong to
	var cpu *uint64      // that tables by size are of
	return func(s *MbufStatistics, l parse.Line) bool {
		body := strings.TrimSpace(l.Text)
		words := strings.Fields(body)
		c := &MbufCounter{}
		switch {
		case mbufsHeading.MatchString(body):
		case mbufsCPU.Scan(body, &cpu):
			table = nil
		case len(words) > 3 && words[0] == "By":
			table = &MbufTable{Key: "By " + words[1], Columns: words[2:]}
			if words[1] == "size" {
				table.CPU = cpu
			}
			s.Tables = append(s.Tables, table)
		case table != nil && table.holds(words):
			table.addRow(words)
		case mbufsCounter.Scan(body, &c.Count, &c.Name):
			s.Counters = append(s.Counters, c)
		default:
			return false
		}
		return true
	}
}

// ParseMbufs reads netstat -m; parse.ErrNotRecognised if there is no table and no counter of mbufs.
func ParseMbufs(text []byte) (*MbufStatistics, error) { return mbufsOutput.parse(text) }

// holds reports whether words are a row of the table: a name, and as many numbers as there are columns.
func (t *MbufTable) holds(words []string) bool {
	if len(words) != len(t.Columns)+1 {
		return false
	}
	for _, w := range words[1:] {
		if _, ok := parse.Count(w); !ok {
			return false
		}
	}
	return true
}

// addRow takes a row that the table holds.
func (t *MbufTable) addRow(words []string) {
	row := &MbufRow{Name: words[0]}
	for _, w := range words[1:] {
		n, _ := parse.Count(w)
		row.Values = append(row.Values, n)
	}
	t.Rows = append(t.Rows, row)
}
