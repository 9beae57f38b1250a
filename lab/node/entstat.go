package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/buffers"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// entstat prints an adapter's counters as the kernel has them. -d (ioscli:
// -all) adds the driver's own part, and for an SEA the adapters in it.
func (w *Simulator) entstat(_ context.Context, c *call) error {
	if len(c.Rest) == 0 {
		return wrong("one device is required")
	}
	if c.Has("r") || c.Has("reset") {
		if a := adapterOf(c.n, c.Rest[0]); a != nil {
			if err := w.reset(c.n, a); err != nil {
				return err
			}
		}
	}
	return w.printStatistics(c, c.Rest, c.Has("d") || c.Has("all"))
}

// netstatAdapters is netstat -v: entstat -d of every adapter, or of those named.
func (w *Simulator) netstatAdapters(c *call) error {
	names := c.Rest
	for _, d := range c.db.Devices() {
		if d.Class == "adapter" && d.Status == odm.Available && len(c.Rest) == 0 {
			names = append(names, d.Name)
		}
	}
	return w.printStatistics(c, names, true)
}

func (w *Simulator) printStatistics(c *call, names []string, detail bool) error {
	var list []*printing.Adapter
	for _, name := range names {
		s, err := w.statistics(c.n, name, detail)
		if errors.Is(err, errNoAdapter) {
			const noDevice = 19 // ENODEV on AIX
			fmt.Fprintf(c.Stderr, "\nentstat: 0909-003 no device %s to connect to, errno = %d\n", name, noDevice)
			return exit(1)
		}
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return c.Print(printing.FormatEntstat(list...))
}

var errNoAdapter = errors.New("no such adapter")

// statBuilder puts an adapter's statistics together. What nobody measures is
// left out.
type statBuilder struct {
	w       *Simulator
	n       *topology.Node
	a       *topology.Adapter
	d       odm.Device
	s       *printing.Adapter
	link    wire.Link
	origin                  // since the last reset
	buffers *buffers.Counts // nil: nobody counts them
}

func (b *statBuilder) head() (err error) {
	node, name := b.n.Name, b.a.Name
	if b.origin, b.buffers, err = b.w.reading(node, b.a); err != nil {
		return err
	}
	if b.link, err = b.w.Link(end(node, name)); err != nil {
		return err
	}
	b.origin = b.since(b.w.origins.get([2]string{node, name}))
	st := b.stats
	h := &b.s.Head
	h.DeviceType, h.HardwareAddress, h.Flags = b.deviceType(), b.link.MAC, b.flags()
	h.Counters = map[string]uint64{
		"tx.Packets": st.TxPackets, "rx.Packets": st.RxPackets, "tx.Bytes": st.TxBytes, "rx.Bytes": st.RxBytes,
		"tx.Transmit Errors": st.TxErrors, "rx.Receive Errors": st.RxErrors, "tx.Packets Dropped": st.TxDropped,
		"rx.Packets Dropped": st.RxDropped + b.refused, "rx.Multicast Packets": st.Multicast,
		// Twice the line rate in Mbit/s; an SEA has 0.
		"Adapter Data Rate": map[topology.AdapterKind]uint64{topology.Physical: 2 * b.a.LineRate / 1e6, topology.Virtual: 20000}[b.a.Kind],
	}
	if b.buffers != nil {
		h.Counters["rx.No Resource Errors"] = b.refused
	}
	if b.a.Kind == topology.Physical {
		h.Counters["rx.CRC Errors"] = st.CRCErrors
	}
	return nil
}

// deviceType is what drivers call themselves: an EtherChannel by its mode.
func (b *statBuilder) deviceType() string {
	switch {
	case b.a.Kind != topology.Channel:
		return b.d.Description
	case b.running("mode") == "8023ad":
		return "IEEE 802.3ad Link Aggregation"
	}
	return "EtherChannel"
}

// flags are the driver's, in its order: those that hold now, for this kind of adapter.
func (b *statBuilder) flags() []string {
	by, held := b.w.holder(b.n.Name, b.a.Name)
	over, _ := b.w.Stores[b.n.Name].Device(by)
	check, send := b.running("chksum_offload") == "yes", b.running("large_send") == "yes"
	kind := b.a.Kind
	stacked := kind == topology.SEA || kind == topology.Channel
	var out []string
	for _, f := range []struct {
		name string
		on   bool
	}{
		{"Up", b.link.Up}, {"Broadcast", true}, {"Running", b.link.Carrier}, {"Simplex", true},
		{"Promiscuous", held && kind != topology.SEA}, {"AllMulticast", held && kind != topology.SEA}, {"64BitSupport", true},
		{"ChecksumOffload", stacked || check && kind != topology.VLAN},
		{"LargeSend", check && (kind == topology.Virtual || kind == topology.Physical && send)},
		{"DataRateSet", kind != topology.VLAN}, {"VIOENT", kind == topology.Virtual},
		{"SEA_ELEM", kind == topology.Physical && held && over.Kind == model.SEA},
		{"SEA", kind == topology.SEA}, {"ETHERCHANNEL", kind == topology.Channel},
	} {
		if f.on {
			out = append(out, f.name)
		}
	}
	return out
}

func (b *statBuilder) running(attr string) string {
	return b.w.running(b.n.Name, b.a.Name, attr)
}

// holder is the SEA or EtherChannel that has an adapter open.
func (w *Simulator) holder(node, adapter string) (string, bool) {
	for _, d := range w.Stores[node].Devices() {
		if slices.Contains(d.Members, adapter) && d.Kind != model.VLANDevice {
			return d.Name, true
		}
	}
	return "", false
}
