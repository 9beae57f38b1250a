package lab

import (
	"fmt"
	"maps"
	"os"

	"golang.org/x/sys/unix"

	"seaworthy/lab/quota"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// controlGroups makes those that bound what the lab takes of the machine, and those of
// partitions that do not simply take what there is. The guard keeps them. Where they
// cannot be made the lab starts without, and says so.
func controlGroups(c *supervisor.Config, guard *quota.Guard) (bounds []string, err error) {
	t, err := topology.Parse(c.File, []byte(c.Topology))
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("seaworthy-%d-%s", os.Getpid(), c.Name)
	var machine unix.Sysinfo_t
	if err := unix.Sysinfo(&machine); err != nil {
		return nil, err
	}
	memory := int64(machine.Totalram) * int64(machine.Unit) / 2 // the other half is the machine's own
	nodes := 0
	for range t.Hosts() {
		nodes++
	}
	bounds, err = quota.Bound(guard, name, quota.Bounds{Memory: memory, Processes: supervisor.Processes(nodes)})
	if err != nil {
		c.NoBounds = err.Error()
	}
	if parts := parts(t); len(parts) > 0 {
		g, err := quota.Make(guard, name, parts)
		if err != nil {
			c.NoQuota = err.Error()
		} else {
			c.Quota = g
		}
	}
	return bounds, nil
}

// parts are those of the nodes that need a group: of capped ones, and of all if
// their weights differ. Without any weight an uncapped node has its entitlement
// and no more.
func parts(t *topology.Topology) map[string]quota.Part {
	out := map[string]quota.Part{}
	differ := false
	for _, n := range t.Hosts() {
		p := quota.Part{Weight: n.Weight}
		if n.Mode == "Capped" || n.Mode == "Uncapped" && n.Weight == 0 {
			p.Cores = n.Entitled
		}
		out[n.Name] = p
		differ = differ || n.Weight != quota.NormalWeight
	}
	maps.DeleteFunc(out, func(_ string, p quota.Part) bool { return !differ && p.Cores == 0 })
	return out
}
