package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/hub"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/test/await"
)

var (
	rounds  = flag.Int("rounds", 1, "rounds of faults")
	seed    = flag.Uint64("seed", 1, "seed of the first round")
	longest = flag.Duration("cut", 3*time.Second, "longest time for which a link is cut")
)

// roleVariable makes this program a hub or a collector, so that it can be killed.
const roleVariable = "SEAWORTHY_FLEET_ROLE"

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch args := os.Args[1:]; role {
	case "hub":
		err = beHub(ctx, args[0], args[1])
	case "collector":
		err = beCollector(ctx, args[0], args[1], args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, role+":", err)
		os.Exit(1)
	}
}

// events is a file to which all processes of a round append lines.
type events string

func (e events) add(format string, args ...any) {
	f, err := os.OpenFile(string(e), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, format+"\n", args...)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// noting is a keeper that notes what it has.
type noting struct{ events }

func (n noting) Keep(_ context.Context, arrived []hub.Arrival) (map[string]string, error) {
	for _, a := range arrived {
		n.add("kept %s", a.Host)
	}
	return nil, nil
}

const roundLease = 4 * time.Second

func beHub(ctx context.Context, dir, listen string) error {
	certificate, err := trust.Make(filepath.Join(dir, "certificates"))
	if err != nil {
		return err
	}
	operator, err := trust.Read(ctx, filepath.Join(dir, "operator.token"))
	if err != nil {
		return err
	}
	public, err := operator.Public()
	if err != nil {
		return err
	}
	h := hub.New()
	h.SetOperator(public)
	server, err := queue.Start(ctx, queue.Options{Dir: filepath.Join(dir, "queue"), Listen: listen, TLS: certificate.Server(), Users: h.Users})
	if err != nil {
		return err
	}
	defer server.Close()
	made := control.Made{Hubs: []string{listen}, Pin: certificate.Pin, OwnCA: true}
	return h.Run(ctx, hub.Options{Queue: server, Keeper: noting{events(filepath.Join(dir, "events"))}, Made: made, Operator: public,
		Lease: roundLease, OnNotice: func(line string) { fmt.Fprintln(os.Stderr, "hub:", line) }})
}

// faulty reads pretended hosts: every 7th is unreachable, every 11th dies in the middle, and
// every 13th hangs longer than most.
type faulty struct {
	events
	list []zone.Host
}

func (f *faulty) Hosts(context.Context) ([]zone.Host, error) { return f.list, nil }

func (f *faulty) Read(ctx context.Context, _, host string) (map[string][]byte, error) {
	n, _ := strconv.Atoi(strings.TrimLeft(host, "abcdefghijklmnopqrstuvwxyz"))
	f.add("begin %s %d", host, os.Getpid())
	defer f.add("end %s %d", host, os.Getpid())
	takes := time.Duration(20+rand.IntN(60)) * time.Millisecond
	if n%13 == 12 {
		takes = time.Second
	}
	t := time.NewTimer(takes)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-t.C:
	}
	switch {
	case n%7 == 6:
		return nil, errors.New("unreachable")
	case n%11 == 10:
		return snapshot(host, 0, errHalf)
	}
	return snapshot(host, 0, nil)
}

func beCollector(ctx context.Context, dir, name, spool string) error {
	token, err := trust.Read(ctx, filepath.Join(dir, name+".token"))
	if err != nil {
		return err
	}
	f := &faulty{events: events(filepath.Join(dir, "events")), list: newHosts(names(name, perZone)...).list}
	return zone.Run(ctx, zone.Options{Zone: name, Spool: spool, Reader: f, Limits: zone.Limits{Hosts: 6},
		OnNotice: func(line string) { fmt.Fprintln(os.Stderr, spool+":", line) },
		Dial:     func(o ...nats.Option) (*nats.Conn, error) { return dialPatiently(ctx, token, o) }})
}

// dialPatiently logs in to a hub that may not be there yet.
func dialPatiently(ctx context.Context, token *trust.Token, o []nats.Option) (*nats.Conn, error) {
	var nc *nats.Conn
	var err error
	await.Within(await.Limit, func() bool {
		nc, err = queue.Dial(token, append(o, nats.ReconnectWait(200*time.Millisecond))...)
		return err == nil || ctx.Err() != nil
	})
	return nc, err
}

const perZone = 40

// link is a zone's way to the hub, which can be cut.
type link struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
}

func newLink(t *testing.T, to string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{listener: l, to: to, conns: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); k.set(true) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go k.carry(c)
		}
	}()
	return k
}

func (k *link) carry(c net.Conn) {
	defer c.Close()
	far, err := net.Dial("tcp", k.to)
	if err != nil {
		return
	}
	defer far.Close()
	k.mu.Lock()
	if k.cut {
		k.mu.Unlock()
		return
	}
	k.conns[c], k.conns[far] = true, true
	k.mu.Unlock()
	go func() { _, _ = io.Copy(far, c); far.Close() }() // ends with either
	_, _ = io.Copy(c, far)
	k.mu.Lock()
	delete(k.conns, c)
	delete(k.conns, far)
	k.mu.Unlock()
}

func (k *link) set(cut bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cut = cut
	for c := range k.conns {
		if cut {
			c.Close()
		}
	}
}

// round is a hub and two zones of processes.
type round struct {
	t      *testing.T
	dir    string
	listen string
	links  map[string]*link
	runs   map[string]*exec.Cmd        // by hub, or spool
	site   func(process string) string // the network namespace of the hub or a zone; nil: this one
}

func (r *round) spawn(key, role string, args ...string) {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	if r.site != nil {
		cmd = exec.Command("ip", append([]string{"netns", "exec", r.site(strings.TrimSuffix(key, "-1")), os.Args[0]}, args...)...)
	}
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	if r.site == nil { // else threads end that went into a namespace, and what they started with them
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	}
	log, err := os.OpenFile(filepath.Join(r.dir, "log"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	defer log.Close()
	cmd.Stderr = log
	err = cmd.Start()
	if err != nil {
		r.t.Fatal(err)
	}
	r.runs[key] = cmd
}

func (r *round) startHub() { r.spawn("hub", "hub", r.dir, r.listen) }

func (r *round) startCollector(name, spool string) {
	r.spawn(spool, "collector", r.dir, name, filepath.Join(r.dir, spool))
}

func (r *round) kill(key string) {
	cmd := r.runs[key]
	if cmd == nil {
		return
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	events(filepath.Join(r.dir, "events")).add("killed - %d", cmd.Process.Pid)
	delete(r.runs, key)
}

// newRound makes certificates, tokens and processes.
func newRound(t *testing.T) (*round, *nats.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &round{t: t, dir: t.TempDir(), listen: l.Addr().String(), runs: map[string]*exec.Cmd{}, links: map[string]*link{}}
	l.Close()
	t.Cleanup(func() {
		for key := range r.runs {
			r.kill(key)
		}
	})
	certificate, err := trust.Make(filepath.Join(r.dir, "certificates"))
	if err != nil {
		t.Fatal(err)
	}
	made := control.Made{Hubs: []string{r.listen}, Pin: certificate.Pin, OwnCA: true}
	operator, _, err := hub.OperatorToken(made)
	if err == nil {
		err = operator.Write(filepath.Join(r.dir, "operator.token"))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.startHub()
	nc, err := dialPatiently(t.Context(), operator, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	for _, name := range []string{"east", "west"} {
		r.links[name] = newLink(t, r.listen)
		token := &trust.Token{Schema: trust.SchemaToken, User: name, Hubs: []string{r.links[name].listener.Addr().String()}, Pin: made.Pin, OwnCA: true}
		var public string
		token.Seed, public, err = trust.NewKey()
		if err == nil {
			err = token.Write(filepath.Join(r.dir, name+".token"))
		}
		if err != nil {
			t.Fatal(err)
		}
		await.Until(t, "the hub makes zone "+name, func() bool {
			_, err := control.Ask[control.Made](t.Context(), nc, control.AddZone, control.NewZone{Name: name, Key: public})
			return err == nil
		})
		r.startCollector(name, name+"-1")
	}
	return r, nc
}

// fault lets one thing go wrong.
func (r *round) fault(random *rand.Rand) string {
	zones := []string{"east", "west"}
	name := zones[random.IntN(len(zones))]
	switch random.IntN(5) {
	case 0:
		r.kill(name + "-1")
		r.startCollector(name, name+"-1")
		return "collector of " + name + " killed"
	case 1:
		r.kill("hub")
		r.startHub()
		return "hub killed"
	case 2:
		for_ := time.Duration(random.Int64N(int64(*longest)))
		r.links[name].set(true)
		time.AfterFunc(for_, func() { r.links[name].set(false) })
		return fmt.Sprintf("link of %s cut for %s", name, for_.Round(time.Millisecond))
	case 3:
		if r.runs[name+"-2"] == nil {
			r.startCollector(name, name+"-2")
		}
		r.kill(name + "-1")
		return "another collector takes " + name + " over"
	}
	return "a result of " + name + " twice: " + r.again(name)
}

// again sends a result of a host that has one.
func (r *round) again(name string) string {
	text, err := os.ReadFile(filepath.Join(r.dir, "events"))
	if err != nil {
		return "none yet"
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] != "kept" || !strings.HasPrefix(f[1], name) {
			continue
		}
		token, err := trust.Read(r.t.Context(), filepath.Join(r.dir, name+".token"))
		if err != nil {
			r.t.Fatal(err)
		}
		nc, err := queue.Dial(token)
		if err != nil {
			return "no link"
		}
		defer nc.Close()
		text, _ := json.Marshal(message.Result{Job: "again", Host: f[1], Error: "again", Ended: time.Now()})
		_ = nc.Publish(message.ResultSubject(name), text)
		_ = nc.FlushTimeout(time.Second) // the hub may be gone
		return f[1]
	}
	return "none yet"
}

// Whatever is killed or cut while hosts are swept: each host ends once, with its own outcome,
// no two collectors are on a host at once, and a host whose result the hub has is not read again.
func TestFaults(t *testing.T) {
	for i := range *rounds {
		s := *seed + uint64(i)
		t.Run(fmt.Sprintf("seed %d", s), func(t *testing.T) { faultRound(t, s) })
	}
}

func faultRound(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 7))
	r, nc := newRound(t)
	ask := func() (*control.Sweep, error) {
		ctx, done := context.WithTimeout(t.Context(), 2*time.Second)
		defer done()
		return control.Ask[*control.Sweep](ctx, nc, control.SweepStatus, control.Named{Name: "latest"})
	}
	defer func() {
		if t.Failed() {
			text, _ := os.ReadFile(filepath.Join(r.dir, "log"))
			t.Logf("%s", text)
		}
	}()
	await.Until(t, "the hub knows all hosts", func() bool {
		all, err := control.Ask[[]control.ZoneState](t.Context(), nc, control.ListZones, control.Nothing{})
		return err == nil && len(all) == 2 && all[0].Hosts+all[1].Hosts == 2*perZone
	})
	_, err := control.Ask[*control.Sweep](t.Context(), nc, control.StartSweep, control.NewSweep{Within: control.Seconds(10 * time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		<-time.After(time.Duration(random.IntN(500)) * time.Millisecond) // the moment of a fault is the seed's
		t.Log(r.fault(random))
	}
	var last *control.Sweep
	if !await.Within(2*await.Limit, func() bool {
		got, err := ask()
		if err == nil {
			last = got
		}
		return err == nil && !got.Ended.IsZero()
	}) {
		t.Fatalf("not over: %+v", last)
	}
	if last.All != 2*perZone || last.Done() != last.All {
		t.Errorf("got %+v", last)
	}
	r.check(last)
}

// check holds what the processes noted against what must be so.
func (r *round) check(s *control.Sweep) {
	f, err := os.Open(filepath.Join(r.dir, "events"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	on, kept := map[string]string{}, map[string]int{} // host: process
	for lines := bufio.NewScanner(f); lines.Scan(); {
		w := strings.Fields(lines.Text())
		switch w[0] {
		case "begin":
			if on[w[1]] != "" && on[w[1]] != w[2] {
				r.t.Errorf("%s is read by %s while %s reads it", w[1], w[2], on[w[1]])
			}
			on[w[1]] = w[2]
			if kept[w[1]] > 0 {
				r.t.Errorf("%s is read again though the hub has it", w[1])
			}
		case "end":
			if on[w[1]] == w[2] {
				delete(on, w[1])
			}
		case "killed":
			for host, process := range on {
				if process == w[2] {
					delete(on, host)
				}
			}
		case "kept":
			kept[w[1]]++
		}
	}
	if len(kept) != s.All {
		r.t.Errorf("%d hosts kept, want %d", len(kept), s.All)
	}
	want := map[control.Verdict]int{}
	for n := range perZone {
		switch {
		case n%7 == 6:
			want[control.Failed] += 2
		case n%11 == 10:
			want[control.Partial] += 2
		default:
			want[control.Read] += 2
		}
	}
	if s.Read != want[control.Read] || s.Partial != want[control.Partial] || s.Failed != want[control.Failed] {
		r.t.Errorf("got %d read, %d in part, %d failed, want %v: %+v", s.Read, s.Partial, s.Failed, want, s.Not)
	}
}
