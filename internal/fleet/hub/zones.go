package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/spelling"
	"seaworthy/internal/fleet/control"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
)

// zone is a zone with what its collector last said.
type zone struct {
	control.Zone
	hosts   map[string]message.Host
	last    message.LeaseRequest
	seen    time.Time // a message of it came
	ceased  bool      // its collector said that it ends, and nothing came since
	refused int
	why     string // the last message was refused
	taking  bool   // its results are being taken
	ended   bool   // jobs were taken back that its collector may hold
	pace    pace

	silentSince time.Time // zero: it is not, or nobody was told
}

func newZone() *zone { return &zone{hosts: map[string]message.Host{}, pace: newPace()} }

// mostKeys is how many tokens of a zone are good at once: the newest.
const mostKeys = 4

// follow learns who may log in, and goes on doing so as tokens change.
func (h *Hub) follow(ctx context.Context) error {
	kv, err := h.js.KeyValue(ctx, queue.Zones)
	if err != nil {
		return fmt.Errorf("hub: zones: %w", err)
	}
	watch, err := kv.WatchAll(ctx)
	if err != nil {
		return fmt.Errorf("hub: zones: %w", err)
	}
	for e := range watch.Updates() {
		if e == nil { // all that were there
			break
		}
		h.learn(e)
	}
	go func() {
		for e := range watch.Updates() {
			if e != nil {
				h.learn(e)
			}
		}
	}()
	h.followed.Do(func() { close(h.known) })
	context.AfterFunc(ctx, func() { _ = watch.Stop() }) // the connection is being closed
	return nil
}

// learn takes a change of a zone's keys.
func (h *Hub) learn(e jetstream.KeyValueEntry) {
	var z control.Zone
	if e.Operation() == jetstream.KeyValuePut {
		err := decode.JSON("zone "+e.Key(), e.Value(), &z, decode.Newer)
		if err != nil {
			h.notice("zone %s: %v", e.Key(), err)
			return
		}
	}
	h.keys.Lock()
	defer h.keys.Unlock()
	for key, name := range h.zoneKeys {
		if name == e.Key() && !slices.Contains(z.Keys, key) {
			delete(h.zoneKeys, key)
			defer h.o.Queue.Drop(key)
		}
	}
	for _, key := range z.Keys {
		h.zoneKeys[key] = e.Key()
	}
}

// load reads what is kept of zones, sweeps and schedules.
func (h *Hub) load(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began = time.Now().UTC()
	h.zones = map[string]*zone{}
	h.owners = map[string]string{}
	h.sweeps = map[string]*sweep{}
	h.schedules = map[string]*scheduled{}
	err := h.each(ctx, queue.Zones, func(e jetstream.KeyValueEntry) error {
		z := newZone()
		err := decode.JSON("zone "+e.Key(), e.Value(), &z.Zone, decode.Newer)
		if err != nil {
			return err
		}
		h.zones[e.Key()] = z
		err = h.streams.AddZone(ctx, e.Key())
		if err != nil {
			return err
		}
		return h.streams.TakeBack(ctx, e.Key())
	})
	if err != nil {
		return err
	}
	err = h.each(ctx, queue.Hosts, func(e jetstream.KeyValueEntry) error {
		z := h.zones[e.Key()]
		if z == nil {
			return nil
		}
		hosts, err := message.ParseHosts(e.Value())
		for _, x := range hosts {
			z.hosts[x.Name], h.owners[x.Name] = x, e.Key()
		}
		return err
	})
	if err == nil {
		err = h.loadSweeps(ctx)
	}
	if err == nil {
		err = h.loadSchedules(ctx)
	}
	return err
}

// each visits what a bucket holds.
func (h *state) each(ctx context.Context, bucket string, visit func(jetstream.KeyValueEntry) error) error {
	kv, err := h.js.KeyValue(ctx, bucket)
	if err != nil {
		return fmt.Errorf("hub: %s: %w", bucket, err)
	}
	keys, err := kv.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("hub: %s: %w", bucket, err)
	}
	slices.Sort(keys)
	for _, key := range keys {
		e, err := kv.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue
		}
		if err == nil {
			err = visit(e)
		}
		if err != nil {
			return fmt.Errorf("hub: %s: %s: %w", bucket, key, err)
		}
	}
	return nil
}

// put keeps a value.
func (h *state) put(ctx context.Context, bucket, key string, value []byte) error {
	kv, err := h.js.KeyValue(ctx, bucket)
	if err == nil {
		_, err = kv.Put(ctx, key, value)
	}
	if err != nil {
		return fmt.Errorf("hub: %s: %s: %w", bucket, key, err)
	}
	return nil
}

// remove removes what put has kept.
func (h *state) remove(ctx context.Context, bucket, key string) error {
	kv, err := h.js.KeyValue(ctx, bucket)
	if err == nil {
		err = kv.Purge(ctx, key)
	}
	if err != nil {
		return fmt.Errorf("hub: %s: %s: %w", bucket, key, err)
	}
	return nil
}

func (h *Hub) addZone(ctx context.Context, q control.NewZone) (made control.Made, err error) {
	err = message.CheckZone(q.Name)
	if err == nil && q.Name == trust.Operator {
		err = fmt.Errorf("zone %s: this name is taken", q.Name)
	}
	if err == nil && !nkeys.IsValidPublicUserKey(q.Key) {
		err = errors.New("zone: no public key was sent")
	}
	for _, p := range q.Patterns {
		_, bad := path.Match(p, "")
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("hosts %q: %w", p, bad))
		}
	}
	if err != nil {
		return made, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	z := control.Zone{Name: q.Name, Made: time.Now().UTC()}
	known := h.zones[q.Name]
	if known != nil {
		z = known.Zone
	}
	if q.Replace {
		z.Keys = nil
	}
	if len(q.Patterns) > 0 {
		z.Patterns = q.Patterns
	}
	z.Keys = append(slices.Clone(z.Keys), q.Key)
	z.Keys = z.Keys[max(0, len(z.Keys)-mostKeys):]
	err = h.streams.AddZone(ctx, q.Name)
	if err != nil {
		return made, err
	}
	text, err := json.Marshal(z)
	if err != nil {
		return made, fmt.Errorf("zone %s: %w", q.Name, err)
	}
	err = h.put(ctx, queue.Zones, q.Name, text)
	if err != nil {
		return made, err
	}
	if known == nil {
		known = newZone()
		h.zones[q.Name] = known
	}
	known.Zone = z
	return h.o.Made, h.awaitKey(ctx, q)
}

// awaitKey waits until the key of a new token may log in: follow learns of it a moment later.
func (h *Hub) awaitKey(ctx context.Context, q control.NewZone) error {
	ctx, cancel := context.WithTimeout(ctx, loginWait)
	defer cancel()
	for ctx.Err() == nil {
		h.keys.RLock()
		zone := h.zoneKeys[q.Key]
		h.keys.RUnlock()
		if zone == q.Name {
			return nil
		}
		wait(ctx, keyEvery)
	}
	return fmt.Errorf("zone %s: its key is kept, but the hub did not learn of it within %s: try again", q.Name, loginWait)
}

func (h *Hub) removeZone(ctx context.Context, q control.Named) (none control.Nothing, err error) {
	h.mu.Lock()
	z := h.zones[q.Name]
	if z == nil {
		err = h.unknown("zone", q.Name, h.zoneNames())
		h.mu.Unlock()
		return none, err
	}
	delete(h.zones, q.Name)
	for name := range z.hosts {
		delete(h.owners, name)
	}
	h.mu.Unlock()
	err = errors.Join(h.remove(ctx, queue.Zones, q.Name), h.remove(ctx, queue.Hosts, q.Name), h.streams.RemoveZone(ctx, q.Name))
	h.endWhere(ctx, func(host, at string) string {
		if at == q.Name {
			return "zone " + q.Name + " was removed"
		}
		return ""
	})
	return none, err
}

func (h *state) zoneNames() (names []string) {
	for name := range h.zones {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// unknown says that a name is none of those that are known.
func (h *state) unknown(what, name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("%s %.60s: there is none yet", what, name)
	}
	return fmt.Errorf("%s %.60s: not known%s (there is %s)", what, name, spelling.DidYouMean(name, known),
		strings.Join(known[:min(len(known), 20)], ", "))
}

// takeHosts takes a zone's list of hosts: those that no other zone has, and that it may have.
func (h *Hub) takeHosts(ctx context.Context, m *nats.Msg) {
	name := message.ZoneOf(m.Subject)
	var a message.HostsAnswer
	hosts, err := message.ParseHosts(m.Data)
	if err == nil {
		a, err = h.setHosts(ctx, name, hosts)
	}
	if err != nil {
		a.Error = err.Error()
	}
	respond(m, a)
}

// mostRefusals is how many refused hosts are named.
const mostRefusals = 20

func (h *Hub) setHosts(ctx context.Context, name string, hosts []message.Host) (a message.HostsAnswer, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	z := h.zones[name]
	if z == nil {
		return a, fmt.Errorf("zone %s is not known", name)
	}
	taken := map[string]message.Host{}
	var list []message.Host
	for _, x := range hosts {
		why := h.mayNot(z, x.Name)
		if why != "" {
			h.count(z, why)
			if len(a.Refused) < mostRefusals {
				a.Refused = append(a.Refused, why)
			}
			continue
		}
		taken[x.Name] = x
		list = append(list, x)
	}
	a.Taken = len(taken)
	text, err := message.WriteHosts(list)
	if err == nil {
		err = h.put(ctx, queue.Hosts, name, text)
	}
	if err != nil {
		return a, err
	}
	for x := range z.hosts {
		delete(h.owners, x)
	}
	for x := range taken {
		h.owners[x] = name
	}
	z.hosts = taken
	return a, nil
}

// maxHostName bounds the name of a host, in bytes.
const maxHostName = 253

// mayNot says why a zone may not have a host; empty: it may.
func (h *state) mayNot(z *zone, host string) string {
	owner, taken := h.owners[host]
	switch {
	case host == "" || len(host) > maxHostName:
		return fmt.Sprintf("%.60q: expected a host's name", host)
	case taken && owner != z.Name:
		return fmt.Sprintf("%s: zone %s has a host of this name", host, owner)
	case len(z.Patterns) == 0:
		return ""
	}
	for _, p := range z.Patterns {
		match, err := path.Match(p, host)
		if match && err == nil {
			return ""
		}
	}
	return fmt.Sprintf("%s: zone %s may have %s alone", host, z.Name, strings.Join(z.Patterns, ", "))
}

func (h *state) listZones(ctx context.Context, _ control.Nothing) ([]control.ZoneState, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []control.ZoneState{}
	for _, name := range h.zoneNames() {
		z := h.zones[name]
		s := control.ZoneState{Zone: z.Zone, Hosts: len(z.hosts), Reading: z.last.Reading, Spooled: z.last.Spooled,
			Collector: z.last.Collector, Version: z.last.Version, Seen: z.seen, Refused: z.refused, LastReason: z.why,
			Connected: h.connected(z), Silent: h.silent(z)}
		c, err := h.js.Consumer(ctx, queue.JobsStream(name), queue.Collector)
		if err != nil {
			return nil, fmt.Errorf("zone %s: %w", name, err)
		}
		info := c.CachedInfo()
		s.Waiting, s.Held = int(info.NumPending), info.NumAckPending
		out = append(out, s)
	}
	return out, nil
}

// refuse counts a message of a zone that was refused.
func (h *state) refuse(name, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	z := h.zones[name]
	if z != nil {
		h.count(z, why)
	}
}

// count counts a refusal, and tells of the first. h.mu is held.
func (h *state) count(z *zone, why string) {
	z.refused++
	z.why = why
	if z.refused == 1 {
		h.notice("zone %s: a message was refused: %s (fleet zones counts them from now on)", z.Name, why)
	}
}

// respond answers a zone.
func respond(m *nats.Msg, answer any) {
	text, err := json.Marshal(answer)
	if err == nil {
		_ = m.Respond(text) // who asked is gone, or asks again
	}
}
