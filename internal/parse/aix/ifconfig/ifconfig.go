// Package ifconfig reads AIX ifconfig: -a, one interface, and -l.
//
// An interface is a head line (name, flag words, flag names), address lines,
// and one line of options: the interface's own network options (ISNO), which
// belong to the interface above it. Which options are set at all is what the
// line says: an option that is missing falls back to the no(1) value.
//
// The flag names are the proof that largesend runs (LARGESEND) and that
// checksum offload is active (CHECKSUM_OFFLOAD(ACTIVE)); the ODM says only
// what should be. Saved copies often lose the names, which stand in angle
// brackets; Has then answers from the flag words or says it does not know.
package ifconfig

import (
	"math/bits"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Config is the output of one ifconfig.
type Config struct {
	parse.Report
	Interfaces []*Interface `json:"interfaces,omitempty"`
	Names      []string     `json:"names,omitempty"` // ifconfig -l: names only
}

// Interface is one interface with its addresses and options.
type Interface struct {
	Name  string   `json:"name"`
	Words []uint64 `json:"words"` // flags=1e084863,4c0: one or more words
	// Flags are the names in angle brackets; nil if the brackets are missing.
	Flags []string `json:"flags,omitempty"`
	// Cut says that the list of names is cut off: a name that is missing may
	// be set all the same.
	Cut       bool       `json:"flags_cut,omitempty"`
	Addresses []*Address `json:"addresses,omitempty"`
	Options   []Option   `json:"options,omitempty"`
	Unread    bool       `json:"-"` // a line below it was not understood: an option that is missing may be set
}

// Address is an inet or inet6 line.
type Address struct {
	Family    string `json:"family"`              // inet, inet6
	Address   string `json:"address"`             // as printed: 10.1.1.1, fe80::1%2/64, ::1%1/0
	Netmask   string `json:"netmask,omitempty"`   // 0xffffff00
	Broadcast string `json:"broadcast,omitempty"` // 10.1.1.255
}

// Option is a network option of the interface, e.g. tcp_sendspace in bytes.
type Option struct {
	Name  string `json:"name"`
	Value uint64 `json:"value"`
}

// Flags of the second word that public outputs show both as bit and as name.
const (
	LargeSend uint64 = 0x40
	Chain     uint64 = 0x80
)

// places are the bits of the flags whose word and bit are known.
var places = map[string]struct {
	word int
	bit  uint64
}{"UP": {0, 0x1}, "BROADCAST": {0, 0x2}, "LOOPBACK": {0, 0x8}, "RUNNING": {0, 0x40}, "LARGESEND": {1, LargeSend}, "CHAIN": {1, Chain}}

// Whole says that the list of names does not end early and that each is one:
// else a flag that is missing may be set all the same.
func (i *Interface) Whole() bool {
	return !i.Cut && !slices.ContainsFunc(i.Flags, func(n string) bool { return !flagForm.MatchString(n) })
}

// Has reports whether a flag is set, and whether that is known at all. It is
// known if the list of names is whole, or if the flag's bit is known and the
// words were printed: flags=1e080863,4c0 has LARGESEND.
func (i *Interface) Has(flag string) (set, known bool) {
	if slices.Contains(i.Flags, flag) {
		return true, true
	}
	if i.Flags != nil && i.Whole() {
		return false, true
	}
	b, ok := places[flag]
	if !ok || b.word >= len(i.Words) {
		return false, false
	}
	return i.Words[b.word]&b.bit != 0, true
}

// Option is the value of an interface option; ok is false if it is not set on
// the interface, so that the no(1) value holds.
func (i *Interface) Option(name string) (value uint64, ok bool) {
	for _, o := range i.Options {
		if o.Name == name {
			return o.Value, true
		}
	}
	return 0, false
}

// Prefix is the address with its prefix length. AIX prints the netmask of
// inet addresses apart and in hexadecimal, and a scope zone inside inet6 ones
// (fe80::1%2/64), which is left out here. Without a netmask, or with one that
// is not a prefix, ok is false.
func (a *Address) Prefix() (p netip.Prefix, ok bool) {
	text, length, slash := strings.Cut(a.Address, "/")
	text, _, _ = strings.Cut(text, "%")
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return p, false
	}
	if slash {
		p, err = netip.ParsePrefix(addr.String() + "/" + length)
		return p, err == nil
	}
	n, ok := maskLength(a.Netmask)
	return netip.PrefixFrom(addr, n), ok && addr.Is4()
}

// maskLength reads 0xffffff00.
func maskLength(mask string) (n int, ok bool) {
	m, err := strconv.ParseUint(mask, 0, 32)
	ones := bits.LeadingZeros32(^uint32(m))
	return ones, err == nil && uint32(m)<<ones == 0
}
