package odm

import (
	"net/netip"
	"slices"
	"strings"
)

// The attribute alias4 of an interface is a list, and chdev edits it: a value of
// alias4 is one more address, one of delalias4 an address less. An empty alias4
// ends the list.

// aliases turns settings of the two into one of the whole list.
func aliases(r *Device, m string, set []Setting, mode Mode) ([]Setting, error) {
	ofAlias := func(w Setting) bool { return w.Attr == "alias4" || w.Attr == "delalias4" }
	if r.Class != "if" || r.attr("alias4") == nil || !slices.ContainsFunc(set, ofAlias) {
		return set, nil
	}
	list := strings.Fields(r.value("alias4", mode))
	for _, w := range set {
		if !ofAlias(w) {
			continue
		}
		add := w.Attr == "alias4"
		if w.Value == "" && add {
			list = nil
			continue
		}
		p, ok := alias(w.Value)
		if _, mask, _ := strings.Cut(w.Value, ","); mask != "" {
			_, valid := maskBits(mask)
			ok = ok && valid
		}
		if !ok {
			return nil, notNow(m, w.Attr, r.attr("alias4"), w.Value+" is not an IPv4 address with a mask, as in 10.1.2.3,255.255.255.0")
		}
		at := slices.IndexFunc(list, func(have string) bool {
			q, ok := alias(have)
			return ok && q.Addr() == p.Addr()
		})
		switch {
		case add && at < 0:
			list = append(list, w.Value)
		case add:
			list[at] = w.Value
		case at < 0:
			return nil, notNow(m, w.Attr, r.attr("alias4"), r.Name+" has no alias "+p.Addr().String())
		default:
			list = slices.Delete(list, at, at+1)
		}
	}
	set = slices.DeleteFunc(slices.Clone(set), ofAlias)
	return append(set, Setting{Attr: "alias4", Value: strings.Join(list, " ")}), nil
}

// alias is one of the list: an address, and its mask behind a comma.
func alias(text string) (netip.Prefix, bool) {
	addr, mask, _ := strings.Cut(text, ",")
	return prefix(addr, mask)
}
