package entstat

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Bridge holds what a Shared Ethernet Adapter prints about itself. Nil and empty
// mean not printed.
type Bridge struct {
	Adapters *uint64 // real and virtual ones, without the control channel
	FlagWord string  // hexadecimal
	Flags    []string
	VLANs    []TrunkVLANs

	Real    map[string]uint64 // by label, "Packets received" …
	Virtual map[string]uint64
	Other   map[string]uint64

	HA *HA // nil: failover is not configured
}

// TrunkVLANs are the VLANs that a trunk brings into an SEA, its PVID among them.
type TrunkVLANs struct {
	Adapter string
	IDs     []int
}

// HA is the failover block of an SEA. Nil and empty mean not printed.
type HA struct {
	State          string  `from:"State"`       // PRIMARY, BACKUP, PRIMARY_SH, BACKUP_SH, LIMBO, UNHEALTHY …
	BridgeMode     string  `from:"Bridge Mode"` // All, None, Partial
	Shared         []int   // "VID shared": the VLANs this SEA bridges of those it shares with its pair
	Mode           string  `from:"High Availability Mode"` // Auto, Sharing, Standby, Disabled
	Priority       *uint64 `from:"Priority"`
	ControlPVID    *uint64 `from:"Control Channel PVID"`
	ControlIn      *uint64 `from:"Control Packets in"` // packets on the control channel
	ControlOut     *uint64 `from:"Control Packets out"`
	KeepAlive      *uint64 `from:"Keep-Alive Packets"` // received, by kind
	Recovery       *uint64 `from:"Recovery Packets"`
	Notify         *uint64 `from:"Notify Packets"`
	Limbo          *uint64 `from:"Limbo Packets"`
	BecameBackup   *uint64 `from:"Number of Times Server became Backup"` // times
	BecamePrimary  *uint64 `from:"Number of Times Server became Primary"`
	BecameFlipflop *uint64 `from:"Number of Times Server became Flipflop"`
}

// Bridge is the SEA's own block; nil for other adapters.
func (s *Statistics) Bridge() *Bridge {
	if s.heading(sharedHeading) == nil {
		return nil
	}
	b := &Bridge{
		Adapters: s.find("Number of adapters").Count(),
		Real:     s.numbersUnder("Real Side Statistics"),
		Virtual:  s.numbersUnder("Virtual Side Statistics"),
		Other:    s.numbersUnder("Other Statistics"),
		HA:       s.HA(),
	}
	if f := s.find("SEA Flags"); f != nil {
		b.FlagWord, b.Flags = value(f), f.Items
	}
	for _, f := range s.Fields {
		if f.Kind == labels.List && labels.HasSuffix(f.Section, "VLAN Ids") {
			if ids, ok := ids(f); ok {
				b.VLANs = append(b.VLANs, TrunkVLANs{Adapter: f.Label, IDs: ids})
			}
		}
	}
	return b
}

// numbersUnder are the numbers of a section by label; nil if it is not printed.
func (s *Statistics) numbersUnder(heading string) map[string]uint64 {
	var all map[string]uint64
	for _, f := range s.Fields {
		if f.Kind == labels.Value && f.Number != nil && labels.HasSuffix(f.Section, " / "+heading) {
			if all == nil {
				all = map[string]uint64{}
			}
			all[f.Label] = *f.Number
		}
	}
	return all
}

// HA is the failover block of an SEA; nil if failover is not configured or this
// is not an SEA. It never takes a member's state or priority.
func (s *Statistics) HA() *HA {
	var under []*Field
	shared := s.heading(sharedHeading) != nil
	for _, f := range s.Fields {
		if f.Kind == labels.Value && (labels.HasSuffix(f.Section, "High Availability Statistics") ||
			labels.HasSuffix(f.Section, "Type of Packets Received") || shared && haLabel.MatchString(f.Label)) {
			under = append(under, f)
		}
	}
	if len(under) == 0 {
		return nil
	}
	h := &HA{Shared: vids(labels.Find(under, "VID shared"))}
	labels.Fill(h, func(label string) *Field { return labels.Find(under, label) })
	return h
}

// value is a field's value as it was printed.
func value(f *Field) string {
	if f.Number != nil {
		return strconv.FormatUint(*f.Number, 10)
	}
	return f.Text
}

// vids are the VLANs of a value, separated by blanks or commas; nil if it has none
// or one of its words is not a VLAN.
func vids(f *Field) []int {
	if f == nil || f.Cut {
		return nil
	}
	var ids []int
	for _, w := range strings.FieldsFunc(value(f), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > 4094 {
			return nil
		}
		ids = append(ids, n)
	}
	return ids
}

// haLabel recognises lines of the failover block without a heading above them.
var haLabel = parse.Lazy(`(?i)^(?:Number of Times Server became|Control Channel PVID|Control Packets|` +
	`(?:State|Bridge Mode|VID shared|High Availability Mode|Priority)\s*$)`)
