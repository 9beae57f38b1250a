package collection

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

// chosen is whom a collection asks.
type chosen struct {
	names  []string            // hosts that are logged in to
	vioses []collect.Partition // those that an HMC reads, by viosvrcmd
}

// choose returns the named hosts; with an HMC it and the partitions that it
// lists too.
func (q *Request) choose(ctx context.Context, access fleet.Access) (chosen, error) {
	c := chosen{names: q.Names}
	if q.HMC == "" {
		return c, nil
	}
	list, err := q.partitions(ctx, access)
	if err != nil {
		return c, err
	}
	if q.ThroughHMC {
		c.names, c.vioses, list = throughHMC(c.names, list)
	}
	more, err := reachable(ctx, access, list)
	if err != nil {
		return c, err
	}
	if len(more)+len(c.vioses) == 0 {
		return c, fmt.Errorf("%s: lists no running partition that can be read", q.HMC)
	}
	c.names = slices.Concat(c.names, []string{q.HMC}, more)
	return c, nil
}

// partitions asks the HMC whom to read.
func (q *Request) partitions(ctx context.Context, access fleet.Access) ([]collect.Partition, error) {
	c, err := access.Open(ctx, []string{q.HMC})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	l := c.Ask(ctx, collect.Options{System: q.System})[0]
	switch {
	case l.Err != nil:
		return nil, l.Err
	case l.Manifest.Platform != collect.PlatformHMC:
		return nil, fmt.Errorf("%s: no HMC: lshmc -V does not answer there", q.HMC)
	}
	return collect.Partitions(l.Snapshot)
}

// throughHMC parts off the VIOSes that the HMC reads: those that are named, or all if none
// is. hosts and list are what is left.
func throughHMC(names []string, all []collect.Partition) (hosts []string, vioses, list []collect.Partition) {
	some := slices.ContainsFunc(all, func(p collect.Partition) bool { return p.VIOS && slices.Contains(names, p.Name) })
	for _, p := range all {
		if p.VIOS && (!some || slices.Contains(names, p.Name)) {
			vioses = append(vioses, p)
		} else {
			list = append(list, p)
		}
	}
	read := func(name string) bool {
		return slices.ContainsFunc(vioses, func(v collect.Partition) bool { return v.Name == name })
	}
	return slices.DeleteFunc(slices.Clone(names), read), vioses, list
}

// hostName is a name of a partition under which it is looked up. Anyone who may name one
// decides neither on user and port of a login nor that this machine is read.
var hostName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// reachable returns the names of partitions; with a hosts file, of those that are in it.
func reachable(ctx context.Context, access fleet.Access, list []collect.Partition) (names []string, err error) {
	for _, p := range list {
		switch {
		case model.MeansThisMachine(p.Name):
			access.Notice("%s: a partition whose name means this machine: not read", p.Name)
			continue
		case !hostName.MatchString(p.Name):
			access.Notice("%s: a partition whose name is no host name: not read", p.Name)
			continue
		}
		names = append(names, p.Name)
	}
	inv, err := access.Targets(ctx)
	if err != nil {
		return nil, err
	}
	if inv == nil {
		if access.Logins != nil {
			access.Logins.GivenByOthers(names)
		}
		return names, nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, known := inv.Hosts[name]
		if !known {
			access.Notice("%s: a partition that is not in the inventory: not read", name)
		}
		return !known
	}), nil
}
