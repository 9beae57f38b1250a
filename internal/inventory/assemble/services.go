package assemble

import (
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linewise"
)

// serviceFeed has what stands beside TCP: names and NFS.
type serviceFeed struct{ *hostBuilder }

var serviceRows = []row{
	{"resolv-conf", feeds(3, serviceFeed.resolver)},
	{"netsvc-conf nsswitch-conf", feeds(3, serviceFeed.lookupOrder)},
	{"nfsstat", feeds(3, serviceFeed.nfs)},
}

func (b serviceFeed) names() *model.Resolver {
	if b.host.Resolver == nil {
		b.host.Resolver = &model.Resolver{}
	}
	return b.host.Resolver
}

func (b serviceFeed) resolver(_ Output, c *linewise.ResolverConfig) {
	r := b.names()
	r.Servers = append([]string{}, c.Servers...)
	if n, ok := c.Option("timeout"); ok {
		r.Timeout = &n
	}
	if n, ok := c.Option("attempts"); ok {
		r.Attempts = &n
	}
}

func (b serviceFeed) lookupOrder(_ Output, o *linewise.LookupOrder) {
	b.names().Order = slices.Clone(o.Hosts)
}

// nfs keeps the counters of RPC as a protocol of the host, and its mounts.
func (b serviceFeed) nfs(_ Output, s *linewise.NFSStatistics) {
	for name, n := range s.Counters {
		b.protocols["nfs."+name] = n
	}
	if b.host.NFSMounts == nil {
		b.host.NFSMounts = []model.NFSMount{}
	}
	for _, m := range s.Mounts {
		b.host.NFSMounts = append(b.host.NFSMounts, model.NFSMount{From: m.From, Options: m.Options})
	}
}
