package wire

import (
	"cmp"
	"fmt"
	"math"
	"os"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// offloads are those of Settings.
type offloads struct{ tso, gro, tx, rx, gso, made bool }

// applyOffloads sets the kernel features that the settings ask for. What was set
// before is not read again: reading the features of a thousand devices takes
// longer than all the rest of a change.
func (s *netns) applyOffloads(dev string, w Settings) error {
	d, now := s.device(dev), offloads{w.TSO, w.GRO, w.TxChecksum, w.RxChecksum, w.GSO, true}
	if d.offloads == now {
		return nil
	}
	d.offloads = offloads{}
	s.log("set offloads", dev, "offloads", now)
	// TSO needs the checksum done by the device; the kernel drops it otherwise.
	segment := w.TSO && w.TxChecksum
	for _, f := range []struct {
		what string
		feature
		on bool
	}{{"tx checksum", txChecksum, w.TxChecksum}, {"rx checksum", rxChecksum, w.RxChecksum}, {"gso", gso, segment || w.GSO},
		{"tso", tso, segment}, {"gro", gro, w.GRO}} {
		if err := s.eth.setFeature(dev, f.feature, f.on); err != nil {
			return fmt.Errorf("offload %s, %t: %w", f.what, f.on, err)
		}
	}
	d.offloads = now
	return nil
}

// anySegments is the limit of a new device (GSO_MAX_SEGS).
const anySegments = 65535

// applySegments says how much TCP may hand to a device at once. Since Linux
// 4.17 that is 64 KB whatever the device can do: the kernel cuts it just above
// the driver.
func (s *netns) applySegments(l netlink.Link, most int) error {
	if most == 0 {
		most = anySegments
	}
	if int(l.Attrs().GSOMaxSegs) == most {
		return nil
	}
	s.log("set largest segment count", l.Attrs().Name, "segments", most)
	if err := s.nl.LinkSetGSOMaxSegs(l, most); err != nil {
		return fmt.Errorf("set gso_max_segs: %w", err)
	}
	// Sockets read it with their route: those that are open have to look again.
	return s.in(func() error {
		if err := os.WriteFile("/proc/sys/net/ipv4/route/flush", []byte("1"), 0); err != nil {
			return fmt.Errorf("flush routes: %w", err)
		}
		return nil
	})
}

// The token bucket of a line: large enough to pass several 64 KB frames, and,
// where nothing else is asked for, a queue of a few milliseconds at 10 Gbit/s.
const (
	bucketBytes = 256 << 10
	queueBytes  = 4 << 20
)

// applyRate puts a token bucket on the device's egress, or takes it away.
func (s *netns) applyRate(device string, index int, bits uint64, queue uint32, qdiscs []netlink.Qdisc) error {
	var have *netlink.Tbf
	for _, q := range qdiscs {
		if t, ok := q.(*netlink.Tbf); ok && t.LinkIndex == index && t.Parent == netlink.HANDLE_ROOT {
			have = t
		}
	}
	if bits == 0 {
		if have == nil {
			return nil
		}
		s.log("remove line rate", device)
		if err := s.nl.QdiscDel(have); err != nil {
			return fmt.Errorf("remove line rate: %w", err)
		}
		return nil
	}
	rate, queue := bits/8, cmp.Or(queue, queueBytes)
	if have != nil && have.Rate == rate && have.Limit == queue {
		return nil
	}
	s.log("set line rate", device, "bits", bits, "queue", queue)
	ticks := netlink.Xmittime(rate, bucketBytes)
	if rate == 0 || uint64(ticks) >= math.MaxUint32 {
		return fmt.Errorf("line rate %d bit/s: too low for a token bucket", bits)
	}
	tbf := &netlink.Tbf{QdiscAttrs: netlink.QdiscAttrs{LinkIndex: index, Parent: netlink.HANDLE_ROOT, Handle: netlink.MakeHandle(1, 0)},
		Rate: rate, Limit: queue, Buffer: ticks}
	err := s.nl.QdiscReplace(tbf)
	if err == unix.ENOENT {
		err = fmt.Errorf("this kernel has no tbf queue (sch_tbf): %w", err)
	}
	if err != nil {
		err = fmt.Errorf("line rate %d bit/s: %w", bits, err)
	}
	return err
}
