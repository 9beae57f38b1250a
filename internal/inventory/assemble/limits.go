package assemble

import (
	"fmt"
	"strconv"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linux/iplink"
	"seaworthy/internal/parse/linux/qdisc"
)

// none is the value of an attribute that says how a device is limited where it is not.
const none = "none"

// limits reports whether a discipline holds packets back.
func limits(d *qdisc.Discipline) bool {
	return d.Limits != "" || d.Held != nil && *d.Held > 0 && (d.Kind == "htb" || d.Kind == "hfsc")
}

// shaped takes how a discipline of a device holds packets back: shaped-by, as tc prints it, and
// shaped-kbit, its rate. Classes (htb, hfsc) show only by the packets that had to wait.
func shaped(e *model.Element, d *qdisc.Discipline, from model.Origin) {
	how, shows := d.Limits, d.Limits
	if how == "" && limits(d) {
		how, shows = "classes", fmt.Sprintf("%d packets over the rates of its classes", *d.Held)
	}
	if how == "" {
		if attr(e.Attrs, "shaped-by").Running == nil {
			from.Text = e.Name + ": " + d.Kind
			now(e, "shaped-by", none, from)
		}
		return
	}
	from.Text = e.Name + ": " + d.Kind + " " + shows
	now(e, "shaped-by", d.Kind+" "+how, from)
	if d.Rate > 0 {
		lowest(e, "shaped-kbit", d.Rate/1000, from)
	}
}

// routeLimits takes what a route by a device sets for its connections: route-limits, the last one in
// words, and the smallest of each; the MTU of a network that is on the link is apart from those behind
// gateways, which may well be smaller.
func routeLimits(e *model.Element, r *iplink.Route, from model.Origin) {
	if attr(e.Attrs, "route-limits").Running == nil {
		from.Text = fmt.Sprintf("%s dev %s", r.To, e.Name)
		now(e, "route-limits", none, from)
	}
	mtu := "route-mtu"
	if r.Gateway == "" {
		mtu = "link-route-mtu"
	}
	for _, m := range r.Metrics {
		for _, x := range []struct {
			name, word string
			value      iplink.Number
		}{{mtu, "mtu", m.MTU}, {"route-window", "window", m.Window}, {"route-mss", "advmss", m.MSS}} {
			if n := x.value.Uint(); n != nil {
				from.Text = fmt.Sprintf("%s dev %s: %s %d", r.To, e.Name, x.word, *n)
				now(e, "route-limits", fmt.Sprintf("%s %d", x.word, *n), from)
				lowest(e, x.name, *n, from)
			}
		}
	}
}

// lowest keeps the smallest of several values.
func lowest(e *model.Element, name string, n uint64, from model.Origin) {
	if was, err := strconv.ParseUint(e.Attrs[name].Current(), 10, 64); err == nil && was <= n {
		return
	}
	now(e, name, strconv.FormatUint(n, 10), from)
}
