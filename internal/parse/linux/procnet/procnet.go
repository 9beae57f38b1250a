// Package procnet reads /proc/net/snmp and /proc/net/netstat: for each protocol
// a line of names and a line of numbers. Which names there are depends on the
// kernel, so values are found by name, never by place.
package procnet

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Tables are the protocols of one file.
type Tables struct {
	parse.Report
	Tables []*Table `json:"tables"`
}

// Table is one protocol's counters. A value that is negative (MaxConn can be
// -1) or does not fit 64 bits is none and left out.
type Table struct {
	Name   string            `json:"name"` // Tcp, TcpExt, Ip
	Values map[string]uint64 `json:"values"`
	Number int               `json:"-"` // 1-based line of the values
}

var (
	heading = parse.Lazy(`^[A-Z][A-Za-z0-9]*:(?: [A-Za-z][A-Za-z0-9_]*)+\s*$`)
	numbers = parse.Lazy(`^[A-Z][A-Za-z0-9]*:(?: -?[0-9]+)+\s*$`)
)

// Parse reads pairs of lines. A pair that does not fit together, or whose
// second line was cut off, is not understood. Errors: parse.ErrNotRecognised
// if no pair fits.
func Parse(text []byte) (*Tables, error) {
	t := &Tables{}
	var above []string // the names on the line before
	t.ReadWhole(text, func(l parse.Line) bool {
		f, names := strings.Fields(l.Text), above
		if above = nil; heading.MatchString(l.Text) {
			above = f
			return true
		}
		if !numbers.MatchString(l.Text) || len(f) != len(names) || f[0] != names[0] {
			return false
		}
		x := &Table{Name: strings.TrimSuffix(f[0], ":"), Values: map[string]uint64{}, Number: l.Number}
		for i, v := range f[1:] {
			if n, err := strconv.ParseUint(v, 10, 64); err == nil {
				x.Values[names[i+1]] = n
			}
		}
		t.Tables = append(t.Tables, x)
		return true
	})
	return parse.Recognised(t, t.Tables != nil)
}

// Counters are the values by protocol and name, as "Tcp.RetransSegs".
func (t *Tables) Counters() map[string]uint64 {
	out := map[string]uint64{}
	for _, x := range t.Tables {
		for name, n := range x.Values {
			out[x.Name+"."+name] = n
		}
	}
	return out
}
