package plan

import (
	"cmp"
	"fmt"

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
		if by = model.Unit; !p.Units || !task.Keeps(by, it.want.Attr) {
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
		kind := netplanKinds[it.kind]
		if el := it.host.Elements[it.want.Element]; kind == "" && el != nil && el.Driver == "bridge" {
			kind = "bridges"
		}
		keep.Name = cmp.Or(kind, "ethernets") + "/" + p.Name
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

// netplanKinds are netplan's words for kinds of devices.
var netplanKinds = map[model.Kind]string{model.EtherChannel: "bonds", model.VLANDevice: "vlans"}
