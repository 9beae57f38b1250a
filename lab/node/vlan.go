package node

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// Methods of the configuration manager, as its errors name them.
const (
	cfgvlan           = "/usr/lib/methods/cfgvlan"
	UnconfigureMethod = "/usr/lib/methods/UnconfigureMethod"
)

// notThere is the error of a VLAN device that does not come up.
func notThere(reason string) error {
	return &odm.Error{Method: cfgvlan, Code: "0514-040", Text: "the device did not come up", Reason: reason}
}

// VLANDevices are the VLAN pseudo devices of a lab, which come and go while it runs.
type VLANDevices struct{ sim *Simulator }

// replan gives the lab a changed topology, lets edit change the node's database
// to suit, and makes the kernel follow. If either refuses, all is as it was.
func (vd VLANDevices) replan(ctx context.Context, node, method string, alter func(*topology.Topology) (*topology.Topology, error),
	edit func(*odm.Store, *topology.System, *topology.Node) error) error {
	if vd.sim.Follow == nil {
		return errors.New("this lab's adapters are those of its start")
	}
	return vd.sim.changeDevices(ctx, node, method, func(s *odm.Store) error {
		next, err := alter(vd.sim.Plan())
		if err != nil {
			return err
		}
		vd.sim.plan.Store(next)
		sys, n := vd.sim.Node(node)
		return edit(s, sys, n)
	}, func(ctx context.Context) error { return vd.sim.Follow(ctx, vd.sim.Plan()) })
}

// Define makes a VLAN pseudo device with the attributes given, and gives its
// name.
func (vd VLANDevices) Define(ctx context.Context, node string, set []odm.Setting, status odm.Status) (name string, err error) {
	base, text := removeSettings(&set, "base_adapter"), removeSettings(&set, "vlan_tag_id")
	if base == "" || text == "" {
		return "", &odm.Error{Code: "0514-018", Text: "a VLAN device needs values of both:", Items: []string{"base_adapter", "vlan_tag_id"}}
	}
	tag, err := strconv.Atoi(text)
	if err != nil || tag < 1 || tag > 4094 {
		return "", odm.NotValid(cfgvlan, "vlan_tag_id\tVLAN Tag ID")
	}
	err = vd.replan(ctx, node, cfgvlan, func(t *topology.Topology) (next *topology.Topology, err error) {
		d, ok := vd.sim.Stores[node].Device(base)
		switch {
		case !ok:
			return nil, notThere(base + " is not a device of " + node)
		case d.Status != odm.Available:
			return nil, notThere(base + " is not available")
		}
		if next, name, err = t.WithVLAN(node, base, tag); err != nil {
			return nil, notThere(err.Error())
		}
		return next, nil
	}, func(s *odm.Store, sys *topology.System, n *topology.Node) error {
		if err := s.Define(sys, n, name, vd.sim.Catalogue, status); err != nil {
			return err
		}
		return s.Change(name, set, odm.Both)
	})
	return name, err
}

// removeSettings takes the settings of an attribute out of a list, and gives the last one's value.
func removeSettings(set *[]odm.Setting, attr string) (value string) {
	*set = slices.DeleteFunc(*set, func(x odm.Setting) bool {
		if x.Attr == attr {
			value = x.Value
		}
		return x.Attr == attr
	})
	return value
}

// Remove takes a VLAN pseudo device away.
func (vd VLANDevices) Remove(ctx context.Context, node, name string) error {
	return vd.replan(ctx, node, UnconfigureMethod,
		func(t *topology.Topology) (*topology.Topology, error) { return t.WithoutVLAN(node, name), nil },
		func(s *odm.Store, _ *topology.System, _ *topology.Node) error {
			if err := s.Unconfigure(name, true); err != nil {
				return err
			}
			s.Forget(name)
			return nil
		})
}
