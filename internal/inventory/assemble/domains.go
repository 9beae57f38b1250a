package assemble

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linux/virsh"
)

// domainFeed has the virtual machines of a Linux host and their network adapters.
type domainFeed struct{ *hostBuilder }

var domainRows = []row{
	{"virsh-dumpxml", feeds(6, domainFeed.domains)},
}

// domains reads the virtual machines of a KVM host: whose interface each tap device is, and
// how that works; and the networks that libvirt makes for them.
func (b domainFeed) domains(_ Output, d *virsh.Domains) {
	for _, m := range d.Domains {
		for _, i := range m.Interfaces {
			name := i.Target.Device
			if name == "" || b.links && b.host.Elements[name] == nil {
				continue
			}
			e := b.element(name, model.Interface)
			e.Guest = &model.Guest{Name: m.Name, MAC: strings.ToLower(i.MAC.Address)}
			if !b.links && e.MemberOf == "" {
				e.MemberOf = i.Source.Bridge
			}
			guest(e, m, i)
		}
	}
	for _, n := range d.Networks {
		if name := n.Bridge.Name; n.Own() && (!b.links || b.host.Elements[name] != nil) {
			network(b.element(name, model.Interface), n)
		}
	}
}

func network(e *model.Element, n *virsh.Network) {
	from := model.Origin{Command: "virsh net-dumpxml", Line: n.Line, Text: "network " + n.Name + ": forward " + n.Mode()}
	now(e, "libvirt-forward", n.Mode(), from)
	e.Persistence = &model.Persistence{Why: fmt.Sprintf("libvirt makes this bridge: set it in network %q (virsh net-edit)", n.Name)}
	for _, a := range e.Attrs {
		a.NextBoot = nil
	}
	if a := e.Attrs["mtu"]; a != nil && whole10(n.MTU.Size) {
		a.NextBoot = &n.MTU.Size
	}
}

func guest(e *model.Element, m *virsh.Domain, i *virsh.Interface) {
	set := func(name, value string) {
		if value != "" {
			now(e, name, value, model.Origin{Command: "virsh dumpxml", Line: m.Line, Text: e.Name + ": " + name + " " + value})
		}
	}
	set("guest-model", i.Model.Type)
	if n := m.Online(); n != nil {
		set("guest-cpus", strconv.Itoa(*n))
	}
	if !strings.HasPrefix(i.Model.Type, "virtio") {
		return
	}
	switch { // what is not configured is libvirt's default
	case i.Driver.Name == "":
		set("guest-backend", "auto")
	default:
		set("guest-backend", i.Driver.Name)
	}
	switch {
	case i.Driver.Queues == "":
		set("guest-queues", "1")
	case whole10(i.Driver.Queues):
		set("guest-queues", i.Driver.Queues)
	}
}
