package plan

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// SwitchPorts is the id of the manual step that precedes jumbo frames.
const SwitchPorts = "switch-ports"

// ManualStep holds what has to be done where no host of the plan reaches.
type ManualStep struct {
	Owner string `json:"owner"` // who can do it
	What  string `json:"what"`  // in words
	MTU   int    `json:"mtu"`   // of IP packets in bytes, that must pass afterwards
	Ports []Port `json:"ports"`
	// Each shows, if its packets arrive, that the ports it names are done. They
	// are sent before anything is changed, from interfaces that send such
	// packets already. Only a default gateway may fail one without meaning.
	Proofs []PortProof `json:"proofs,omitempty"`
}

// Port of a switch, as far as the host at the other end of its cable knows it.
type Port struct {
	At       model.Ref `json:"at"`
	MAC      string    `json:"mac,omitempty"`      // of the adapter: the switch's address table has the port
	Location string    `json:"location,omitempty"` // physical location code of the adapter
	Note     string    `json:"note,omitempty"`
}

func (p Port) String() string {
	s := p.At.String()
	for _, x := range []struct{ name, value string }{{"MAC address ", p.MAC}, {"location ", p.Location}, {"", p.Note}} {
		if x.value != "" {
			s += ", " + x.name + x.value
		}
	}
	return s
}

// PortProof is a proof with the ports that it passes.
type PortProof struct {
	Proof
	Passes []model.Ref `json:"passes"`
}

// largestFrame is the most that Ethernet switches pass: interfaces with a
// larger MTU are those of a hypervisor switch alone.
const largestFrame = 9216

// withManualStep puts the step that jumbo frames wait for, if there is one, before all
// others: nothing is changed, and nobody fails over, before it is done.
func (x *index) withManualStep(steps []Step) ([]Step, error) {
	mtu := 0
	var touched []model.Ref
	why := map[string]bool{}
	for _, s := range steps {
		size := 0
		for _, c := range s.Changes {
			size = max(size, raises(s, c))
		}
		if size == 0 {
			continue
		}
		mtu = max(mtu, size)
		touched = append(touched, s.Touches()...)
		for _, id := range s.Why {
			why[id] = true
		}
	}
	if mtu == 0 {
		return steps, nil
	}
	touched = append(touched, x.correspondents(steps, touched, mtu)...)
	b := &ManualStep{Owner: "network team", MTU: mtu, What: fmt.Sprintf("let IP packets of %d bytes pass (frames of %d bytes and "+
		"more), on these ports and on every link between them", mtu, mtu+18)}
	named := map[model.Ref]bool{}
	add := func(r model.Ref) {
		if !named[r] {
			named[r], b.Ports = true, append(b.Ports, x.port(r))
		}
	}
	for _, r := range touched {
		ports, gaps := x.uplinks(r)
		for _, p := range ports {
			add(p)
		}
		if len(gaps) > 0 {
			add(r) // by one that was not read, too
		}
	}
	if len(b.Ports) == 0 {
		return steps, nil
	}
	b.Proofs = x.portProofs(b.MTU, named)
	s := Step{
		Task:   task.Task{ID: SwitchPorts, Element: "switch ports", Kind: task.Manual, Changes: []task.Change{}},
		Manual: b, Why: slices.Sorted(maps.Keys(why)), Window: ManualWork, Class: string(knowledge.O6),
		Outage: "some switches take a port down for a moment",
	}
	err := s.Write()
	return append([]Step{s}, steps...), err
}

// uplinks are the ports by which an element's frames leave, and what was not read of them.
func (x *index) uplinks(of model.Ref) ([]model.Ref, []model.Gap) {
	if e := x.graph.At(of); e != nil {
		return e.Uplinks()
	}
	return nil, []model.Gap{{What: of.String(), Why: "named by another element but not read itself"}}
}

// raises is the size of packets that a change lets an element send or pass on
// an Ethernet; 0: it does not.
func raises(s Step, c task.Change) int {
	to := c.After.NextBoot
	if to == nil || s.Platform == model.Linux {
		to = c.After.Running
	}
	if to == nil {
		return 0
	}
	switch cat := knowledge.BuiltIn(); {
	case cat.Has(c.Attr, knowledge.JumboFrames):
		if *to == "yes" {
			return 9000
		}
	case cat.Has(c.Attr, knowledge.FrameSize):
		n, err := strconv.Atoi(*to)
		if was := c.Before.Running; err == nil && n > 1500 && n <= largestFrame && (was == nil || larger(n, *was)) {
			return n
		}
	}
	return 0
}

func larger(n int, was string) bool {
	old, err := strconv.Atoi(was)
	return err != nil || n > old
}

// correspondents are interfaces that exchange such packets with those of the
// plan when it is carried out: the switch has ports for them too.
func (x *index) correspondents(steps []Step, touched []model.Ref, mtu int) (out []model.Ref) {
	there := map[model.Ref]bool{}
	for _, r := range touched {
		there[r] = true
	}
	for _, p := range x.proofs(steps) {
		if p.Bytes > 1500 && p.Bytes <= mtu && !there[p.Peer] {
			there[p.Peer], out = true, append(out, p.Peer)
		}
	}
	return out
}

// port returns what a host knows of an element towards the switch.
func (x *index) port(r model.Ref) Port {
	p := Port{At: r}
	h := x.graph.Host(r.Host)
	if h == nil {
		return p
	}
	switch el := h.Elements[r.Element]; {
	case el == nil:
	case el.Kind != model.Physical:
		p.Note = "a port by which it leaves was not read"
	default:
		p.MAC, p.Location = el.MAC, el.Location
		if el.MemberOf != "" {
			p.Note = "below " + el.MemberOf
		}
	}
	return p
}

// sender is an interface that can send large packets over one port.
type sender struct {
	host *model.Host
	el   *model.Element
	port model.Ref
}

// senders are those of the ports of a manual step.
func (x *index) senders(mtu int, ports map[model.Ref]bool) (all []sender) {
	for _, h := range x.fleet.Hosts {
		for _, name := range h.Interfaces() {
			el := h.Elements[name]
			if now, _ := (mtus{}).beforeAndAfter(h, el); now < mtu || now > largestFrame || len(el.Addrs) == 0 {
				continue
			}
			out, gaps := x.at(h, name).Uplinks()
			if len(out) != 1 || len(gaps) > 0 || !ports[out[0]] {
				continue // which of several ports a packet takes, is not known
			}
			all = append(all, sender{h, el, out[0]})
		}
	}
	return all
}

// portProofs are packets that interfaces can send now, before anything is
// changed, over one port each: to one that takes them over another port, or to
// the default gateway.
func (x *index) portProofs(mtu int, ports map[model.Ref]bool) (out []PortProof) {
	all := x.senders(mtu, ports)
	by := map[*model.Element]int{}
	for i, s := range all {
		by[s.el] = i
	}
	add := func(s sender, peer model.Ref, to netip.Addr, passes ...model.Ref) {
		out = append(out, PortProof{Proof: proof(s.host, s.el, peer, to, mtu), Passes: passes})
	}
	for i, s := range all {
		for _, n := range x.neighbours(s.el) {
			if len(out) >= maxPortProofs {
				return out
			}
			j, sends := by[n.el]
			if !sends || j <= i || all[j].port == s.port {
				continue
			}
			o := all[j]
			if to, ok := s.el.Neighbour(o.el); ok {
				add(s, model.Ref{Host: o.host.Name, Element: o.el.Name}, to, s.port, o.port)
			}
		}
		for _, r := range s.host.Routes {
			near := slices.ContainsFunc(s.el.Addrs, func(a netip.Prefix) bool { return a.Addr().Is4() && a.Masked().Contains(r.Gateway) })
			if r.To.Bits() == 0 && near && len(out) < maxPortProofs {
				add(s, model.Ref{Element: "the default gateway"}, r.Gateway, s.port)
			}
		}
	}
	return out
}

const maxPortProofs = 16

// dropManualSteps leaves out what a part of the plan that comes before has.
func (p *Plan) dropManualSteps(before *Plan) {
	p.Steps = slices.DeleteFunc(p.Steps, func(s Step) bool {
		return s.Manual != nil && slices.ContainsFunc(before.Steps, func(o Step) bool { return o.Manual != nil && o.Manual.covers(s.Manual) })
	})
	p.Parts = parts(p.Steps)
}

// Names are the ports in words.
func (b *ManualStep) Names() []string {
	var out []string
	for _, p := range b.Ports {
		out = append(out, p.String())
	}
	return out
}

func (b *ManualStep) covers(o *ManualStep) bool {
	at := map[model.Ref]bool{}
	for _, p := range b.Ports {
		at[p.At] = true
	}
	return b.MTU >= o.MTU && !slices.ContainsFunc(o.Ports, func(p Port) bool { return !at[p.At] })
}
