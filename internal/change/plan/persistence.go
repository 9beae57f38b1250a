package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// persist decides where a change of a Linux host is kept for its next boot, by
// what sets the element up there. What nothing keeps changes what runs alone,
// and the step says why.
func (it *item) persist() {
	c := &it.change
	c.After.NextBoot = c.Before.NextBoot
	p := it.host.PersistenceOf(it.want.Element)
	switch {
	case p == nil || c.Before.NextBoot == nil && p.By != "":
		it.stays = "changes the running value only: what sets it at boot was not read; make it permanent in the distribution's network " +
			"configuration"
		return
	case p.By == "":
		it.stays = "changes the running value only, since nothing is known to keep it: " + p.Why
		return
	case p.Later[it.want.Attr] != "":
		it.stays = fmt.Sprintf("changes the running value only: %s is read after %s and sets it too: change it there", p.Later[it.want.Attr],
			p.Name)
		return
	}
	by, why := p.By, p.Lacks[it.want.Attr]
	if it.kind != task.Sysctl && (why != "" || !task.Keeps(by, it.want.Attr)) {
		why = cmp.Or(why, fmt.Sprintf("%s has no place for it", by))
		by = model.Unit
		if !p.Units || !task.Keeps(by, it.want.Attr) {
			it.stays = "changes the running value only, since nothing is known to keep it: " + why
			return
		}
	}
	keep := &task.Persist{By: by, Before: p.Own[it.want.Attr], OnConfirm: !p.Units}
	switch by {
	case model.Unit:
		it.stays = fmt.Sprintf("kept for the next boot by a systemd unit, seaworthy-%s-%s", it.want.Element, it.want.Attr)
		if why != "" {
			it.stays += ": " + why
		}
	case model.Netplan:
		kind, err := netplanKind(it.host.Elements[it.want.Element])
		if err != nil {
			it.stays = "changes the running value only: " + err.Error() + ": set it in the file of " + p.Label
			return
		}
		keep.Name = kind + "/" + p.Name
		it.stays = "kept for the next boot by /etc/netplan/90-seaworthy-" + it.want.Element + ".yaml"
	case model.NetworkManager, model.Networkd, model.Ifcfg:
		keep.Name = p.Name
		it.stays = "kept for the next boot by " + p.Label
	case model.Ifupdown:
		it.stays = "kept for the next boot by a script in /etc/network/if-up.d"
	default:
		it.stays = "kept for the next boot by " + p.Label
	}
	if err := keep.Valid(it.kind, it.want.Attr, it.want.Value); err != nil {
		it.stays = "changes the running value only: " + err.Error()
		return
	}
	c.Persist, c.After.NextBoot = keep, &it.want.Value
	if keep.OnConfirm {
		it.stays += "; with --confirm-within once the run is confirmed, since without systemd nothing would take it back after a restart"
	}
}

// netplanDrivers are netplan's words for kinds of devices that take an MTU from a file of
// their own, by what the kernel or the driver calls them.
var netplanDrivers = map[string]string{
	"bond": "bonds", "bonding": "bonds", "vlan": "vlans", "802.1Q VLAN Support": "vlans", "bridge": "bridges",
	"gre": "tunnels", "gretap": "tunnels", "ip6gre": "tunnels", "ip6gretap": "tunnels", "ipip": "tunnels", "ip6tnl": "tunnels",
	"sit": "tunnels", "vti": "tunnels", "vti6": "tunnels", "wireguard": "tunnels",
}

// netplanRefused are kinds that netplan's generator does not take so, and then leaves every
// device of the host without configuration (tried with 0.106).
var netplanRefused = map[string]string{
	"vxlan": "netplan wants a VXLAN's id in every file that has it",
	"vrf":   "netplan has no MTU of a VRF",
	"dummy": "only later versions of netplan know dummy devices",
	"veth":  "only later versions of netplan know veth devices",
	"team":  "netplan knows no team devices",
}

// wireless are the prefixes of systemd's names for Wi-Fi and mobile devices, whose drivers
// are many.
var wireless = []string{"wl", "ww"}

// netplanKind is the part of netplan's file that a device is defined in. In another part
// its generator would refuse all files of the host at boot.
func netplanKind(e *model.Element) (string, error) {
	switch {
	case e == nil:
		return "", errors.New("the device was not read")
	case netplanDrivers[e.Driver] != "":
		return netplanDrivers[e.Driver], nil
	case netplanRefused[e.Driver] != "":
		return "", errors.New(netplanRefused[e.Driver])
	case e.Kind == model.EtherChannel && e.Driver == "":
		return "bonds", nil
	case e.Kind == model.VLANDevice && e.Driver == "":
		return "vlans", nil
	case slices.ContainsFunc(wireless, func(prefix string) bool { return strings.HasPrefix(e.Name, prefix) }):
		return "", fmt.Errorf("%s has the name of a wireless device, which netplan defines apart from Ethernet", e.Name)
	case e.Kind == model.Virtual, e.Kind == model.VNIC, e.Kind == model.Physical, slices.Contains(model.GuestDrivers, e.Driver):
		return "ethernets", nil
	}
	return "", fmt.Errorf("which kind of device netplan has %s as is not known", e.Name)
}
