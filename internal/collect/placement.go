package collect

import (
	"context"
	"slices"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
)

// Placement reads no more of a host than its managed system and partition, and how long it
// has been up.
func (v *Values) Placement(ctx context.Context, h remote.Host) (*model.Host, error) {
	l, err := v.login(ctx, h)
	if err != nil {
		return nil, err
	}
	r := newRunner(h, l, newMemory(h.Name()), Options{Hung: v.Hung}, nil)
	r.run(ctx, placementItems(l))
	if err := r.close(ctx); err != nil {
		return nil, err
	}
	return Inventory(r.snapshot())
}

// placed are the outputs that say where a host runs, and since when.
var placed = []string{"lsattr-El", "lsdev-dev-attr", "lparcfg", "ps-etime"}

func placementItems(l login) []Item {
	var all []Item
	switch l.platform {
	case model.AIX, model.VIOS:
		all = items(l.on(), registry.OfHost, "")
	case model.Linux:
		all = append(items(registry.OnLinux, registry.OnPower, ""),
			Item{ID: "ps-etime", Line: "ps -o etime= -p 1", Limit: registry.Quick})
	}
	return slices.DeleteFunc(all, func(it Item) bool {
		return !slices.Contains(placed, it.ID) || it.Element != "" && it.Element != "sys0"
	})
}
