package pathmtu

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// network is one switch with a port per host. A packet passes a port if it is
// no larger than the port allows.
type network struct {
	fleet *model.Fleet
	port  map[string]int // host → what its switch port passes
	own   map[string]int // host → MTU of its interface
	icmp  bool           // a router in the middle reports
	frag  bool           // it fragments what may be
	trunk int            // what a link inside passes between hosts; 0: all
	third map[string]third
	arp   map[string]string // host → what its ARP table prints
	mu    sync.Mutex

	counts  bool              // hosts print their IP counters
	noise   bool              // other packets arrive in pieces all the time
	real    map[string]int    // host → MTU that its interface really has; absent: the one that was read
	created map[string]uint64 // fragments by host
	arrived map[string]uint64
	plain   bool   // Linux has a ping without -M
	flag    string // in the usage of AIX's ping; "-F!" really forbids fragments
}

// busybox is a ping without -M.
func busybox(line string) bool { return strings.Contains(line, "-M ") }

// third is an address that answers pings and that nobody logs in to.
type third struct {
	mtu  int
	deaf string // host whose packets it does not answer
}

type box struct {
	net  *network
	name string
	log  *[]string
}

func (b *box) Name() string { return b.name }
func (b *box) Close() error { return nil }
func (b *box) Start(context.Context, string) (*remote.Session, error) {
	return nil, io.ErrUnexpectedEOF
}

var size = regexp.MustCompile(`-s (\d+) (\S+?)'?( \||$)`)

func (b *box) Run(_ context.Context, c remote.Command) (*remote.Result, error) {
	b.net.mu.Lock()
	*b.log = append(*b.log, b.name+" "+c.Line)
	b.net.mu.Unlock()
	if strings.Contains(c.Line, "arp") {
		return &remote.Result{Stdout: []byte(b.net.arp[b.name])}, nil
	}
	linux := b.net.fleet.Host(b.name).Platform == model.Linux
	switch {
	case strings.Contains(c.Line, "netstat -s") || strings.Contains(c.Line, "/proc/net/snmp"):
		return &remote.Result{Stdout: []byte(b.counters(linux))}, nil
	case c.Line == "ping":
		return &remote.Result{Exit: 1, Stderr: []byte("Usage: ping [-dDnqr" + strings.Trim(b.net.flag, "-!") + "] host\n")}, nil
	}
	if b.net.plain && linux && busybox(c.Line) {
		return &remote.Result{Exit: 1, Stderr: []byte("ping: unrecognized option: M\n")}, nil
	}
	m := size.FindStringSubmatch(c.Line)
	n, _ := strconv.Atoi(m[1])
	n += 28
	df := strings.Contains(c.Line, "-M do ") || strings.Contains(c.Line, "-F ") && b.net.flag == "-F!"
	to := ""
	for _, h := range b.net.fleet.Hosts {
		if h.Elements["en0"].Addrs[0].Addr().String() == m[2] {
			to = h.Name
		}
	}
	lost := &remote.Result{Exit: 1, Stdout: []byte("--- x ping statistics ---\n2 packets transmitted, 0 packets received, 100% packet loss\n")}
	answer := &remote.Result{Stdout: []byte("2 packets transmitted, 2 packets received, 0% packet loss\n")}
	if linux {
		lost.Stdout = []byte("2 packets transmitted, 0 received, 100% packet loss, time 1001ms\n")
		answer.Stdout = []byte("2 packets transmitted, 2 received, 0% packet loss, time 1001ms\n")
	}
	if n > b.net.own[b.name] && df {
		lost.Stderr = []byte("0821-069 ping: sendto: Message too long\n")
		return lost, nil
	}
	if x, ok := b.net.third[m[2]]; ok {
		if n > b.net.port[b.name] || n > x.mtu || x.deaf == b.name {
			return lost, nil
		}
		return answer, nil
	}
	if to == "" {
		return lost, nil
	}
	if n > b.net.port[b.name] || n > b.net.port[to] || b.net.trunk > 0 && n > b.net.trunk {
		switch {
		case !df && b.net.frag:
			b.net.pieces(b.name, to, false)
			return answer, nil
		case b.net.icmp && df:
			lost.Stdout = append([]byte("From 10.0.0.3 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n"), lost.Stdout...)
		}
		return lost, nil
	}
	if mtu, ok := b.net.real[b.name]; ok && n > mtu {
		b.net.pieces(b.name, to, true)
	}
	return answer, nil
}

// pieces counts a packet that a host got in two.
func (n *network) pieces(from, to string, bySender bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if bySender {
		n.created[from] += 2
	}
	n.arrived[to] += 2
}

func (b *box) counters(linux bool) string {
	b.net.mu.Lock()
	defer b.net.mu.Unlock()
	if !b.net.counts {
		return "ip:\n\t12 total packets received\n"
	}
	if b.net.noise {
		b.net.arrived[b.name] += 2
	}
	if linux {
		return fmt.Sprintf("Ip: InReceives ReasmReqds FragCreates\nIp: 99 %d %d\n", b.net.arrived[b.name], b.net.created[b.name])
	}
	return fmt.Sprintf("ip:\n\t99 total packets received\n\t%d fragments received\n\t%d fragments created\n", b.net.arrived[b.name],
		b.net.created[b.name])
}

func lan(t *testing.T, mtu map[string]int, port map[string]int) (*network, Prober, *[]string) {
	t.Helper()
	n := &network{fleet: &model.Fleet{}, port: port, own: mtu, created: map[string]uint64{}, arrived: map[string]uint64{}}
	log := &[]string{}
	p := Prober{Fleet: n.fleet, Hosts: map[string]remote.Host{}}
	for i, name := range []string{"a", "b", "c"} {
		m, yes := strconv.Itoa(mtu[name]), "yes"
		h := &model.Host{Name: name, Platform: model.AIX, Elements: map[string]*model.Element{
			"ent0": {Name: "ent0", Kind: model.Physical, Attrs: map[string]*model.Attr{"jumbo_frames": {Running: &yes}}},
			"en0": {Name: "en0", Kind: model.Interface, On: "ent0",
				Addrs: []netip.Prefix{netip.MustParsePrefix(fmt.Sprintf("10.0.0.%d/24", i+1))},
				Attrs: map[string]*model.Attr{"mtu": {Running: &m}}},
		}}
		if name == "b" {
			h.Platform = model.Linux
		}
		n.fleet.Hosts = append(n.fleet.Hosts, h)
		p.Hosts[name] = &box{n, name, log}
	}
	return n, p, log
}

func TestBetween(t *testing.T) {
	jumbo := map[string]int{"a": 9000, "b": 9000, "c": 9000}
	for _, c := range []struct {
		name       string
		mtu, port  map[string]int
		icmp, frag bool
		alone      bool // no third host
		largest    int
		verdict    Verdict
		back       Verdict // of the way from b, which can forbid fragments; empty: the same
		suspects   string
	}{
		{name: "all jumbo", mtu: jumbo, port: jumbo, largest: 9000, verdict: Whole},
		{name: "b's port left at 1500", mtu: jumbo, port: map[string]int{"a": 9000, "b": 1500, "c": 9000}, largest: 1500,
			verdict: BlackHole, suspects: "the switch port of b:ent0"},
		{name: "a's port left at 1500", mtu: jumbo, port: map[string]int{"a": 1500, "b": 9000, "c": 9000}, largest: 1500,
			verdict: BlackHole, suspects: "the switch port of a:ent0"},
		{name: "nobody else to ask", mtu: jumbo, port: map[string]int{"a": 1500, "b": 9000, "c": 9000}, alone: true, largest: 1500,
			verdict: BlackHole, suspects: "the switch port of a:ent0, the switch port of b:ent0"},
		{name: "an odd size", mtu: jumbo, port: map[string]int{"a": 9000, "b": 4471, "c": 9000}, largest: 4471, verdict: BlackHole,
			suspects: "the switch port of b:ent0"},
		{name: "a tunnel below 1500", mtu: map[string]int{"a": 1500, "b": 1500, "c": 1500}, port: map[string]int{"a": 1500, "b": 1420,
			"c": 1500}, largest: 1420, verdict: BlackHole, suspects: "the switch port of b:ent0"},
		{name: "reported by a host", mtu: jumbo, port: map[string]int{"a": 9000, "b": 1400, "c": 9000}, icmp: true, largest: 1400,
			verdict: BlackHole,
			back:    Rejected, suspects: "the switch port of b:ent0"},
		{name: "fragments only", mtu: jumbo, port: map[string]int{"a": 9000, "b": 1500, "c": 9000}, frag: true, largest: 9000, verdict: Arrives,
			back: Fragmented},
		{name: "far end takes no more", mtu: map[string]int{"a": 9000, "b": 1500, "c": 9000}, port: map[string]int{"a": 9000, "b": 1500,
			"c": 9000}, largest: 1500, verdict: BlackHole, suspects: "b:en0"},
		{name: "nothing answers", mtu: jumbo, port: map[string]int{"a": 9000, "b": 0, "c": 9000}, verdict: NoAnswer},
	} {
		n, p, log := lan(t, c.mtu, c.port)
		n.icmp, n.frag = c.icmp, c.frag
		if c.alone {
			n.fleet.Hosts = n.fleet.Hosts[:2]
		}
		ways, err := p.Between(context.Background(), "a", "b")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.back != "" && ways[1].Verdict != c.back {
			t.Errorf("%s: way back: got %q, want %q", c.name, ways[1].Verdict, c.back)
		}
		var names []string
		for _, s := range ways[0].Suspect {
			names = append(names, s.Is)
		}
		if w := ways[0]; w.Largest != c.largest || w.Verdict != c.verdict || strings.Join(names, ", ") != c.suspects {
			t.Errorf("%s: got %d, %q, %q, want %d, %q, %q\n%s", c.name, w.Largest, w.Verdict, names, c.largest, c.verdict, c.suspects,
				strings.Join(*log, "\n"))
		}
	}
}

// A ping without -M is asked for packets that may be split, and then the
// counters say whether they were.
func TestPlainPing(t *testing.T) {
	jumbo := map[string]int{"a": 9000, "b": 9000, "c": 9000}
	n, p, log := lan(t, jumbo, jumbo)
	n.plain, n.counts = true, true
	if ways, err := p.Between(t.Context(), "b", "a"); err != nil || ways[0].Verdict != Unable {
		t.Errorf("not known to be plain: got %+v, %v, want that ping cannot be used", ways, err)
	}
	p.PlainPing = map[string]bool{"b": true}
	ways, err := p.Between(t.Context(), "b", "a")
	if err != nil || ways[0].Verdict != Whole || ways[0].Largest != 9000 || ways[0].Pieces == nil {
		t.Errorf("got %+v, %v, want that 9000 bytes arrive whole by the counters\n%s", ways, err, strings.Join(*log, "\n"))
	}
	n.counts = false
	for _, h := range n.fleet.Hosts { // a router is between them
		h.Elements["en0"].Addrs[0] = netip.PrefixFrom(h.Elements["en0"].Addrs[0].Addr(), 32)
	}
	if ways, err = p.Between(t.Context(), "b", "a"); err == nil && ways[0].Verdict == Whole {
		t.Errorf("without counters, through a router: got %q, which nothing proves", ways[0].Verdict)
	}
}

// AIX's ping cannot forbid fragments: the counters of both ends, or a flag that
// showed what it does, say whether packets were whole. a is AIX, b Linux.
func outcome(is bool, then, otherwise Outcome) Outcome {
	if is {
		return then
	}
	return otherwise
}

func TestWholeFromAIX(t *testing.T) {
	jumbo := map[string]int{"a": 9000, "b": 9000, "c": 9000}
	narrow := map[string]int{"a": 9000, "b": 1500, "c": 9000}
	for _, c := range []struct {
		name          string
		port          map[string]int
		counts, noise bool
		frag          bool
		real          map[string]int
		flag          string
		routed        bool
		largest       int
		verdict       Verdict
		state         State
		by, suspect   string
		helper        func(size int) Outcome
	}{
		{name: "the helper sends them whole", port: jumbo, routed: true, largest: 9000, verdict: Whole, state: Proved, by: "seaworthy-probe",
			helper: func(size int) Outcome { return outcome(size > 9000, Refused, Passed) }},
		{name: "a router tells the helper", port: narrow, frag: true, routed: true, largest: 1500, verdict: Fragmented,
			helper: func(size int) Outcome { return outcome(size > 9000, Refused, outcome(size > 1500, Reported, Passed)) }},
		{name: "nobody answers the helper", port: jumbo, routed: true, largest: 9000, verdict: Arrives, state: Open, by: "cannot forbid",
			helper: func(size int) Outcome { return outcome(size > 9000, Refused, Lost) }},
		{name: "the helper's packets are lost, and counters show fragments", port: narrow, counts: true, frag: true, routed: true,
			largest: 1500, verdict: Fragmented,
			helper: func(size int) Outcome { return outcome(size > 9000, Refused, outcome(size > 1500, Lost, Passed)) }},
		{name: "the helper splits packets", port: jumbo, routed: true, largest: 9000, verdict: Arrives, state: Open, by: "cannot forbid",
			helper: func(int) Outcome { return Passed }},
		{name: "whole, and counted", port: jumbo, counts: true, largest: 9000, verdict: Whole, state: Proved, by: "neither did a make fragments"},
		{name: "whole through a router, and counted", port: jumbo, counts: true, routed: true, largest: 9000, verdict: Whole, state: Proved,
			by: "IP counters"},
		{name: "counters do not show fragments", port: jumbo, largest: 9000, verdict: Whole, state: Implied, by: "in a subnet"},
		{name: "nor through a router", port: jumbo, routed: true, largest: 9000, verdict: Arrives, state: Open, by: "cannot forbid fragments"},
		{name: "others are split all the time", port: jumbo, counts: true, noise: true, routed: true, largest: 9000, verdict: Arrives,
			state: Open, by: "cannot forbid fragments"},
		{name: "a router splits them", port: narrow, counts: true, frag: true, routed: true, largest: 1500, verdict: Fragmented},
		{name: "the sender splits them", port: jumbo, counts: true, real: map[string]int{"a": 1500}, largest: 1500, verdict: Fragmented,
			suspect: "a:en0"},
		{name: "-F forbids them", port: jumbo, flag: "-F!", routed: true, largest: 9000, verdict: Whole, state: Proved,
			by: "with don't-fragment"},
		{name: "-F forbids them, and a router would split", port: narrow, flag: "-F!", frag: true, routed: true, largest: 1500,
			verdict: Fragmented},
		{name: "-F is something else", port: narrow, flag: "-F", frag: true, routed: true, largest: 9000, verdict: Arrives, state: Open,
			by: "cannot forbid fragments"},
	} {
		n, p, log := lan(t, jumbo, c.port)
		n.counts = c.counts
		n.noise = c.noise
		n.frag = c.frag
		n.real = c.real
		n.flag = c.flag
		if c.routed {
			n.fleet.Host("a").Elements["en0"].Addrs[0] = netip.MustParsePrefix("10.0.0.1/30")
			n.fleet.Host("a").Routes = []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"),
				Gateway: netip.MustParseAddr("10.0.0.3"), Interface: "en0"}}
			n.fleet.Host("b").Elements["en0"].Addrs[0] = netip.MustParsePrefix("10.0.9.2/24")
		}
		if c.helper != nil {
			p.SendUnfragmented = func(_ context.Context, _ string, _ netip.Addr, size int) (Outcome, error) { return c.helper(size), nil }
		}
		ways, err := p.Between(context.Background(), "a", "b")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		w := ways[0]
		if w.Largest != c.largest || w.Verdict != c.verdict {
			t.Errorf("%s: got %d, %q, want %d, %q\n%s", c.name, w.Largest, w.Verdict, c.largest, c.verdict, strings.Join(*log, "\n"))
		}
		for _, h := range w.Hops {
			if c.state != "" && (h.State != c.state || !strings.Contains(h.By, c.by)) {
				t.Errorf("%s: %s: got %s by %q, want %s by %q", c.name, h, h.State, h.By, c.state, c.by)
			}
		}
		if c.suspect != "" && (len(w.Suspect) != 1 || w.Suspect[0].Is != c.suspect) {
			t.Errorf("%s: got suspects %+v, want %s", c.name, w.Suspect, c.suspect)
		}
		for _, x := range w.Probes {
			if !x.DF && (x.Outcome == Reported || x.Outcome == Refused) {
				t.Errorf("%s: %d bytes: got %q of packets that may be fragmented", c.name, x.Size, x.Outcome)
			}
		}
	}
}

// An adapter on the way that does not pass jumbo frames is blamed if what passes
// fits its size; what only its next boot has is said as that.
func TestAdapterOnTheWay(t *testing.T) {
	jumbo := map[string]int{"a": 9000, "b": 9000, "c": 9000}
	no := "no"
	for _, c := range []struct {
		name     string
		attr     model.Attr // jumbo_frames of b:ent0
		passes   int
		suspects string
		why      string
	}{
		{"runs without", model.Attr{Running: &no}, 1500, "b:ent0", "as it says itself"},
		{"runs without, and passes a tag more", model.Attr{Running: &no}, 1504, "b:ent0", "as it says itself"},
		{"runs without, and yet passes larger ones", model.Attr{Running: &no}, 4000, "the switch port of b:ent0", "c:en0"},
		{"only the next boot is known", model.Attr{NextBoot: &no}, 1500, "b:ent0", "for the next boot, and what runs it does not show"},
		{"only the next boot is known, and larger ones pass", model.Attr{NextBoot: &no}, 4000, "the switch port of b:ent0", "c:en0"},
	} {
		n, p, _ := lan(t, jumbo, map[string]int{"a": 9000, "b": c.passes, "c": 9000})
		n.fleet.Host("b").Elements["ent0"].Attrs["jumbo_frames"] = &c.attr
		ways, err := p.Between(context.Background(), "a", "b")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := ways[0].Suspect; len(got) != 1 || got[0].Is != c.suspects || !strings.Contains(got[0].Why, c.why) {
			t.Errorf("%s: got %+v, want %s, %s", c.name, got, c.suspects, c.why)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		out  string
		want Probe
	}{
		{"2 packets transmitted, 1 packets received, 50% packet loss", Probe{Outcome: Passed}},
		{"1 packets transmitted, 0 received, +1 errors, 100% packet loss", Probe{Outcome: Lost}},
		{"ping: local error: message too long, mtu=1500\n2 packets transmitted, 0 received", Probe{Outcome: Refused, MTU: 1500}},
		{"From 192.0.2.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n2 packets transmitted, 0 received",
			Probe{Outcome: Reported, MTU: 1400, By: netip.MustParseAddr("192.0.2.1")}},
		{"sh: ping: not found", Probe{Outcome: NotSent, Said: "sh: ping: not found"}},
		{"", Probe{Outcome: NotSent, Said: "ping printed nothing"}},
	} {
		if got := parse(c.out); got != c.want {
			t.Errorf("%q: got %+v, want %+v", c.out, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("From 192.0.2.1 icmp_seq=1 Frag needed and DF set (mtu = 1400)")
	f.Add("2 packets transmitted, 99999999999999999999 received")
	f.Add("Message too long, mtu=\xff")
	f.Fuzz(func(t *testing.T, out string) {
		p := parse(out)
		if p.Outcome == "" || p.MTU < 0 {
			t.Errorf("%q: got %+v", out, p)
		}
		if p.Outcome == Passed && !strings.Contains(out, "received") {
			t.Errorf("%q: passed, and yet nothing was received", out)
		}
	})
}
