package mtu

import (
	"context"
	"maps"
	"slices"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
)

// Request says which path is probed.
type Request struct {
	From, To string   // hosts, or interfaces of hosts (HOST:enN)
	More     []string // further hosts of the path
	Helper   bool     // packets are sent by a helper, not by ping
	Probes   []string // folders with helpers to copy to hosts
}

// Run probes the path in both directions.
func (q *Request) Run(ctx context.Context, access fleet.Access) ([]pathmtu.Direction, error) {
	c, err := access.Open(ctx, access.PathHosts(append([]string{q.From, q.To}, q.More...)))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	r, err := c.Read(ctx, collect.Options{})
	if err != nil {
		return nil, err
	}
	broken := r.Broken()
	for _, host := range slices.Sorted(maps.Keys(broken)) {
		access.Notice("%s", broken[host])
	}
	access.NoticeNotRoot(r.Fleet)
	byName := c.ByName()
	ends := []remote.Host{byName[fleet.HostOf(q.From)], byName[fleet.HostOf(q.To)]}
	other, err := access.Require(ctx, slices.DeleteFunc(ends, func(h remote.Host) bool { return h == nil }), knowledge.ProbingMTU)
	if err != nil {
		return nil, err
	}
	p := pathmtu.Prober{Fleet: r.Fleet, Hosts: byName, PlainPing: map[string]bool{}}
	for _, o := range other {
		p.PlainPing[o.Host] = p.PlainPing[o.Host] || o.Result.ID == doctor.PingWhole
	}
	if q.Helper {
		with := &helpers{hosts: byName, dirs: q.Probes, runs: map[string]*running{}}
		defer with.close()
		p.SendUnfragmented = with.sendUnfragmented
	}
	return p.Between(ctx, q.From, q.To)
}
