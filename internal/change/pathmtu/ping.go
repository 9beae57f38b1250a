package pathmtu

import (
	"cmp"
	"net"
	"net/netip"
	"regexp"
	"strconv"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/remote"
)

// Outcome of packets of one size.
type Outcome string

const (
	Passed   Outcome = "passed"
	Refused  Outcome = "refused by the sender" // larger than its own interface allows
	Reported Outcome = "reported"              // a router said so by ICMP
	Lost     Outcome = "lost"                  // no answer, no message
	NotSent  Outcome = "not sent"              // ping itself failed
	Silent   Outcome = "no answer at all"      // of a witness: not to small packets either
)

// Probe holds what became of packets of one size.
type Probe struct {
	Size    int        `json:"size"`    // of the IP packet in bytes
	DF      bool       `json:"df"`      // must not be fragmented
	Outcome Outcome    `json:"outcome"` //
	By      netip.Addr `json:"by,omitzero"`
	MTU     int        `json:"mtu,omitempty"` // what By, or the sender, allows; 0: not said
	Said    string     `json:"said,omitempty"`
	Helper  bool       `json:"helper,omitempty"` // sent by seaworthy-probe, not by ping
}

// Answered says whether any packet of a ping came back, by what it printed.
func Answered(out string) bool { return parse(out).Outcome == Passed }

// Complaint is the first line in which a ping says why it could not send, or which router
// knows no way on; empty: none.
func Complaint(out string) string {
	return remote.Brief(complaint.FindString(out))
}

var (
	complaint = regexp.MustCompile(
		`(?im)^.*(?:unreachable|sendto:|no route|not currently available|cannot assign|permission denied|not permitted).*$`)

	received = regexp.MustCompile(`(\d+) (?:packets )?received`)
	fragment = regexp.MustCompile(`(?i)from ([0-9a-f.:]+?):? .*frag(?:mentation)?\.? needed`)
	allows   = regexp.MustCompile(`(?i)mtu ?= ?(\d+)`)
	tooLong  = regexp.MustCompile(`(?i)message too long`)
)

// parse reads what ping printed, of AIX and of Linux.
func parse(out string) Probe {
	var p Probe
	if m := received.FindStringSubmatch(out); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 {
			p.Outcome = Passed
			return p
		}
	}
	if m := allows.FindStringSubmatch(out); m != nil {
		p.MTU, _ = strconv.Atoi(m[1]) // a number too large for an int says nothing
	}
	if m := fragment.FindStringSubmatch(out); m != nil {
		p.Outcome = Reported
		if a, err := netip.ParseAddr(m[1]); err == nil {
			p.By = a
		}
		return p
	}
	switch {
	case tooLong.MatchString(out):
		p.Outcome = Refused
	case received.MatchString(out):
		p.Outcome = Lost
	default:
		p.Outcome, p.Said = NotSent, cmp.Or(remote.Brief(out), "ping printed nothing")
	}
	return p
}

func (x *Witness) outcome(end model.Ref) Outcome {
	for _, a := range x.Asked {
		if a.Host == end.Host {
			return a.Outcome
		}
	}
	return ""
}

// probing is the size that witnesses are asked with: a quarter above what
// passes. Ports take a few bytes more than they are set to, and not the same
// inwards as outwards; and the less is asked of a witness, the more of them can
// answer.
func probing(w *Direction) int { return min(w.Wanted, w.Largest+w.Largest/4) }

// neighbour is an entry of a host's ARP table.
type neighbour struct {
	address netip.Addr
	mac     [6]byte
}

// universal says that a maker gave the address to a port. Those of virtual
// adapters are given by the hypervisor, which sets the bit of locally
// administered addresses (IEEE 802, second bit of the first byte).
func (n neighbour) universal() bool { return n.mac[0]&3 == 0 && n.mac != [6]byte{} }

// parseNeighbours reads arp -an or /proc/net/arp. Lines that are no complete
// entry are not taken.
func parseNeighbours(text []byte) []neighbour {
	var out []neighbour
	add := func(a netip.Addr, mac string) {
		if hw, err := net.ParseMAC(mac); err == nil && len(hw) == 6 {
			out = append(out, neighbour{a, [6]byte(hw)})
		}
	}
	if t, err := linewise.ParseProcARP(text); err == nil {
		for _, e := range t.Entries {
			if e.Complete() {
				add(e.Address, e.MAC)
			}
		}
		return out
	}
	// A text that is neither names nobody.
	if t, err := linewise.ParseARP(text); err == nil {
		for _, e := range t.Entries {
			add(e.Address, e.MAC)
		}
	}
	return out
}
