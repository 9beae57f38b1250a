package fleet_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/hub"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

// sites are network namespaces: one of the hub, and one of each zone with a link to it.
type sites struct {
	t      *testing.T
	prefix string
}

func (s sites) ip(args ...string) {
	s.t.Helper()
	out, err := exec.Command("ip", args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (s sites) name(of string) string { return s.prefix + of }

func newSites(t *testing.T, zones ...string) sites {
	t.Helper()
	s := sites{t, fmt.Sprintf("swf%d-", os.Getpid()%100000)}
	for _, of := range append([]string{"hub"}, zones...) {
		out, err := exec.Command("ip", "netns", "add", s.name(of)).CombinedOutput()
		if err != nil {
			t.Skipf("no network namespaces here: %v: %s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", s.name(of)).Run() }) // its links go with it
		s.ip("-n", s.name(of), "link", "set", "lo", "up")
	}
	for i, of := range zones {
		s.ip("-n", s.name("hub"), "link", "add", of, "type", "veth", "peer", "name", "up0", "netns", s.name(of))
		s.ip("-n", s.name("hub"), "addr", "add", fmt.Sprintf("10.77.%d.1/24", i+1), "dev", of)
		s.ip("-n", s.name(of), "addr", "add", fmt.Sprintf("10.77.%d.2/24", i+1), "dev", "up0")
		s.ip("-n", s.name("hub"), "link", "set", of, "up")
		s.ip("-n", s.name(of), "link", "set", "up0", "up")
	}
	return s
}

// Dial connects from within the hub's namespace.
func (s sites) Dial(network, address string) (net.Conn, error) {
	type dialled struct {
		c   net.Conn
		err error
	}
	got := make(chan dialled)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread, which is elsewhere now, ends with this goroutine
		ns, err := os.Open("/var/run/netns/" + s.name("hub"))
		if err == nil {
			err = unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET)
			ns.Close()
		}
		if err != nil {
			got <- dialled{nil, err}
			return
		}
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrInet4{Port: sitePort, Addr: [4]byte{127, 0, 0, 1}})
		}
		if err != nil {
			got <- dialled{nil, err}
			return
		}
		f := os.NewFile(uintptr(fd), address)
		c, err := net.FileConn(f)
		f.Close()
		got <- dialled{c, err}
	}()
	d := <-got
	return d.c, d.err
}

const sitePort = 4443

// A hub and the collectors of two zones in namespaces of their own. The link of one is cut
// without a word in the middle of a sweep, for longer than its lease: it works on, then stops;
// the other zone feels nothing; when the link is back, the rest is read, and nothing twice.
func TestNamespaces(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("network namespaces need root")
	}
	s := newSites(t, "east", "west")
	r := &round{t: t, dir: t.TempDir(), listen: fmt.Sprintf("0.0.0.0:%d", sitePort), runs: map[string]*exec.Cmd{}, site: s.name}
	t.Cleanup(func() {
		for key := range r.runs {
			r.kill(key)
		}
	})
	nc := r.settle(s)
	_, err := control.Ask[*control.Sweep](t.Context(), nc, control.StartSweep, control.NewSweep{Within: control.Seconds(10 * time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(r.dir, "events")
	has := func(what string) int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), what)
	}
	await.Until(t, "hosts of east are read", func() bool { return has("begin east") > 4 })
	s.ip("-n", s.name("hub"), "link", "set", "east", "down")
	events(log).add("cut")
	await.Until(t, "the collector of east waits for its lease", func() bool {
		text, _ := os.ReadFile(filepath.Join(r.dir, "log"))
		return strings.Contains(string(text), "the lease of zone east ended")
	})
	s.ip("-n", s.name("hub"), "link", "set", "east", "up")
	events(log).add("restored")
	var last *control.Sweep
	await.Until(t, "the sweep ends", func() bool {
		last, err = control.Ask[*control.Sweep](t.Context(), nc, control.SweepStatus, control.Named{Name: "latest"})
		return err == nil && !last.Ended.IsZero()
	})
	r.check(last)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "cut\n")
	during, rest, _ := strings.Cut(after, "restored\n")
	t.Logf("read while the link was cut: %d in east, %d in west; after it: %d in east", strings.Count(during, "begin east"),
		strings.Count(during, "begin west"), strings.Count(rest, "begin east"))
	if strings.Count(during, "begin east") == 0 {
		t.Error("the collector of east did not work on while its link was cut")
	}
}

// settle starts the hub and the collectors in their namespaces.
func (r *round) settle(s sites) *nats.Conn {
	t := r.t
	t.Helper()
	certificate, err := trust.Make(filepath.Join(r.dir, "certificates"))
	if err != nil {
		t.Fatal(err)
	}
	made := control.Made{Hubs: []string{fmt.Sprintf("127.0.0.1:%d", sitePort)}, Pin: certificate.Pin, OwnCA: true}
	operator, _, err := hub.OperatorToken(made)
	if err == nil {
		err = operator.Write(filepath.Join(r.dir, "operator.token"))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.startHub()
	var nc *nats.Conn
	await.Until(t, "the hub listens", func() bool {
		nc, err = queue.Dial(operator, nats.SetCustomDialer(s))
		return err == nil
	})
	t.Cleanup(nc.Close)
	for i, name := range []string{"east", "west"} {
		token := &trust.Token{Schema: trust.SchemaToken, User: name, Hubs: []string{fmt.Sprintf("10.77.%d.1:%d", i+1, sitePort)},
			Pin: made.Pin, OwnCA: true}
		var public string
		token.Seed, public, err = trust.NewKey()
		if err == nil {
			err = token.Write(filepath.Join(r.dir, name+".token"))
		}
		if err != nil {
			t.Fatal(err)
		}
		await.Until(t, "the hub makes zone "+name, func() bool {
			ctx, done := context.WithTimeout(t.Context(), 2*time.Second)
			defer done()
			_, err := control.Ask[control.Made](ctx, nc, control.AddZone, control.NewZone{Name: name, Key: public})
			return err == nil
		})
		r.startCollector(name, name+"-1")
	}
	await.Until(t, "the hub knows all hosts", func() bool {
		all, err := control.Ask[[]control.ZoneState](t.Context(), nc, control.ListZones, control.Nothing{})
		return err == nil && len(all) == 2 && all[0].Hosts+all[1].Hosts == 2*perZone
	})
	return nc
}
