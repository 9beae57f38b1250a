package assemble

import (
	"fmt"
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
	{"name-servers", feeds(4, serviceFeed.nameServers)},
	{"pmtu", feeds(4, serviceFeed.pathMTUs)},
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

// nameServers keeps how late the slowest name server answered, how many did not, and whether the first is one of these.
func (b serviceFeed) nameServers(o Output, t *linewise.NameServerTimes) {
	silent := 0
	var firstSilent model.Origin
	known := false
	for i, s := range t.Servers {
		from := o.at(s.Line)
		switch s.Outcome {
		case linewise.Silent:
			silent++
			from.Text = "name server " + s.Address + " does not answer"
			if silent == 1 {
				firstSilent = from
			}
			known = true
		case linewise.Answered:
			known = true
			if s.Seconds != nil {
				from.Text = fmt.Sprintf("name server %s answered after %.3g s", s.Address, *s.Seconds)
				b.most(model.LookupSeconds, *s.Seconds, from)
			}
		default:
			continue
		}
		if i == 0 {
			first := 0.0
			if s.Outcome == linewise.Silent {
				first = 1
			}
			b.figure(model.FirstServerSilent, first, from)
		}
	}
	if known {
		b.figure(model.SilentServers, float64(silent), firstSilent)
	}
}

// pathMTUs keeps the smallest path MTU that was learnt by each interface.
func (b serviceFeed) pathMTUs(o Output, t *linewise.PathMTUs) {
	for _, e := range t.Entries {
		if e.MTU > 0 {
			b.learntMTU(e.Interface, e.To, e.MTU, o.at(e.Line))
		}
	}
}

// learntMTU keeps a path MTU to a destination, unless a smaller one is known.
func (b *hostBuilder) learntMTU(iface, to string, mtu uint64, from model.Origin) {
	name := iface + " " + model.LearntMTU
	if had, known := b.host.Figures[name]; known && had.Value <= float64(mtu) {
		return
	}
	from.Text = fmt.Sprintf("path MTU to %s: %d", to, mtu)
	b.figure(name, float64(mtu), from)
}

// nfsFigures are the options of nfso that rules ask for.
var nfsFigures = []string{"nfs_max_threads", "nfs_rfc1323", "nfs_socketsize", "nfs_tcp_socketsize"}

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
