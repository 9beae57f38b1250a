package interfaces

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Table is the output of netstat -i.
type Table struct {
	dialect.Report
	Columns []string `json:"columns"` // as printed: Name, Mtu, Network, Address, Ipkts, ...
	Rows    []*Row   `json:"rows"`
	Layout  Layout   `json:"-"`
}

// Layout is the frame of a parsed table.
type Layout struct {
	layout.Sheet
	Before  []string
	Heading *layout.Line
}

// Row is one address of an interface.
type Row struct {
	Name    string `json:"name"`           // en0
	Down    bool   `json:"down,omitempty"` // printed as en0*
	MTU     uint64 `json:"mtu"`
	Network string `json:"network,omitempty"` // link#2, 10.1.2, or an IPv6 address where AIX prints it here
	Address string `json:"address,omitempty"`
	Zone    string `json:"zone,omitempty"` // column ZoneID, where the table has one
	// Counters stand in the order of the columns behind those; nil where
	// the row has no number.
	Counters  []*uint64    `json:"counters"`
	Multicast []*Multicast `json:"multicast,omitempty"` // netstat -ia
	Layout    RowLayout    `json:"-"`
}

// Multicast is an address the interface listens to.
type Multicast struct {
	Address string    `json:"address"`
	Layout  RowLayout `json:"-"`
}

// RowLayout is where a row's values stood.
type RowLayout struct {
	Before []string
	Line   *layout.Line
}

const fixed = 4 // Name, Mtu, Network, Address

// Columns of the table AIX 7.2 prints for netstat -in.
var standard = []string{"Name", "Mtu", "Network", "Address", "Ipkts", "Ierrs", "Opkts", "Oerrs", "Coll"}

// New is an empty table with the columns AIX 7.2 prints for netstat -in.
func New() *Table { return &Table{Columns: append([]string(nil), standard...)} }

// Counter is the value in the named column (Ipkts, Ierrs, Opkts, Oerrs, Coll,
// Drop, in any case), or nil if the table has no such column or number.
func (t *Table) Counter(r *Row, column string) *uint64 {
	lead := t.lead()
	for i, c := range t.Columns {
		if i >= lead && i-lead < len(r.Counters) && strings.EqualFold(c, column) {
			return r.Counters[i-lead]
		}
	}
	return nil
}

// lead is how many columns stand before the counters.
func (t *Table) lead() int {
	if len(t.Columns) > fixed && strings.EqualFold(t.Columns[fixed], "zoneid") {
		return fixed + 1
	}
	return fixed
}

// ByName is the first row of the interface, or nil. Its counters are those of
// the whole interface.
func (t *Table) ByName(name string) *Row {
	for _, r := range t.Rows {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// IsLink tells whether the row is that of the link, whose Address is the MAC.
func (r *Row) IsLink() bool { return strings.HasPrefix(r.Network, "link#") }

// MAC is the hardware address of a link row in the form aa:bb:cc:dd:ee:ff, or
// "". AIX prints dots and no leading zeros: 0.9.6b.2e.5.ff.
func (r *Row) MAC() string {
	parts := strings.Split(r.Address, ".")
	if !r.IsLink() || len(parts) != 6 {
		return ""
	}
	for i, p := range parts {
		if len(p) == 0 || len(p) > 2 || strings.Trim(p, "0123456789abcdefABCDEF") != "" {
			return ""
		}
		parts[i] = strings.Repeat("0", 2-len(p)) + strings.ToLower(p)
	}
	return strings.Join(parts, ":")
}

// IP is the row's own address where the row is that of an address: AIX prints
// a long IPv6 address in the Network column and leaves Address empty.
func (r *Row) IP() string {
	switch {
	case r.IsLink():
		return ""
	case r.Address != "":
		return r.Address
	case strings.Contains(r.Network, ":"):
		return r.Network
	}
	return ""
}
