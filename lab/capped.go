package lab

import (
	"fmt"
	"os"

	"seaworthy/lab/quota"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/topology"
)

// capped makes the control groups of capped partitions and gives the file that
// keeps them; nil if there are none. Where they cannot be made the lab starts
// without, and says so.
func capped(c *supervisor.Config) (*os.File, error) {
	t, err := topology.Parse(c.File, []byte(c.Topology))
	if err != nil {
		return nil, err
	}
	cores := map[string]float64{}
	for _, s := range t.Systems {
		for _, n := range s.Nodes {
			if n.Mode == "Capped" {
				cores[n.Name] = n.Entitled
			}
		}
	}
	if len(cores) == 0 {
		return nil, nil
	}
	g, err := quota.Make(fmt.Sprintf("seaworthy-%d-%s", os.Getpid(), c.Name), cores)
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
