package linewise

import "seaworthy/internal/parse"

// XfrmStatistics is /proc/net/xfrm_stat of Linux: packets that IPsec dropped, by reason.
type XfrmStatistics struct {
	parse.Report
	Counts []*XfrmCount `json:"counts"`
}

// XfrmCount is one reason.
type XfrmCount struct {
	Name  string `json:"name" from:"name"` // XfrmInNoStates
	Count uint64 `json:"count" from:"count"`
	Line  int    `json:"-" from:"#"` // 1-based
}

var xfrmOutput = &output[XfrmStatistics]{
	name: "xfrm-stat",
	rows: []line[XfrmStatistics]{row(parse.Lazy(`^(?P<name>Xfrm[A-Z]\w+)\s+(?P<count>\d+)\s*$`),
		func(x *XfrmStatistics) *[]*XfrmCount { return &x.Counts }, nil)},
	ended: true,
}

// ParseXfrmStatistics reads the file; parse.ErrNotRecognised without a line of a reason.
func ParseXfrmStatistics(text []byte) (*XfrmStatistics, error) { return xfrmOutput.parse(text) }

// Counters are the counts, as "xfrm.XfrmInNoStates".
func (x *XfrmStatistics) Counters() map[string]uint64 {
	counters := map[string]uint64{}
	for _, c := range x.Counts {
		counters["xfrm."+c.Name] += c.Count
	}
	return counters
}
