package diff

import (
	"strings"

	"seaworthy/internal/inventory/model"
)

// noSocket counts datagrams to a port that no program reads: what collect sends to an AIX host to time the round trip.
const noSocket = "udp.dropped_due_to_no_socket"

// probesOfPeer is how many of them a collection sends from one host to another, as the registry's command line says.
const probesOfPeer = 5

// ownProbes are the datagrams that the collections of two readings sent to a host: from each host that has a round trip to it.
func ownProbes(to string, readings ...*model.Fleet) (sum uint64) {
	for _, fleet := range readings {
		for _, h := range fleet.Hosts {
			for name := range h.Figures {
				if strings.HasSuffix(name, " "+model.RoundTrip+" "+to) {
					sum += probesOfPeer
				}
			}
		}
	}
	return sum
}
