package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/linux/ethtool"
)

// ethtoolFeed has what ethtool says of a network device of Linux.
type ethtoolFeed struct{ *hostBuilder }

var ethtoolRows = []row{
	{"ethtool-i", feedsText(3, ethtoolFeed.ethtool)},
	{"ethtool-m", feeds(4, ethtoolFeed.module)},
	{"ethtool ethtool-k ethtool-S ethtool-g ethtool-l ethtool-c ethtool-a ethtool-x", feedsText(4, ethtoolFeed.ethtool)},
}

// ethtool reads any of ethtool's reports about one device.
func (b ethtoolFeed) ethtool(o Output) error {
	if o.Element == "" {
		b.gap(o.Command, "which device it was asked about is not known")
		return nil
	}
	t, err := ethtool.Parse(o.Text)
	if err != nil {
		if text := strings.TrimSpace(string(o.Text)); o.Exit == 0 && quiet.MatchString(text) {
			return nil // the driver has nothing of the kind: that is an answer
		}
		return err
	}
	e := b.element(o.Element, model.Interface)
	for _, k := range t.Blocks {
		if k.Device != "" && k.Device != o.Element {
			b.gap(o.Command, "it answers about "+quoted(k.Device)+", not "+quoted(o.Element))
			continue
		}
		if read := reports[k.Kind]; read != nil {
			read(b, o, e, k)
		}
	}
	return nil
}

// module keeps how far what a port's transceiver measures is beyond its limits.
func (b ethtoolFeed) module(o Output, m *linewise.Module) {
	degree, line, known := m.Worst()
	if o.Element == "" {
		b.gap(o.Command, "which device it was asked about is not known")
		return
	}
	if known {
		e := b.element(o.Element, model.Interface)
		b.figure(e.Name+" "+model.ModuleAlarm, float64(degree), o.at(line))
	}
}

var quiet = parse.Lazy(`(?m)^(no stats available|netlink error: Operation not supported|.*: Operation not supported)$`)

var reports = map[ethtool.Kind]func(ethtoolFeed, Output, *model.Element, *ethtool.Block){
	ethtool.Settings:   ethtoolFeed.settings,
	ethtool.Features:   ethtoolFeed.features,
	ethtool.Driver:     ethtoolFeed.driver,
	ethtool.Statistics: ethtoolFeed.driverCounters,
	ethtool.Rings:      func(b ethtoolFeed, o Output, e *model.Element, k *ethtool.Block) { b.bounded(o, e, k, "RX", "rings") },
	ethtool.Channels:   ethtoolFeed.channels,
	ethtool.Coalesce:   ethtoolFeed.coalesce,
	ethtool.Pause:      ethtoolFeed.pause,
	ethtool.Spread:     ethtoolFeed.spread,
}

var linked, speed = parse.Lazy(`^(?:yes|no)`), parse.Lazy(`^([0-9]{1,7})Mb/s$`)

func (b ethtoolFeed) settings(o Output, e *model.Element, k *ethtool.Block) {
	if i := k.Find("Link detected"); i != nil && linked.MatchString(i.Value) { // newer ones give the reason in brackets
		e.LinkUp = new(i.Value[0] == 'y')
	}
	if i := k.Find("Duplex"); i != nil && (i.Value == "Full" || i.Value == "Half") {
		now(e, "duplex", strings.ToLower(i.Value), search(o, "Duplex:"))
	}
	asks, partner := k.Find("Advertised pause frame use"), k.Find("Link partner advertised pause frame use")
	if asks != nil && partner != nil && strings.HasPrefix(asks.Value, "Symmetric") && partner.Value == "No" && e.FlowControl == nil {
		e.FlowControl = new(false)
	}
	if i := k.Find("Speed"); i != nil {
		b.speed(e, speed.FindStringSubmatch(i.Value))
	}
}

func (b ethtoolFeed) speed(e *model.Element, m []string) {
	if m == nil {
		return
	}
	if n, err := strconv.ParseInt(m[1], 10, 64); err == nil && n > 0 {
		e.SpeedMb = &n
	}
}

// feature maps what ethtool -k prints to the short names that -K takes and the
// catalogue knows.
var feature = map[string]string{
	"rx-checksumming":              "rx",
	"tx-checksumming":              "tx",
	"scatter-gather":               "sg",
	"tcp-segmentation-offload":     "tso",
	"generic-segmentation-offload": "gso",
	"generic-receive-offload":      "gro",
	"large-receive-offload":        "lro",
	"rx-gro-hw":                    "rx-gro-hw",
	"hw-tc-offload":                "hw-tc-offload",
}

func (b ethtoolFeed) features(o Output, e *model.Element, k *ethtool.Block) {
	for long, short := range feature {
		i := k.Find(long)
		if i == nil || !i.Switch() {
			continue
		}
		now(e, short, i.Value, search(o, long+":")).Settable = new(!k.Fixed(long))
	}
	tso := k.Find("tcp-segmentation-offload")
	// A line for several features is on while one of them is. Since Linux 6.18 that may be
	// AccECN's alone: without checksums the kernel switches the others off.
	if ipv4 := k.Find("tx-tcp-segmentation"); tso != nil && tso.Value == "on" && ipv4 != nil && ipv4.Value == "off" {
		tso = ipv4
		now(e, "tso", "off", search(o, "tx-tcp-segmentation:")).Settable = new(!k.Fixed("tx-tcp-segmentation"))
	}
	// Asked for and yet off, though all that it needs is on: the driver, the firmware or
	// the machine behind a tap device does not have it, and asking again does not help.
	if tso != nil && tso.Value == "off" && (refused(tso) || refused(k.Find("tx-tcp-segmentation"))) &&
		value(e, "tx") == "on" && value(e, "sg") == "on" {
		e.Attrs["tso"].Settable = new(false)
	}
	// The kernel takes segmentation from a device that computes no checksums or
	// sends from one piece of memory alone: see netdev_fix_features.
	if tso != nil && tso.Value == "off" && (fixedOff(k, "tx-checksumming") || fixedOff(k, "scatter-gather")) {
		e.Attrs["tso"].Settable = new(false)
	}
}

func refused(i *ethtool.Item) bool { return i != nil && i.Note == "requested on" }

func fixedOff(k *ethtool.Block, feature string) bool {
	i := k.Find(feature)
	return i != nil && i.Value == "off" && k.Fixed(feature)
}

func (b ethtoolFeed) driver(_ Output, e *model.Element, k *ethtool.Block) {
	said := func(label string) string {
		if i := k.Find(label); i != nil && i.Value != "N/A" {
			return i.Value
		}
		return ""
	}
	if driver := said("driver"); driver != "" {
		b.drivenBy(e, driver)
	}
	e.Location = cmp.Or(said("bus-info"), e.Location)
	e.Firmware = cmp.Or(said("firmware-version"), e.Firmware)
}

// drivenBy sets a device's driver, and with it the kind of a port. What ip
// named by its kind (a bond, a VLAN) is that already.
func (b ethtoolFeed) drivenBy(e *model.Element, name string) {
	switch e.Driver {
	case "", name:
		e.Driver, e.Kind = name, driven(name)
	case "bond":
		e.Driver = "bonding"
	}
}

func (b ethtoolFeed) driverCounters(_ Output, e *model.Element, k *ethtool.Block) {
	found := map[string]uint64{}
	for _, i := range k.Items {
		if n, ok := i.Count(); ok {
			found[i.Name] = n
		}
	}
	maps.Copy(found, queueSums(found))
	e.Counters = e.Counters.With(found)
}

// queueNumber is the number of a queue in the name of a counter.
var queueNumber = parse.Lazy(`[0-9]+`)

// queuePackets are the names under which drivers count the packets that each receive queue took, with # for its number.
var queuePackets = sync.OnceValue(func() []string {
	counter, _ := knowledge.PortCounters(knowledge.BuiltIn()).Find("queue_packets")
	return counter.Names
})

// queueSums are the packets of all receive queues and of the busiest one, where a driver counts several.
func queueSums(found map[string]uint64) map[string]uint64 {
	queues, sum, most := 0, uint64(0), uint64(0)
	for name, n := range found {
		if slices.Contains(queuePackets(), queueNumber.ReplaceAllString(name, "#")) {
			queues++
			sum += n
			most = max(most, n)
		}
	}
	if queues < 2 {
		return nil
	}
	return map[string]uint64{"rx_queues": uint64(queues), "rx_queues_packets": sum, "rx_busiest_queue_packets": most}
}

// bounded sets a number that has a largest value from a report with the two
// sections "maximums" and "current".
func (b ethtoolFeed) bounded(o Output, e *model.Element, k *ethtool.Block, label, name string) {
	i := k.In(ethtool.Current, label)
	if i == nil || !whole10(i.Value) {
		return
	}
	a := now(e, name, i.Value, o.says(ethtool.Current+": "+label+": "+i.Value))
	if most := k.In(ethtool.Maximums, label); most != nil {
		if n, ok := most.Count(); ok && n > 0 {
			a.Allowed = []string{fmt.Sprintf("1...%d (+1)", n)}
		}
	}
}

// channels takes the transmit channels, or those that do both directions where
// a driver has no others.
func (b ethtoolFeed) channels(o Output, e *model.Element, k *ethtool.Block) {
	if c := k.In(ethtool.Current, "Combined"); c != nil {
		if n, ok := c.Count(); ok && n > 0 {
			b.bounded(o, e, k, "Combined", "channels")
			b.bounded(o, e, k, "Combined", "combined-channels")
			b.bounded(o, e, k, "Combined", "rx-channels")
			return
		}
	}
	b.bounded(o, e, k, "TX", "channels")
	b.bounded(o, e, k, "RX", "rx-channels")
}

func (b ethtoolFeed) coalesce(o Output, e *model.Element, k *ethtool.Block) {
	if i := k.Find("rx-usecs"); i != nil && whole10(i.Value) {
		now(e, "coalescing", i.Value, search(o, "rx-usecs:"))
	}
	if i := k.Find("Adaptive RX"); i != nil && i.Switch() {
		now(e, "adaptive-rx", i.Value, search(o, "Adaptive RX:"))
	}
}

// pause is on or off where both directions agree.
func (b ethtoolFeed) pause(o Output, e *model.Element, k *ethtool.Block) {
	rx, tx := k.Find("RX"), k.Find("TX")
	if rx == nil || tx == nil || !rx.Switch() || !tx.Switch() {
		return
	}
	value := rx.Value
	if rx.Value != tx.Value {
		value = "rx " + rx.Value + " tx " + tx.Value
	}
	now(e, "pause", value, o.says("RX: "+rx.Value+", TX: "+tx.Value))
	rx, tx = k.Find("RX negotiated"), k.Find("TX negotiated")
	if rx != nil && tx != nil && rx.Switch() && tx.Switch() {
		e.FlowControl = new(rx.Value == "on" || tx.Value == "on")
	}
}

// spread takes over how many of a port's receive queues its hash spreads the flows.
func (b ethtoolFeed) spread(o Output, e *model.Element, k *ethtool.Block) {
	used, queues, ok := k.Spread()
	if !ok {
		return
	}
	from := search(o, "RX ring(s)")
	from.Text += fmt.Sprintf(" %d used", used)
	now(e, "rss-queues", strconv.Itoa(used), from).Allowed = []string{fmt.Sprintf("1...%d (+1)", queues)}
}

func whole10(s string) bool {
	_, err := strconv.ParseUint(s, 10, 63)
	return err == nil
}
