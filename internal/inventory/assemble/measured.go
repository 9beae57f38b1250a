package assemble

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/load/netperf"
	"seaworthy/internal/parse/load/saved"
)

// measuredFeed has what somebody measured on a host and saved: load tools, traces, captures, rates over a time.
type measuredFeed struct{ *hostBuilder }

var measuredRows = []row{
	{"iperf", feeds(4, measuredFeed.iperf)},
	{"netperf", feeds(4, measuredFeed.netperf)},
	{"qperf", feeds(4, measuredFeed.qperf)},
	{"ss", feeds(4, measuredFeed.sockets)},
	{"netstat-an", feeds(4, measuredFeed.connections)},
	{"tcp-states", feeds(4, measuredFeed.states)},
	{"iostat", feeds(4, measuredFeed.disks)},
	{"lspci", feeds(4, measuredFeed.slots)},
	{"processes", feeds(4, measuredFeed.processes)},
	{"vmstat-rows", feeds(4, measuredFeed.activity)},
	{"lookup-time", feeds(4, measuredFeed.lookup)},
	{"mpstat-linux", feeds(4, measuredFeed.processors)},
	{"mtr", feeds(4, measuredFeed.trace)},
	{"tcpdump", feeds(4, measuredFeed.capture)},
	{"sar-net", feeds(3, measuredFeed.sar)},
	{"nmon-net", feeds(3, measuredFeed.nmon)},
	{"proc-interrupts", feeds(4, measuredFeed.interrupts)},
}

// header is what IP and ICMP put before the data of an echo request, in bytes.
const header = 20 + 8

// dontFragment is an option of ping that forbids fragments: -M do and -M probe of Linux, -D of AIX and BSD.
var dontFragment = parse.Lazy(`(?:^| )(?:-M ?(?:do|probe)|-[a-zA-Z]*D)(?: |$)`)

// savedPing keeps what a saved ping shows of the way to an address, and its round trip for the interface by which its
// packets leave.
func (b measuredFeed) savedPing(o Output, r *linewise.PingReplies) {
	if r.Unrouted > 0 {
		b.figure(model.UnroutedPing, 1, o.at(r.Unrouted))
	}
	to, err := netip.ParseAddr(r.Address)
	if err != nil {
		to, err = netip.ParseAddr(r.To)
	}
	if err != nil || r.Data == nil {
		return
	}
	p := model.Ping{To: to, Size: *r.Data + header, Whole: dontFragment.MatchString(o.Command), LeastMS: r.Least,
		From: search(o, "packets transmitted")}
	if to.Is6() {
		p.Size += 20
	}
	switch {
	case r.Sent != nil && r.Received != nil:
		p.Sent, p.Received = *r.Sent, *r.Received
	case r.Sent == nil: // broken off: what was answered is all that is known
		p.Sent, p.Received = len(r.Times), len(r.Times)
	default:
		return
	}
	if r.TooLarge != nil {
		p.Refused = *r.TooLarge
	}
	if p.LeastMS == nil && len(r.Times) > 0 && !r.Whole {
		p.LeastMS = new(slices.Min(r.Times))
	}
	b.host.Pings = append(b.host.Pings, p)
	b.vanished(to)
	b.echoes(p, r)
	if e := b.leaving(to); e != nil && p.LeastMS != nil && *p.LeastMS > 0 && p.Size <= 1500 {
		b.trip(e, to, *p.LeastMS, p.From)
	}
}

// enoughEchoes is how many requests a ping must have sent to say that packets are lost.
const enoughEchoes = 10

// echoes keeps how much of a saved ping was lost, of the one that lost most, and how many answers came twice. One that
// nobody answered says nothing of loss, and neither does one that the host itself refused.
func (b measuredFeed) echoes(p model.Ping, r *linewise.PingReplies) {
	if p.Sent < enoughEchoes || p.Received == 0 || p.Refused > 0 || p.To.IsLoopback() {
		return
	}
	from := p.From
	lost := max(p.Sent-p.Received, 0)
	if lost != 1 { // the first one waits for ARP
		from.Text = fmt.Sprintf("%d of %d packets to %s were not answered", lost, p.Sent, p.To)
		b.most(model.PingLoss, 100*float64(lost)/float64(p.Sent), from)
	}
	if r.Twice != nil {
		from.Text = fmt.Sprintf("%d answers of %s came twice", *r.Twice, p.To)
		b.most(model.PingTwice, float64(*r.Twice), from)
	}
}

// vanished notes the size of whole packets to an address of which none was answered, though smaller ones were.
func (b measuredFeed) vanished(to netip.Addr) {
	passed := 0
	for _, p := range b.host.Pings {
		if p.To == to && p.Received > 0 && p.Size > passed && p.Size < 1500 {
			passed = p.Size
		}
	}
	for _, p := range b.host.Pings {
		if p.To == to && p.Whole && p.Sent > 1 && p.Received == 0 && p.Refused == 0 && passed > 0 && p.Size > passed {
			from := p.From
			from.Text = fmt.Sprintf("packets of %d bytes to %s are answered, whole ones of %d bytes are not", passed, to, p.Size)
			b.figure(model.VanishedPing, float64(p.Size), from)
			return
		}
	}
}

// trip takes the round trip to an address, unless a longer one is known.
func (b measuredFeed) trip(e *model.Element, to netip.Addr, ms float64, from model.Origin) {
	from.Text = fmt.Sprintf("shortest round trip to %s: %.3g ms", to, ms)
	for _, name := range []string{e.Name + " " + model.RoundTrip, "sysctl " + model.RoundTrip} {
		if had, known := b.host.Figures[name]; !known || ms > had.Value {
			b.figure(name, ms, from)
		}
	}
}

// leaving is the element by which packets to an address leave: by the routes, else the one in whose network it is, else the
// only one with an address. Nil: not known.
func (b measuredFeed) leaving(to netip.Addr) *model.Element {
	if r := b.host.Route(to); r != nil {
		return b.host.Elements[r.Interface]
	}
	var addressed []*model.Element
	for _, name := range slices.Sorted(maps.Keys(b.host.Elements)) {
		e := b.host.Elements[name]
		if len(e.Addrs) == 0 {
			continue
		}
		addressed = append(addressed, e)
		if slices.ContainsFunc(e.Addrs, func(p netip.Prefix) bool { return p.Contains(to) }) {
			return e
		}
	}
	if len(addressed) != 1 {
		return nil
	}
	return addressed[0]
}

// iperf keeps the throughput that a run showed at the interface with its local address.
func (b measuredFeed) iperf(o Output, r *saved.Run) {
	if r.UDP || r.BitsPerSec == nil {
		return
	}
	var at *model.Element
	for _, name := range slices.Sorted(maps.Keys(b.host.Elements)) {
		e := b.host.Elements[name]
		if slices.ContainsFunc(e.Addrs, func(p netip.Prefix) bool { return p.Addr() == r.Local }) {
			at = e
		}
	}
	if at == nil && r.Remote.IsValid() {
		at = b.leaving(r.Remote)
	}
	if at == nil {
		return
	}
	name := model.OneStream
	if r.Streams > 1 {
		name = model.ManyStreams
	}
	from := o.says(fmt.Sprintf("%.3g Mbit/s by %d streams to %s", *r.BitsPerSec/1e6, max(r.Streams, 1), r.Remote))
	from.Line = r.Line
	b.figure(at.Name+" "+name, *r.BitsPerSec/1e6, from)
	if r.LeastRTTms != nil && r.Remote.IsValid() {
		b.trip(at, r.Remote, *r.LeastRTTms, from)
	}
}

// netperfPeer is the far end in the banner of netperf, qperfPeer that in the command line of qperf.
var (
	netperfPeer = parse.Lazy(` to (\S+)(?: \(([0-9a-fA-F.:]*)\))? `)
	qperfPeer   = parse.Lazy(`\bqperf (?:-\S+ )*([0-9a-fA-F.:]+) `)
)

// towards is the element by which packets to the address in a text leave, and the address.
func (b measuredFeed) towards(form *parse.Pattern, text string) (*model.Element, netip.Addr) {
	for _, word := range form.FindStringSubmatch(text) {
		to, err := netip.ParseAddr(word)
		if err == nil {
			return b.leaving(to), to
		}
	}
	return nil, netip.Addr{}
}

// netperf keeps the throughput of a stream, or how long one exchange of a request and its response took.
func (b measuredFeed) netperf(o Output, n *netperf.Output) {
	e, to := b.towards(netperfPeer, n.Rest+" ")
	if e == nil {
		return
	}
	if bits, ok := n.BitsPerSecond(); ok {
		b.figure(e.Name+" "+model.OneStream, bits/1e6, o.says(fmt.Sprintf("%.3g Mbit/s to %s", bits/1e6, to)))
	}
	if rate, ok := n.Transactions(); ok && rate > 0 {
		b.trip(e, to, 1000/rate, o.says("TCP_RR"))
	}
}

// qperf keeps the round trip: twice the time of a message one way.
func (b measuredFeed) qperf(o Output, q *linewise.QperfLatency) {
	if e, to := b.towards(qperfPeer, o.Command+" "); e != nil {
		b.trip(e, to, 2000*q.Seconds, o.says("tcp_lat"))
	}
}

// askedState is the state of which ss was asked for connections: it prints none then.
var askedState = parse.Lazy(`\bstate (syn-sent|syn-recv|close-wait|time-wait)\b`)

// sockets keeps the round trip that the kernel measured as the shortest of each connection. A far end may be anywhere: it
// says nothing of the paths that the host's options are judged by.
func (b measuredFeed) sockets(o Output, s *linewise.SocketList) {
	var states []string
	var lines []int
	for _, x := range s.Sockets {
		state := x.State
		if m := askedState.FindStringSubmatch(o.Command); state == "" && m != nil {
			state = strings.ToUpper(m[1])
		}
		states, lines = append(states, state), append(lines, x.Line)
		if x.State == "ESTAB" || x.State == "" {
			b.most(model.UnreadBytes, float64(x.Received), o.at(x.Line))
		}
		if x.Held != nil {
			b.most(model.WindowHeld, *x.Held, o.at(x.Line+1))
		}
		if x.MSS != nil && *x.MSS > 0 && x.Peer.IsValid() && !x.Peer.Addr().Unmap().IsLoopback() && (x.State == "ESTAB" || x.State == "") {
			b.least(model.LeastMSS, float64(*x.MSS), o.at(x.Line+1))
		}
		if x.LeastRTT == nil || *x.LeastRTT <= 0 || !x.Peer.IsValid() || x.Peer.Addr().IsLoopback() {
			continue
		}
		b.host.Pings = append(b.host.Pings, model.Ping{To: x.Peer.Addr(), LeastMS: x.LeastRTT, From: o.at(x.Line)})
	}
	b.counted(o, states, lines)
}

// trace keeps from where on packets are lost.
func (b measuredFeed) trace(o Output, t *linewise.Trace) {
	first, percent := t.Lossy()
	from := o.says("no loss at the far end")
	if first != nil {
		last := t.Hops[len(t.Hops)-1]
		from = o.at(first.Line)
		from.Text = fmt.Sprintf("hop %d, %s, loses %g %% of %d packets, and no later one loses less; the far end, %s, %g %%",
			first.Number, first.Name, first.Loss, first.Sent, last.Name, last.Loss)
	}
	if had, known := b.host.Figures[model.TraceLoss]; !known || percent > had.Value {
		b.figure(model.TraceLoss, percent, from)
	}
}

// capture counts packets of tunnels that left with a wrong checksum, and segments that close a window.
func (b measuredFeed) capture(o Output, c *linewise.Capture) {
	if had, known := b.host.Figures[model.TunnelChecksums]; !known || float64(len(c.BadTunnels())) > had.Value {
		b.count(o, model.TunnelChecksums, c.BadTunnels())
	}
	if had, known := b.host.Figures[model.ClosedWindows]; !known || float64(len(c.ClosedWindows())) > had.Value {
		b.count(o, model.ClosedWindows, c.ClosedWindows())
	}
}

// dropped keeps the highest rate of received packets that a device dropped.
func (b measuredFeed) dropped(device string, rate float64, from model.Origin) {
	if device == "lo" {
		return
	}
	e := b.element(device, model.Interface)
	if had, known := b.host.Figures[e.Name+" "+model.DropRate]; !known || rate > had.Value {
		b.figure(e.Name+" "+model.DropRate, rate, from)
	}
}

// sar keeps what devices dropped in the worst interval. What they carried shows that they are used.
func (b measuredFeed) sar(o Output, s *linewise.SarDevices) {
	for _, row := range s.Rows {
		drops, counted := row.Rates["rxdrop/s"]
		if counted {
			b.dropped(row.Device, drops+row.Rates["rxfifo/s"], o.at(row.Line))
		}
	}
}

// dropColumn is the device in a column of NETERROR: eth0-idrop, eth0-idrop/s.
var dropColumn = parse.Lazy(`^(\S+?)-idrop(?:/s)?$`)

// nmon keeps the same of an nmon file. A sample with a column less than its heading, as nmon of Linux writes it, has the
// columns of the loopback left out.
func (b measuredFeed) nmon(o Output, n *linewise.NmonNetwork) {
	for _, sample := range n.Samples {
		if sample.Kind != "NETERROR" {
			continue
		}
		for column, v := range sample.Values {
			if m := dropColumn.FindStringSubmatch(column); m != nil {
				b.dropped(m[1], v, o.at(sample.Line))
			}
		}
	}
}

// deviceAction is the device in the name of an interrupt of one of its queues: ens192-rxtx-0, eth0-TxRx-3, eth0-rx-0.
var deviceAction = parse.Lazy(`(?:^|[ ,])([a-z][a-zA-Z0-9_.]*)-(?:[a-zA-Z]+-)?(?:rxtx|TxRx|Tx-Rx|rx|tx|RxTx|fp|Rx|Tx)-?\d*\b`)

// busiestShare is the share of interrupts from which on one CPU takes them all, and enoughInterrupts how many must have been
// counted to say so.
const (
	busiestShare     = 0.95
	enoughInterrupts = 100_000
)

// interrupts counts those of each port's queues, and whether one CPU took them.
func (b measuredFeed) interrupts(o Output, t *linewise.InterruptTable) {
	rows := map[string][]*linewise.Interrupt{}
	for _, r := range t.Rows {
		if m := deviceAction.FindStringSubmatch(r.Source); m != nil {
			rows[m[1]] = append(rows[m[1]], r)
		}
		if _, known := b.host.Figures[model.OnlineCPUs]; !known && len(r.Counts) > 1 {
			b.figure(model.OnlineCPUs, float64(len(r.Counts)), o.says(fmt.Sprintf("%d CPUs", len(r.Counts))))
		}
	}
	for device, list := range rows {
		if len(list) > 1 && !b.links { // where ip was read, it names all devices
			b.element(device, model.Interface)
		}
		if e := b.host.Elements[device]; e != nil && e.Attrs["irqs-cpu"] == nil {
			b.interruptsOf(o, e, list)
		}
	}
}

func (b measuredFeed) interruptsOf(o Output, e *model.Element, list []*linewise.Interrupt) {
	byCPU, total := map[int]uint64{}, uint64(0)
	for _, r := range list {
		for cpu, n := range r.Counts {
			byCPU[cpu] += n
			total += n
		}
	}
	e.Counters = e.Counters.With(map[string]uint64{"interrupts": total})
	now(e, "irqs", strconv.Itoa(len(list)), o.at(list[0].Line))
	if total < enoughInterrupts {
		return
	}
	cpus := "several"
	for cpu, n := range byCPU {
		if float64(n) >= busiestShare*float64(total) {
			cpus = strconv.Itoa(cpu)
		}
	}
	from := o.at(list[0].Line)
	from.Text = fmt.Sprintf("%d interrupts of %s (%s and others): by CPU %s", total, e.Name, strings.TrimSpace(list[0].Source), cpus)
	now(e, "irqs-cpu", cpus, from)
}
