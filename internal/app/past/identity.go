package past

import (
	"context"
	"fmt"
	"strconv"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
)

// sameHosts leaves out the snapshots of another host than the one that the history has under
// this name: its facts would be taken for changes.
func sameHosts(ctx context.Context, store *history.Store, list []*snapshot, out *Addition) ([]*snapshot, error) {
	var left []*snapshot
	for _, s := range list {
		if s.host == nil {
			left = append(left, s)
			continue
		}
		held, err := store.Nearest(ctx, s.host.Name, s.Manifest.Started, diff.MACAddress, diff.ManagedSystem, diff.PartitionNumber)
		if err != nil {
			return nil, err
		}
		why := s.host.Another(identified(held))
		if why == "" {
			left = append(left, s)
			continue
		}
		out.Failed = append(out.Failed, fleet.Failure{Host: s.host.Name, Error: fmt.Sprintf("%s: the history has another host of this name (%s): "+
			"save it under another name, or give it a history of its own", s.host.Name, why)})
	}
	return left, nil
}

// identified is a host with nothing but what identifies it.
func identified(held []history.Held) *model.Host {
	h := &model.Host{Elements: map[string]*model.Element{}}
	for _, f := range held {
		switch f.Attribute {
		case diff.MACAddress:
			h.Elements[f.Element] = &model.Element{Name: f.Element, MAC: f.Value}
		case diff.ManagedSystem:
			h.MachineID = f.Value
		case diff.PartitionNumber:
			n, err := strconv.Atoi(f.Value)
			if err == nil {
				h.Partition.Number = &n
			}
		}
	}
	return h
}
