package change

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"

	"seaworthy/catalog"
	"seaworthy/change/pathmtu"
	"seaworthy/inventory"
	"seaworthy/remote"
)

// kindByHand is a step that somebody else does, on what no host can set.
const kindByHand inventory.Kind = "by-hand"

// SwitchPorts is the id of the step by hand that precedes jumbo frames.
const SwitchPorts = "switch-ports"

// ByHand is what has to be done where no host of the plan reaches.
type ByHand struct {
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
	At       inventory.Ref `json:"at"`
	MAC      string        `json:"mac,omitempty"`      // of the adapter: the switch's address table has the port
	Location string        `json:"location,omitempty"` // physical location code of the adapter
	Note     string        `json:"note,omitempty"`
}

func (p Port) String() string {
	s := p.At.String()
	for _, x := range []string{p.MAC, p.Location, p.Note} {
		if x != "" {
			s += ", " + x
		}
	}
	return s
}

// PortProof is a proof with the ports that it passes.
type PortProof struct {
	Proof
	Passes []inventory.Ref `json:"passes"`
}

// largestFrame is the most that Ethernet switches pass: interfaces with a
// larger MTU are those of a hypervisor switch alone.
const largestFrame = 9216

// byHand is the step that jumbo frames wait for; nil: the plan has none.
func byHand(f *inventory.Fleet, steps []Step) *Step {
	mtu := 0
	var touched []inventory.Ref
	var why []string
	for _, s := range steps {
		size := 0
		for _, c := range s.Changes {
			size = max(size, raises(s, c))
		}
		if size == 0 {
			continue
		}
		mtu = max(mtu, size)
		touched = append(touched, s.touches()...)
		for _, id := range s.Why {
			if !slices.Contains(why, id) {
				why = append(why, id)
			}
		}
	}
	if mtu == 0 {
		return nil
	}
	touched = append(touched, correspondents(f, steps, touched, mtu)...)
	b := &ByHand{Owner: "network team", MTU: mtu, What: fmt.Sprintf("let IP packets of %d bytes pass (frames of %d bytes and more), on these ports and on every link between them", mtu, mtu+18)}
	for _, r := range touched {
		ports, gaps := f.Outlets(r)
		for _, p := range ports {
			b.add(f, p)
		}
		if len(gaps) > 0 && len(ports) == 0 {
			b.add(f, r)
		}
	}
	if len(b.Ports) == 0 {
		return nil
	}
	b.Proofs = portProofs(f, b)
	slices.Sort(why)
	return &Step{
		ID: SwitchPorts, Element: "switch ports", Kind: kindByHand, Changes: []Change{}, ByHand: b, Why: why,
		Window: HandWork, Class: string(catalog.O6), Outage: "some switches take a port down for a moment", Do: []string{}, Verify: []Check{}, Undo: []string{},
	}
}

// raises is the size of packets that a change lets an element send or pass on
// an Ethernet; 0: it does not.
func raises(s Step, c Change) int {
	to := c.After.NextBoot
	if to == nil || s.Platform == inventory.Linux {
		to = c.After.Running
	}
	if to == nil {
		return 0
	}
	switch c.Attr {
	case "jumbo_frames", "use_jumbo_frame":
		if *to == "yes" {
			return 9000
		}
	case "mtu":
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
func correspondents(f *inventory.Fleet, steps []Step, touched []inventory.Ref, mtu int) (out []inventory.Ref) {
	for _, x := range proofs(f, steps) {
		if x.Bytes > 1500 && x.Bytes <= mtu && !slices.Contains(touched, x.Peer) && !slices.Contains(out, x.Peer) {
			out = append(out, x.Peer)
		}
	}
	return out
}

func (b *ByHand) add(f *inventory.Fleet, r inventory.Ref) {
	if slices.ContainsFunc(b.Ports, func(p Port) bool { return p.At == r }) {
		return
	}
	p := Port{At: r}
	switch el := f.Element(r); {
	case el == nil:
	case el.Kind != inventory.Physical:
		p.Note = "the port by which it leaves was not read"
	default:
		p.MAC, p.Location = el.MAC, el.Location
		if el.MemberOf != "" {
			p.Note = "below " + el.MemberOf
		}
	}
	b.Ports = append(b.Ports, p)
}

// portProofs are packets that interfaces can send now, before anything is
// changed, over one port each: to one that takes them over another port, or to
// the default gateway.
func portProofs(f *inventory.Fleet, b *ByHand) (out []PortProof) {
	type sender struct {
		host *inventory.Host
		el   *inventory.Element
		port inventory.Ref
	}
	var all []sender
	for _, h := range f.Hosts {
		for _, name := range h.Interfaces() {
			el := h.Elements[name]
			a := el.Attrs["mtu"]
			if a == nil || a.Running == nil || len(el.Addrs) == 0 {
				continue
			}
			if n, err := strconv.Atoi(*a.Running); err != nil || n < b.MTU || n > largestFrame {
				continue
			}
			ports, gaps := f.Outlets(inventory.Ref{Host: h.Name, Element: name})
			if len(ports) != 1 || len(gaps) > 0 || !slices.ContainsFunc(b.Ports, func(p Port) bool { return p.At == ports[0] }) {
				continue // which of several ports a packet takes, nobody tells
			}
			all = append(all, sender{h, el, ports[0]})
		}
	}
	proof := func(s sender, peer inventory.Ref, to netip.Addr, passes ...inventory.Ref) {
		out = append(out, PortProof{Proof: Proof{Host: s.host.Name, Element: s.el.Name, Peer: peer, To: to, Bytes: b.MTU, Command: pathmtu.Ping(s.host, to, b.MTU)}, Passes: passes})
	}
	for i, s := range all {
		for _, o := range all[i+1:] {
			if to, ok := neighbour(s.el, o.el); ok && s.port != o.port && len(out) < maxPortProofs {
				proof(s, inventory.Ref{Host: o.host.Name, Element: o.el.Name}, to, s.port, o.port)
			}
		}
		for _, r := range s.host.Routes {
			near := slices.ContainsFunc(s.el.Addrs, func(a netip.Prefix) bool { return a.Addr().Is4() && a.Masked().Contains(r.Gateway) })
			if r.To.Bits() == 0 && near && len(out) < maxPortProofs {
				proof(s, inventory.Ref{Element: "the default gateway"}, r.Gateway, s.port)
			}
		}
	}
	return out
}

const maxPortProofs = 16

// ErrByHand says that a plan waits for somebody else's work.
var ErrByHand = errors.New("waits for work by hand")

// handsDone makes sure, before anything is changed, that what has to be done
// by hand has been done: the packets show it, or the user says so. What is
// believed the plan's proofs hold against the network later, before the next
// hosts send such packets.
func (r *Runner) handsDone(ctx context.Context, p *Plan) (map[string]string, error) {
	how := map[string]string{}
	for i, s := range p.Steps {
		if s.ByHand == nil {
			continue
		}
		shown, left := r.shown(ctx, s.ByHand)
		switch {
		case len(left) == 0:
			how[s.ID] = "shown by packets of " + strconv.Itoa(s.ByHand.MTU) + " bytes that pass"
		case slices.Contains(r.Done, s.ID):
			how[s.ID] = "said to be done"
		default:
			already := ""
			if len(shown) > 0 {
				already = fmt.Sprintf(" (done already: %s)", strings.Join(shown, ", "))
			}
			return nil, fmt.Errorf("plan %s: step %d %s %w: the %s has to %s: %s%s. Nothing was changed; when it is done, apply again with --done %s",
				p.ID, i+1, s.ID, ErrByHand, s.ByHand.Owner, s.ByHand.What, strings.Join(left, "; "), already, s.ID)
		}
	}
	return how, nil
}

// handDone notes a step by hand in the journal, with how it is known.
func (r *Runner) handDone(s Step, write func(...event) error, how string) error {
	r.tell(s, evDone, nil)
	return write(event{Event: evDone, Step: s.ID, How: how})
}

// shown divides the ports into those that packets have shown to be done and
// the others.
func (r *Runner) shown(ctx context.Context, b *ByHand) (done, left []string) {
	passes := make([]bool, len(b.Proofs))
	var all sync.WaitGroup
	for i, x := range b.Proofs {
		all.Go(func() {
			if h := r.Hosts[x.Host]; h != nil {
				res, err := h.Run(ctx, remote.Command{Line: x.Command})
				passes[i] = err == nil && pathmtu.Answered(string(res.Stdout))
			}
		})
	}
	all.Wait()
	for _, p := range b.Ports {
		ok := false
		for i, x := range b.Proofs {
			ok = ok || passes[i] && slices.Contains(x.Passes, p.At)
		}
		if ok {
			done = append(done, p.At.String())
		} else {
			left = append(left, p.String())
		}
	}
	return done, left
}

// early is how many proofs are not put off until all is done.
const early = 4

// ripe are the first proofs whose interfaces all have their new MTU once step i
// is done: if they do not hold, the steps that follow are not begun.
func (p *Plan) ripe(i int) (out []Proof) {
	last := func(host, element string) int {
		for n, s := range slices.Backward(p.Steps) {
			if s.Sets(inventory.Ref{Host: host, Element: element}, "mtu") {
				return n
			}
		}
		return -1
	}
	at := make([]int, len(p.Proofs)) // the step after which it can hold
	for n, x := range p.Proofs {
		at[n] = max(last(x.Host, x.Element), last(x.Peer.Host, x.Peer.Element))
	}
	sooner := 0
	for n, x := range p.Proofs {
		switch {
		case at[n] < i:
			sooner++
		case at[n] == i && i < len(p.Steps)-1: // after the last step all are proved anyway
			out = append(out, x)
		}
	}
	return out[:max(0, min(len(out), early-sooner))]
}

// withHands puts the step by hand before all others: nothing is changed, and
// nobody fails over, before it is done.
func withHands(f *inventory.Fleet, steps []Step) []Step {
	if s := byHand(f, steps); s != nil {
		return append([]Step{*s}, steps...)
	}
	return steps
}

// withoutHands leaves out what a part of the plan that comes before has.
func (p *Plan) withoutHands(before *Plan) {
	p.Steps = slices.DeleteFunc(p.Steps, func(s Step) bool {
		return s.ByHand != nil && slices.ContainsFunc(before.Steps, func(o Step) bool { return o.ByHand != nil && o.ByHand.covers(s.ByHand) })
	})
	p.Parts = parts(p.Steps)
}

// Senders are the hosts of a plan, and those besides whose packets can show that
// a step by hand was done.
func (p *Plan) Senders() []string {
	all := p.AllHosts()
	for _, s := range p.Steps {
		if s.ByHand == nil {
			continue
		}
		for _, x := range s.ByHand.Proofs {
			all = append(all, x.Host)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Names are the ports in words.
func (b *ByHand) Names() []string {
	var out []string
	for _, p := range b.Ports {
		out = append(out, p.String())
	}
	return out
}

func (b *ByHand) covers(o *ByHand) bool {
	return b.MTU >= o.MTU && !slices.ContainsFunc(o.Ports, func(p Port) bool {
		return !slices.ContainsFunc(b.Ports, func(q Port) bool { return q.At == p.At })
	})
}
