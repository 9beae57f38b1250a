package node

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// replan gives the lab a changed topology, lets edit change the node's database
// to suit, and makes the kernel follow. If either refuses, all is as it was.
func (w *Simulator) replan(ctx context.Context, node, method string, alter func(*topology.Topology) (*topology.Topology, error),
	edit func(*odm.Store, *topology.System, *topology.Node) error) error {
	if w.Follow == nil {
		return errors.New("this lab's adapters are those of its start")
	}
	return w.changeDevices(ctx, node, method, func(s *odm.Store) error {
		next, err := alter(w.Plan())
		if err != nil {
			return err
		}
		w.plan.Store(next)
		sys, n := w.node(node)
		return edit(s, sys, n)
	}, func(ctx context.Context) error { return w.Follow(ctx, w.Plan()) })
}

const (
	cfgvlan    = "/usr/lib/methods/cfgvlan"
	ucfgdevice = "/usr/lib/methods/ucfgdevice"
)

// notThere is a refusal of a VLAN device to come up.
func notThere(reason string) error {
	return &odm.Error{Method: cfgvlan, Code: "0514-040", Text: "the device did not come up", Reason: reason}
}

// defineVLAN makes a VLAN pseudo device with the attributes given, and gives its
// name.
func (w *Simulator) defineVLAN(ctx context.Context, node string, set []odm.Setting, status odm.Status) (name string, err error) {
	base, text := take(&set, "base_adapter"), take(&set, "vlan_tag_id")
	if base == "" || text == "" {
		return "", &odm.Error{Code: "0514-018", Text: "a VLAN device needs values of both:", Items: []string{"base_adapter", "vlan_tag_id"}}
	}
	tag, err := strconv.Atoi(text)
	if err != nil || tag < 1 || tag > 4094 {
		return "", odm.NotValid(cfgvlan, "vlan_tag_id\tVLAN Tag ID")
	}
	err = w.replan(ctx, node, cfgvlan, func(t *topology.Topology) (next *topology.Topology, err error) {
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
		if err := s.Define(sys, n, name, w.Catalogue, status); err != nil {
			return err
		}
		return s.Change(name, set, odm.Both)
	})
	return name, err
}

// take takes the settings of an attribute out of a list, and gives the last one's value.
func take(set *[]odm.Setting, attr string) (value string) {
	*set = slices.DeleteFunc(*set, func(x odm.Setting) bool {
		if x.Attr == attr {
			value = x.Value
		}
		return x.Attr == attr
	})
	return value
}

func (w *Simulator) removeVLAN(ctx context.Context, node, name string) error {
	return w.replan(ctx, node, ucfgdevice, func(t *topology.Topology) (*topology.Topology, error) { return t.WithoutVLAN(node, name), nil },
		func(s *odm.Store, _ *topology.System, _ *topology.Node) error {
			if err := s.Unconfigure(name, true); err != nil {
				return err
			}
			s.Forget(name)
			return nil
		})
}

// mkvdev is ioscli's way to make a VLAN pseudo device.
func (w *Simulator) mkvdev(ctx context.Context, c *call) error {
	base, vlan := c.Get("vlan")
	switch {
	case !vlan && (c.Has("sea") || c.Has("lnagg") || c.Has("vdev") || c.Has("fbo")):
		return wrong("a lab makes VLAN devices; its SEAs and EtherChannels are those of its topology")
	case !vlan:
		return wrong("-vlan and -tagid are required")
	}
	set := []odm.Setting{{Attr: "base_adapter", Value: base}, {Attr: "vlan_tag_id", Value: c.Value("tagid")}}
	name, err := w.defineVLAN(ctx, c.Node, set, odm.Available)
	unit := strings.TrimPrefix(name, "ent")
	return w.changed(c, err, "%s Available\nen%s\net%s\n", name, unit, unit)
}
