package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"seaworthy/inventory"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// replan gives the lab a changed topology, lets edit change the node's database
// to suit, and makes the kernel follow. If either refuses, all is as it was.
func (w *Simulator) replan(ctx context.Context, node string, alter func(*topology.Topology) (*topology.Topology, error),
	edit func(*odm.Store, *topology.System, *topology.Node) error) error {
	if w.Follow == nil {
		return errors.New("this lab's adapters are those of its start")
	}
	return w.changeDevices(ctx, node, func(s *odm.Store) error {
		next, err := alter(w.Plan())
		if err != nil {
			return err
		}
		w.plan.Store(next)
		sys, n := w.node(node)
		return edit(s, sys, n)
	}, func(ctx context.Context) error { return w.Follow(ctx, w.Plan()) })
}

const cfgvlan = "/usr/lib/methods/cfgvlan"

// notThere is a refusal of a VLAN device to come up.
func notThere(reason string) error {
	return &odm.Error{Method: cfgvlan, Code: "0514-040", Text: "the device did not come up", Reason: reason}
}

// defineVLAN makes a VLAN pseudo device with the attributes given, and gives its
// name.
func (w *Simulator) defineVLAN(ctx context.Context, node string, set []odm.Setting, configure bool) (name string, err error) {
	given := map[string]string{}
	var other []odm.Setting
	for _, x := range set {
		given[x.Attr] = x.Value
		if x.Attr != "base_adapter" && x.Attr != "vlan_tag_id" {
			other = append(other, x)
		}
	}
	for _, attr := range []string{"base_adapter", "vlan_tag_id"} {
		if given[attr] == "" {
			return "", &odm.Error{Code: "0514-018", Text: "a VLAN device needs values of both:", Items: []string{"base_adapter", "vlan_tag_id"}}
		}
	}
	base := given["base_adapter"]
	tag, err := strconv.Atoi(given["vlan_tag_id"])
	if err != nil || tag < 1 || tag > 4094 {
		return "", odm.NotValid(cfgvlan, "vlan_tag_id\tVLAN Tag ID")
	}
	err = w.replan(ctx, node, func(t *topology.Topology) (next *topology.Topology, err error) {
		d, ok := w.Stores[node].Device(base)
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
		s.Define(sys, n, name, w.Catalogue, configure)
		return s.Change(name, other, odm.Both)
	})
	return name, err
}

// removeVLAN takes a VLAN pseudo device out of the lab, with its interface.
func (w *Simulator) removeVLAN(ctx context.Context, node, name string) error {
	return w.replan(ctx, node, func(t *topology.Topology) (*topology.Topology, error) { return t.WithoutVLAN(node, name), nil },
		func(s *odm.Store, _ *topology.System, _ *topology.Node) error {
			if err := s.Unconfigure(name, true); err != nil {
				return err
			}
			s.Forget(name)
			return nil
		})
}

// isVLAN says whether a device of the node is a VLAN pseudo device.
func (w *Simulator) isVLAN(node, name string) bool {
	d, ok := w.Stores[node].Device(name)
	return ok && d.Kind == inventory.VLANDevice
}

// mkvdev is ioscli's way to make a VLAN pseudo device.
func (w *Simulator) mkvdev(ctx context.Context, c *Call, o *Options) error {
	base, vlan := o.Get("vlan")
	switch {
	case !vlan && (o.Has("sea") || o.Has("lnagg") || o.Has("vdev") || o.Has("fbo")):
		return wrong("a lab makes VLAN devices; its SEAs and EtherChannels are those of its topology")
	case !vlan:
		return wrong("-vlan and -tagid are required")
	}
	tag, _ := o.Get("tagid")
	name, err := w.defineVLAN(ctx, c.Node, []odm.Setting{{Attr: "base_adapter", Value: base}, {Attr: "vlan_tag_id", Value: tag}}, true)
	if err != nil {
		return by(cfgvlan, err)
	}
	unit := name[len("ent"):]
	fmt.Fprintf(c.Stdout, "%s Available\nen%s\net%s\n", name, unit, unit)
	w.warn(c)
	return nil
}
