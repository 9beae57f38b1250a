package linewise

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// SarDevices is sar -n DEV or -n EDEV of Linux: rates of each network device, a line a device and interval.
type SarDevices struct {
	parse.Report
	Host string     `json:"host,omitempty"`
	Rows []*SarLine `json:"rows"`

	columns []string // of the lines that follow
}

// SarLine is one device in one interval.
type SarLine struct {
	Time   string             `json:"time"` // as printed; "Average:" over all intervals
	Device string             `json:"device"`
	Rates  map[string]float64 `json:"rates"` // by printed name: rxdrop/s, %ifutil
	Line   int                `json:"-"`     // 1-based
}

var (
	sarHead = parse.Lazy(`^Linux \S+ \((\S+)\)\s`)
	// 10:01:12 AM  IFACE  rxpck/s …, Average:  IFACE …
	sarLine = parse.Lazy(`^(\d\d:\d\d:\d\d(?: [AP]M)?|Average:)\s+(\S+)\s+(\S.*)$`)
)

var sarOutput = &output[SarDevices]{
	name:       "sar-net",
	rows:       []line[SarDevices]{func(s *SarDevices, l parse.Line) bool { return sarHead.Scan(l.Text, &s.Host) }, (*SarDevices).readLine},
	ended:      true,
	recognised: func(s *SarDevices) bool { return len(s.Rows) > 0 },
}

// ParseSar reads an output; parse.ErrNotRecognised without a line of a device.
func ParseSar(text []byte) (*SarDevices, error) { return sarOutput.parse(text) }

func (s *SarDevices) readLine(l parse.Line) bool {
	m := sarLine.FindStringSubmatch(strings.TrimRight(l.Text, " \t"))
	if m == nil {
		return false
	}
	values := strings.Fields(m[3])
	if m[2] == "IFACE" {
		s.columns = values
		return true
	}
	if len(s.columns) == 0 || len(values) != len(s.columns) {
		return false
	}
	row := &SarLine{Time: m[1], Device: m[2], Rates: map[string]float64{}, Line: l.Number}
	for i, v := range values {
		n, err := strconv.ParseFloat(strings.ReplaceAll(v, ",", "."), 64)
		if err != nil {
			return false
		}
		row.Rates[s.columns[i]] = n
	}
	s.Rows = append(s.Rows, row)
	return true
}
