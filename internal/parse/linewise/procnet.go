package linewise

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// ProtocolTables are the protocols of /proc/net/snmp or /proc/net/netstat: for each a line of names and a line of
// numbers. Which names there are depends on the kernel, so values are found by name, never by place.
type ProtocolTables struct {
	parse.Report
	Tables []*ProtocolTable `json:"tables"`
}

// ProtocolTable is one protocol's counters. A value that is negative (MaxConn can be
// -1) or does not fit 64 bits is none and left out.
type ProtocolTable struct {
	Name   string            `json:"name"` // Tcp, TcpExt, Ip
	Values map[string]uint64 `json:"values"`
	Number int               `json:"-"` // 1-based line of the values
}

var (
	procNetHeading = parse.Lazy(`^[A-Z][A-Za-z0-9]*:(?: [A-Za-z][A-Za-z0-9_]*)+\s*$`)
	procNetNumbers = parse.Lazy(`^[A-Z][A-Za-z0-9]*:(?: -?[0-9]+)+\s*$`)
)

var procNetOutput = &output[ProtocolTables]{
	name:       "procnet",
	reader:     readProcNet,
	ended:      true,
	recognised: func(t *ProtocolTables) bool { return t.Tables != nil },
}

// readProcNet reads pairs of lines, of names and of numbers. A pair that does not fit together is not understood.
func readProcNet(*ProtocolTables) line[ProtocolTables] {
	var above []string // the names on the line before
	return func(t *ProtocolTables, l parse.Line) bool {
		f, names := strings.Fields(l.Text), above
		above = nil
		if procNetHeading.MatchString(l.Text) {
			above = f
			return true
		}
		if !procNetNumbers.MatchString(l.Text) || len(f) != len(names) || f[0] != names[0] {
			return false
		}
		x := &ProtocolTable{Name: strings.TrimSuffix(f[0], ":"), Values: map[string]uint64{}, Number: l.Number}
		for i, v := range f[1:] {
			if n, err := strconv.ParseUint(v, 10, 64); err == nil {
				x.Values[names[i+1]] = n
			}
		}
		t.Tables = append(t.Tables, x)
		return true
	}
}

// ParseProcNet reads such a file; parse.ErrNotRecognised if no pair of lines fits together.
func ParseProcNet(text []byte) (*ProtocolTables, error) { return procNetOutput.parse(text) }

// Counters are the values by protocol and name, as "Tcp.RetransSegs".
func (t *ProtocolTables) Counters() map[string]uint64 {
	out := map[string]uint64{}
	for _, x := range t.Tables {
		for name, n := range x.Values {
			out[x.Name+"."+name] = n
		}
	}
	return out
}
