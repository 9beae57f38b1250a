package linewise

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// NmonNetwork are the lines of an nmon file about network devices: NET, NETPACKET and NETERROR, each with a heading that
// names its columns ("eth0-read-KB/s") and a line for each sample.
type NmonNetwork struct {
	parse.Report
	Samples []*NmonSample `json:"samples"`

	columns map[string][]string
}

// NmonSample is one line.
type NmonSample struct {
	Kind   string             `json:"kind"` // NET, NETPACKET, NETERROR
	At     string             `json:"at"`   // the sample's mark, "T0001"
	Values map[string]float64 `json:"values"`
	Line   int                `json:"-"` // 1-based
}

var nmonOther = parse.Lazy(`^(?:AAA|ZZZZ|NETSIZE),`)

var nmonOutput = &output[NmonNetwork]{
	name:       "nmon-net",
	rows:       []line[NmonNetwork]{(*NmonNetwork).readLine},
	ignored:    nmonOther,
	ended:      true,
	recognised: func(n *NmonNetwork) bool { return len(n.columns) > 0 },
}

// ParseNmonNetwork reads the lines; parse.ErrNotRecognised without a heading of one of the kinds.
func ParseNmonNetwork(text []byte) (*NmonNetwork, error) { return nmonOutput.parse(text) }

func (n *NmonNetwork) readLine(l parse.Line) bool {
	f := strings.Split(strings.TrimRight(l.Text, ", \t"), ",")
	if len(f) < 3 || f[0] != "NET" && f[0] != "NETPACKET" && f[0] != "NETERROR" {
		return false
	}
	if !strings.HasPrefix(f[1], "T") || strings.Trim(f[1][1:], "0123456789") != "" {
		if n.columns == nil {
			n.columns = map[string][]string{}
		}
		n.columns[f[0]] = f[2:]
		return true
	}
	columns := n.columns[f[0]]
	if columns == nil || len(f)-2 > len(columns) {
		return false
	}
	sample := &NmonSample{Kind: f[0], At: f[1], Values: map[string]float64{}, Line: l.Number}
	for i, v := range f[2:] {
		if v == "" {
			continue
		}
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return false
		}
		sample.Values[columns[i]] = x
	}
	n.Samples = append(n.Samples, sample)
	return true
}
