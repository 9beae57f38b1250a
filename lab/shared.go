package lab

import (
	"fmt"
	"maps"
	"os"

	"seaworthy/lab/quota"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// shared makes the control groups of partitions that do not simply take what
// there is, and gives the file that keeps them; nil if there are none. Where
// they cannot be made the lab starts without, and says so.
func shared(c *supervisor.Config) (*os.File, error) {
	t, err := topology.Parse(c.File, []byte(c.Topology))
	if err != nil {
		return nil, err
	}
	parts := parts(t)
	if len(parts) == 0 {
		return nil, nil
	}
	g, err := quota.Make(fmt.Sprintf("seaworthy-%d-%s", os.Getpid(), c.Name), parts)
	if err != nil {
		c.NoQuota = err.Error()
		return nil, nil
	}
	guard, err := g.Guard()
	if err != nil {
		g.Remove()
		return nil, err
	}
	c.Quota = g
	return guard, nil
}

// parts are those of the nodes that need a group: of capped ones, and of all if
// their weights differ. Without any weight an uncapped node has its entitlement
// and no more.
func parts(t *topology.Topology) map[string]quota.Part {
	out := map[string]quota.Part{}
	differ := false
	for _, n := range t.Nodes() {
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
