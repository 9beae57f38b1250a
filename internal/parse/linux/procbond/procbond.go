// Package procbond reads /proc/net/bonding/BOND of Linux: what a bond is, and
// below that each of its ports. The text does not name the bond.
package procbond

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Bond is the file.
type Bond struct {
	parse.Report
	Fields []Field `json:"fields"` // of the bond itself
	Ports  []*Port `json:"ports"`
}

// Field is a line of the form label: value.
type Field struct {
	Label string `json:"label"`
	Value string `json:"value"`
	Line  int    `json:"-"` // 1-based
}

// Port is one of the bond's.
type Port struct {
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`
}

const driver = "Ethernet Channel Bonding Driver: v"

// heading opens a part whose labels stand for themselves.
var heading = parse.Lazy(`^\s*(?:802\.3ad info|bond \S+ has no active aggregator|details (?:actor|partner) lacp pdu:|` +
	`Active Aggregator Info:)\s*$`)

var field = parse.Lazy(`^(\s*)([A-Za-z][A-Za-z0-9 ()_/.-]*):(?: (.*?))?\s*$`)

// Parse reads the file. A last line that was cut off is not understood. Errors:
// parse.ErrNotRecognised if the driver's line is not the first.
func Parse(text []byte) (*Bond, error) {
	b := &Bond{}
	first, seen, pdu := true, false, ""
	b.Read(text, func(l parse.Line) bool {
		m := field.FindStringSubmatch(l.Text)
		switch {
		case first:
			first, seen = false, strings.HasPrefix(l.Text, driver)
		case heading.MatchString(l.Text):
			if pdu = ""; strings.Contains(l.Text, "lacp pdu") {
				pdu = strings.Fields(l.Text)[1] + " "
			}
		case m == nil || b.CutOff(l):
			return false
		case m[2] == "Slave Interface":
			b.Ports, pdu = append(b.Ports, &Port{Name: m[3]}), ""
		default:
			if m[1] == "" {
				pdu = ""
			}
			to := &b.Fields
			if n := len(b.Ports); n > 0 {
				to = &b.Ports[n-1].Fields
			}
			*to = append(*to, Field{Label: pdu + m[2], Value: m[3], Line: l.Number})
		}
		return true
	})
	return parse.Recognised(b, seen)
}

// modes are the bonding driver's short names of what the file spells out.
var modes = map[string]string{
	"load balancing (round-robin)": "balance-rr", "fault-tolerance (active-backup)": "active-backup", "load balancing (xor)": "balance-xor",
	"fault-tolerance (broadcast)": "broadcast", "IEEE 802.3ad Dynamic link aggregation": "802.3ad",
	"transmit load balancing": "balance-tlb", "adaptive load balancing": "balance-alb",
}

// Mode is the bond's, as ip names it: 802.3ad; false: it is not said, or none that is known.
func (b *Bond) Mode() (string, bool) {
	value, _ := Find(b.Fields, "Bonding Mode")
	value, _, _ = strings.Cut(value, " (fail_over_mac")
	mode, ok := modes[value]
	return mode, ok
}

// Find gives a field's value; false: there is no such field.
func Find(fields []Field, label string) (string, bool) {
	for _, f := range fields {
		if f.Label == label {
			return f.Value, true
		}
	}
	return "", false
}

// Word is the first word of a field; empty: there is none.
func Word(fields []Field, label string) string {
	value, _ := Find(fields, label)
	word, _, _ := strings.Cut(value, " ")
	return word
}

// Number is that of a field; nil: there is none.
func Number(fields []Field, label string) *uint64 {
	if n, err := strconv.ParseUint(Word(fields, label), 10, 63); err == nil {
		return &n
	}
	return nil
}
