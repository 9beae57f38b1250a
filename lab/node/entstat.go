package node

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/inventory"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// entstat prints an adapter's counters as the kernel has them. -d (ioscli:
// -all) adds the driver's own part, and for an SEA the adapters in it.
func (w *Simulator) entstat(_ context.Context, c *Call, o *Options) error {
	if len(o.Rest) == 0 {
		return wrong("one device is required")
	}
	if o.Has("r") || o.Has("reset") {
		_, n := w.node(c.Node)
		a := adapterOf(n, o.Rest[0])
		if a == nil {
			return entstatError(c, o.Rest[0], errNoAdapter)
		}
		if err := w.reset(c.Node, a); err != nil {
			return err
		}
	}
	s, err := w.statistics(c.Node, o.Rest[0], o.Has("d") || o.Has("all"))
	if err != nil {
		return entstatError(c, o.Rest[0], err)
	}
	return c.Print(entstat.Format(s))
}

var errNoAdapter = errors.New("no such adapter")

func entstatError(c *Call, device string, err error) error {
	if errors.Is(err, errNoAdapter) {
		const noDevice = 19 // ENODEV on AIX
		fmt.Fprintf(c.Stderr, "\nentstat: 0909-003 no device %s to connect to, errno = %d\n", device, noDevice)
		return exit(1)
	}
	return err
}

// netstatAdapters is netstat -v: entstat -d of every adapter, or of those named.
func (w *Simulator) netstatAdapters(c *Call, only []string) error {
	var list []*entstat.Adapter
	for _, name := range only {
		s, err := w.statistics(c.Node, name, true)
		if err != nil {
			return entstatError(c, name, err)
		}
		list = append(list, s)
	}
	for _, d := range w.Stores[c.Node].Devices() {
		if d.Class != "adapter" || d.Status != odm.Available || len(only) > 0 {
			continue
		}
		s, err := w.statistics(c.Node, d.Name, true)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	return c.Print(entstat.Format(list...))
}

// statistics of one adapter, under the name that was asked for.
func (w *Simulator) statistics(node, device string, detail bool) (*entstat.Adapter, error) {
	_, n := w.node(node)
	a := adapterOf(n, device)
	if a == nil || !strings.HasPrefix(device, "en") {
		return nil, errNoAdapter
	}
	d, ok := w.Stores[node].Device(a.Name)
	if !ok || d.Status != odm.Available {
		return nil, errNoAdapter
	}
	b := &statBuilder{w: w, node: node, a: a, d: d, s: &entstat.Adapter{Head: entstat.Head{Name: device}}}
	if err := b.head(); err != nil {
		return nil, err
	}
	if !detail {
		return b.s, nil
	}
	switch a.Kind {
	case topology.Virtual:
		b.virtual()
	case topology.Physical:
		b.physical()
	case topology.Channel:
		if err := b.channel(); err != nil {
			return nil, err
		}
	case topology.SEA:
		if err := b.sea(); err != nil {
			return nil, err
		}
	case topology.VLAN:
		b.s.VLAN = &entstat.VLAN{Tag: a.Tag, Base: a.Base}
	}
	return b.s, nil
}

func (b *statBuilder) head() error {
	st, err := b.w.counters(b.node, b.a.Name)
	if err != nil {
		return err
	}
	if b.link, err = b.w.Link(end(b.node, b.a.Name)); err != nil {
		return err
	}
	if b.buffers, err = b.buffered(); err != nil {
		return err
	}
	st, b.buffers = b.w.sinceReset(b.node, b.a.Name, st, b.buffers)
	b.stats = st
	dropped := st.RxDropped
	if b.buffers != nil {
		dropped += b.buffers.Refused()
	}
	h := &b.s.Head
	h.DeviceType, h.HardwareAddress, h.Flags = b.deviceType(), b.link.MAC, b.flags()
	h.Counters = map[string]uint64{
		"tx.Packets": st.TxPackets, "rx.Packets": st.RxPackets, "tx.Bytes": st.TxBytes, "rx.Bytes": st.RxBytes,
		"tx.Transmit Errors": st.TxErrors, "rx.Receive Errors": st.RxErrors, "tx.Packets Dropped": st.TxDropped, "rx.Packets Dropped": dropped,
		"rx.Multicast Packets": st.Multicast, "Adapter Data Rate": b.dataRate(),
	}
	if b.buffers != nil {
		h.Counters["rx.No Resource Errors"] = b.buffers.Refused()
	}
	if b.a.Kind == topology.Physical {
		h.Counters["rx.CRC Errors"] = st.CRCErrors
	}
	return nil
}

// dataRate is the figure AIX drivers print: twice the line rate in Mbit/s,
// 20000 for l-lan, 0 for an SEA.
func (b *statBuilder) dataRate() uint64 {
	switch b.a.Kind {
	case topology.Physical:
		return 2 * b.a.LineRate / 1e6
	case topology.Virtual:
		return 20000
	}
	return 0
}

// flags are the driver's, in its order: those that hold now, for this kind of adapter.
func (b *statBuilder) flags() []string {
	by, held := b.w.holder(b.node, b.a.Name)
	over, _ := b.w.Stores[b.node].Device(by)
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
		{"SEA_ELEM", kind == topology.Physical && held && over.Kind == inventory.SEA},
		{"SEA", kind == topology.SEA}, {"ETHERCHANNEL", kind == topology.Channel},
	} {
		if f.on {
			out = append(out, f.name)
		}
	}
	return out
}
