package assemble

import (
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/parse/linewise"
)

// serviceFeed has what stands beside TCP: names and NFS.
type serviceFeed struct{ *hostBuilder }

var serviceRows = []row{
	{"resolv-conf", feeds(3, serviceFeed.resolver)},
	{"netsvc-conf nsswitch-conf", feeds(3, serviceFeed.lookupOrder)},
	{"nfsstat", feeds(3, serviceFeed.nfs)},
	{"nfso", feeds(3, serviceFeed.nfsOptions)},
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

// nfsFigures are the options of nfso that rules ask for.
var nfsFigures = []string{"nfs_max_threads", "nfs_rfc1323"}

// nfsOptions keeps those options of NFS as figures: they are none of the network's.
func (b serviceFeed) nfsOptions(o Output, t *no.Tunables) {
	for _, name := range nfsFigures {
		if x := t.Find(name); x != nil && x.Current != nil {
			if n, ok := x.Current.Uint(); ok {
				b.figure(name, float64(n), o.at(x.Line))
			}
		}
	}
}
