package lab

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"seaworthy/lab/capture"
	"seaworthy/lab/wire"
)

// Proof holds the frames of a stream from one node to another on its way.
type Proof struct {
	From string        `json:"from"`
	To   string        `json:"to"`
	Hops []capture.Hop `json:"hops"` // in the order that the first frame passed

	// Cut is where large frames become frames of the wire's size; nil if none was
	// large, or all stayed so.
	Cut *Cut `json:"cut,omitempty"`
	// Joined is the first place where frames are larger than those that came from
	// the wire, by large_receive; nil if there is none.
	Joined *capture.Hop `json:"joined,omitempty"`
	// Narrow: the lab cuts large frames early, because some element between
	// systems is too small for what an interface sends.
	Narrow bool `json:"narrow,omitempty"`
}

// Cut lies between two hops that follow each other: large frames were seen at
// Whole and none at Small.
type Cut struct {
	Whole capture.Hop `json:"whole"`
	Small capture.Hop `json:"small"`
	By    string      `json:"by"` // who cut them, and by what setting
}

// Stream is the stream that a capture follows.
type Stream struct {
	From string         `json:"from"` // node that sends
	To   string         `json:"to"`   // node that receives
	At   netip.AddrPort `json:"at"`   // where
}

// wireFrame is the largest frame of a wire with jumbo frames, in bytes.
const wireFrame = 9018

// Whole says that large frames left the sender and stayed so all the way.
func (p Proof) Whole() bool {
	for _, h := range p.Hops {
		if h.Largest <= wireFrame {
			return false
		}
	}
	return len(p.Hops) > 0
}

// Small says that the sender let no large frame go.
func (p Proof) Small() bool { return len(p.Hops) > 0 && p.Hops[0].Largest <= wireFrame }

// cut finds the first place where large frames stop. What the far end puts
// together again further on is not looked at. In a narrow network it is the lab
// that cuts.
func cut(hops []capture.Hop, narrow bool) *Cut {
	for i := 1; i < len(hops); i++ {
		if hops[i-1].Largest > wireFrame && hops[i].Largest <= wireFrame {
			return &Cut{Whole: hops[i-1], Small: hops[i], By: by(hops[i-1], hops[i], narrow)}
		}
	}
	return nil
}

// by says whose work the cutting between two hops is.
func by(whole, small capture.Hop, narrow bool) string {
	switch {
	case narrow:
		return "the lab, whatever largesend says: an interface sends packets that some element between systems is too " +
			"small for (jumbo frames forgotten there), and the kernel would let them pass it inside large frames"
	case whole.Place == wire.SwitchPort:
		return fmt.Sprintf("the port %s %s, as its large_send=yes asks; the lab does that work at the cable's far end, "+
			"so that it costs %s nothing", whole.Node, whole.Adapter, whole.Node)
	case whole.Node == small.Node && whole.Place == wire.Virtual && small.Place == wire.Physical:
		return fmt.Sprintf("the processors of %s: its SEA takes large frames and the port %s is not given any (large_send, chksum_offload)",
			whole.Node, small.Adapter)
	case whole.Place == wire.Hypervisor || small.Place == wire.Hypervisor:
		return fmt.Sprintf("the hypervisor switch: %s %s takes no large frames (largesend of its SEA)", small.Node, small.Adapter)
	}
	return "what is between the two"
}

// joined finds where wire-sized frames become larger ones. How large depends on
// how many came together: a sender with largesend makes trains of dozens, one
// without it pairs.
func joined(hops []capture.Hop) *capture.Hop {
	for i := 1; i < len(hops); i++ {
		if hops[i-1].Largest <= wireFrame && hops[i].Largest > hops[i-1].Largest {
			return &hops[i]
		}
	}
	return nil
}

// provePort is one that no command of the lab's nodes uses.
const provePort = 5099

// receiver starts an iperf and waits until it listens; it ends with an error if iperf does.
const receiver = `iperf -s -p %[1]d >/dev/null 2>&1 </dev/null & echo $!
until netstat -an | grep -q '[.]%[1]d .*LISTEN'; do kill -0 $! || exit 1; sleep 0.05; done; kill -0 $!`

// beginWait bounds the start of the receiver and of the capture, and their end.
const beginWait = 20 * time.Second

// proveSize is how much is sent: enough for windows to open.
const proveSize = "16M"

// counted returns the line that ping prints at its end.
func counted(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "packets transmitted") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// ProveLargesend sends a TCP stream from one node's iperf to the other's and
// counts its frames by size at every end of every cable.
func (l *Lab) ProveLargesend(ctx context.Context, from, to string) (Proof, error) {
	p := Proof{From: from, To: to}
	fail := func(format string, args ...any) (Proof, error) {
		return p, fmt.Errorf("lab %s: prove largesend %s %s: "+format, append([]any{l.Name, from, to}, args...)...)
	}
	for _, n := range []string{from, to} {
		if _, err := l.node(n, "root"); err != nil {
			return p, err
		}
	}
	addr, err := l.address(to)
	switch {
	case err != nil:
		return fail("%w", err)
	case from == to:
		return fail("nothing that %s sends to itself passes a cable: name two nodes", from)
	}
	out, err := l.Shell(ctx, from, fmt.Sprintf("ping -c 3 -i 0.1 -w 10 %s", addr))
	if ctx.Err() != nil {
		return fail("stopped: %w", context.Cause(ctx))
	}
	if err != nil {
		return fail("%s does not reach %s (%s): are they in one VLAN, and is every element between them up? %s", from, to, addr, counted(out))
	}
	begin, cancel := uninterrupted(ctx)
	defer cancel()
	if _, err := l.Shell(begin, from, "command -v iperf"); err != nil {
		return fail("iperf 2, which sends the stream, is not installed on this machine")
	}
	server, err := l.Shell(begin, to, fmt.Sprintf(receiver, provePort))
	if err != nil {
		return fail("start the receiver: %w", err)
	}
	defer l.endReceiver(ctx, to, strings.TrimSpace(server))
	if err := l.Query(begin, "capture-start", Stream{from, to, netip.AddrPortFrom(addr, provePort)}, nil); err != nil {
		return p, err
	}
	_, sent := l.Shell(ctx, from, fmt.Sprintf("iperf -c %s -p %d -n %s -l 64K", addr, provePort, proveSize))
	if err := l.Query(context.WithoutCancel(ctx), "capture-stop", nil, &p.Hops); err != nil {
		return p, err
	}
	if sent != nil {
		return fail("send: %w", sent)
	}
	if err := l.Query(ctx, "mtu-mismatch", nil, &p.Narrow); err != nil {
		return p, err
	}
	p.Cut, p.Joined = cut(p.Hops, p.Narrow), joined(p.Hops)
	if len(p.Hops) == 0 {
		return fail("no frame was seen on any cable: are both nodes on one network?")
	}
	return p, nil
}

// address returns the address of a node.
func (l *Lab) address(node string) (netip.Addr, error) {
	for _, n := range l.Nodes {
		if n.Name != node {
			continue
		}
		if addr, err := netip.ParseAddr(n.Address); err == nil {
			return addr, nil
		}
	}
	return netip.Addr{}, fmt.Errorf("%s has no address", node)
}

// uninterrupted is a context for what has to be begun, or ended, whole, so that nothing is
// left of a proof that is interrupted.
func uninterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), beginWait)
}

// endReceiver ends the receiver on a node; its port is free when it returns.
func (l *Lab) endReceiver(ctx context.Context, node, pid string) {
	end, cancel := uninterrupted(ctx)
	defer cancel()
	_, _ = l.Shell(end, node,
		fmt.Sprintf("kill %s; i=0; while kill -0 %s 2>/dev/null && [ $i -lt 40 ]; do sleep 0.05; i=$((i+1)); done", pid, pid))
}
