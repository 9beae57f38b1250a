package wire

import (
	"errors"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/lab/topology"
)

// The kernel tests run in namespaces of their own: the test program starts
// itself again there. Where that is not permitted they skip.
func TestMain(m *testing.M) {
	if os.Getenv("WIRE_TEST_INSIDE") != "" {
		os.Exit(m.Run())
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), "WIRE_TEST_INSIDE=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	}
	if err != nil { // no namespaces: the tests that need them say so
		os.Setenv("WIRE_TEST_NONE", err.Error())
		os.Exit(m.Run())
	}
}

func built(t *testing.T, name string) (*Network, State) {
	t.Helper()
	if why := os.Getenv("WIRE_TEST_NONE"); why != "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no namespaces: %s", why)
		}
		t.Skipf("no namespaces: %s", why)
	}
	top, err := topology.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	n, err := Build(t.Context(), top)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	st := plain(t, top)
	if err := n.Apply(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	return n, st
}

// plain is a state in which every cable is plugged and every interface has its address.
func plain(t *testing.T, top *topology.Topology) State {
	t.Helper()
	l, err := BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	st := State{Ends: map[End]Settings{}, Routes: map[string][]Route{}, Sysctls: map[string]map[string]string{}}
	ports := map[string]topology.Port{}
	for _, p := range top.Switch.Ports {
		ports[p.Name] = p
	}
	for _, d := range l.Devices {
		w := Settings{Up: true, MTU: 1500, TSO: true, GRO: d.Place == Physical, TxChecksum: true, RxChecksum: true, Line: d.Line}
		switch d.Place {
		case Hypervisor, VLANBridge, Distributor, SwitchLAG, Line:
			w.MTU = 65390
		case Gateway, GatewayPort:
			w = GatewayEnd(top.Switch, d)
		case SwitchPort:
			w.MTU, w.TSO = ports[d.Port].MTU, false
		}
		w.RateBits = ports[d.Port].LineRate
		if _, n, ok := top.Node(d.Node); ok && (d.Place == Physical || d.Place == Line) {
			w.RateBits = n.Adapter(d.Below).LineRate
		}
		st.Ends[d.End] = w
	}
	for _, n := range top.Nodes() {
		st.Routes[n.Name] = []Route{}
		for _, i := range n.Interfaces {
			e := End{n.Name, DeviceName(i.Name)}
			w := st.Ends[e]
			w.Addresses = append(w.Addresses, i.Address)
			st.Ends[e] = w
			if i.Gateway.IsValid() {
				st.Routes[n.Name] = append(st.Routes[n.Name], Route{To: netip.PrefixFrom(netip.IPv4Unspecified(), 0), Via: i.Gateway})
			}
		}
	}
	return st
}

// check reads every end back and compares it with the state.
func check(t *testing.T, n *Network, st State) {
	t.Helper()
	for e, w := range st.Ends {
		l, err := n.Link(e)
		if err != nil {
			t.Error(err)
			continue
		}
		bridge := false
		for _, d := range n.Layout.Devices {
			bridge = bridge || d.End == e && d.Peer == (End{})
		}
		if w.Line != "" && n.OwnRates() == nil {
			w.RateBits = 0
		}
		want := Link{Up: w.Up, Carrier: l.Carrier, MTU: w.MTU, TSO: w.TSO && w.TxChecksum, GRO: w.GRO, TxChecksum: w.TxChecksum,
			RxChecksum: w.RxChecksum, MAC: l.MAC, Addresses: w.Addresses}
		if bridge {
			// A bridge's own offloads follow its ports; it is judged by the rest.
			want.TSO, want.GRO = l.TSO, l.GRO
			want.TxChecksum, want.RxChecksum = l.TxChecksum, l.RxChecksum
		}
		if d := cmp.Diff(want, l, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", e.Namespace, e.Device, d)
		}
		if got := rateOf(t, n, e); got != w.RateBits {
			t.Errorf("%s %s: got line rate %d, want %d", e.Namespace, e.Device, got, w.RateBits)
		}
	}
}

func rateOf(t *testing.T, n *Network, e End) uint64 {
	t.Helper()
	s := n.netns[e.Namespace]
	l, err := s.nl.LinkByName(e.Device)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.nl.QdiscList(l)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range all {
		if tbf, ok := q.(*netlink.Tbf); ok {
			return tbf.Rate * 8
		}
	}
	return 0
}

func TestApply(t *testing.T) {
	n, st := built(t, "two-systems")
	check(t, n, st)

	change := func(e End, f func(*Settings)) {
		s := st.Ends[e]
		f(&s)
		st.Ends[e] = s
	}
	lpar, port, sea := End{"lpar1", "en0"}, End{"vios1", "en0"}, End{"vios1", "en5"}
	change(lpar, func(s *Settings) { s.MTU, s.TSO, s.GRO = 9000, false, true })
	change(port, func(s *Settings) { s.RateBits, s.GRO = 1e9, false })
	change(sea, func(s *Settings) { s.Addresses = []netip.Prefix{netip.MustParsePrefix("10.1.2.3/16")} })
	change(End{"lpar2", "en0"}, func(s *Settings) { s.TxChecksum, s.RxChecksum = false, false })
	change(End{"vios2", "en4"}, func(s *Settings) { s.Up = false })
	change(End{"vios2", "en0"}, func(s *Settings) { s.RateBits = 0 })
	st.Routes["lpar1"] = []Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Via: netip.MustParseAddr("10.10.10.1")},
		{To: netip.MustParsePrefix("192.0.2.0/24"), Via: netip.MustParseAddr("10.10.10.2")}}
	st.Sysctls["lpar1"] = map[string]string{"net.ipv4.tcp_rmem": "4096 65536 131072"}
	for range 2 { // the second time changes nothing and must not fail
		if err := n.Apply(t.Context(), st); err != nil {
			t.Fatal(err)
		}
		check(t, n, st)
	}
	if b, err := n.ReadFile("lpar1", "/proc/sys/net/ipv4/tcp_rmem"); err != nil ||
		strings.Join(strings.Fields(string(b)), " ") != "4096 65536 131072" {
		t.Errorf("lpar1 tcp_rmem: got %q, %v", b, err)
	}
	if b, err := n.ReadFile("lpar2", "/proc/sys/net/ipv4/tcp_rmem"); err != nil ||
		strings.Join(strings.Fields(string(b)), " ") == "4096 65536 131072" {
		t.Errorf("lpar2 tcp_rmem: got lpar1's %q, %v", b, err)
	}
	routes := func() int {
		b, err := n.ReadFile("lpar1", "/proc/net/route")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(b), "\n") - 1
	}
	if got := routes(); got != 3 {
		t.Errorf("lpar1: got %d routes, want its net and two by gateway", got)
	}
	// Down and up again: the routes come back.
	change(lpar, func(s *Settings) { s.Up = false })
	if err := n.Apply(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if got := routes(); got != 0 {
		t.Errorf("lpar1 down: got %d routes, want none", got)
	}
	change(lpar, func(s *Settings) { s.Up = true })
	if err := n.Apply(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if got := routes(); got != 3 {
		t.Errorf("lpar1 up again: got %d routes, want 3", got)
	}
	st.Routes["lpar1"] = nil
	if err := n.Apply(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	if got := routes(); got != 1 {
		t.Errorf("lpar1 without gateways: got %d routes, want 1", got)
	}
	// What somebody else changed is put right.
	l, err := n.netns["lpar1"].nl.LinkByName("en0")
	if err != nil {
		t.Fatal(err)
	}
	if err := n.netns["lpar1"].nl.LinkSetMTU(l, 1000); err != nil {
		t.Fatal(err)
	}
	if err := n.Apply(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	check(t, n, st)
}

// A port uses as many queues as it is set to, up to those it was made with.
func TestQueues(t *testing.T) {
	n, st := built(t, "dedicated")
	for _, x := range []struct{ rx, tx, wantRx, wantTx int }{{8, 2, 8, 2}, {20, 12, 20, 12}, {1, 1, 1, 1}, {0, 3, 1, 3},
		{1000, 1, PortQueues, 1}} {
		for _, e := range []End{{"lpar1", "en0"}, {"sw:sw1", "lpar1.ent0"}} {
			s := st.Ends[e]
			s.RxQueues, s.TxQueues = x.rx, x.tx
			st.Ends[e] = s
			if err := n.Apply(t.Context(), st); err != nil {
				t.Fatal(err)
			}
			c, err := n.netns[e.Namespace].eth.queues(e.Device)
			if errors.Is(err, unix.EOPNOTSUPP) {
				t.Skip("this kernel does not report a veth pair's queues")
			}
			if err != nil {
				t.Fatal(err)
			}
			if rx, tx := int(c.rxCount), int(c.txCount); rx != x.wantRx || tx != x.wantTx {
				t.Errorf("%v: got %d receive and %d transmit queues, want %d and %d", e, rx, tx, x.wantRx, x.wantTx)
			}
		}
	}
}

func TestApplyErrors(t *testing.T) {
	n, _ := built(t, "dedicated")
	for _, c := range []struct {
		st   State
		want string
	}{
		{State{Ends: map[End]Settings{{"nowhere", "en0"}: {}}}, "nowhere en0"},
		{State{Ends: map[End]Settings{{"lpar1", "en9"}: {}}}, "lpar1 en9"},
		{State{Ends: map[End]Settings{{"lpar1", "en0"}: {MTU: 1 << 20}}}, "lpar1 en0: mtu 1048576"},
		{State{Ends: map[End]Settings{{"lpar1", "en0"}: {RateBits: 1}}}, "lpar1 en0: line rate"},
		{State{Sysctls: map[string]map[string]string{"lpar1": {"kernel.panic": "1"}}}, "only net.*"},
		{State{Sysctls: map[string]map[string]string{"lpar1": {"net.../../kernel.panic": "1"}}}, "only net.*"},
		{State{Sysctls: map[string]map[string]string{"lpar1": {"net.ipv4.tcp_rmem": "many"}}}, "lpar1: sysctl net.ipv4.tcp_rmem"},
	} {
		if err := n.Apply(t.Context(), c.st); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want an error with %q", c.st, err, c.want)
		}
	}
	if _, err := n.ReadFile("lpar1", "/etc/passwd"); err == nil {
		t.Error("a file that is not the namespace's: got no error")
	}
	if _, err := n.Stats(End{"lpar1", "en7"}); err == nil {
		t.Error("counters of no device: got no error")
	}
	if s, err := n.Stats(End{"lpar1", "en0"}); err != nil || s.TxPackets != 0 || s.RxPackets != 0 {
		t.Errorf("an idle interface: got %+v, %v; want no packets: stray traffic spoils counters", s, err)
	}
}

func TestBuildLayout(t *testing.T) {
	top, err := topology.Load(t.Context(), "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	l, err := BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"lpar1", "vios1", "hyp:cec1", "lpar2", "vios2", "hyp:cec2", "sw:sw1"}, l.Namespaces); d != "" {
		t.Error(d)
	}
	seen := map[End]Device{}
	for _, d := range l.Devices {
		if _, dup := seen[d.End]; dup {
			t.Errorf("%v is there twice", d.End)
		}
		if len(d.Device) > 15 {
			t.Errorf("%s: longer than the kernel allows", d.Device)
		}
		seen[d.End] = d
	}
	if d := seen[End{"vios1", "en4"}]; d.Bridge != "en5" || d.Place != Virtual || seen[d.Peer].Bridge != "vlan1" {
		t.Errorf("vios1 en4: got %+v, want a port of en5 and of VLAN 1", d)
	}
	if d := seen[End{"vios1", "en0"}]; d.Bridge != "en5" || seen[d.Peer].Namespace != "sw:sw1" || seen[d.Peer].Port != "sw1/1" {
		t.Errorf("vios1 en0: got %+v, want a port of en5, cabled to sw1/1", d)
	}
	long := "a-node-name-of-31-letters-012345"[:31]
	top, _ = topology.Load(t.Context(), "dedicated")
	top.Systems[0].Nodes[0].Name = long
	l, err = BuildLayout(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range l.Devices {
		if len(d.Device) > 15 {
			t.Errorf("%s: longer than the kernel allows", d.Device)
		}
	}
}
