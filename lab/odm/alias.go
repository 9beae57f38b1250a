package odm

import (
	"slices"
	"strings"
)

// The attribute alias4 of an interface is a list, and chdev edits it: a value of
// alias4 is one more address, one of delalias4 an address less. An empty alias4
// ends the list.

// aliases turns settings of the two into one of the whole list.
func aliases(r *Device, m string, set []Setting, mode Mode) ([]Setting, error) {
	a := r.attr("alias4")
	if r.Class != "if" || a == nil {
		return set, nil
	}
	list := strings.Fields(r.value("alias4", mode))
	var out []Setting
	edited := false
	for _, w := range set {
		refuse := func(reason string) error {
			e := NotValid(m, w.Attr+"\t"+a.Label)
			e.Reason = reason
			return e
		}
		if w.Attr != "alias4" && w.Attr != "delalias4" {
			out = append(out, w)
			continue
		}
		edited = true
		if w.Value == "" && w.Attr == "alias4" {
			list = nil
			continue
		}
		addr, mask, _ := strings.Cut(w.Value, ",")
		p, ok := prefix(addr, mask)
		if _, valid := maskBits(mask); !ok || mask != "" && !valid {
			return nil, refuse(w.Value + " is not an IPv4 address with a mask, as in 10.1.2.3,255.255.255.0")
		}
		at := slices.IndexFunc(list, func(have string) bool {
			addr, mask, _ := strings.Cut(have, ",")
			q, ok := prefix(addr, mask)
			return ok && q.Addr() == p.Addr()
		})
		switch {
		case w.Attr == "alias4" && at < 0:
			list = append(list, w.Value)
		case w.Attr == "alias4":
			list[at] = w.Value
		case at < 0:
			return nil, refuse(r.Name + " has no alias " + p.Addr().String())
		default:
			list = slices.Delete(list, at, at+1)
		}
	}
	if edited {
		out = append(out, Setting{Attr: "alias4", Value: strings.Join(list, " ")})
	}
	return out, nil
}
