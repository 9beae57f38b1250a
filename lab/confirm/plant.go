package confirm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/fault"
	"seaworthy/lab/replica"
	"seaworthy/lab/topology"
)

// Readings are those of the network, of which there is a copy.
type Readings struct {
	Fleet    *model.Fleet
	Before   *model.Fleet // an earlier reading; nil: none
	Measured []diagnose.Measured
	Clocks   map[string]float64 // host -> seconds that its clock is off
}

// Planted is a fault of the copy.
type Planted struct {
	fault.Fault
	Cause string `json:"cause"` // that the fault brings about: ID/HOST:ELEMENT
	Why   string `json:"why"`   // what proves it
}

// planter finds the place and size of faults.
type planter struct {
	Readings
	copy   *replica.Copy
	top    *topology.Topology
	before map[string]*model.Host
	ports  knowledge.PortCounterTable
}

func newPlanter(r Readings, c *replica.Copy) (*planter, error) {
	top, err := topology.Parse("copy.yaml", c.Text)
	if err != nil {
		return nil, fmt.Errorf("the copy: %w", err)
	}
	catalogue, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	p := &planter{Readings: r, copy: c, top: top, before: map[string]*model.Host{}, ports: knowledge.PortCounters(catalogue)}
	if r.Before != nil {
		p.before = growth.ByName(r.Before)
	}
	return p, nil
}

// kinds are the causes that a fault of the lab brings about; a copy has all others by its settings, or not at all.
var kinds = []struct {
	cause string // of symptoms.yaml
	plant func(p *planter, at model.Ref) (f fault.Fault, why string, err error)
}{
	{"duplex-mismatch", (*planter).duplex},
	{"damaged-frames", (*planter).loss},
	{"no-link", (*planter).noLink},
	{"link-flap", (*planter).flap},
	{"slow-receiver", (*planter).fullBuffers},
	{"mtu-black-hole", (*planter).noJumbo},
	{"delay", (*planter).delay},
	{"distance-window", (*planter).delay},
	{"packet-loss", (*planter).lostPings},
	{"split-brain", (*planter).deafSEAs},
	{"sea-state", (*planter).limbo},
	{"clock", (*planter).wrongClock},
	{"host-down", (*planter).crash},
}

// causing gives the fault that brings a cause about; none: a lab has no such fault. The error says why it
// cannot be planted.
func (p *planter) causing(id string, at model.Ref) (f *Planted, err error) {
	for _, k := range kinds {
		if k.cause == id {
			planted, why, err := k.plant(p, at)
			if err != nil {
				return nil, err
			}
			return &Planted{Fault: planted, Cause: id + "/" + at.String(), Why: why}, nil
		}
	}
	return nil, nil
}

// Proved gives the faults that two readings of the network prove, and what was measured between its hosts, as
// they can be planted in its copy.
func Proved(r Readings, c *replica.Copy) ([]Planted, error) {
	p, err := newPlanter(r, c)
	if err != nil {
		return nil, err
	}
	var out []Planted
	add := func(id string, at model.Ref) bool {
		f, err := p.causing(id, at)
		if err != nil || f == nil {
			return false // it is not proved there
		}
		out = append(out, *f)
		return true
	}
	for _, h := range r.Fleet.Hosts {
		for _, name := range h.Names(model.Physical) {
			at := model.Ref{Host: h.Name, Element: name}
			switch {
			case add("no-link", at) || p.before[h.Name] == nil:
			case add("duplex-mismatch", at):
			default:
				add("damaged-frames", at)
			}
		}
		for _, name := range h.Names(model.Virtual) {
			if p.before[h.Name] != nil {
				add("slow-receiver", model.Ref{Host: h.Name, Element: name})
			}
		}
	}
	for _, m := range r.Measured {
		f, why, err := p.refused(m)
		same := func(o Planted) bool { return o.Fault.Target == f.Target && o.Kind == f.Kind }
		if err == nil && !slices.ContainsFunc(out, same) {
			out = append(out, Planted{Fault: f, Cause: "mtu-black-hole/" + m.From.String(), Why: why})
		}
	}
	return out, nil
}

// adapter finds the adapter of the copy that an element is copied by.
func (p *planter) adapter(at model.Ref, kind topology.AdapterKind, what string) (target string, e *model.Element, err error) {
	node := p.copy.Nodes[at.Host]
	e = p.Fleet.Element(at)
	for _, n := range p.top.Hosts() {
		if n.Name != node || e == nil {
			continue
		}
		a := n.Adapter(at.Element)
		if a != nil && a.Kind == kind {
			return node + ":" + a.Name, e, nil
		}
	}
	return "", nil, fmt.Errorf("%s is not a %s of the copy", at, what)
}

// gained is what counters of an element gained between the readings, or their totals without an earlier one;
// false: none of them was read. With first they are names of one number.
func (p *planter) gained(at model.Ref, first bool, names ...string) (sum uint64, text string, found bool) {
	e, host := p.Fleet.Element(at), p.Fleet.Host(at.Host)
	span := growth.OfElement(e, host, p.before[at.Host])
	used := map[string]bool{}
	for _, name := range names {
		for key, now := range e.Counters.All() {
			if !strings.EqualFold(key, name) && !strings.HasSuffix(strings.ToLower(key), "."+strings.ToLower(name)) || used[key] {
				continue
			}
			n, wrapped, gap := span.Gained(key, now)
			if gap != "" {
				continue
			}
			used[key] = true
			sum += n
			found = true
			if n > 0 {
				text = growth.Label(key) + ": " + span.Text(n, wrapped)
			}
		}
		if found && first {
			break
		}
	}
	return sum, text, found
}

// fact is what the counters of a port gained that stand for a fact.
func (p *planter) fact(at model.Ref, name string) (n uint64, text string, found bool) {
	c, known := p.ports.Find(name)
	if !known {
		return 0, "", false
	}
	return p.gained(at, c.First, c.Names...)
}

// leastShare is the smallest share of frames that a lab can lose: one in a million.
const leastShare = 1e-6

// lostShare is the share of frames that a port counted as bad, of those that it received.
func (p *planter) lostShare(at model.Ref, damaged bool) (share float64, why string, err error) {
	bad, text, found := p.fact(at, "damaged_frames")
	if !damaged && bad == 0 {
		bad, text, found = p.gained(at, true, "rx.Receive Errors", "rx_errors")
	}
	all, _, counted := p.fact(at, "received_packets")
	if !found || !counted || all == 0 {
		return 0, "", fmt.Errorf("%s: no counters say which share of its frames was lost", at)
	}
	share = float64(bad) / float64(bad+all)
	if share < leastShare {
		return 0, "", fmt.Errorf("%s: its counters show no loss", at)
	}
	return share, fmt.Sprintf("%s, of %d packets", text, all), nil
}

func percent(share float64) string {
	text := strconv.FormatFloat(max(100*share, 100*leastShare), 'f', 4, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

func (p *planter) loss(at model.Ref) (fault.Fault, string, error) {
	target, _, err := p.adapter(at, topology.Physical, "port")
	if err != nil {
		return fault.Fault{}, "", err
	}
	share, why, err := p.lostShare(at, false)
	return fault.Fault{Kind: "loss", Target: target, Value: percent(share)}, why, err
}

// duplexShare is the share of damaged frames from which diagnose takes the other end of a cable for half duplex.
const duplexShare = 0.002

func (p *planter) duplex(at model.Ref) (fault.Fault, string, error) {
	target, _, err := p.adapter(at, topology.Physical, "port")
	if err != nil {
		return fault.Fault{}, "", err
	}
	share, why, err := p.lostShare(at, true)
	if err == nil && share < duplexShare {
		err = fmt.Errorf("%s: fewer frames are damaged than on a link that is half duplex", at)
	}
	return fault.Fault{Kind: "duplex", Target: target, Value: percent(share)}, why, err
}

func (p *planter) noLink(at model.Ref) (fault.Fault, string, error) {
	target, e, err := p.adapter(at, topology.Physical, "port")
	if err == nil && (e.LinkUp == nil || *e.LinkUp) {
		err = fmt.Errorf("%s: its link was not read to be down", at)
	}
	return fault.Fault{Kind: "port-down", Target: target}, "no link", err
}

func (p *planter) flap(at model.Ref) (fault.Fault, string, error) {
	target, _, err := p.adapter(at, topology.Physical, "port")
	return fault.Fault{Kind: "flap", Target: target, Value: "2s"}, "the link came and went", err
}

// Rates at which a partition empties its receive queue, in bit/s. A slower one would let nothing pass, a faster
// one is not slow.
const (
	slowestDrain = 20_000_000
	fastestDrain = 1_000_000_000
)

func (p *planter) fullBuffers(at model.Ref) (fault.Fault, string, error) {
	target, e, err := p.adapter(at, topology.Virtual, "virtual adapter")
	if err != nil {
		return fault.Fault{}, "", err
	}
	lost, text, found := p.gained(at, false, "rx.No Resource Errors", "Hypervisor Receive Failures")
	if !found || lost == 0 {
		return fault.Fault{}, "", fmt.Errorf("%s: no counter says that its receive buffers ran out", at)
	}
	f, rate := fault.Fault{Kind: "full-buffers", Target: target}, uint64(slowestDrain)
	bytes, _, _ := p.gained(at, true, "rx.Bytes")
	span := growth.OfElement(e, p.Fleet.Host(at.Host), p.before[at.Host])
	if span.Grows && span.Seconds > 0 {
		rate = min(max(bytes*8/uint64(span.Seconds), slowestDrain), fastestDrain)
	}
	f.Value = fmt.Sprintf("%dM", rate/1_000_000)
	return f, text, nil
}

// noJumbo plants what the first measurement shows that has large packets vanish.
func (p *planter) noJumbo(at model.Ref) (fault.Fault, string, error) {
	var failed error
	for _, m := range p.Measured {
		f, why, err := p.refused(m)
		if err == nil {
			return f, why, nil
		}
		failed = cmp.Or(failed, err)
	}
	return fault.Fault{}, "", cmp.Or(failed, fmt.Errorf("%s: no path MTU was measured", at))
}

// refused plants the largest packet that passed a direction of a path at the far end's switch port.
func (p *planter) refused(m diagnose.Measured) (fault.Fault, string, error) {
	d := m.MTU
	stops := []pathmtu.Verdict{pathmtu.BlackHole, pathmtu.Rejected, pathmtu.Fragmented}
	if d == nil || !slices.Contains(stops, d.Verdict) || d.Largest < leastMTU || d.Largest >= d.Wanted {
		return fault.Fault{}, "", fmt.Errorf("%s to %s: no packet was seen to be refused", m.From, m.To)
	}
	port, err := p.farPort(m.From, m.To)
	why := fmt.Sprintf("%s to %s: packets of %d bytes pass, %d do not", m.From, m.To, d.Largest, d.Wanted)
	return fault.Fault{Kind: "no-jumbo", Target: port, Value: strconv.Itoa(d.Largest)}, why, err
}

// leastMTU is the smallest that a switch port of a lab can have.
const leastMTU = 576

// farPort is the switch's port by which packets reach the far end of a path.
func (p *planter) farPort(from, to model.Ref) (string, error) {
	_, a, err := p.farEnd(from, to)
	if err != nil {
		return "", err
	}
	return a.Port, nil
}

// farAdapter is the port of a host, NODE:entN, by which packets reach the far end of a path.
func (p *planter) farAdapter(from, to model.Ref) (string, error) {
	node, a, err := p.farEnd(from, to)
	if err != nil {
		return "", err
	}
	return node + ":" + a.Name, nil
}

// farEnd is the first port of a host of the copy behind the Ethernet switch.
func (p *planter) farEnd(from, to model.Ref) (node string, a *topology.Adapter, err error) {
	path, err := graph.Of(p.Fleet).Path(from.String(), to.String())
	if err != nil {
		return "", nil, err
	}
	outside := false
	for _, hop := range path.Hops {
		outside = outside || hop.Kind == model.EthernetSwitch
		if !outside || hop.Ref == nil {
			continue
		}
		for _, n := range p.top.Hosts() {
			if n.Name != p.copy.Nodes[hop.Ref.Host] {
				continue
			}
			a := n.Adapter(hop.Ref.Element)
			if a != nil && a.Port != "" {
				return n.Name, a, nil
			}
		}
	}
	return "", nil, fmt.Errorf("%s to %s: the path passes no port of the Ethernet switch in the copy", from, to)
}

// delay plants half of the round trip on the far end's cable.
func (p *planter) delay(model.Ref) (fault.Fault, string, error) {
	for _, m := range p.Measured {
		if m.RTTms <= 0 {
			continue
		}
		port, err := p.farPort(m.From, m.To)
		way := min(time.Duration(m.RTTms*float64(time.Millisecond)/2).Round(10*time.Microsecond), topology.MaxDelay)
		why := fmt.Sprintf("%s to %s: a round trip of %.3g ms", m.From, m.To, m.RTTms)
		return fault.Fault{Kind: "delay", Target: port, Value: way.String()}, why, err
	}
	return fault.Fault{}, "", fmt.Errorf("no round trip was measured")
}

// lostPings plants what was lost of a direction's pings on the cable of the far end's port, which loses frames both ways.
func (p *planter) lostPings(model.Ref) (fault.Fault, string, error) {
	for _, m := range p.Measured {
		if m.Sent == 0 || m.Lost == 0 || m.Lost == m.Sent {
			continue
		}
		target, err := p.farAdapter(m.From, m.To)
		answered := float64(m.Sent-m.Lost) / float64(m.Sent)
		why := fmt.Sprintf("%s to %s: %d of %d pings were lost", m.From, m.To, m.Lost, m.Sent)
		return fault.Fault{Kind: "loss", Target: target, Value: percent(1 - math.Sqrt(answered))}, why, err
	}
	return fault.Fault{}, "", fmt.Errorf("no ping was lost that says how many packets are")
}

// limbo plants an SEA's lost link.
func (p *planter) limbo(at model.Ref) (fault.Fault, string, error) {
	_, e, err := p.adapter(at, topology.SEA, "Shared Ethernet Adapter")
	if err != nil {
		return fault.Fault{}, "", err
	}
	if e.HAState != "LIMBO" {
		return fault.Fault{}, "", fmt.Errorf("%s is %q: a lab brings about LIMBO alone", at, e.HAState)
	}
	target, _, err := p.adapter(model.Ref{Host: at.Host, Element: e.Real}, topology.Physical, "port")
	return fault.Fault{Kind: "port-down", Target: target}, "the SEA is in LIMBO: the link below it is lost", err
}

func (p *planter) wrongClock(at model.Ref) (fault.Fault, string, error) {
	node, off := p.copy.Nodes[at.Host], time.Duration(p.Clocks[at.Host]*float64(time.Second)).Round(time.Second)
	_, _, found := p.top.Node(node)
	if off == 0 || !found {
		return fault.Fault{}, "", fmt.Errorf("%s: it is not known how far its clock is off, or it is not in the copy", at.Host)
	}
	return fault.Fault{Kind: "clock-jump", Target: node, Value: off.String()}, fmt.Sprintf("its clock is off by %s", off), nil
}

func (p *planter) deafSEAs(at model.Ref) (fault.Fault, string, error) {
	system, _, found := p.top.Node(p.copy.Nodes[at.Host])
	if !found {
		return fault.Fault{}, "", fmt.Errorf("%s is not in the copy", at.Host)
	}
	return fault.Fault{Kind: "control-channel", Target: system.Name}, "both SEAs of a pair are active", nil
}

func (p *planter) crash(at model.Ref) (fault.Fault, string, error) {
	node := p.copy.Nodes[at.Host]
	if node == "" {
		return fault.Fault{}, "", fmt.Errorf("%s was not read: it is not in the copy", at.Host)
	}
	return fault.Fault{Kind: "crash", Target: node}, "it does not answer", nil
}
