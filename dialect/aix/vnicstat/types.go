package vnicstat

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Output is the output of vnicstat.
type Output struct {
	dialect.Report
	Servers []*Server    `json:"servers"`
	Layout  layout.Sheet `json:"-"`
}

// Server is one vNIC server, such as vnicserver1.
type Server struct {
	Name   string  `json:"name"`
	Parts  []*Part `json:"parts"`
	Layout Layout  `json:"-"`
}

// Part is what stands below one heading.
type Part struct {
	Name string `json:"name"` // "Main CRQ Statistics", "TX Sub-CRQ 1", "PCIe3 4-Port 10GbE SR Adapter VF"
	// Right heads the right column; the part is one of directions then.
	Right string `json:"right,omitempty"` // "RX Sub-CRQ 1"
	// Backing says that the part belongs to the backing device.
	Backing bool    `json:"backing,omitempty"`
	Items   []*Item `json:"items,omitempty"`
	Layout  Layout  `json:"-"`
}

// Item is one label with its value. A line without a label has only a Text.
type Item struct {
	Name  string   `json:"name,omitempty"`
	Text  string   `json:"text,omitempty"`  // if the value is no whole number
	Count *uint64  `json:"count,omitempty"` // a whole number
	Side  Side     `json:"side,omitempty"`
	Under string   `json:"under,omitempty"` // label of the line it is indented below
	Row   RowPlace `json:"-"`
}

// Side is the column of a part headed TX and RX.
type Side string

const (
	Tx Side = "tx"
	Rx Side = "rx"
)

// Layout is how a heading was printed.
type Layout struct {
	old    bool
	before []string
	pairs  layout.Pairs
	lead   string
	tail   string
}

// RowPlace is how an item was printed. The right item of a line has no layout
// of its own: it follows the left one.
type RowPlace struct {
	old    bool
	joined bool
	before []string
	pairs  *layout.Pairs // nil: not two columns
	lead   string
	tail   string
}

// Part is the first part of that name, or nil.
func (s *Server) Part(name string) *Part {
	for _, p := range s.Parts {
		if strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

// Find is the item of that name and side ("" for parts without), or nil.
func (p *Part) Find(name string, side Side) *Item {
	for _, i := range p.Items {
		if i.Side == side && strings.EqualFold(i.Name, name) {
			return i
		}
	}
	return nil
}

// FindUnder is the item of that name below a line, such as "Transmit Q Bytes"
// below "Transmit Q0 Statistics", or nil.
func (p *Part) FindUnder(under, name string) *Item {
	for _, i := range p.Items {
		if strings.EqualFold(i.Under, under) && strings.EqualFold(i.Name, name) {
			return i
		}
	}
	return nil
}
