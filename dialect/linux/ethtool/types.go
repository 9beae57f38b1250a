package ethtool

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Kind is which of ethtool's reports a text is.
type Kind string

const (
	Settings   Kind = "Settings"
	Features   Kind = "Features"
	Channels   Kind = "Channel parameters"
	Rings      Kind = "Ring parameters"
	Coalesce   Kind = "Coalesce parameters"
	Pause      Kind = "Pause parameters"
	Statistics Kind = "NIC statistics"
	Driver     Kind = "driver" // ethtool -i has no title
)

// Section titles of Channels and Rings.
const (
	Maximums = "Pre-set maximums"
	Current  = "Current hardware settings"
)

// Output is one or more ethtool reports.
type Output struct {
	dialect.Report
	Blocks []*Block     `json:"blocks"`
	Layout layout.Sheet `json:"-"`
}

// Block is one report.
type Block struct {
	Kind     Kind       `json:"kind"`
	Device   string     `json:"device,omitempty"` // "" for Driver and Statistics
	Sections []*Section `json:"sections"`
	Layout   Layout     `json:"-"`
}

// Section is a titled part of a report; the first may have no title.
type Section struct {
	Name   string  `json:"name,omitempty"`
	Items  []*Item `json:"items,omitempty"`
	Layout Layout  `json:"-"`
}

// Item is one label with its value.
type Item struct {
	Name  string  `json:"name"`
	Text  string  `json:"text,omitempty"`  // if neither Count nor On is set
	Count *uint64 `json:"count,omitempty"` // a whole number
	On    *bool   `json:"on,omitempty"`    // on or off
	Note  string  `json:"note,omitempty"`  // in brackets: fixed, requested on
	// More are the lines a long list goes on with.
	More   []string `json:"more,omitempty"`
	Layout Layout   `json:"-"`
}

// Layout is how a line was printed.
type Layout struct {
	old        bool
	Before     []string
	Lead, Tail string
	sep        string   // the colon and the blanks behind it
	joined     bool     // stood on the line of the item before: Adaptive RX: off  TX: off
	moreLead   []string // blanks around the lines of More
	moreTail   []string
}

// Fixed tells whether the driver does not let the value be changed.
func (i *Item) Fixed() bool { return i.Note == "fixed" }

// Find is the first item of that name in any section, or nil.
func (b *Block) Find(name string) *Item {
	for _, s := range b.Sections {
		if i := s.Find(name); i != nil {
			return i
		}
	}
	return nil
}

// Section is the section of that name, or nil.
func (b *Block) Section(name string) *Section {
	for _, s := range b.Sections {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Find is the item of that name, or nil.
func (s *Section) Find(name string) *Item {
	for _, i := range s.Items {
		if strings.EqualFold(i.Name, name) {
			return i
		}
	}
	return nil
}

// Block is the first report of that kind, or nil.
func (o *Output) Block(kind Kind) *Block {
	for _, b := range o.Blocks {
		if b.Kind == kind {
			return b
		}
	}
	return nil
}
