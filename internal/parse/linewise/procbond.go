package linewise

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Bond is /proc/net/bonding/BOND of Linux: what a bond is, and below that each of its ports. The text does not name the
// bond.
type Bond struct {
	parse.Report
	Fields []BondField `json:"fields"` // of the bond itself
	Ports  []*BondPort `json:"ports"`
	driver bool        // the line of the bonding driver is the first
}

// BondField is a line of the form label: value.
type BondField struct {
	Label string `json:"label"`
	Value string `json:"value"`
	Line  int    `json:"-"` // 1-based
}

// BondPort is one of the bond's.
type BondPort struct {
	Name   string      `json:"name"`
	Fields []BondField `json:"fields"`
}

const bondDriver = "Ethernet Channel Bonding Driver: v"

// bondHeading opens a part whose labels stand for themselves.
var bondHeading = parse.Lazy(`^\s*(?:802\.3ad info|bond \S+ has no active aggregator|details (?:actor|partner) lacp pdu:|` +
	`Active Aggregator Info:)\s*$`)

var bondField = parse.Lazy(`^(\s*)([A-Za-z][A-Za-z0-9 ()_/.-]*):(?: (.*?))?\s*$`)

var bondOutput = &output[Bond]{
	name:       "procbond",
	reader:     readBond,
	recognised: func(b *Bond) bool { return b.driver },
}

// readBond reads one line after the other: a label belongs to the port above it, and to the LACP PDU above it.
func readBond(*Bond) line[Bond] {
	first := true
	pdu := "" // "actor ", "partner "
	return func(b *Bond, l parse.Line) bool {
		m := bondField.FindStringSubmatch(l.Text)
		switch {
		case first:
			first = false
			b.driver = strings.HasPrefix(l.Text, bondDriver)
		case bondHeading.MatchString(l.Text):
			pdu = ""
			if strings.Contains(l.Text, "lacp pdu") {
				pdu = strings.Fields(l.Text)[1] + " "
			}
		case m == nil || b.CutOff(l):
			return false
		case m[2] == "Slave Interface":
			pdu = ""
			b.Ports = append(b.Ports, &BondPort{Name: m[3]})
		default:
			if m[1] == "" {
				pdu = ""
			}
			to := &b.Fields
			if n := len(b.Ports); n > 0 {
				to = &b.Ports[n-1].Fields
			}
			*to = append(*to, BondField{Label: pdu + m[2], Value: m[3], Line: l.Number})
		}
		return true
	}
}

// ParseProcBond reads the file; parse.ErrNotRecognised if the driver's line is not the first. A last line that was cut
// off is not understood.
func ParseProcBond(text []byte) (*Bond, error) { return bondOutput.parse(text) }

// bondModes are the bonding driver's short names of what the file spells out.
var bondModes = map[string]string{
	"load balancing (round-robin)": "balance-rr", "fault-tolerance (active-backup)": "active-backup", "load balancing (xor)": "balance-xor",
	"fault-tolerance (broadcast)": "broadcast", "IEEE 802.3ad Dynamic link aggregation": "802.3ad",
	"transmit load balancing": "balance-tlb", "adaptive load balancing": "balance-alb",
}

// Mode is the bond's, as ip names it: 802.3ad; false: it is not said, or none that is known.
func (b *Bond) Mode() (string, bool) {
	value, _ := FindBondField(b.Fields, "Bonding Mode")
	value, _, _ = strings.Cut(value, " (fail_over_mac")
	mode, ok := bondModes[value]
	return mode, ok
}

// FailOverMAC is whose MAC address a bond with a Mode has: none (all ports have the bond's, which
// the kernel does not print), active, follow.
func (b *Bond) FailOverMAC() string {
	value, _ := FindBondField(b.Fields, "Bonding Mode")
	_, rest, found := strings.Cut(value, " (fail_over_mac ")
	if !found {
		return "none"
	}
	return strings.TrimSuffix(rest, ")")
}

// FindBondField gives a field's value; false: there is no such field.
func FindBondField(fields []BondField, label string) (string, bool) {
	for _, f := range fields {
		if f.Label == label {
			return f.Value, true
		}
	}
	return "", false
}

// BondWord is the first word of a field; empty: there is none.
func BondWord(fields []BondField, label string) string {
	value, _ := FindBondField(fields, label)
	word, _, _ := strings.Cut(value, " ")
	return word
}

// BondNumber is that of a field; nil: there is none.
func BondNumber(fields []BondField, label string) *uint64 {
	if n, err := strconv.ParseUint(BondWord(fields, label), 10, 63); err == nil {
		return &n
	}
	return nil
}
