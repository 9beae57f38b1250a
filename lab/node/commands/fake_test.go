package commands_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/node"
	"seaworthy/lab/node/commands"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// kernel is a kernel that remembers what it was asked to do.
type kernel struct {
	mu      sync.Mutex
	state   wire.State
	applied int
	refuse  error // the next Apply fails
	files   map[string]string
}

func (k *kernel) apply(_ context.Context, st wire.State) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.refuse; err != nil {
		k.refuse = nil
		return err
	}
	k.state = st
	k.applied++
	return nil
}

func (k *kernel) link(e wire.End) (wire.Link, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e.Device == "lo" {
		return wire.Link{Up: true, Carrier: true, MTU: 65536, MAC: "00:00:00:00:00:00"}, nil
	}
	s, ok := k.state.Ends[e]
	if !ok {
		return wire.Link{}, errors.New(e.Namespace + " " + e.Device + ": no such device")
	}
	return wire.Link{Up: s.Up, Carrier: s.Up, MTU: s.MTU, TSO: s.TSO, GRO: s.GRO, TxChecksum: s.TxChecksum,
		RxChecksum: s.RxChecksum, MAC: "02:00:0a:0b:0c:" + hex2(len(e.Namespace)*16+len(e.Device)), Addresses: s.Addresses}, nil
}

func hex2(n int) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[n>>4&15], digits[n&15]})
}

// stats are different for every device, so that a mix-up shows.
func (k *kernel) stats(e wire.End) (wire.Stats, error) {
	n := uint64(0)
	for _, r := range e.Namespace + e.Device {
		n = n*31%9973 + uint64(r)
	}
	return wire.Stats{TxPackets: n, TxBytes: n * 1000, TxErrors: 1, TxDropped: 2,
		RxPackets: n + 7, RxBytes: n*1000 + 7, RxErrors: 3, RxDropped: 4, Multicast: 5}, nil
}

func (k *kernel) readFile(_, path string) ([]byte, error) {
	text, ok := k.files[path]
	if !ok {
		return nil, errors.New(path + ": no such file")
	}
	return []byte(text), nil
}

const snmp = `Ip: Forwarding DefaultTTL InReceives OutRequests OutNoRoutes
Ip: 2 64 1000 900 3
Tcp: RtoAlgorithm MaxConn ActiveOpens PassiveOpens InSegs OutSegs RetransSegs InCsumErrors
Tcp: 1 -1 11 12 5000 46000 17 0
Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors
Udp: 5 1 0 6 2
`

const neighbours = `IP address       HW type     Flags       HW address            Mask     Device
10.10.10.254     0x1         0x2         00:00:5e:00:01:01     *        en0
10.10.10.13      0x1         0x0         00:00:00:00:00:00     *        en0
10.10.10.12      0x1         0x2         32:43:02:01:00:00     *        en0
`

const netstat = `TcpExt: ListenOverflows ListenDrops TCPTimeouts TCPOrigDataSent
TcpExt: 4 5 6 45000
`

const route = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
en0	00000000	FE0A0A0A	0003	0	0	0	00000000	0	0	0
en0	000A0A0A	00000000	0001	0	0	0	00FFFFFF	0	0	0
`

// lab is a world on a fake kernel.
type lab struct {
	*node.Simulator
	*kernel
	t *testing.T
}

func newLab(t *testing.T, builtin string) *lab {
	t.Helper()
	top, err := topology.Load(t.Context(), builtin)
	if err != nil {
		t.Fatal(err)
	}
	return labOf(t, top)
}

func labOf(t *testing.T, top *topology.Topology) *lab {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	stores, err := node.NewStores(top, cat)
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{files: map[string]string{"/proc/net/snmp": snmp,
		"/proc/net/netstat": netstat, "/proc/net/route": route, "/proc/net/arp": neighbours}}
	w := &node.Simulator{Topology: top, Stores: stores, Apply: k.apply, Stats: k.stats, Link: k.link, ReadFile: k.readFile,
		Sleep:    func(context.Context, time.Duration) error { return nil },
		Hostname: func(host string) (string, error) { return host, nil }, SetHostname: func(string, string) error { return nil },
		Reboot: func(context.Context, string) error { return nil }, Announce: func(wire.End, []string) error { return nil },
		Far:   func(wire.End) (wire.End, bool) { return wire.End{}, false },
		CPU:   func(string) (node.CPUTime, bool) { return node.CPUTime{}, false },
		Shell: func(_ context.Context, c *node.Call) int { fmt.Fprintln(c.Stderr, "no shell here"); return 1 }}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &lab{w, k, t}
}

// run runs a command line as root, or as padmin with the name "padmin@vios1".
func (l *lab) run(who, line string) (out, errs string, status int) {
	l.t.Helper()
	user, host, ok := strings.Cut(who, "@")
	if !ok {
		user, host = "root", who
	}
	line, answers := strings.CutPrefix(line, "echo yes | ")
	stdin := ""
	if answers {
		stdin = "yes\n"
	}
	argv := strings.Fields(line)
	cmd := commands.Served(l.Simulator)[argv[0]]
	if cmd == nil {
		l.t.Fatalf("%s: not served", argv[0])
	}
	var o, e bytes.Buffer
	status = cmd(l.t.Context(),
		&node.Call{Node: host, User: user, Argv: argv, VIOS: user == "padmin", Stdin: strings.NewReader(stdin), Stdout: &o, Stderr: &e})
	return o.String(), e.String(), status
}

// must runs a command that has to succeed.
func (l *lab) must(who, line string) string {
	l.t.Helper()
	out, errs, status := l.run(who, line)
	if status != 0 {
		l.t.Fatalf("%s: %s: got status %d, stderr %q, want 0", who, line, status, errs)
	}
	return out
}

// refused runs a command that has to fail, saying want.
func (l *lab) refused(who, line, want string) {
	l.t.Helper()
	out, errs, status := l.run(who, line)
	if status == 0 || !strings.Contains(errs, want) {
		l.t.Fatalf("%s: %s: got status %d, stdout %q, stderr %q, want a failure with %q", who, line, status, out, errs, want)
	}
}

// channelWithBackup is the node's EtherChannel that has a backup adapter.
func (l *lab) channelWithBackup(t *testing.T, host string) topology.Adapter {
	t.Helper()
	_, n, _ := l.Plan().Node(host)
	for _, a := range n.Adapters {
		if a.Kind == topology.Channel && a.Backup != "" {
			return a
		}
	}
	t.Fatalf("%s has no EtherChannel with a backup", host)
	return topology.Adapter{}
}
