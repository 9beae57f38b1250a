// Package ethtool reads the texts of Linux ethtool: settings of a device, -k
// features, -i driver, -S statistics, -l channels, -g rings, -c coalescing, -a
// pause and -x, over which queues a port spreads what it receives (RSS).
//
// All are labels with values below a title that names the device (-i and -S
// have none), some in sections. A feature may be [fixed] or [requested on]:
// asked for but not in force, which is what an audit wants to know.
package ethtool

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
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
	Spread     Kind = "RX flow hash indirection table"
	Statistics Kind = "NIC statistics"
	Driver     Kind = "driver" // ethtool -i has no title
)

// Section titles of Channels and Rings.
const (
	Maximums = "Pre-set maximums"
	Current  = "Current hardware settings"
)

// Queues is the item of Spread that says how many receive queues a port has now.
// Its others are the rows of the table, by the number of their first entry.
const Queues = "RX ring(s)"

// Output is one or more ethtool reports.
type Output struct {
	parse.Report
	Blocks []*Block `json:"blocks"`
}

// Block is one report.
type Block struct {
	Kind   Kind    `json:"kind"`
	Device string  `json:"device,omitempty"` // "" for Driver and Statistics, and without a title
	Items  []*Item `json:"items"`
}

// Item is one label with its value.
type Item struct {
	Section string   `json:"section,omitempty"` // Maximums, Current
	Name    string   `json:"name"`
	Value   string   `json:"value"`
	Note    string   `json:"note,omitempty"` // in brackets: fixed, requested on
	part    bool     // indented: a feature of those that the one before stands for
	More    []string `json:"more,omitempty"` // the lines a long list goes on with
}

var (
	title  = parse.Lazy(`^\s*(Settings|Features|(?:Channel|Ring|Coalesce|Pause) parameters) for (\S+):\s*$`)
	spread = parse.Lazy(`^\s*RX flow hash indirection table for (\S+) with ([0-9]+) RX ring\(s\)(?:, context [0-9]+)?:\s*$`)
	key    = parse.Lazy(`^(?:(?:[0-9a-f]{2}:)+[0-9a-f]{2}|Operation not supported)$`) // below "RSS hash key:" or the title
	// complaint is among the values where the driver or the user's rights do not suffice.
	complaint = parse.Lazy(`^\s*(?:Cannot get |netlink error|No data available|Operation not |ethtool: |: Operation not )`)
	note      = parse.Lazy(`^(on|off) \[([^\[\]]+)\]$`)
	pair      = parse.Lazy(`^\s*([A-Z][A-Za-z ]*) RX: +(\S+) +TX: +(\S+)\s*$`) // Adaptive RX: off  TX: on
	item      = parse.Lazy(`^\s*([^:]+):(?:\s+(\S.*?))?\s*$`)
	counter   = parse.Lazy(`^\s*(\S.*): +([0-9]+)\s*$`) // names may hold colons, values never
)

// Labels and values of the reports: a line with others is of another output that follows. The other kinds take any.
var (
	labelled = map[Kind]*parse.Pattern{
		Settings: parse.Lazy(`^(?:Supported |Supports |Advertised |Link partner advertised |Configured |Active |Speed|Lanes|` +
			`Duplex|Port|PHYAD|Transceiver|` +
			`Auto-negotiation|MDI-X|Wake-on|SecureOn |Current message level|Link detected|Link |SQI|master-slave |FEC|Rings|` +
			`EEE |Tx LPI|Energy |RX |TX )`),
		Driver: parse.Lazy(`^(?:driver|version|firmware-version|expansion-rom-version|bus-info|supports-[a-z-]+)$`),
	}
	valued = map[Kind]*parse.Pattern{
		Features: parse.Lazy(`^(?:on|off)(?: \[[^\[\]]+\])?$`),
		Channels: settingValue, Rings: settingValue, Coalesce: settingValue, Pause: settingValue,
	}
	settingValue = parse.Lazy(`^(?:\d+|n/a|on|off|)(?:\s+TX: +(?:\d+|n/a|on|off))?$`)
)

// takes reports whether a report of that kind has such a label and value.
func (k Kind) takes(label, value string) bool {
	if p := labelled[k]; p != nil && !p.MatchString(label) {
		return false
	}
	p := valued[k]
	return p == nil || p.MatchString(value)
}

// untitled are the reports that are saved without a title, by what a line of them has.
var untitled = []struct {
	kind Kind
	form *parse.Pattern
}{
	{Driver, parse.Lazy(`^\s*driver:(?:\s|$)`)},
	{Features, parse.Lazy(`^\s*[a-z][a-z0-9_-]*: (?:on|off)(?: \[[^\[\]]+\])?\s*$`)}, // picked out of the report
	{Settings, parse.Lazy(`^\s*(?:Speed|Duplex|Port|Auto-negotiation|Link detected|master-slave [a-z]+): +\S`)},
	{Statistics, counter},
}

// Parse reads ethtool output. Errors: parse.ErrNotRecognised if no title, no
// driver line and no statistics are found.
func Parse(text []byte) (*Output, error) {
	o := &Output{}
	var b *Block
	section, continues := "", false
	open := func(kind Kind, device string) {
		b, section, continues = &Block{Kind: kind, Device: device}, "", false
		o.Blocks = append(o.Blocks, b)
	}
	o.Read(text, func(l parse.Line) bool {
		body := strings.TrimSpace(l.Text)
		kind := ""
		device := ""
		queues := ""
		switch {
		case title.Scan(l.Text, &kind, &device):
			open(Kind(kind), device)
		case spread.Scan(l.Text, &device, &queues):
			open(Spread, device)
			b.Items = append(b.Items, &Item{Name: Queues, Value: queues})
		case body == string(Statistics)+":":
			open(Statistics, "")
		case b != nil && b.Kind == Spread && key.MatchString(body):
			if last := b.Items[len(b.Items)-1]; last.Value == "" { // else the table itself is not supported
				last.Value = body
			}
		case complaint.MatchString(l.Text):
			o.Warn(l.Number, "an error message: "+body)
		case b != nil && (body == Maximums+":" || body == Current+":"):
			section = strings.TrimSuffix(body, ":")
		default:
			for _, x := range untitled {
				if b == nil && x.form.MatchString(l.Text) {
					open(x.kind, "")
				}
			}
			taken := b != nil && b.line(l.Text, section, continues)
			continues = taken && b.Kind == Settings
			return taken
		}
		return true
	})
	return parse.Recognised(o, o.Blocks != nil)
}

// line reads a line of a report; false if it has no value, and the one before
// does not go on.
func (b *Block) line(text, section string, continues bool) bool {
	if b.Kind == Statistics {
		m := counter.FindStringSubmatch(text)
		if m != nil {
			b.Items = append(b.Items, &Item{Name: m[1], Value: m[2]})
		}
		return m != nil
	}
	if m := pair.FindStringSubmatch(text); m != nil {
		b.Items = append(b.Items, &Item{Name: m[1] + " RX", Value: m[2]}, &Item{Name: m[1] + " TX", Value: m[3]})
		return true
	}
	m := item.FindStringSubmatch(text)
	switch {
	case m != nil && !b.Kind.takes(strings.TrimSpace(m[1]), m[2]):
		return false
	case m != nil:
		i := &Item{Section: section, Name: strings.TrimSpace(m[1]), Value: m[2]}
		if n := note.FindStringSubmatch(m[2]); n != nil {
			i.Value, i.Note = n[1], n[2]
		}
		i.part = b.Kind == Features && strings.HasPrefix(text, "\t")
		b.Items = append(b.Items, i)
		return true
	case continues && (strings.HasPrefix(text, "\t\t") || strings.HasPrefix(text, "\t  ") || strings.HasPrefix(text, "          ")):
		last := b.Items[len(b.Items)-1]
		last.More = append(last.More, strings.TrimSpace(text))
		return true
	}
	return false
}

// Switch reports whether the item is on or off.
func (i *Item) Switch() bool { return i.Value == "on" || i.Value == "off" }

// Count is the number of an item that has one.
func (i *Item) Count() (n uint64, ok bool) {
	n, err := strconv.ParseUint(i.Value, 10, 64)
	return n, err == nil
}

// Fixed reports whether the driver does not let a feature be changed. One that
// stands for several is printed without a note: it is fixed if all of them are.
func (b *Block) Fixed(feature string) bool {
	at := slices.IndexFunc(b.Items, func(i *Item) bool { return i.Name == feature })
	if at < 0 {
		return false
	}
	fixed := b.Items[at].Note == "fixed"
	for n, i := range b.Items[at+1:] {
		if !i.part || b.Items[at].part {
			break
		}
		fixed = (fixed || n == 0) && i.Note == "fixed"
	}
	return fixed
}

// Spread is over how many queues the rows of the table spread what a port
// receives, and how many it has; not ok if there is no table, or it is cut.
func (b *Block) Spread() (used, queues int, ok bool) {
	seen, entries := map[string]bool{}, 0
	for _, i := range b.Items {
		first, err := strconv.Atoi(i.Name)
		switch {
		case i.Name == Queues:
			queues, _ = strconv.Atoi(i.Value)
		case err != nil:
		case first != entries:
			return 0, 0, false
		default:
			for q := range strings.FieldsSeq(i.Value) {
				seen[q] = true
				entries++
			}
		}
	}
	return len(seen), queues, len(seen) > 0 && queues > 0
}

// Find is the first item of that name, or nil.
func (b *Block) Find(name string) *Item {
	return b.first(func(i *Item) bool { return strings.EqualFold(i.Name, name) })
}

// In is the item of that name in a section, or nil.
func (b *Block) In(section, name string) *Item {
	return b.first(func(i *Item) bool { return i.Section == section && strings.EqualFold(i.Name, name) })
}

func (b *Block) first(is func(*Item) bool) *Item {
	if at := slices.IndexFunc(b.Items, is); at >= 0 {
		return b.Items[at]
	}
	return nil
}
