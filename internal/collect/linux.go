package collect

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// maxNetdevs bounds how many network devices are looked into: a container
// host has hundreds, nearly all of them of no interest.
const maxNetdevs = 32

// linux reads a Linux host.
func (r *runner) linux(ctx context.Context) {
	base := items(registry.OnLinux, registry.OfHost, "")
	if strings.HasPrefix(r.login.machine, "ppc64") {
		base = append(base, items(registry.OnLinux, registry.OnPower, "")...)
	}
	out := r.run(ctx, base)
	if r.addressed != nil {
		r.addressed(r)
	}
	var names []string
	var more []Item
	missing := false // ethtool
	var soft map[string]bool
	for i, it := range base {
		switch it.ID {
		case "ip-addr":
			if out[i].exit == 0 {
				names, soft = r.netdevs(out[i].text)
			} else {
				names = r.listed(ctx)
				if out[i].exit == 127 {
					r.addGap("ip", model.NotInstalled+" (package iproute2, or iproute): addresses, routes, bonds, VLANs and bridges are unknown, "+
						"and no MTU can be set")
				} else {
					more = append(more, instead("ip-addr-text"))
				}
			}
		case "ethtool-path":
			missing = strings.TrimSpace(string(out[i].text)) == "none"
		case "sysctl":
			if out[i].exit == 127 {
				more = append(more, instead("proc-sys-net"))
			}
		}
	}
	names = r.first("network devices", names, maxNetdevs)
	if len(names) == 0 {
		r.run(ctx, more)
		return
	}
	for _, n := range names {
		about := items(registry.OnLinux, registry.OfNetdev, n)
		if !soft[n] {
			about = append(about, items(registry.OnLinux, registry.OfPort, n)...)
		}
		for _, it := range about {
			if !missing || !strings.HasPrefix(it.ID, "ethtool") {
				more = append(more, it)
			}
		}
	}
	if missing {
		r.addGap("ethtool", model.NotInstalled+" (package ethtool): offloads, rings and driver statistics are unknown, and cannot be set")
	}
	r.run(ctx, more)
}

// passed are kinds of devices that carry no traffic out of the host by
// themselves.
var passed = []string{"bridge", "dummy", "ifb", "vcan", "nlmon", "wireguard", "sit", "gre", "ipip", "vti", "ip6tnl"}

// netdevs picks the devices worth a look from ip -j -d addr: ports first, then
// what is built on them, then the ends of virtual cables and what leads to virtual machines. Soft are those that the
// kernel made itself: they have no rings, no interrupts and no driver's counters.
func (r *runner) netdevs(text []byte) (names []string, soft map[string]bool) {
	var links []struct {
		Name string `json:"ifname"`
		Type string `json:"link_type"`
		Info struct {
			Kind string `json:"info_kind"`
		} `json:"linkinfo"`
	}
	if err := json.Unmarshal(text, &links); err != nil {
		r.addGap("ip -j -d addr", "not readable as JSON: "+err.Error())
		return nil, nil
	}
	soft = map[string]bool{}
	var ports, built, cables []string
	for _, l := range links {
		switch {
		case l.Type != "ether" || slices.Contains(passed, l.Info.Kind):
		case !netdev.MatchString(l.Name):
			r.addGap(fmt.Sprintf("device %q", l.Name), "not the form of a device name: not asked about")
		case l.Info.Kind == "" || l.Info.Kind == "dsa": // the port of a switch chip
			ports = append(ports, l.Name)
		case l.Info.Kind == "veth" || l.Info.Kind == "tun":
			cables = append(cables, l.Name)
		default:
			built = append(built, l.Name)
		}
	}
	for _, n := range slices.Concat(built, cables) {
		soft[n] = true
	}
	return slices.Concat(ports, built, cables), soft
}

// listed finds devices where there is no ip command.
func (r *runner) listed(ctx context.Context) []string {
	var names []string
	for n := range strings.FieldsSeq(string(r.run(ctx, []Item{instead("sys-class-net-list")})[0].text)) {
		if n != "lo" && netdev.MatchString(n) {
			names = append(names, n)
		}
	}
	return names
}
