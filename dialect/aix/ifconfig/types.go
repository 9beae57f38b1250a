package ifconfig

import (
	"slices"

	"seaworthy/dialect"
	"seaworthy/dialect/layout"
)

// Config is the output of one ifconfig.
type Config struct {
	dialect.Report
	Interfaces []*Interface `json:"interfaces,omitempty"`
	Names      []string     `json:"names,omitempty"` // ifconfig -l: names only
	Layout     Layout       `json:"-"`
}

// Layout is the frame of a parsed text.
type Layout struct {
	layout.Sheet
	NamesLine *layout.Line
	NamesHead []string
}

// Interface is one interface with its addresses and options.
type Interface struct {
	Name  string   `json:"name"`
	Words []uint64 `json:"words"` // flags=1e084863,4c0: one or more words
	// Names are the flags in angle brackets; nil if the brackets are missing.
	Names []string `json:"flags,omitempty"`
	// Cut says that the list of names is cut off: a name that is missing may
	// be set all the same.
	Cut       bool       `json:"flags_cut,omitempty"`
	Extra     []Setting  `json:"extra,omitempty"` // behind the flags: metric 1, mtu 1500
	Addresses []*Address `json:"addresses,omitempty"`
	Options   []*Options `json:"options,omitempty"` // one per printed line
	Layout    Head       `json:"-"`

	unread bool // a line below it was not understood
}

// Head is where the head line's parts stood.
type Head struct {
	Before []string
	Lead   string       // blanks before the name
	Gap    string       // between the colon and flags=
	Hex    []string     // flag words as printed, for copies with capitals
	Raw    string       // angle brackets as printed, if blanks or line ends got into them
	Line   *layout.Line // of what stands behind the flags; nil: new
	Order  string       // of the lines below: a address, o options
	Parsed bool
}

// Address is an inet or inet6 line.
type Address struct {
	Family  string    `json:"family"`  // inet, inet6
	Address string    `json:"address"` // as printed: 10.1.1.1, fe80::1%2/64, ::1%1/0
	Peer    string    `json:"peer,omitempty"`
	Values  []Setting `json:"values,omitempty"` // netmask 0xffffff00, broadcast 10.1.1.255
	Words   []string  `json:"words,omitempty"`  // words that stand alone at the end: tentative
	Layout  Row       `json:"-"`
}

// Setting is a name with the text that followed it.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Options is one line of interface options.
type Options struct {
	Values []Option `json:"values"`
	Layout Row      `json:"-"`
}

// Option is a network option of the interface, e.g. tcp_sendspace in bytes.
type Option struct {
	Name  string `json:"name"`
	Value uint64 `json:"value"`
}

// Row is where a line's values stood.
type Row struct {
	Before []string
	Line   *layout.Line
}

// Flags of the second word that public outputs show both as bit and as name.
const (
	LargeSend uint64 = 0x40
	Chain     uint64 = 0x80
)

// Whole says that the list of names does not end early and that each is one:
// else a flag that is missing may be set all the same.
func (i *Interface) Whole() bool {
	return !i.Cut && !slices.ContainsFunc(i.Names, func(n string) bool { return !flag.MatchString(n) })
}

// Entire says that every line of the interface was understood: else an option
// that is missing may be set all the same.
func (i *Interface) Entire() bool { return !i.unread }

// Has tells whether a flag is set, and whether that is known at all. It is
// known if the list of names is whole, or if the flag's bit is known and the
// words were printed: flags=1e080863,4c0 has LARGESEND.
func (i *Interface) Has(flag string) (set, known bool) {
	if slices.Contains(i.Names, flag) {
		return true, true
	}
	if i.Names != nil && i.Whole() {
		return false, true
	}
	word, bit := 0, uint64(0)
	switch flag {
	case "UP":
		bit = 0x1
	case "BROADCAST":
		bit = 0x2
	case "LOOPBACK":
		bit = 0x8
	case "RUNNING":
		bit = 0x40
	case "LARGESEND":
		word, bit = 1, LargeSend
	case "CHAIN":
		word, bit = 1, Chain
	}
	if bit == 0 || word >= len(i.Words) {
		return false, false
	}
	return i.Words[word]&bit != 0, true
}

// Option is the value of an interface option; ok is false if it is not set on
// the interface, so that the no(1) value holds.
func (i *Interface) Option(name string) (value uint64, ok bool) {
	for _, line := range i.Options {
		for _, o := range line.Values {
			if o.Name == name {
				return o.Value, true
			}
		}
	}
	return 0, false
}

// Value is a setting of an address, such as its netmask; "" if not printed.
func (a *Address) Value(name string) string {
	for _, s := range a.Values {
		if s.Name == name {
			return s.Value
		}
	}
	return ""
}

// Find is the interface of that name, or nil.
func (c *Config) Find(name string) *Interface {
	for _, i := range c.Interfaces {
		if i.Name == name {
			return i
		}
	}
	return nil
}
