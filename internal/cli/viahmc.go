package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

// viaHMC adds to names the HMC and the partitions that it lists; vioses are those that it
// reads itself, by viosvrcmd.
func (a *app) viaHMC(ctx context.Context, hmc, system string, viosvrcmd bool, names []string) (
	all []string, vioses []collect.Partition, err error,
) {
	list, err := a.partitions(ctx, hmc, system)
	if err != nil {
		return nil, nil, err
	}
	if viosvrcmd {
		names, vioses, list = throughHMC(names, list)
	}
	more, err := a.listed(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	if len(more)+len(vioses) == 0 {
		return nil, nil, fmt.Errorf("%s: lists no running partition that can be read", hmc)
	}
	return slices.Concat(names, []string{hmc}, more), vioses, nil
}

// partitions asks an HMC whom to read.
func (a *app) partitions(ctx context.Context, hmc, system string) ([]collect.Partition, error) {
	c, err := a.open(ctx, []string{hmc})
	if err != nil {
		return nil, err
	}
	defer c.close()
	c.system = system
	l := c.read(ctx)[0]
	switch {
	case l.Err != nil:
		return nil, l.Err
	case l.Manifest.Platform != collect.PlatformHMC:
		return nil, fmt.Errorf("%s: no HMC: lshmc -V does not answer there", hmc)
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

// hostName is a name of a partition under which it is looked up. Whoever may name one
// decides neither on user and port of a login nor that this machine is read.
var hostName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// listed are the names of partitions; with an inventory, of those that are in it.
func (a *app) listed(ctx context.Context, list []collect.Partition) (names []string, err error) {
	for _, p := range list {
		switch {
		case model.MeansThisMachine(p.Name):
			a.Notice("%s: a partition whose name means this machine: not read", p.Name)
			continue
		case !hostName.MatchString(p.Name):
			a.Notice("%s: a partition whose name is no host name: not read", p.Name)
			continue
		}
		names = append(names, p.Name)
	}
	inv, err := a.hostsFile(ctx)
	if err != nil {
		return nil, err
	}
	if inv == nil {
		if a.run != nil {
			a.run().GivenByOthers(names)
		}
		return names, nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, known := inv.Hosts[name]
		if !known {
			a.Notice("%s: a partition that is not in the inventory: not read", name)
		}
		return !known
	}), nil
}
