package assemble

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"seaworthy/dialect"
	"seaworthy/inventory"
)

// Output is what one command printed.
type Output struct {
	ID        string // catalogued name of the command: "lsattr-El"
	Element   string // device it was about, or empty
	Attribute string // lsattr-Rl: the attribute asked for
	Command   string // as run, for evidence
	Text      []byte
	Exit      int
	Problem   string // the command did not run to its end, or printed an error

	cut   bool // it ended in the middle of a line
	index *index
}

// About is what the collector knows of a host apart from its outputs.
type About struct {
	Name     string
	Platform inventory.Platform
	User     string
	Taken    time.Time
}

// builder is one host in the making.
type builder struct {
	host  *inventory.Host
	found map[string][]netip.Addr // by interface: addresses of netstat -in, which has no lengths
	odm   map[string]bool         // elements whose whole ODM entry was read
	left  map[string]bool         // elements beyond those that are kept

	addressed map[ofElement]bool // addresses that elements have

	protocols map[string]uint64 // become the host's
	samples   samples
}

// Host builds a host from its outputs, in any order. It always gives a host;
// what could not be read is in its gaps.
func Host(about About, outputs []Output) *inventory.Host {
	b := &builder{
		found: map[string][]netip.Addr{}, odm: map[string]bool{}, left: map[string]bool{},
		addressed: map[ofElement]bool{}, protocols: map[string]uint64{},
		host: &inventory.Host{Name: about.Name, Platform: about.Platform, User: about.User, Taken: about.Taken,
			Elements: map[string]*inventory.Element{}},
	}
	// Devices come first: attributes and counters hang on them.
	outputs = slices.Clone(outputs)
	slices.SortStableFunc(outputs, func(x, y Output) int { return cmp.Compare(rank(x.ID), rank(y.ID)) })
	for _, o := range outputs {
		read, ok := table[o.ID]
		if !ok {
			continue
		}
		if len(bytes.TrimSpace(o.Text)) == 0 && !(answersBlank(o.ID) && o.Problem == "" && o.Exit == 0) {
			// ethtool fails where a driver has nothing of that kind.
			if o.Problem != "" || o.Exit != 0 && !strings.HasPrefix(o.ID, "ethtool") {
				b.gap(o.Command, cmp.Or(o.Problem, "printed nothing"))
			}
			continue
		}
		if err := read.with(b, b.whole(o)); err != nil {
			b.gap(o.Command, err.Error())
		} else if o.Problem != "" {
			b.gap(o.Command, o.Problem)
		}
	}
	if about.Platform == inventory.Linux {
		b.netdevs()
	} else {
		b.structure()
		b.addresses()
		b.figures()
	}
	b.host.Protocols = inventory.CountersOf(b.protocols)
	if n := len(b.left); n > 0 { // said of the host itself, and first: it was not read completely
		g := inventory.Gap{What: b.host.Name, Why: fmt.Sprintf("only the first %d of %d adapters and interfaces were looked at",
			maxElements, maxElements+n)}
		b.host.Gaps = slices.Insert(b.host.Gaps, 0, g)
	}
	return b.host
}

// maxGaps bounds what is said of one host's outputs.
const maxGaps = 1000

func (b *builder) gap(what, why string) {
	g := inventory.Gap{What: inventory.Brief(what), Why: strings.Join(strings.Fields(why), " ")}
	if len(b.host.Gaps) < maxGaps && !slices.Contains(b.host.Gaps, g) {
		b.host.Gaps = append(b.host.Gaps, g)
	}
}

// said keeps what a codec could not read of an output, so that silence is not
// taken for health.
func (b *builder) said(o Output, r *dialect.Report) {
	if n := len(r.Unknown); n > 0 {
		first := r.Unknown[0]
		b.gap(o.Command, fmt.Sprintf("%d of %d lines not understood, the first is line %d: %s", n, r.Lines, first.Number, quoted(first.Text)))
	}
	for _, w := range r.Warnings {
		b.gap(o.Command, fmt.Sprintf("line %d: %s", w.Number, w.Text))
	}
}

// whole drops a last line without a line end: the number on it may lack digits.
// JSON that was cut off is none.
func (b *builder) whole(o Output) Output {
	if strings.HasPrefix(o.ID, "ip-") && o.ID != "ip-addr-text" {
		o.index = &index{text: o.Text}
		return o
	}
	o.Text = plainBlanks(o.Text)
	if n := bytes.LastIndexByte(o.Text, '\n') + 1; n < len(o.Text) {
		b.gap(o.Command, "it ends in the middle of a line, which was left out: "+quoted(string(o.Text[n:])))
		o.Text, o.cut = o.Text[:n], true
	}
	o.index = &index{text: o.Text}
	return o
}

// plainBlanks makes blanks of the hard blanks that copies from pages and mails
// have, in UTF-8 or in a text of one byte a character.
func plainBlanks(text []byte) []byte {
	switch {
	case bytes.IndexByte(text, 0xa0) < 0:
		return text
	case utf8.Valid(text):
		return bytes.ReplaceAll(text, []byte("\u00a0"), []byte(" "))
	}
	return bytes.ReplaceAll(text, []byte{0xa0}, []byte(" "))
}

// quoted shows a word of a host's output in a message, at a length fit for it.
func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}

// maxElements bounds what is kept of one host, far beyond any that there is: every
// rule is evaluated for each of them.
const maxElements = 8192

// element finds or makes an element. One beyond the limit is not kept.
func (b *builder) element(name string, kind inventory.Kind) *inventory.Element {
	e := b.host.Elements[name]
	if e == nil {
		e = &inventory.Element{Name: name, Kind: kind, Attrs: map[string]*inventory.Attr{}}
		if len(b.host.Elements) >= maxElements {
			b.left[name] = true
			return e
		}
		b.host.Elements[name] = e
	}
	return e
}

// kept reports whether an element is not one beyond the limit.
func (b *builder) kept(e *inventory.Element) bool { return b.host.Elements[e.Name] == e }

// attr finds or makes an attribute.
func attr(m map[string]*inventory.Attr, name string) *inventory.Attr {
	a := m[name]
	if a == nil {
		a = &inventory.Attr{Name: name}
		m[name] = a
	}
	return a
}

// running sets the value that runs now, with the line that shows it. Only for
// an attribute that the ODM has: a level without it has no such setting.
func running(e *inventory.Element, name, value string, from inventory.Origin) {
	if a := e.Attrs[name]; a != nil {
		a.Running = &value
		a.From = append(a.From, from)
	}
}

// runs is running, also for an element whose ODM entry was not read: ifconfig
// and entstat then say what is, and what the next boot brings stays unknown.
func (b *builder) runs(e *inventory.Element, name, value string, from inventory.Origin) {
	if !b.odm[e.Name] {
		attr(e.Attrs, name)
	}
	running(e, name, value, from)
}
