package routes

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Table is the output of netstat -r.
type Table struct {
	dialect.Report
	Columns  []string  `json:"columns"` // as printed
	Families []*Family `json:"families"`
	Layout   Layout    `json:"-"`
}

// Layout is the frame of a parsed table.
type Layout struct {
	layout.Sheet
	Before  []string // title and blank lines
	Heading *layout.Line
	fields  []field // what each column holds
}

// Family is the route tree of one protocol family.
type Family struct {
	Number uint64       `json:"number"` // 2: Internet, 24: Internet v6
	Name   string       `json:"name"`
	Routes []*Route     `json:"routes"`
	Layout FamilyLayout `json:"-"`
}

// FamilyLayout is the wording around the family's number and name.
type FamilyLayout struct {
	Before           []string
	Lead, Gap, Trail string
	// Nameless marks routes that stood under no family's name.
	Nameless bool
}

// Route is one route. A nil number and an empty text were printed as "-" or
// not at all.
type Route struct {
	Destination string   `json:"destination"` // default, 10.1/23, ::1%1
	Gateway     string   `json:"gateway,omitempty"`
	Flags       string   `json:"flags"` // UG, UHSb
	Refs        *uint64  `json:"refs,omitempty"`
	Use         *uint64  `json:"use,omitempty"`
	Interface   string   `json:"interface"`
	PMTU        *uint64  `json:"pmtu,omitempty"` // older levels
	Expires     *uint64  `json:"expires,omitempty"`
	Groups      string   `json:"groups,omitempty"`
	Others      []string `json:"others,omitempty"` // columns this package has no name for
	// Same is the mark "=>": the next line is another route to the same key.
	Same   bool        `json:"same,omitempty"`
	Layout RouteLayout `json:"-"`
}

// RouteLayout is where a route's values stood.
type RouteLayout struct {
	Before []string
	Line   *layout.Line
}

type field int

const (
	other field = iota
	destination
	gateway
	flags
	refs
	use
	ifname
	pmtu
	expires
	groups
)

var byName = map[string]field{
	"destination": destination, "gateway": gateway, "flags": flags, "refs": refs, "use": use,
	"if": ifname, "interface": ifname, "pmtu": pmtu, "mtu": pmtu, "exp": expires, "groups": groups,
}

var standard = []string{"Destination", "Gateway", "Flags", "Refs", "Use", "If", "Exp", "Groups"}

// New is an empty table with the columns AIX 7.2 prints.
func New() *Table { return &Table{Columns: append([]string(nil), standard...)} }

// Default lists the default routes of a family: 2 for IPv4, 24 for IPv6.
func (t *Table) Default(family uint64) []*Route {
	var out []*Route
	for _, f := range t.Families {
		if f.Number != family {
			continue
		}
		for _, r := range f.Routes {
			if strings.EqualFold(r.Destination, "default") {
				out = append(out, r)
			}
		}
	}
	return out
}

// fieldsOf tells what each column holds. A heading in another language is
// known by its number of columns: 8, or 9 with PMTU behind the interface.
func fieldsOf(columns []string) []field {
	out := make([]field, len(columns))
	known := 0
	for i, c := range columns {
		out[i] = byName[strings.ToLower(c)]
		if out[i] != other {
			known++
		}
	}
	if known >= 6 {
		return out
	}
	switch len(columns) {
	case 8:
		return []field{destination, gateway, flags, refs, use, ifname, expires, groups}
	case 9:
		return []field{destination, gateway, flags, refs, use, ifname, pmtu, expires, groups}
	}
	return nil
}
