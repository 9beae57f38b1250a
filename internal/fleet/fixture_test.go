package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	random "math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/collect"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/hub"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/test/await"
)

// keeper remembers what a hub had it keep.
type keeper struct {
	mu     sync.Mutex
	kept   map[string]int // snapshots by host
	missed map[string]string
	broken error
}

func newKeeper() *keeper { return &keeper{kept: map[string]int{}, missed: map[string]string{}} }

func (k *keeper) Keep(_ context.Context, arrived []hub.Arrival) (map[string]string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.broken != nil {
		return nil, k.broken
	}
	for _, a := range arrived {
		if a.Snapshot == nil {
			k.missed[a.Host] = a.Why
			continue
		}
		k.kept[a.Snapshot.Manifest.Host]++
	}
	return nil, nil
}

func (k *keeper) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.kept)
}

// has reports whether a host's snapshot is kept.
func (k *keeper) has(host string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[host] > 0
}

// hosts are pretended hosts of a zone: which were read, by whom, and how often at once.
type hosts struct {
	mu      sync.Mutex
	list    []zone.Host
	takes   time.Duration
	faults  map[string]error // by host; with a snapshot all the same if it is errHalf
	reads   map[string]int
	now     map[string]int // being read
	clashes []string
	pads    int // bytes of noise in each snapshot
}

var errHalf = errors.New("connection lost in the middle")

func newHosts(names ...string) *hosts {
	h := &hosts{faults: map[string]error{}, reads: map[string]int{}, now: map[string]int{}}
	for _, n := range names {
		h.list = append(h.list, zone.Host{Host: message.Host{Name: n, Platform: "aix", Labels: map[string]string{"system": "S1"}}})
	}
	return h
}

// collector is one of several that read the same hosts.
type collector struct{ *hosts }

func (c collector) Hosts(context.Context) ([]zone.Host, error) { return c.list, nil }

func (c collector) Read(ctx context.Context, _, host string) (map[string][]byte, error) {
	c.mu.Lock()
	c.reads[host]++
	c.now[host]++
	if c.now[host] > 1 {
		c.clashes = append(c.clashes, host)
	}
	fault, takes := c.faults[host], c.takes
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.now[host]--
		c.mu.Unlock()
	}()
	if takes > 0 {
		t := time.NewTimer(takes)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-t.C:
		}
	}
	if fault != nil && !errors.Is(fault, errHalf) {
		return nil, fault
	}
	return snapshot(host, c.pads, fault)
}

// snapshot is one as collect makes it, with so many bytes of noise.
func snapshot(host string, pads int, fault error) (map[string][]byte, error) {
	said := []byte("Linux " + host + " 5.14\n")
	noise := make([]byte, pads)
	random.NewChaCha8([32]byte{}).Read(noise)
	m := collect.Manifest{Schema: collect.SchemaSnapshot, Host: host, Platform: "linux", Started: time.Now().UTC(), Finished: time.Now().UTC(),
		Commands: []collect.Record{{ID: "uname-a", Line: "uname -a", Stdout: "uname-a.txt", Start: time.Now().UTC()}}}
	files, err := collect.NewSnapshot(m, map[string][]byte{"uname-a.txt": append(said, noise...)}).Files()
	return files, errors.Join(err, fault)
}

// world is a hub with its zones.
type world struct {
	t      *testing.T
	dir    string
	queue  string // folder
	keeper *keeper
	lease  time.Duration
	made   control.Made
	cert   *trust.Hub

	operator *trust.Token
	stop     context.CancelFunc
	ended    chan error
	server   *queue.Server
}

func newWorld(t *testing.T, lease time.Duration) *world {
	t.Helper()
	dir := t.TempDir()
	return newWorldIn(t, dir, filepath.Join(dir, "queue"), lease)
}

// newWorldIn is a world whose queue is in a folder of its own.
func newWorldIn(t *testing.T, dir, folder string, lease time.Duration) *world {
	t.Helper()
	w := &world{t: t, dir: dir, queue: folder, keeper: newKeeper(), lease: lease}
	var err error
	w.cert, err = trust.Make(filepath.Join(w.dir, "certificates"))
	if err != nil {
		t.Fatal(err)
	}
	w.start("127.0.0.1:0")
	t.Cleanup(func() { w.halt() })
	return w
}

// start starts the hub.
func (w *world) start(listen string) {
	w.t.Helper()
	h := hub.New()
	server, err := queue.Start(w.t.Context(), queue.Options{Dir: w.queue, Listen: listen, TLS: w.cert.Server(), Users: h.Users})
	if err != nil {
		w.t.Fatal(err)
	}
	w.server = server
	w.made = control.Made{Hubs: []string{server.Address().String()}, Pin: w.cert.Pin, OwnCA: true}
	var public string
	if w.operator == nil {
		w.operator, _, err = hub.OperatorToken(w.made)
		if err != nil {
			w.t.Fatal(err)
		}
	}
	public, err = w.operator.Public()
	if err != nil {
		w.t.Fatal(err)
	}
	h.SetOperator(public)
	ctx, stop := context.WithCancel(context.Background())
	w.stop, w.ended = stop, make(chan error, 1)
	ready := make(chan struct{})
	go func() {
		w.ended <- h.Run(ctx, hub.Options{Queue: server, Keeper: w.keeper, Made: w.made, Operator: public, Lease: w.lease,
			OnNotice: func(line string) { w.t.Log("hub: " + line) }, OnReady: func() { close(ready) }})
	}()
	select {
	case <-ready:
	case err := <-w.ended:
		w.t.Fatalf("hub: %v", err)
	}
}

// halt ends the hub.
func (w *world) halt() {
	w.stop()
	err := <-w.ended
	if err != nil {
		w.t.Errorf("hub: %v", err)
	}
	w.server.Close()
}

// ask is a connection of the operator.
func (w *world) ask() *nats.Conn {
	w.t.Helper()
	nc, err := queue.Dial(w.operator)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(nc.Close)
	return nc
}

// token makes a zone and a token of it.
func (w *world) token(name string, patterns ...string) *trust.Token {
	w.t.Helper()
	seed, public, err := trust.NewKey()
	if err != nil {
		w.t.Fatal(err)
	}
	made, err := control.Ask[control.Made](w.t.Context(), w.ask(), control.AddZone, control.NewZone{Name: name, Key: public, Patterns: patterns})
	if err != nil {
		w.t.Fatal(err)
	}
	return &trust.Token{Schema: trust.SchemaToken, User: name, Hubs: made.Hubs, Pin: made.Pin, OwnCA: made.OwnCA, Seed: seed}
}

// join starts a collector; what it returns ends it and waits.
func (w *world) join(token *trust.Token, h *hosts, spool string, change ...func(*zone.Options)) (end func()) {
	w.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	o := zone.Options{Zone: token.User, Spool: spool, Reader: collector{h}, OnNotice: func(line string) { w.t.Log(token.User + ": " + line) },
		Dial: func(options ...nats.Option) (*nats.Conn, error) { return queue.Dial(token, options...) }}
	for _, c := range change {
		c(&o)
	}
	go func() { ended <- zone.Run(ctx, o) }()
	end = sync.OnceFunc(func() {
		stop()
		err := <-ended
		if err != nil {
			w.t.Errorf("collector: %v", err)
		}
	})
	w.t.Cleanup(end)
	return end
}

// known waits until the hub knows so many hosts of a zone.
func (w *world) known(nc *nats.Conn, name string, n int) {
	w.t.Helper()
	await.Until(w.t, fmt.Sprintf("the hub knows %d hosts of %s", n, name), func() bool { return w.zone(nc, name).Hosts == n })
}

// zone is what the hub says of a zone.
func (w *world) zone(nc *nats.Conn, name string) control.ZoneState {
	all, err := control.Ask[[]control.ZoneState](w.t.Context(), nc, control.ListZones, control.Nothing{})
	if err != nil {
		return control.ZoneState{}
	}
	for _, z := range all {
		if z.Name == name {
			return z
		}
	}
	return control.ZoneState{}
}

// publish sends a message.
func publish(t *testing.T, nc *nats.Conn, subject string, said any) {
	t.Helper()
	text, err := json.Marshal(said)
	if err == nil {
		err = nc.Publish(subject, text)
	}
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sweep makes a sweep.
func (w *world) sweep(nc *nats.Conn, words ...string) *control.Sweep {
	w.t.Helper()
	s, err := control.Ask[*control.Sweep](w.t.Context(), nc, control.StartSweep, control.NewSweep{Words: words, Within: control.Seconds(time.Hour)})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// over waits until a sweep has ended.
func (w *world) over(nc *nats.Conn, id string) *control.Sweep {
	w.t.Helper()
	var s *control.Sweep
	await.Until(w.t, "sweep "+id+" ends", func() bool {
		got, err := control.Ask[*control.Sweep](w.t.Context(), nc, control.SweepStatus, control.Named{Name: id})
		if err == nil {
			s = got
		}
		return err == nil && !s.Ended.IsZero()
	})
	return s
}

// names are those of pretended hosts.
func names(prefix string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%s%03d", prefix, i))
	}
	return out
}

// reading is how many hosts are being read.
func (h *hosts) reading() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, now := range h.now {
		n += now
	}
	return n
}

// once checks that every host was read once, and never by two at once.
func (h *hosts) once(t *testing.T) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(h.reads)) {
		if h.reads[name] != 1 {
			t.Errorf("%s was read %d times", name, h.reads[name])
		}
	}
	if len(h.clashes) > 0 {
		t.Errorf("read by two at once: %v", h.clashes)
	}
}
