package wire

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"seaworthy/lab/packetfilter"
)

// delayed sets the delays of the switch's ports, by the node at their other end.
func delayed(t *testing.T, n *Network, st State, by map[string]time.Duration) {
	t.Helper()
	for _, d := range n.Devices() {
		if d.Place == SwitchPort {
			s := st.Ends[d.End]
			s.Delay = by[d.Node]
			st.Ends[d.End] = s
		}
	}
	err := n.Apply(t.Context(), st)
	if err != nil && strings.Contains(err.Error(), "needs ") && os.Getenv("CI") != "true" {
		t.Skipf("no delays here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// echo answers every packet on a port of a node.
func echo(t *testing.T, n *Network, node string) {
	t.Helper()
	var c net.PacketConn
	if err := n.Run(node, func() (err error) { c, err = net.ListenPacket("udp4", ":7"); return err }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 2000)
		for {
			size, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			_, _ = c.WriteTo(b[:size], from)
		}
	}()
}

// quickest sends packets there and back, one after the other, and gives the
// shortest time.
func quickest(t *testing.T, c net.Conn) time.Duration {
	t.Helper()
	best := time.Hour
	b := make([]byte, 10)
	for range 5 {
		begun := time.Now()
		if _, err := c.Write([]byte("there")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(b); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(begun))
	}
	return best
}

func dial(t *testing.T, n *Network, node, to string) net.Conn {
	t.Helper()
	var c net.Conn
	if err := n.Run(node, func() (err error) { c, err = net.Dial("udp4", to); return err }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	return c
}

func TestDelay(t *testing.T) {
	t.Parallel()
	n, st := built(t, "dedicated")
	echo(t, n, "lpar2")
	c := dial(t, n, "lpar1", "10.10.10.12:7")
	for _, x := range []struct {
		what   string
		by     map[string]time.Duration
		lo, hi time.Duration // of a round trip; what a busy machine adds is far below the steps
	}{
		{"no delay", nil, 0, 60 * time.Millisecond},
		{"one end", map[string]time.Duration{"lpar1": 40 * time.Millisecond}, 80 * time.Millisecond, 140 * time.Millisecond},
		{"both ends", map[string]time.Duration{"lpar1": 40 * time.Millisecond, "lpar2": 80 * time.Millisecond}, 240 * time.Millisecond,
			300 * time.Millisecond},
		{"the other end", map[string]time.Duration{"lpar2": 60 * time.Millisecond}, 120 * time.Millisecond, 180 * time.Millisecond},
		{"mended", nil, 0, 60 * time.Millisecond},
	} {
		delayed(t, n, st, x.by)
		if lost, err := n.DelayLosses(); err != nil || lost > 0 {
			t.Errorf("%s: got %d packets lost, error %v, want none", x.what, lost, err)
		}
		// A packet goes on a few microseconds too early at most.
		if got := quickest(t, c); got < x.lo-50*time.Microsecond || got > x.hi {
			t.Errorf("%s: a round trip takes %s, want %s to %s", x.what, got, x.lo, x.hi)
		}
	}
	left, err := n.ReadFile("sw:sw1", "/proc/net/netfilter/nfnetlink_queue")
	if err != nil || len(left) > 0 {
		t.Errorf("after the delays: got queue %q, error %v, want none", left, err)
	}
	if err := n.Run("sw:sw1", func() error { return packetfilter.Remove(markTable) }); err == nil {
		t.Error("after the delays: the chain of bridges is still there")
	}
}

// Whatever is on the cable while its delay changes arrives, in order.
func TestDelayKeepsOrder(t *testing.T) {
	t.Parallel()
	n, st := built(t, "dedicated")
	echo(t, n, "lpar2")
	c := dial(t, n, "lpar1", "10.10.10.12:7")
	delayed(t, n, st, map[string]time.Duration{"lpar1": 5 * time.Millisecond})
	quickest(t, c)
	const packets, atOnce = 2000, 50
	sent := make(chan error, 1)
	room := make(chan bool, atOnce)
	go func() {
		for i := range uint32(packets) {
			room <- true
			if _, err := c.Write(binary.BigEndian.AppendUint32(nil, i)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	b := make([]byte, 10)
	for want := range uint32(packets) {
		switch want {
		case packets / 4:
			delayed(t, n, st, map[string]time.Duration{"lpar1": time.Millisecond})
		case packets / 2:
			delayed(t, n, st, map[string]time.Duration{"lpar1": time.Millisecond, "lpar2": time.Millisecond})
		case packets * 3 / 4:
			delayed(t, n, st, map[string]time.Duration{"lpar2": time.Millisecond})
		}
		if _, err := c.Read(b); err != nil {
			t.Fatalf("packet %d of %d: %v", want, packets, err)
		}
		if got := binary.BigEndian.Uint32(b); got != want {
			t.Fatalf("got packet %d, want %d", got, want)
		}
		<-room
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
}

// What passes no delayed port goes its way as ever.
func TestDelayOfOthers(t *testing.T) {
	t.Parallel()
	n, st := built(t, "dedicated-mixed")
	echo(t, n, "lpar2")
	for _, d := range n.Devices() {
		if d.Place == SwitchPort && d.Node == "lpar1" && d.Adapter == "ent1" {
			s := st.Ends[d.End]
			s.Delay = 90 * time.Millisecond
			st.Ends[d.End] = s
		}
	}
	delayed := func(subnet int) time.Duration {
		return quickest(t, dial(t, n, "lpar1", fmt.Sprintf("10.10.%d.12:7", subnet)))
	}
	if err := n.Apply(t.Context(), st); err != nil {
		t.Skipf("no delays here: %v", err)
	}
	if near, far := delayed(10), delayed(20); near > 90*time.Millisecond || far < 179*time.Millisecond {
		t.Errorf("got round trips of %s past the delayed port and %s over it, want below 90ms and 180ms", near, far)
	}
}
