package assemble

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
)

// hostBuilder is one host in the making.
type hostBuilder struct {
	host  *model.Host
	found map[string][]netip.Addr // by interface: addresses of netstat -in, which has no lengths
	odm   map[string]bool         // elements whose whole ODM entry was read
	left  map[string]bool         // elements beyond those that are kept
	links bool                    // Linux: the kernel's devices were read

	tunnels map[string]netip.Addr // Linux: where the packets of tunnels go, by device; not valid: not said

	addressed map[ofElement]bool // addresses that elements have

	protocols map[string]uint64 // become the host's
	samples   samples
}

// maxGaps bounds what is said of one host's outputs.
const maxGaps = 1000

func (b *hostBuilder) gap(what, why string) {
	g := model.Gap{What: model.Brief(what), Why: strings.Join(strings.Fields(why), " ")}
	if len(b.host.Gaps) < maxGaps && !slices.Contains(b.host.Gaps, g) {
		b.host.Gaps = append(b.host.Gaps, g)
	}
}

// said keeps what a codec could not read of an output, so that silence is not
// taken for health.
func (b *hostBuilder) said(o Output, r *parse.Report) {
	if n := len(r.Unknown); n > 0 {
		first := r.Unknown[0]
		b.gap(o.Command, fmt.Sprintf("%d of %d lines not understood, the first is line %d: %s", n, r.Lines, first.Number, quoted(first.Text)))
	}
	for _, w := range r.Warnings {
		b.gap(o.Command, fmt.Sprintf("line %d: %s", w.Number, w.Text))
	}
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
func (b *hostBuilder) element(name string, kind model.Kind) *model.Element {
	e := b.host.Elements[name]
	if e == nil {
		e = &model.Element{Name: name, Kind: kind, Attrs: map[string]*model.Attr{}}
		if len(b.host.Elements) >= maxElements {
			b.left[name] = true
			return e
		}
		b.host.Elements[name] = e
	}
	return e
}

// kept reports whether an element is not one beyond the limit.
func (b *hostBuilder) kept(e *model.Element) bool { return b.host.Elements[e.Name] == e }

func attr(m map[string]*model.Attr, name string) *model.Attr {
	a := m[name]
	if a == nil {
		a = &model.Attr{Name: name}
		m[name] = a
	}
	return a
}

// running sets the value that runs now, with the line that shows it. Only for
// an attribute that the ODM has: a level without it has no such setting.
func running(e *model.Element, name, value string, from model.Origin) {
	if a := e.Attrs[name]; a != nil {
		a.Running = &value
		a.From = append(a.From, from)
	}
}

// runs is running, also for an element whose ODM entry was not read: ifconfig
// and entstat then say what is, and what the next boot brings stays unknown.
func (b *hostBuilder) runs(e *model.Element, name, value string, from model.Origin) {
	if !b.odm[e.Name] {
		attr(e.Attrs, name)
	}
	running(e, name, value, from)
}

// value returns what an attribute is now, else what it will be.
func value(e *model.Element, name string) string {
	return e.Attrs[name].Current()
}

// setLocation sets an adapter's full location, if the adapter is known. lsdev prints
// none for a virtual one, or only the end of it.
func (b *hostBuilder) setLocation(o Output, name, location string) {
	e := b.host.Elements[name]
	if m := locationForm.FindStringSubmatch(location); m != nil {
		b.managed(o, m[1]+"-"+m[2], m[3])
		if n, err := strconv.Atoi(m[4]); err == nil && b.host.Partition.Number == nil {
			b.host.Partition.Number = &n
		}
	} else if e != nil && e.Location != "" {
		return
	}
	if e != nil {
		e.Location = location
	}
}

// managed sets the managed system in the one form that every command's answer
// can be brought to: without the vendor, and without the two digits of the
// plant that firmware puts before the serial number.
func (b *hostBuilder) managed(o Output, machine, serial string) {
	machine, serial = trimVendor(machine), trimVendor(serial)
	m := serialForm.FindStringSubmatch(serial)
	if !modelForm.MatchString(machine) || m == nil {
		if machine != "" || serial != "" {
			b.gap(o.Command, "model "+quoted(machine)+" and serial number "+quoted(serial)+" are not those of a Power system")
		}
		return
	}
	id := machine + "*" + m[1]
	if b.host.MachineID != "" && b.host.MachineID != id {
		b.gap(o.Command, "managed system "+id+", but another output says "+b.host.MachineID)
		return
	}
	b.host.MachineID = id
}

// hostnames are the host's own name, as it runs and as inet0 has it.
func (b *hostBuilder) hostnames() *model.Attr {
	if b.host.Hostname == nil {
		b.host.Hostname = &model.Attr{Name: "hostname"}
	}
	return b.host.Hostname
}

func (b *hostBuilder) figure(name string, v float64, from model.Origin) {
	if b.host.Figures == nil {
		b.host.Figures = map[string]model.Figure{}
	}
	b.host.Figures[name] = model.Figure{Value: v, From: from}
}

// count sets a figure to the number of some lines, with the first as evidence.
func (b *hostBuilder) count(o Output, name string, lines []int) {
	from := o.says("")
	if len(lines) > 0 {
		from = o.at(lines[0])
	}
	b.figure(name, float64(len(lines)), from)
}

// dropPartialLine drops a last line without a line end: the number on it may lack digits.
// JSON that was cut off is none.
func (b *hostBuilder) dropPartialLine(o Output) Output {
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

// entire reports whether nothing of an output is missing, so that its rows can be
// counted.
func entire(o Output, r *parse.Report) bool {
	return len(r.Unknown)+len(r.Warnings) == 0 && o.Problem == "" && o.Exit == 0 && !o.cut
}
