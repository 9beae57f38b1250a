package commands

import (
	"errors"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/buffers"
	"seaworthy/lab/node"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

var errNoAdapter = errors.New("no such adapter")

// statisticsOf returns the statistics of one adapter, under the name that was asked for.
func statisticsOf(c *call, device string, detail bool) (*printing.Adapter, error) {
	a := node.AdapterOf(c.config, device)
	if a == nil || !strings.HasPrefix(device, "en") {
		return nil, errNoAdapter
	}
	d, ok := c.db.Device(a.Name)
	if !ok || d.Status != odm.Available {
		return nil, errNoAdapter
	}
	b := &adapterStatistics{call: c, n: c.config, a: a, d: d, s: &printing.Adapter{Head: printing.Head{Name: device}}}
	err := b.head()
	switch {
	case err != nil || !detail:
	case a.Kind == topology.Virtual:
		b.virtual()
	case a.Kind == topology.Physical:
		b.physical()
	case a.Kind == topology.Channel:
		err = b.channel()
	case a.Kind == topology.SEA:
		err = b.sea()
	case a.Kind == topology.VLAN:
		b.s.VLAN = &printing.VLAN{Tag: a.Tag, Base: a.Base}
	}
	return b.s, err
}

// adapterStatistics puts an adapter's statistics together. What nobody measures is
// left out.
type adapterStatistics struct {
	*call
	n       *topology.Node
	a       *topology.Adapter
	d       odm.Device
	s       *printing.Adapter
	link    wire.Link
	counted node.AdapterReading // since the last reset
	buffers *buffers.Counts     // nil: nobody counts them
}

// head fills the part that every adapter has.
func (b *adapterStatistics) head() (err error) {
	b.counted, b.buffers, err = b.sim.Counters().SinceReset(b.n.Name, b.a)
	if err != nil {
		return err
	}
	b.link, err = b.sim.Link(node.End(b.n.Name, b.a.Name))
	if err != nil {
		return err
	}
	st := b.counted.Stats
	h := &b.s.Head
	h.DeviceType, h.HardwareAddress, h.Flags = b.deviceType(), b.link.MAC, b.driverFlags()
	h.Counters = map[string]uint64{
		"tx.Packets": st.TxPackets, "rx.Packets": st.RxPackets, "tx.Bytes": st.TxBytes, "rx.Bytes": st.RxBytes,
		"tx.Transmit Errors": st.TxErrors, "rx.Receive Errors": st.RxErrors, "tx.Packets Dropped": st.TxDropped,
		"rx.Packets Dropped": st.RxDropped + b.counted.Refused, "rx.Multicast Packets": st.Multicast,
		"Adapter Data Rate": b.dataRate(),
	}
	if b.buffers != nil {
		h.Counters["rx.No Resource Errors"] = b.counted.Refused
	}
	if b.a.Kind == topology.Physical {
		h.Counters["rx.CRC Errors"] = st.CRCErrors
	}
	return nil
}

// dataRate is twice the line rate in Mbit/s; an SEA has 0.
func (b *adapterStatistics) dataRate() uint64 {
	switch b.a.Kind {
	case topology.Physical:
		return 2 * b.sim.Faults().LinkRate(b.n.Name, b.a) / 1e6
	case topology.Virtual:
		return 20000
	}
	return 0
}

// deviceType is the name of the driver; an EtherChannel has one for each mode.
func (b *adapterStatistics) deviceType() string {
	switch {
	case b.a.Kind != topology.Channel:
		return b.d.Description
	case b.running("mode") == "8023ad":
		return "IEEE 802.3ad Link Aggregation"
	}
	return "EtherChannel"
}

// driverFlags lists the flags in the driver's order: those that hold now, for this kind of adapter.
func (b *adapterStatistics) driverFlags() []string {
	by, held := b.db.Holder(b.a.Name)
	over, _ := b.db.Device(by)
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

func (b *adapterStatistics) running(attr string) string {
	return b.sim.Running(b.n.Name, b.a.Name, attr)
}
