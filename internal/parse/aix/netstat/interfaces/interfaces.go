// Package interfaces reads AIX netstat -in, with -a and -d too.
//
// The table has one row per address, and every row of an interface repeats the
// same counters: adding them up would count twice.
package interfaces

import (
	"net/netip"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/table"
)

// Table is the output of netstat -i.
type Table struct {
	parse.Report
	Rows []*Row `json:"rows"`
}

// Row is one address of an interface.
type Row struct {
	Name      string            `json:"name"`           // en0
	Down      bool              `json:"down,omitempty"` // printed as en0*
	MTU       uint64            `json:"mtu"`
	Network   string            `json:"network,omitempty"` // link#2, 10.1.2, or an IPv6 address where AIX prints it here
	Address   string            `json:"address,omitempty"`
	Zone      string            `json:"zone,omitempty"`      // column ZoneID, where the table has one
	Counters  map[string]uint64 `json:"counters"`            // by their heading: Ipkts, Ierrs, Opkts, Oerrs, Coll, Drop
	Multicast []string          `json:"multicast,omitempty"` // netstat -ia
}

const fixed = 4 // Name, Mtu, Network, Address

var name = parse.Lazy(`^[A-Za-z]+[0-9]+\*?$`)

// Parse reads a table. Errors: parse.ErrNotRecognised without a heading.
func Parse(text []byte) (*Table, error) {
	t := &Table{}
	var columns table.Columns
	length := 0 // of the row before
	t.Read(text, func(l parse.Line) bool {
		words := table.Words(l.Text)
		row := readRow(columns, words)
		switch {
		case isHeading(words):
			columns = headed(words)
		case row != nil && t.CutOff(l) && len(l.Text) < length:
			return false // half a number is a wrong one
		case row != nil:
			t.Rows = append(t.Rows, row)
			length = len(strings.TrimRight(l.Text, " "))
		case len(t.Rows) > 0 && len(words) == 1 && isAddress(words[0].Text):
			last := t.Rows[len(t.Rows)-1]
			last.Multicast = append(last.Multicast, words[0].Text)
		default:
			return false
		}
		return true
	})
	return parse.Recognised(t, columns != nil)
}

// isHeading knows the heading in any language: the words Mtu and Ipkts stay.
func isHeading(words []table.Word) bool {
	if len(words) <= fixed || !strings.EqualFold(words[1].Text, "mtu") {
		return false
	}
	return strings.EqualFold(words[fixed].Text, "ipkts") || len(words) > fixed+1 && strings.EqualFold(words[fixed+1].Text, "ipkts")
}

func headed(words []table.Word) table.Columns {
	c := table.Heading(words)
	c[2].Optional, c[3].Optional = true, true
	c[fixed].Optional = strings.EqualFold(c[fixed].Text, "zoneid")
	return c
}

func readRow(columns table.Columns, words []table.Word) *Row {
	if len(words) < 3 || !name.MatchString(words[0].Text) {
		return nil
	}
	cells := columns.Cells(words)
	if cells == nil {
		return nil
	}
	mtu, err := strconv.ParseUint(cells[1], 10, 64)
	if err != nil {
		return nil
	}
	r := &Row{MTU: mtu, Network: cells[2], Address: cells[3], Counters: map[string]uint64{}}
	r.Name, r.Down = strings.CutSuffix(cells[0], "*")
	from := fixed
	if columns[fixed].Optional {
		r.Zone = cells[fixed]
		from++
	}
	for i := from; i < len(cells); i++ {
		n, err := strconv.ParseUint(cells[i], 10, 64)
		switch {
		case err == nil:
			r.Counters[columns[i].Text] = n
		case cells[i] != "-":
			return nil
		}
	}
	return r
}

func isAddress(text string) bool {
	text, _, _ = strings.Cut(text, "%")
	_, err := netip.ParseAddr(text)
	return err == nil || parse.MAC(text) != ""
}

// MAC is the hardware address of a link's row in the form aa:bb:cc:dd:ee:ff, or
// "". AIX prints dots and no leading zeros: 0.9.6b.2e.5.ff.
func (r *Row) MAC() string {
	if !r.IsLink() {
		return ""
	}
	return parse.MAC(r.Address)
}

// IsLink reports whether the row is that of the link, whose Address is the MAC.
func (r *Row) IsLink() bool { return strings.HasPrefix(r.Network, "link#") }

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
