package diagnose

import (
	"slices"

	"seaworthy/internal/inventory/graph"
)

// Concerns says which hosts have to do with the path: those with an element that carries it or
// stands by for one, and those that could not be read.
func (in Input) Concerns() func(host string) bool {
	fleet := in.Fleet
	if fleet == nil {
		fleet = in.Before
	}
	hosts := graph.Of(fleet).OnPath(in.Path).Hosts(graph.StandsBy)
	return func(host string) bool {
		return slices.Contains(hosts, host) || fleet.Host(host) == nil && in.Failed[host] != ""
	}
}
