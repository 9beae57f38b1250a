package predict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Load is the traffic to predict.
type Load struct {
	Streams int     `json:"streams,omitempty"`
	Window  float64 `json:"window_bytes,omitempty"` // asked for by the program; 0: left to the systems

	// Sessions that each send a request once the one before is answered. 0: streams.
	Sessions int `json:"sessions,omitempty"`
	Request  int `json:"request_bytes,omitempty"`
	Response int `json:"response_bytes,omitempty"`
}

// Target is one attribute of one element.
type Target struct {
	model.Ref
	Attr string
}

// Values are settings as they would be, instead of those that were read.
type Values map[Target]string

// Role of a host on a path.
type Role string

const (
	Sender   Role = "sender"
	Bridge   Role = "bridge"
	Receiver Role = "receiver"
)

// Node is a host of the path.
type Node struct {
	Host  string
	Role  Role
	Frame float64  // bytes of TCP payload in a frame that it handles
	Most  *float64 // cores that it may use; nil: not known
	Limit string   // what gives Most: "lpar1's entitlement"

	ClockMHz float64 // 0: not known
}

// Assumption is something taken for granted, and where it is from.
type Assumption struct {
	What string `json:"what"`
	From string `json:"from"`
}

// Setup holds what the model sees of a path with certain settings under a load.
type Setup struct {
	Nodes                       []Node
	Line                        float64 // bit/s of TCP payload on the slowest line; 0: there is no line
	Sent                        float64 // bytes of payload in a frame as the sender makes it
	Received                    float64 // the same as the receiver gets it
	Window                      float64 // bytes
	Streams                     int
	Lanes                       int     // streams that can be received side by side, by the receiver's queues
	Segment                     float64 // bytes of payload in a frame of the path's MTU
	Rate                        float64 // bit/s of the slowest line, frames and all; 0: there is no line
	Sessions, Request, Response int     // as in Load
	Trip                        float64 // round trip in s, if it was measured; else 0
	Assumed                     []Assumption
	Unknown                     []string // why nothing can be predicted
}

// Sizes of packets, in bytes.
const (
	headers    = 40    // of IP and TCP
	timestamps = 12    // TCP's option, which comes with rfc1323
	onWire     = 38    // Ethernet's header, checksum, preamble and gap
	largest    = 65160 // payload of the largest packet that largesend makes
)

// oneWindow is the part of a window that TCP sends at once.
const oneWindow = 0.7

// NewSetup reads a path as the model sees it.
func NewSetup(fleet *model.Fleet, path *model.Path, values Values, load Load) *Setup {
	b := &setupBuilder{fleet: fleet, path: path, values: values,
		s: &Setup{Sessions: load.Sessions, Request: load.Request, Response: load.Response}}
	if load.Sessions == 0 {
		b.s.Streams = max(1, load.Streams)
	}
	b.nodes()
	b.gaps()
	if sender, receiver := b.s.node(path.From.Host), b.s.node(path.To.Host); len(b.s.Unknown) == 0 && (sender < 0 || receiver < 0) {
		b.unknown("the path from %s to %s does not begin and end there", path.From, path.To)
	}
	if len(b.s.Unknown) > 0 {
		return b.s
	}
	if load.Sessions > 0 {
		b.messages()
	} else {
		b.window(load)
		b.frames()
	}
	b.s.Lanes = b.s.Streams
	if n, err := strconv.Atoi(b.value(b.receiving(), knowledge.ReceiveQueues)); err == nil && n > 0 {
		b.s.Lanes = min(b.s.Streams, n)
	}
	from, to := path.From, path.To
	if x, ok := fleet.Host(from.Host).Figures[model.RoundTripTo(from.Element, to.Host)]; ok {
		b.s.Trip = x.Value / 1000
	}
	return b.s
}

// nodes are the hosts of the path, each once.
func (b *setupBuilder) nodes() {
	for _, hop := range b.path.Hops {
		if hop.Ref == nil || slices.ContainsFunc(b.s.Nodes, func(n Node) bool { return n.Host == hop.Ref.Host }) {
			continue
		}
		n := Node{Host: hop.Ref.Host, Role: roleOf(b.path, hop.Ref.Host)}
		h := b.fleet.Host(n.Host)
		if h == nil {
			b.unknown("%s was not read", n.Host)
			continue
		}
		n.ClockMHz = h.Figures[model.ClockMHz].Value
		if h.Platform != model.AIX && h.Platform != model.VIOS {
			b.unknown("%s runs %s: no published figure says what traffic costs there", n.Host, h.Platform)
		}
		n.Most = h.Partition.MostCores()
		if n.Most != nil {
			n.Limit = n.Host + "'s virtual processors"
			if e := h.Partition.Entitled; e != nil && *e == *n.Most {
				n.Limit = n.Host + "'s entitlement"
			}
		} else {
			b.assume("not read", "the processors of %s do not limit the path", n.Host)
		}
		b.s.Nodes = append(b.s.Nodes, n)
	}
}

func roleOf(path *model.Path, host string) Role {
	switch host {
	case path.From.Host:
		return Sender
	case path.To.Host:
		return Receiver
	}
	return Bridge
}

// gaps returns what keeps a path from being predicted as a whole.
func (b *setupBuilder) gaps() {
	for _, g := range b.path.Gaps {
		b.unknown("%s: %s", g.What, g.Why)
	}
	for _, hop := range b.path.Hops {
		if hop.Kind == string(model.VNIC) {
			b.unknown("%s is a vNIC: no published figure says what it costs", hop.Ref)
		}
	}
}

// window is the least of what both ends grant.
func (b *setupBuilder) window(load Load) {
	b.s.Window = load.Window
	if load.Window > 0 {
		return
	}
	b.s.Window = min(b.number(b.path.From, knowledge.SendWindow), b.number(b.path.To, knowledge.ReceiveWindow))
	if b.value(b.path.From, knowledge.WindowScaling) == "0" || b.value(b.path.To, knowledge.WindowScaling) == "0" {
		b.s.Window = min(b.s.Window, 65535)
	}
	from := fmt.Sprintf("the interfaces' %s and %s", b.called(b.path.From, knowledge.SendWindow), b.called(b.path.To, knowledge.ReceiveWindow))
	b.assume(from, "programs leave the window to the systems: %.0f bytes", b.s.Window)
}

// node is a host's place in the setup, -1 if it is not on the path.
func (s *Setup) node(host string) int {
	return slices.IndexFunc(s.Nodes, func(n Node) bool { return n.Host == host })
}

// clock is that of the slower end in MHz, whose threads the streams' busiest is; 0: not known.
func (s *Setup) clock() float64 {
	slower := 0.0
	for _, n := range s.Nodes {
		if n.Role != Bridge && n.ClockMHz > 0 && (slower == 0 || n.ClockMHz < slower) {
			slower = n.ClockMHz
		}
	}
	return slower
}

// setupBuilder reads the settings of a path into what the model sees.
type setupBuilder struct {
	fleet  *model.Fleet
	path   *model.Path
	values Values
	s      *Setup
}

func (b *setupBuilder) unknown(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(b.s.Unknown, text) {
		b.s.Unknown = append(b.s.Unknown, text)
	}
}

func (b *setupBuilder) assume(from, format string, args ...any) {
	b.s.Assumed = append(b.s.Assumed, Assumption{fmt.Sprintf(format, args...), from})
}

// name is the attribute that has a role at an element; empty: none has.
func (b *setupBuilder) name(at model.Ref, role knowledge.Role) string {
	el := b.fleet.Element(at)
	if el == nil {
		return ""
	}
	return knowledge.BuiltIn().ByRole(string(el.Kind), role)
}

// value is the attribute of a role as it would be; "" if it is not known.
func (b *setupBuilder) value(at model.Ref, role knowledge.Role) string {
	attr := b.name(at, role)
	if attr == "" {
		return ""
	}
	if v, ok := b.values[Target{at, attr}]; ok {
		return v
	}
	return b.fleet.Element(at).Attrs[attr].Current()
}

// need is an attribute without which nothing can be predicted.
func (b *setupBuilder) need(at model.Ref, role knowledge.Role) string {
	v := b.value(at, role)
	if v == "" {
		b.unknown("%s of %s was not read", b.called(at, role), at)
	}
	return v
}

// called is the attribute of a role, or the role where no attribute has it.
func (b *setupBuilder) called(at model.Ref, role knowledge.Role) string {
	return cmp.Or(b.name(at, role), string(role))
}

func (b *setupBuilder) number(at model.Ref, role knowledge.Role) float64 {
	v, err := strconv.ParseFloat(b.need(at, role), 64)
	if err != nil || v <= 0 {
		b.unknown("%s of %s is not a number", b.called(at, role), at)
		return 0
	}
	return v
}
