package collect

import (
	"context"
	"fmt"
	"slices"

	"seaworthy/internal/parse/registry"
)

const maxDevices = 256

// aix reads an AIX or a VIOS. on is how the user logged in.
func (r *runner) aix(ctx context.Context, on registry.On) {
	base := items(on, registry.OfHost, "")
	out := r.run(ctx, base)
	if r.addressed != nil {
		r.addressed(r)
	}
	text := func(id string) []byte {
		for i, it := range base {
			if it.ID == id {
				return out[i].text
			}
		}
		return nil
	}
	configured := text("ifconfig-a")
	if len(configured) == 0 {
		configured = text("netstat-in")
	}
	r.devices(ctx, on, readDevices([][]byte{text("lsdev-Cc-adapter"), text("lsdev-Cc-if"), text("lsdev")}, configured))
}

// more asks what neither a device's attributes nor its statistics say: the
// defaults of each device, the location of those that have one, what the
// receive pools may be set to, which is the same for all virtual adapters, and
// whom SEAs and vNIC servers serve.
func more(on registry.On, d *devices) []Item {
	var list []Item
	each := func(of registry.Scope, names []string) {
		for _, n := range names {
			list = append(list, items(on, of, n)...)
		}
	}
	each(registry.OfDefault, slices.Concat(d.adapters, d.interfaces))
	each(registry.OfSlot, slices.DeleteFunc(slices.Clone(d.adapters), func(n string) bool { return !d.isPart(n) }))
	each(registry.OfVirtual, d.virtual[:min(len(d.virtual), 1)])
	each(registry.OfServer, d.servers[:min(len(d.servers), maxServers)])
	if len(d.servers) > 0 {
		list = append(list, items(on, registry.IfServers, "")...)
	}
	each(registry.OfAccounted, d.accounted)
	return list
}

// maxServers bounds how many vNIC servers are looked into one by one; the list
// of all names their clients in any case.
const maxServers = 64

func (r *runner) devices(ctx context.Context, on registry.On, d *devices) {
	for _, n := range d.odd {
		r.addGap(fmt.Sprintf("device %q", n), "not the form of a device name: not asked about")
	}
	d.adapters = r.first("adapters", d.adapters, maxDevices)
	d.interfaces = r.first("interfaces", d.interfaces, maxDevices)
	var attributes []Item
	names := slices.Concat(d.adapters, d.interfaces)
	for _, n := range names {
		attributes = append(attributes, items(on, registry.OfDevice, n)...)
	}
	for i, o := range r.run(ctx, attributes) {
		if i < len(d.adapters) {
			d.structure(names[i], o.text)
		}
	}
	ask, unused := d.polled()
	for _, n := range unused {
		r.addGap(items(on, registry.OfStatistic, n)[0].Line, "not run: nothing uses "+n+", and asking an unused port logs link errors on it")
	}
	var statistics []Item
	for _, n := range ask {
		statistics = append(statistics, items(on, registry.OfStatistic, n)...)
	}
	var again []Item
	for i, o := range r.run(ctx, slices.Concat(statistics, more(on, d)))[:len(statistics)] {
		if o.hung { // its members are asked by the same driver
			r.addGap("members of "+ask[i], "not asked: "+statistics[i].Line+" did not end")
			continue
		}
		for _, m := range d.left(ask[i], o.text) {
			if it := items(on, registry.OfStatistic, m)[0]; !slices.Contains(again, it) {
				again = append(again, it)
			}
		}
	}
	r.run(ctx, again)
}
