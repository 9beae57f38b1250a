package watch

// One direction of a pair: numbered datagrams, and which of them arrived.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// flow sends from one node and receives on the other.
type flow struct {
	from, to *net.UDPConn
	target   netip.AddrPort

	mu      sync.Mutex
	sent    []time.Time // of each datagram, by its number
	arrived []bool
}

// openFlow makes both ends. The receiver's port is the kernel's choice.
func openFlow(n Namespaces, way Pair) (*flow, error) {
	f := &flow{}
	to, err := openUDP(n, way.B)
	if err != nil {
		return nil, err
	}
	f.to = to
	from, err := openUDP(n, way.A)
	if err != nil {
		to.Close()
		return nil, err
	}
	f.from = from
	f.target = to.LocalAddr().(*net.UDPAddr).AddrPort()
	return f, nil
}

func openUDP(n Namespaces, at Place) (*net.UDPConn, error) {
	var c *net.UDPConn
	err := n.Run(at.Node, func() error {
		listen := net.ListenConfig{Control: absentAddress}
		packets, err := listen.ListenPacket(context.Background(), "udp4", netip.AddrPortFrom(at.Address, 0).String())
		if err == nil {
			c = packets.(*net.UDPConn)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("watch: %s %s: %w", at.Node, at.Address, err)
	}
	return c, nil
}

// absentAddress lets a socket have an address that the node has lost and may have again: an interface that is detached.
func absentAddress(_, _ string, raw syscall.RawConn) error {
	var failed error
	err := raw.Control(func(fd uintptr) { failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, unix.IP_FREEBIND, 1) })
	return errors.Join(err, failed)
}

// payload of a datagram in bytes: its number, and what makes it as long as a small request.
const payload = 64

// send sends a datagram every Interval. One that the node cannot send is one that is lost.
func (f *flow) send(ctx context.Context) {
	tick := time.NewTicker(Interval)
	defer tick.Stop()
	text := make([]byte, payload)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		f.mu.Lock()
		number := len(f.sent)
		f.sent = append(f.sent, time.Now())
		f.arrived = append(f.arrived, false)
		f.mu.Unlock()
		binary.BigEndian.PutUint64(text, uint64(number))
		_, _ = f.from.WriteToUDPAddrPort(text, f.target)
	}
}

// receive notes what arrives, until the socket is closed. An error that is not the end, as of a
// node whose interface goes down, says nothing of the next datagram.
func (f *flow) receive() {
	text := make([]byte, payload)
	for {
		n, err := f.to.Read(text)
		if isClosed(err) {
			return
		}
		if err != nil || n != payload {
			continue
		}
		number := binary.BigEndian.Uint64(text)
		f.mu.Lock()
		if number < uint64(len(f.arrived)) {
			f.arrived[number] = true
		}
		f.mu.Unlock()
	}
}

func (f *flow) close() {
	f.from.Close()
	f.to.Close()
}

// result gives how many datagrams were sent, and the gaps among those that arrived. A gap that
// lasts to the end is as long as was sent.
func (f *flow) result() (sent int, gaps []Gap) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.sent), gapsOf(f.sent, f.arrived)
}

func gapsOf(sent []time.Time, arrived []bool) []Gap {
	var gaps []Gap
	lost := 0
	for i, here := range arrived {
		if !here {
			lost++
			continue
		}
		if lost > 0 {
			start := sent[i-lost]
			gaps = append(gaps, Gap{Start: start, Long: sent[i].Sub(start), Lost: lost})
		}
		lost = 0
	}
	if lost > 0 {
		start := sent[len(sent)-lost]
		gaps = append(gaps, Gap{Start: start, Long: sent[len(sent)-1].Sub(start) + Interval, Lost: lost})
	}
	return gaps
}

func sortGaps(gaps []Gap) {
	slices.SortStableFunc(gaps, func(a, b Gap) int { return a.Start.Compare(b.Start) })
}
