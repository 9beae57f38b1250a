package collect

import (
	"context"
	"fmt"
	"slices"
)

// maxDevices bounds how many adapters of one host are looked into.
const maxDevices = 256

// aix reads an AIX, or a VIOS on which root commands can be run.
func (r *runner) aix(ctx context.Context, base []Item) {
	out := r.run(ctx, base)
	text := func(id string) []byte {
		for i, it := range base {
			if it.ID == id {
				return out[i].text
			}
		}
		return nil
	}
	configured := text(IfconfigA)
	if len(configured) == 0 {
		configured = text(NetstatIn)
	}
	d := readDevices([][]byte{text(LsdevAdapter), text(LsdevIf)}, configured)
	r.devices(ctx, d, aixForms)
}

// padmin reads a VIOS whose padmin may not become root.
func (r *runner) padmin(ctx context.Context) {
	base := append(viosBase(), padminBase()...)
	out := r.run(ctx, base)
	var list, configured []byte
	for i, it := range base {
		switch it.ID {
		case LsdevVIOS:
			list = out[i].text
		case NetstatIn:
			configured = out[i].text
		}
	}
	r.devices(ctx, readDevices([][]byte{list}, configured), padminForms)
}

// forms are the commands that look into one device.
type forms struct {
	attributes func(string) Item
	statistics func(string) Item
	more       func(d *devices) []Item // what neither of the two says
}

var (
	aixForms    = forms{lsattrEl, entstatD, defaultsAndRanges}
	padminForms = forms{lsdevDevAttr, entstatAll, clients}
)

// defaultsAndRanges asks for every device's defaults, and once for what the
// receive pools may be set to: that is the same for all virtual adapters.
func defaultsAndRanges(d *devices) []Item {
	var items []Item
	for _, n := range slices.Concat(d.adapters, d.interfaces) {
		items = append(items, lsattrDl(n))
	}
	for _, n := range d.adapters {
		if len(d.members[n]) == 0 && !d.vlan[n] { // what is built of others has no location
			items = append(items, lscfgVl(n))
		}
	}
	if len(d.virtual) > 0 {
		items = append(items, bufferRanges(d.virtual[0])...)
	}
	for _, n := range d.servers[:min(len(d.servers), maxServers)] {
		items = append(items, vnicstatB(n))
	}
	return append(items, clients(d)...)
}

// maxServers bounds how many vNIC servers are looked into one by one; the list
// of all names their clients in any case.
const maxServers = 64

// clients asks a VIOS whose vNICs it carries, and its SEAs whom they serve.
func clients(d *devices) []Item {
	var items []Item
	if len(d.servers) > 0 {
		items = append(items, lsmapVNIC())
	}
	for _, n := range d.accounted {
		items = append(items, seastatD(n))
	}
	return items
}

func (r *runner) devices(ctx context.Context, d *devices, f forms) {
	for _, n := range d.odd {
		r.addGap(fmt.Sprintf("device %q", n), "not the form of a device name: not asked about")
	}
	if n := len(d.adapters); n > maxDevices {
		r.addGap("adapters", fmt.Sprintf("%d of them; only the first %d were looked into", n, maxDevices))
		d.adapters = d.adapters[:maxDevices]
	}
	if n := len(d.interfaces); n > maxDevices {
		r.addGap("interfaces", fmt.Sprintf("%d of them; only the first %d were looked into", n, maxDevices))
		d.interfaces = d.interfaces[:maxDevices]
	}
	var attributes []Item
	names := slices.Concat(d.adapters, d.interfaces)
	for _, n := range names {
		attributes = append(attributes, f.attributes(n))
	}
	for i, o := range r.run(ctx, attributes) {
		if i < len(d.adapters) {
			d.structure(names[i], o.text)
		}
	}
	ask, unused := d.polled()
	for _, n := range unused {
		it := f.statistics(n)
		r.addGap(it.Line, "not run: nothing uses "+n+", and asking an unused port logs link errors on it")
	}
	var statistics []Item
	for _, n := range ask {
		statistics = append(statistics, f.statistics(n))
	}
	items := slices.Concat(statistics, f.more(d))
	var again []Item
	for i, o := range r.run(ctx, items)[:len(statistics)] {
		for _, m := range d.left(ask[i], o.text) {
			it := f.statistics(m)
			if !slices.Contains(again, it) {
				again = append(again, it)
			}
		}
	}
	r.run(ctx, again)
}
