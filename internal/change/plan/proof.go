package plan

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
)

// Proof is a packet that must pass whole when a plan has been carried out.
type Proof struct {
	Host    string `json:"host"` // the sender
	Element string `json:"element"`
	task.Login
	Peer    model.Ref  `json:"peer"`
	To      netip.Addr `json:"to"`
	Bytes   int        `json:"bytes"`   // of the IP packet
	Command string     `json:"command"` // a ping that must not be fragmented, where the host has such a flag
	// Hosts that carry it from one end to the other: they can show what stops it.
	Via []string `json:"via,omitempty"`
}

// ping sends two packets, since one can be lost by chance.
func (p Proof) ping() remote.Step { return p.Login.Ping(p.To, p.Bytes, 2, p.DontFragment()) }

// Ping is the command that sends the proof's packets.
func (p Proof) Ping() remote.Command {
	if step := p.ping(); step.String() == p.Command {
		return step.Command()
	}
	return remote.Command{Line: p.Command}
}

func proof(h *model.Host, el *model.Element, peer model.Ref, to netip.Addr, size int) Proof {
	p := Proof{Host: h.Name, Element: el.Name, Login: task.LoginOf(h), Peer: peer, To: to, Bytes: size}
	p.Command = p.ping().String()
	return p
}

func (p Proof) String() string {
	return fmt.Sprintf("packets of %d bytes from %s:%s reach %s (%s) whole", p.Bytes, p.Host, p.Element, p.Peer, p.To)
}

// peers is how many neighbours a raised interface is tried against.
const peers = 2

// proofs are those of all interfaces that get a larger MTU.
func (x *index) proofs(steps []Step) []Proof {
	var out []Proof
	set := mtusSet(steps)
	if len(set) == 0 {
		return nil
	}
	for _, h := range x.fleet.Hosts {
		for _, name := range h.Names(model.Interface) {
			out = append(out, x.proofsOfLargerMTU(set, h, h.Elements[name])...)
		}
	}
	return out
}

// proofsOfLargerMTU are the proofs of an interface if it gets a larger MTU: towards
// neighbours in the same subnet that have it too by then, those of other
// systems first, since the way to them is longer.
func (x *index) proofsOfLargerMTU(set mtus, h *model.Host, el *model.Element) []Proof {
	was, will := set.beforeAndAfter(h, el)
	if will <= was || was == 0 {
		return nil
	}
	var near, far []Proof
	around := x.neighbours(el)
	for i := 0; i < len(around) && len(far) < peers; i++ {
		o := around[i]
		if o.host == h {
			i += x.countOfHost(around[i+1:], h)
			continue
		}
		list := &near
		if o.host.MachineID != h.MachineID {
			list = &far
		}
		if o.el.Kind != model.Interface || len(*list) == peers {
			continue
		}
		to, ok := el.Neighbour(o.el)
		_, theirs := set.beforeAndAfter(o.host, o.el)
		size := min(will, theirs)
		if !ok || size <= was {
			continue
		}
		*list = append(*list, proof(h, el, model.Ref{Host: o.host.Name, Element: o.el.Name}, to, size))
	}
	all := slices.Concat(far, near)
	all = all[:min(peers, len(all))]
	for i := range all {
		all[i].Via = x.carrierHosts(model.Ref{Host: h.Name, Element: el.Name}, all[i].Peer)
	}
	return all
}

// mtus are those that steps set, by interface.
type mtus map[model.Ref]int

func mtusSet(steps []Step) mtus {
	set := mtus{}
	for _, s := range steps {
		for _, c := range s.Changes {
			if knowledge.BuiltIn().Has(c.Attr, knowledge.FrameSize) && c.After.Running != nil {
				set[s.Of(c)], _ = strconv.Atoi(*c.After.Running) // what is not a number proves nothing
			}
		}
	}
	return set
}

// beforeAndAfter is an interface's MTU before and after the steps; 0 is not known.
func (m mtus) beforeAndAfter(h *model.Host, el *model.Element) (was, will int) {
	name := knowledge.BuiltIn().ByRole(string(model.Interface), knowledge.FrameSize) // and of Linux the same
	if a := el.Attrs[name]; a != nil && a.Running != nil {
		was, _ = strconv.Atoi(*a.Running) // what is not a number proves nothing
	}
	if n, ok := m[model.Ref{Host: h.Name, Element: el.Name}]; ok {
		return was, n
	}
	return was, was
}

// carrierHosts are the hosts other than the two ends whose ports frames between these
// can pass, those that stand by too.
func (x *index) carrierHosts(from, to model.Ref) []string {
	var out []string
	for _, end := range []model.Ref{from, to} {
		ports, _ := x.uplinks(end) // what was not read cannot be asked
		for _, port := range ports {
			if port.Host != from.Host && port.Host != to.Host && !slices.Contains(out, port.Host) {
				out = append(out, port.Host)
			}
		}
	}
	slices.Sort(out)
	return out
}
