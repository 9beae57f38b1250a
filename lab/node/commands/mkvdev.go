package commands

import (
	"context"
	"strings"

	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
)

func mkvdevCommand() command {
	return command{
		run: runMkvdev,
		vios: &form{
			flags: "-fbo -vlan: -tagid: -sea* -vadapter* -default* -defaultid* -attr* -lnagg* -vdev* -dev*",
			usage: `mkvdev -vlan TargetAdapter -tagid TagID`,
		},
	}
}

// runMkvdev is ioscli's way to make a VLAN pseudo device.
func runMkvdev(ctx context.Context, c *call) error {
	base, vlan := c.Get("vlan")
	switch {
	case !vlan && (c.Has("sea") || c.Has("lnagg") || c.Has("vdev") || c.Has("fbo")):
		return flags.Usagef("a lab makes VLAN devices; its SEAs and EtherChannels are those of its topology")
	case !vlan:
		return flags.Usagef("-vlan and -tagid are required")
	}
	set := []odm.Setting{{Attr: "base_adapter", Value: base}, {Attr: "vlan_tag_id", Value: c.Value("tagid")}}
	name, err := c.sim.VLANDevices().Define(ctx, c.Node, set, odm.Available)
	unit := strings.TrimPrefix(name, "ent")
	return c.changed(err, "%s Available\nen%s\net%s\n", name, unit, unit)
}
