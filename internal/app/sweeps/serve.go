package sweeps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/past"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/collect"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/hub"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/fleet/zone"
	"seaworthy/internal/history"
)

// Names in the state folder of a hub.
const (
	operatorFile = "operator.token"
	queueDir     = "queue"
	certDir      = "certificates"
	localZone    = "local"
)

// StateDir is where a hub keeps its state, as a user named it or by default.
func StateDir(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	journals, err := execute.DefaultJournals()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(journals.Dir), "fleet"), nil
}

// Serving is how a hub is set up.
type Serving struct {
	State     string        // folder; empty: the default
	Listen    string        // HOST:PORT
	Addresses []string      // HOST:PORT by which zones reach it; none: what it listens on
	Cert, Key string        // of the site's own CA; empty: one that it makes
	History   string        // empty: the default
	Lease     time.Duration // of a zone
	Local     bool          // read the hosts of this machine's files, too, as zone "local"
	Limits    zone.Limits   // of zone "local"
	Version   string

	// Beside is run while the hub is at work, with an operator's connection to it; nil: nothing.
	// The hub ends with an error of it.
	Beside func(ctx context.Context, at *Asking) error
}

// Serve runs a hub until the context ends. ready is told where it listens, once the hub knows the hosts of its own zone.
func (q *Serving) Serve(ctx context.Context, access fleet.Access, ready func(address, kept string)) error {
	if (q.Cert == "") != (q.Key == "") {
		return app.Usage("fleet serve: --tls-cert and --tls-key belong together")
	}
	if q.Lease < 2*time.Second || q.Lease > 24*time.Hour {
		return app.Usage("fleet serve --lease %s: expected from 2s to 24h", q.Lease)
	}
	dir, err := StateDir(q.State)
	if err != nil {
		return err
	}
	unlock, made, err := prepare(dir)
	if err != nil {
		return err
	}
	defer unlock()
	site, err := q.siteCertificate()
	if err != nil {
		made.Undo()
		return err
	}
	store, err := past.Open(ctx, access, q.History)
	if err != nil {
		made.Undo() // a hub that cannot keep anything leaves nothing
		return err
	}
	defer store.Close()
	return q.serve(ctx, access, store, dir, site, ready)
}

// serve runs a hub whose state folder and history are there. site is the certificate of the site's CA; nil: the hub makes one.
func (q *Serving) serve(
	ctx context.Context, access fleet.Access, store *history.Store, dir string, site *trust.Hub, ready func(address, kept string),
) error {
	certificate := site
	if certificate == nil {
		var err error
		certificate, err = trust.Make(filepath.Join(dir, certDir))
		if err != nil {
			return err
		}
	}
	h := hub.New()
	server, err := queue.Start(ctx, queue.Options{
		Dir: filepath.Join(dir, queueDir), Listen: q.Listen, TLS: certificate.Server(), Users: h.Users,
	})
	if err != nil {
		return err
	}
	defer server.Close()
	made := control.Made{Hubs: q.addresses(server.Address().String()), Pin: certificate.Pin, OwnCA: certificate.Own}
	operator, err := operatorKey(ctx, dir, server.Address(), made)
	if err != nil {
		return err
	}
	h.SetOperator(operator)
	return q.run(ctx, access, store, &running{hub: h, server: server, dir: dir, made: made, operator: operator, ready: ready})
}

// running is a hub that was set up.
type running struct {
	hub      *hub.Hub
	server   *queue.Server
	dir      string
	made     control.Made
	operator string
	ready    func(address, kept string)
}

func (q *Serving) run(whole context.Context, access fleet.Access, store *history.Store, r *running) error {
	ctx, stop := context.WithCancel(progress.With(whole, nil)) // a hub's log has events, not how far each batch is
	defer stop()
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	failed := make(chan error, 2)
	also := func(work func() error) {
		over.Go(func() {
			err := work()
			if err != nil && ctx.Err() == nil { // an error of work that is being stopped says no more than that
				failed <- err
				stop()
			}
		})
	}
	o := hub.Options{
		Queue: r.server, Keeper: &keeper{store, access, past.NewJudges(ctx)}, Made: r.made, Operator: r.operator,
		Lease: q.Lease, OnNotice: func(line string) { access.Notice("%s", line) },
		OnReady: func() {
			known := sync.OnceFunc(func() { r.ready(r.server.Address().String(), store.Name()) })
			if q.Beside != nil {
				also(func() error { return q.beside(ctx, r) })
			}
			also(func() error {
				if q.Local {
					return q.local(ctx, access, r, known)
				}
				err := q.dropLocal(ctx, r)
				known()
				return err
			})
		},
	}
	err := r.hub.Run(ctx, o)
	if whole.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(whole))) {
		err = nil // it was stopped while it began: that is how a hub ends
	}
	select {
	case other := <-failed:
		return errors.Join(err, other)
	default:
	}
	return err
}

// beside runs what is to run while the hub does.
func (q *Serving) beside(ctx context.Context, r *running) error {
	operator, err := Operator(ctx, q.State, "", r.server.Within())
	if err != nil {
		return err
	}
	defer operator.Close()
	return q.Beside(ctx, operator)
}

// prepare makes the folders of a hub, and takes its lock.
func prepare(dir string) (unlock func(), made fileio.Made, err error) {
	made, err = fileio.MkdirAll(dir)
	if err != nil {
		return nil, made, fmt.Errorf("fleet serve: state folder: %w", err)
	}
	held, err := os.Open(dir)
	if err != nil {
		return nil, made, fmt.Errorf("fleet serve: state folder: %w", err)
	}
	err = fileio.Lock(held)
	if err != nil {
		held.Close()
		return nil, made, fmt.Errorf("fleet serve: state folder %s: %w: another fleet serve runs there", dir, err)
	}
	return func() { held.Close() }, made, nil
}

// siteCertificate is that of the site's own CA, which zones will take; nil: there is none.
func (q *Serving) siteCertificate() (*trust.Hub, error) {
	if q.Cert == "" {
		return nil, nil
	}
	certificate, err := trust.Load(q.Cert, q.Key)
	if err != nil {
		return nil, err
	}
	err = certificate.Check(q.addresses(q.Listen))
	if err != nil {
		return nil, fmt.Errorf("fleet serve --tls-cert %s: %w", q.Cert, err)
	}
	return certificate, nil
}

// addresses are those that tokens hold, of a hub that listens on HOST:PORT.
func (q *Serving) addresses(listens string) []string {
	if len(q.Addresses) > 0 {
		return q.Addresses
	}
	host, port, err := net.SplitHostPort(listens)
	ip := net.ParseIP(host)
	if err != nil || host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{listens}
	}
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	return []string{net.JoinHostPort(name, port)}
}

// operatorKey is the public key of the operator's token in the state folder, which is made
// where it is missing, and leads to where the hub listens now.
func operatorKey(ctx context.Context, dir string, listens net.Addr, made control.Made) (string, error) {
	file := filepath.Join(dir, operatorFile)
	_, port, err := net.SplitHostPort(listens.String())
	if err != nil {
		return "", err
	}
	t, err := trust.Read(ctx, file)
	_, missing := os.Stat(file)
	if errors.Is(missing, fs.ErrNotExist) {
		t, _, err = hub.OperatorToken(made)
	}
	if err != nil {
		return "", err
	}
	t.Hubs, t.Pin, t.OwnCA = made.Hubs, made.Pin, made.OwnCA
	if made.OwnCA { // the certificate does not depend on the address
		t.Hubs = []string{net.JoinHostPort(near(listens), port)}
	}
	err = t.Write(file)
	if err != nil {
		return "", err
	}
	return t.Public()
}

// near is how this machine reaches a port that listens.
func near(listens net.Addr) string {
	host, _, _ := net.SplitHostPort(listens.String())
	ip := net.ParseIP(host)
	if ip == nil || ip.IsUnspecified() {
		return "127.0.0.1"
	}
	return host
}

// local is the collector of the zone that is this process.
func (q *Serving) local(ctx context.Context, access fleet.Access, r *running, known func()) error {
	seed, public, err := trust.NewKey()
	if err != nil {
		return err
	}
	t := &trust.Token{Schema: trust.SchemaToken, User: localZone, Hubs: r.made.Hubs, Pin: r.made.Pin, OwnCA: r.made.OwnCA, Seed: seed}
	operator, err := Operator(ctx, q.State, "", r.server.Within())
	if err != nil {
		return err
	}
	defer operator.Close()
	_, err = operator.AddZone(ctx, control.NewZone{Name: localZone, Key: public, Replace: true})
	if err != nil {
		return err
	}
	j := Joining{Spool: filepath.Join(r.dir, "spool-"+localZone), Limits: q.Limits, Version: q.Version,
		dial: func(options ...nats.Option) (*nats.Conn, error) {
			return queue.Dial(t, append(options, r.server.Within())...)
		}}
	return j.join(ctx, access, t, known)
}

// dropLocal removes the zone that is a hub's own process where this one has none: no collector
// would ever come for its hosts.
func (q *Serving) dropLocal(ctx context.Context, r *running) error {
	operator, err := Operator(ctx, q.State, "", r.server.Within())
	if err != nil {
		return err
	}
	defer operator.Close()
	zones, err := operator.Zones(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(zones, func(z control.ZoneState) bool { return z.Name == localZone }) {
		return nil
	}
	return operator.RemoveZone(ctx, localZone)
}

// keeper adds what arrives to a history.
type keeper struct {
	store  *history.Store
	access fleet.Access
	judges *past.Judges
}

// Keep adds snapshots, and notes which hosts were not reached, zone by zone.
func (k *keeper) Keep(ctx context.Context, arrived []hub.Arrival) (map[string]string, error) {
	refused := map[string]string{}
	byZone := map[string][]hub.Arrival{}
	for _, a := range arrived {
		byZone[a.Zone] = append(byZone[a.Zone], a)
	}
	for _, name := range slices.Sorted(maps.Keys(byZone)) {
		err := k.keepZone(ctx, name, byZone[name], refused)
		if err != nil {
			return nil, err
		}
	}
	return refused, nil
}

func (k *keeper) keepZone(ctx context.Context, name string, arrived []hub.Arrival, refused map[string]string) error {
	var snapshots []*collect.Snapshot
	for _, a := range arrived {
		if a.Snapshot != nil {
			snapshots = append(snapshots, a.Snapshot)
		}
	}
	if len(snapshots) > 0 {
		added, err := past.AddSnapshots(ctx, k.access, k.store, k.judges, name, "fleet", snapshots)
		if err != nil {
			return err
		}
		for _, f := range added.Failed {
			refused[f.Host] = f.Error
		}
	}
	sweep, err := k.store.BeginIn(ctx, name, "fleet")
	if err != nil {
		return err
	}
	for _, a := range arrived {
		if a.Snapshot != nil {
			continue
		}
		err = sweep.Miss(ctx, a.Host, a.At, strings.TrimPrefix(a.Why, a.Host+": "))
		if err != nil {
			return err
		}
	}
	return sweep.End(ctx)
}
