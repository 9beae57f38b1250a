package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// ranks of what is the same on every host; of others it depends on the host.
var ranks = map[model.Kind]int{model.Physical: 1, model.EtherChannel: 2, model.SEA: 3, task.No: 5, task.Sysctl: 5}

// rank is the place of an element between the wire and the client: what
// carries traffic must be ready before what sends it.
func rank(it item) int {
	vios, own := it.host.Platform == model.VIOS, it.kind == model.Interface
	switch n := ranks[it.kind]; {
	case n > 0:
		return n
	case vios && own:
		return 6
	case vios:
		return 4 // trunk adapters
	case own:
		return 8
	}
	return 7 // clients' adapters
}

// region joins the ranks of what one VIOS does before the other is touched.
func region(rank int) int {
	switch {
	case rank == 5:
		return 1
	case rank > 6:
		return 2
	}
	return 0
}

// stages numbers runs of neighbouring groups that do not depend on each other
// and let traffic continue, so that many hosts can take them at once.
func stages(groups [][]item) []int {
	out := make([]int, len(groups))
	n := 0
	for i, g := range groups {
		free := g[0].iface == "" && g[0].turn == 0 && window(g[0]) != Bounce
		if i == 0 || !free || rank(g[0]) != rank(groups[i-1][0]) || g[0].off != groups[i-1][0].off || out[i-1] == 0 {
			n++
		}
		if free {
			out[i] = n
		}
	}
	return out
}

// compare orders items: what is lowered first, from the client to the wire;
// then what is raised, from the wire to the client. Within an element a
// receive pool's maximum moves before its minimum when raising, and after it
// when lowering.
func compare(a, b item) int {
	if a.off != b.off {
		if a.off {
			return -1
		}
		return 1
	}
	ra, rb := rank(a), rank(b)
	ga, gb := region(ra), region(rb)
	if a.off {
		ra = -ra
		rb = -rb
		ga = -ga
		gb = -gb
	}
	return cmp.Or(
		cmp.Compare(ga, gb),
		cmp.Compare(a.turn, b.turn),
		cmp.Compare(ra, rb),
		model.Natural(a.want.Host, b.want.Host),
		model.Natural(a.want.Element, b.want.Element),
		cmp.Compare(string(a.class), string(b.class)),
		cmp.Compare(pool(a), pool(b)),
		cmp.Compare(a.want.Attr, b.want.Attr),
	)
}

func pool(it item) int {
	first := "max_buf_"
	if it.off {
		first = "min_buf_"
	}
	if strings.HasPrefix(it.want.Attr, first) {
		return 0
	}
	return 1
}

// lowers says whether the new value switches something off or makes it smaller.
func lowers(before task.Values, value string) bool {
	switch value {
	case "off", "no", "disabled":
		return true
	}
	n, err1 := strconv.ParseInt(value, 0, 64)
	o, err2 := strconv.ParseInt(*cmp.Or(before.Running, before.NextBoot), 0, 64)
	return err1 == nil && err2 == nil && n < o
}

// grouped joins neighbours that one command can change together.
func grouped(items []item) [][]item {
	var out [][]item
	for _, it := range items {
		if n := len(out); n > 0 {
			last := out[n-1][0]
			if last.want.Ref == it.want.Ref && last.class == it.class && last.pend == it.pend &&
				last.iface == it.iface && last.off == it.off {
				out[n-1] = append(out[n-1], it)
				continue
			}
		}
		out = append(out, []item{it})
	}
	return out
}

// joined makes one group of those that take the same interface down and up: an
// adapter's and its interface's. It goes where the interface's was, since
// what the adapter carries is ready then.
func joined(groups [][]item) [][]item {
	type bounce struct {
		host  *model.Host
		iface string
		off   bool
	}
	all, place := map[bounce][]item{}, map[bounce]int{}
	key := func(g []item) bounce { return bounce{g[0].host, g[0].iface, g[0].off} }
	for i, g := range groups {
		k := key(g)
		if _, seen := place[k]; !seen || g[0].kind == model.Interface {
			place[k] = i
		}
		all[k] = append(all[k], g...)
	}
	var out [][]item
	for i, g := range groups {
		switch {
		case g[0].iface == "":
			out = append(out, g)
		case place[key(g)] == i:
			out = append(out, all[key(g)])
		}
	}
	return out
}

// mostNames are the attributes that a step's id names.
const mostNames = 4

// step writes the commands of one group.
func step(group []item) (*Step, error) {
	it := group[0]
	for _, i := range group {
		if i.class > it.class {
			it.class = i.class // O0 … O6 sort as text
		}
	}
	s := &Step{
		Task: task.Task{
			Host: it.want.Host, Element: it.want.Element, Kind: it.kind, Login: task.LoginOf(it.host), Pending: it.pend, Bounce: it.iface,
		},
		Window: window(it), Class: string(it.class), Outage: describe(it.class, it.pend),
	}
	if it.iface != "" && !slices.ContainsFunc(group, func(i item) bool { return slices.Contains(addressing, i.want.Attr) }) {
		s.Keep = it.keep
	}
	var names []string
	for _, i := range group {
		name := i.want.Attr
		if i.want.Element != s.Element {
			i.change.Element = i.want.Element
			name = i.want.Element + "." + name
		}
		names = append(names, name)
		s.Changes = append(s.Changes, i.change)
		for _, f := range i.want.findings {
			if !slices.Contains(s.Why, f) {
				s.Why = append(s.Why, f)
			}
		}
	}
	slices.Sort(s.Why)
	if len(names) > mostNames {
		names = append(names[:1:1], fmt.Sprint(len(names)-1)) // no other step has the first one
	}
	s.ID = fmt.Sprintf("%s:%s:%s", s.Host, s.Element, strings.Join(names, "+"))
	if err := s.Write(); err != nil {
		return nil, err
	}
	for _, i := range group {
		for _, n := range append(notes(i), i.notes...) {
			s.note("%s", n)
		}
	}
	return s, nil
}

func notes(it item) []string {
	var ns []string
	if it.host.Platform == model.Linux {
		ns = append(ns, it.stays)
	}
	if it.kind == task.No && it.class == knowledge.O1 {
		ns = append(ns, "AIX restarts inetd when this tunable is set")
	}
	if it.class == knowledge.O6 {
		ns = append(ns, "the switch and every host of the VLAN must match, or packets are lost without a message")
	}
	if it.iface != "" {
		if again := it.keep.KernelOnly(); len(again) > 0 {
			ns = append(ns, "the ODM does not have "+strings.Join(again, ", ")+": the step sets this again, a reboot of the host loses it")
		}
		ns = append(ns, "takes "+it.iface+" down and up again: over a session that uses "+it.iface+" only with apply --confirm-within")
	}
	return ns
}
