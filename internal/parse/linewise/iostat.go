package linewise

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// DiskTable is iostat -D of AIX or iostat -x of Linux: how busy disks are and how long they take.
type DiskTable struct {
	parse.Report
	Disks []*DiskLoad `json:"disks"` // in the order of the output; one disk once for each interval
}

// DiskLoad is what a disk did in an interval.
type DiskLoad struct {
	Name   string   `json:"name"`
	Busy   float64  `json:"busy_percent"`
	WaitMS *float64 `json:"wait_ms,omitempty"` // mean of a request, reads or writes, whichever take longer; nil: not printed
	Line   int      `json:"-"`                 // 1-based
}

var (
	diskTitle   = parse.Lazy(`^(\S+)\s+xfer:\s+%tm_act\b`)
	diskKind    = parse.Lazy(`^\s+(read|write|queue):\s+(\S.*)$`)
	diskSummary = parse.Lazy(`^\s*(?:System configuration:|-{3,}|Linux \d|avg-cpu:|Device\b|[\d. ]+$|\d\d[/-]\d\d[/-]\d+)`)
)

var disksOutput = &output[DiskTable]{
	name: "iostat", reader: readDisks, ended: true, ignored: diskSummary,
	recognised: func(t *DiskTable) bool { return len(t.Disks) > 0 },
}

// ParseDisks reads a table; parse.ErrNotRecognised if it has no disk.
func ParseDisks(text []byte) (*DiskTable, error) { return disksOutput.parse(text) }

// readDisks reads rows by the columns of the heading above them: of Linux one heading for all disks, of AIX one for each
// line of a disk.
func readDisks(*DiskTable) line[DiskTable] {
	var columns []string
	title := "" // the disk whose numbers follow
	kind := "row"
	var reads *float64 // how long reads of that disk take
	return func(t *DiskTable, l parse.Line) bool {
		f := strings.Fields(l.Text)
		if m := diskTitle.FindStringSubmatch(l.Text); m != nil {
			title, kind, columns = m[1], "xfer", f[2:]
			return true
		}
		if m := diskKind.FindStringSubmatch(l.Text); m != nil {
			kind, columns = m[1], strings.Fields(m[2])
			return true
		}
		if len(f) > 2 && strings.HasPrefix(f[0], "Device") && slices.Contains(f, "%util") {
			title, kind, columns = "", "row", f
			return true
		}
		numbers := diskNumbers(f, columns)
		switch {
		case numbers == nil:
			return false
		case kind == "row":
			t.Disks = append(t.Disks, &DiskLoad{Name: f[0], Busy: numbers["%util"], WaitMS: longest(numbers, "await", "r_await", "w_await"), Line: l.Number})
		case kind == "xfer":
			t.Disks = append(t.Disks, &DiskLoad{Name: title, Busy: numbers["%tm_act"], Line: l.Number})
		case kind == "read":
			reads = longest(numbers, "avgserv")
		case kind == "write" && len(t.Disks) > 0: // with reads alone the wait is not known
			ms := longest(numbers, "avgserv")
			if ms != nil && reads != nil {
				t.Disks[len(t.Disks)-1].WaitMS = new(max(*ms, *reads))
			}
		}
		columns = columnsAfter(kind, columns)
		return true
	}
}

// columnsAfter are those of the next row: a heading of AIX is for one row alone.
func columnsAfter(kind string, columns []string) []string {
	if kind == "row" {
		return columns
	}
	return nil
}

// diskNumbers are the numbers of a row by their heading; nil if it is not one. Units (12.1M, 9S) are of values that nobody
// asks for.
func diskNumbers(fields, columns []string) map[string]float64 {
	if len(columns) == 0 || len(fields) != len(columns) {
		return nil
	}
	numbers := map[string]float64{}
	for i, name := range columns {
		n, err := strconv.ParseFloat(strings.TrimSuffix(strings.Replace(fields[i], ",", ".", 1), "S"), 64)
		if err == nil {
			numbers[name] = n
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	return numbers
}

// longest is the largest of the numbers with these headings; nil if there is none.
func longest(numbers map[string]float64, names ...string) (most *float64) {
	for _, name := range names {
		n, ok := numbers[name]
		if ok && (most == nil || n > *most) {
			most = &n
		}
	}
	return most
}
