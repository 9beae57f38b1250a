package comparison

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/inventory/model"
)

// Result is hosts side by side.
type Result struct {
	Golden string `json:"golden,omitempty"` // the host that the others are held against; empty: what most have
	Hosts  []Host `json:"hosts"`            // the odd one first
	// Own counts values that each host has for itself, such as addresses; they are not differences.
	Own int `json:"own_values"`
	// Undecided are values of which no one is had by most hosts.
	Undecided []Split `json:"undecided"`
}

// Host is a host in which others differ from it.
type Host struct {
	Name    string       `json:"host"`
	Differs []Difference `json:"differs"` // from the golden host, or from what most hosts have
	Alike   int          `json:"alike"`   // values
	Unknown int          `json:"unknown"` // values that most have read and that were not read here
}

// Difference is a value of one host, and the other one.
type Difference struct {
	Element string `json:"element"`
	What    string `json:"what"`
	Layer   string `json:"layer"`
	Value   string `json:"value"`
	Others  string `json:"others"`
	Of      int    `json:"of"` // how many other hosts have that
}

// Split is a value that hosts have by parts.
type Split struct {
	Element string              `json:"element"`
	What    string              `json:"what"`
	Layer   string              `json:"layer"`
	Hosts   map[string][]string `json:"hosts"` // by value
}

// place is where a value is on a host.
type place struct {
	element, what string
	layer         diff.Layer
}

// Compare puts hosts side by side, by what they have at the same places: the same element
// names. With golden, the others are held against that host.
func Compare(hosts []*model.Host, golden string) *Result {
	r := &Result{Golden: golden, Hosts: []Host{}, Undecided: []Split{}}
	byName := map[string]*Host{}
	for _, h := range hosts {
		r.Hosts = append(r.Hosts, Host{Name: h.Name, Differs: []Difference{}})
	}
	for i := range r.Hosts {
		byName[r.Hosts[i].Name] = &r.Hosts[i]
	}
	all, kinds := valuesOf(hosts)
	for _, at := range slices.SortedFunc(maps.Keys(all), comparePlaces) {
		r.weigh(at, kinds[at], all[at], byName)
	}
	slices.SortStableFunc(r.Hosts, func(a, b Host) int {
		if (a.Name == golden) != (b.Name == golden) {
			return cmp.Compare(boolean(a.Name == golden), boolean(b.Name == golden))
		}
		return cmp.Or(len(b.Differs)-len(a.Differs), model.Natural(a.Name, b.Name))
	})
	return r
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// valuesOf are the values of hosts by place and host.
func valuesOf(hosts []*model.Host) (all map[place]map[string]string, kinds map[place]diff.Kind) {
	all, kinds = map[place]map[string]string{}, map[place]diff.Kind{}
	for _, h := range hosts {
		for _, v := range diff.Values(h) {
			if v.Layer == diff.Default {
				continue // of the software, not of the host
			}
			at := place{v.Element, v.What, v.Layer}
			if all[at] == nil {
				all[at] = map[string]string{}
			}
			all[at][h.Name], kinds[at] = v.Text, v.Kind
		}
	}
	return all, kinds
}

func comparePlaces(a, b place) int {
	return cmp.Or(model.Natural(a.element, b.element), strings.Compare(a.what, b.what), strings.Compare(string(a.layer), string(b.layer)))
}

// weigh finds who differs at one place.
func (r *Result) weigh(at place, kind diff.Kind, values map[string]string, hosts map[string]*Host) {
	having := map[string][]string{}
	for _, host := range slices.SortedFunc(maps.Keys(values), model.Natural) {
		having[values[host]] = append(having[values[host]], host)
	}
	if len(having) == 1 && len(values) == len(hosts) {
		for host := range values {
			hosts[host].Alike++
		}
		return
	}
	usual, decided := r.usual(values, having, len(hosts))
	own := len(having) == len(values) && len(values) > 1 && (len(values) > 2 || kind == diff.Topology)
	switch {
	case own && r.Golden == "", own && kind == diff.Topology:
		r.Own++
		return
	case !decided && len(having) > 1:
		r.Undecided = append(r.Undecided, Split{at.element, at.what, string(at.layer), having})
		return
	case !decided:
		return // one or few hosts have such an element: nothing to compare
	}
	for name, h := range hosts {
		value, there := values[name]
		switch {
		case !there && name != r.Golden:
			h.Unknown++
		case there && value == usual:
			h.Alike++
		case there:
			h.Differs = append(h.Differs, Difference{at.element, at.what, string(at.layer), value, usual, len(having[usual])})
		}
	}
}

// usual is the value that hosts are held against; false: there is none.
func (r *Result) usual(values map[string]string, having map[string][]string, hosts int) (string, bool) {
	if r.Golden != "" {
		value, there := values[r.Golden]
		return value, there
	}
	for value, names := range having {
		if 2*len(names) > hosts {
			return value, true
		}
	}
	return "", false
}
