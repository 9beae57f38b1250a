package expr

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"seaworthy/audit/graph"
	"seaworthy/catalog"
	"seaworthy/inventory"
)

// lazy makes a property when it is first asked for.
type lazy func() (property, error)

// properties gives what Go knows and what the catalogue defines, by type and
// name. In is the language of the definitions, once it is there.
func properties(cat *catalog.Catalog, in func() *cel.Env) map[string]map[string]lazy {
	all := map[string]map[string]lazy{}
	for kind, fields := range builtIn {
		all[kind] = map[string]lazy{}
		for name, source := range cat.Definitions(kind) {
			all[kind][name] = sync.OnceValues(func() (property, error) { return defined(in(), kind, source) })
		}
		for name, p := range fields {
			all[kind][name] = func() (property, error) { return p, nil }
		}
	}
	return all
}

// defined makes a property of an expression over el, or p of a pool.
func defined(env *cel.Env, kind, source string) (property, error) {
	env, err := env.Extend(cel.Variable("p", poolType))
	if err != nil {
		return property{}, err
	}
	tree, issues := env.Compile(source)
	if err := issues.Err(); err != nil {
		return property{}, fmt.Errorf("%q: %w", source, err)
	}
	program, err := env.Program(tree)
	return property{tree.OutputType(), func(v any) ref.Val {
		vars := map[string]any{"p": v}
		if n, ok := v.(*node); ok {
			vars = n.vars
		}
		out, _, err := program.Eval(vars)
		if err != nil {
			return types.WrapErr(err)
		}
		return out
	}}, err
}

// builtIn are the properties that Go gives; doc.go explains them.
var builtIn = map[string]map[string]property{
	"element": {
		"kind":     always(func(e *graph.Element) string { return e.Kind }),
		"name":     always(func(e *graph.Element) string { return e.Name }),
		"host":     always(func(e *graph.Element) string { return e.Host }),
		"platform": always(func(e *graph.Element) string { return e.Platform }),
		"machine":  always(func(e *graph.Element) string { return e.Machine }),
		"driver":   always(func(e *graph.Element) string { return e.Driver }),

		"guest_port": always(func(e *graph.Element) bool { return slices.Contains(inventory.GuestDrivers, e.Is.Driver) }),

		// state
		"used":      always((*graph.Element).Used),
		"addressed": always(func(e *graph.Element) bool { return len(e.Addresses()) > 0 }),
		"up":        read("whether it is up", "ifconfig {name}", "is up|is down", func(e *graph.Element) *bool { return e.Is.Up }),
		"link":      read("link state", "entstat -d {name}", "link: up|link: down", func(e *graph.Element) *bool { return e.Is.LinkUp }),
		"speed":     read("link speed", "entstat -d {name}", "speed %d Mbit/s", func(e *graph.Element) *int64 { return e.Is.SpeedMb }),
		"flow_control": read("flow control status", "entstat -d {name}", "flow control status: enabled|flow control status: disabled",
			func(e *graph.Element) *bool { return e.Is.FlowControl }),
		"is_trunk": read("whether it is a trunk adapter", "entstat -d {name}", "", func(e *graph.Element) *bool { return e.Is.Trunk }),
		"active": read("whether the trunk adapter is active", "entstat -d {name}", "Active: %t",
			func(e *graph.Element) *bool { return e.Is.Bridges }),
		"priority": of((*Session).priority),
		"pvid":     read("port VLAN id", "entstat -d {name}", "Port VLAN ID: %d", func(e *graph.Element) *int { return e.Is.PVID }),
		"vlans":    related((*graph.Element).VLANs),
		"tag":      read("VLAN tag", "lsattr -El {name} -a vlan_tag_id", "has the tag %d", (*graph.Element).Tag),
		"vswitch":  read("hypervisor switch", "entstat -d {name}", "", func(e *graph.Element) *string { return shown(e.Is.VSwitch) }),
		"mac":      read("MAC address", "entstat -d {name}", "Hardware Address: %s", func(e *graph.Element) *string { return shown(e.Is.MAC) }),
		"ha_state": read("high availability state", "entstat -d {name}", "State: %s",
			func(e *graph.Element) *string { return shown(e.Is.HAState) }),
		"bridge_mode": read("bridge mode", "entstat -d {name}", "Bridge Mode: %s",
			func(e *graph.Element) *string { return shown(strings.ToLower(e.Is.BridgeMode)) }),
		"shared_vlans":  read("shared VLANs", "entstat -d {name}", "VID shared: %v", func(e *graph.Element) *[]int { return shown(e.Is.Shared) }),
		"entitled":      read("entitled", "lparstat -i", "", func(e *graph.Element) *float64 { return e.Of.Partition.Entitled }),
		"virtual_cpus":  read("virtual cpus", "lparstat -i", "", func(e *graph.Element) *int { return e.Of.Partition.VirtualCPUs }),
		"ifconfig_read": always(ifconfigRead),
		"has_next_boot": of(func(_ *Session, e *graph.Element) (bool, error) { return some(e, both), nil }),
		"counters_grow": of(func(s *Session, e *graph.Element) (bool, error) { return s.span(e).Grows, nil }),
		"pools":         of((*Session).pools),

		// related elements
		"adapter":           related((*graph.Element).Adapter),
		"ports":             related((*graph.Element).Ports),
		"real":              related((*graph.Element).Real),
		"trunks":            related((*graph.Element).Trunks),
		"members":           related((*graph.Element).Members),
		"virtual_adapters":  related((*graph.Element).VirtualAdapters),
		"tap":               related((*graph.Element).Tap),
		"underlay":          related((*graph.Element).Underlay),
		"inner":             related((*graph.Element).Inner),
		"guest":             of((*Session).guest),
		"above":             always(func(e *graph.Element) []*graph.Element { return e.Above }),
		"owners":            always((*graph.Element).Owners),
		"interfaces":        always((*graph.Element).Interfaces),
		"carriers":          related((*graph.Element).Carriers),
		"clients":           related((*graph.Element).Clients),
		"unread_clients":    of((*Session).unreadClients),
		"unmatched_clients": always((*graph.Element).UnmatchedClients),
		"bridged_by":        related((*graph.Element).BridgedBy),
		"partners":          related((*graph.Element).Partners),
		"listed":            of((*Session).listed),
		"peers":             of((*Session).peers),
		"duplicates":        related((*graph.Element).Duplicates),
		"same_address":      of((*Session).sameAddress),
		"beside":            of((*Session).beside),
		"other_masks":       of((*Session).otherMasks),
		"detours":           of((*Session).detours),
		"rivals":            of((*Session).rivals),
		"tunables":          always((*graph.Element).Tunables),

		// what follows from several elements
		"subnet_mtus":       of((*Session).subnetMTUs),
		"machine_platforms": always((*graph.Element).MachinePlatforms),
		"isno":              of(func(s *Session, e *graph.Element) (bool, error) { return s.isno(e), nil }),
		"drift":             of((*Session).drift),
		"unusual":           of((*Session).unusual),
	},
	"pool": {
		"name":    ofPool(func(p *pool) (string, error) { return p.name(), nil }),
		"min":     figure("Min Buffers", func(b inventory.Buffer) *uint64 { return b.Min }),
		"max":     figure("Max Buffers", func(b inventory.Buffer) *uint64 { return b.Max }),
		"highest": figure("Max Allocated", func(b inventory.Buffer) *uint64 { return b.MaxAllocated }),
		"lowest":  figure("Lowest Registered", func(b inventory.Buffer) *uint64 { return b.LowestRegistered }),
		"setting": ofPool(func(p *pool) (int, error) { return p.s.num(p.of, "max_buf_"+p.name()) }),
		"allowed": ofPool(func(p *pool) (int, error) { return p.s.allowed(p.of, "max_buf_"+p.name()) }),
	},
}

// property is what an expression may read of an element (el.speed) or of a
// receive pool (p.max).
type property struct {
	gives *cel.Type
	get   func(v any) ref.Val
}

// of makes a property of what a session answers, or says is missing.
func of[T any](get func(*Session, *graph.Element) (T, error)) property {
	return property{typeOf(reflect.TypeFor[T]()), func(v any) ref.Val {
		n := v.(*node)
		return n.s.answer(get(n.s, n.Element))
	}}
}

// always makes a property of what is known of every element.
func always[T any](get func(*graph.Element) T) property {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e), nil })
}

// related makes a property of what the graph answers, or says is missing.
func related[T any](get func(*graph.Element) (T, error)) property {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e) })
}

// ofPool makes a property of a receive pool.
func ofPool[T any](get func(*pool) (T, error)) property {
	return property{typeOf(reflect.TypeFor[T]()), func(v any) ref.Val {
		p := v.(*pool)
		return p.s.answer(get(p))
	}}
}

// linuxCommands show on Linux what entstat shows on AIX.
var linuxCommands = map[string]string{
	"link state":       "cat /sys/class/net/{name}/carrier",
	"link speed":       "cat /sys/class/net/{name}/speed",
	"MAC address":      "cat /sys/class/net/{name}/address",
	"whether it is up": "ip -j -d addr",
}

// read makes a property of what a command prints of an element, {name}. It is
// noted as evidence in the words of says, of a yes or no "YES|NO"; empty: not.
func read[T any](what, command, says string, get func(*graph.Element) *T) property {
	return of(func(s *Session, e *graph.Element) (T, error) {
		command := command
		if other, ok := linuxCommands[what]; ok && e.Linux() {
			command = other
		}
		v, how := get(e), strings.ReplaceAll(command, "{name}", e.Name)
		if v == nil {
			return *new(T), e.Missing(what, how)
		}
		text := says
		if strings.Contains(says, "%") {
			text = fmt.Sprintf(says, *v)
		} else if yes, no, ok := strings.Cut(says, "|"); ok {
			text = map[bool]string{true: yes, false: no}[any(*v).(bool)]
		}
		if text != "" {
			s.evidence(e, how, "%s %s", e.Name, text)
		}
		return *v, nil
	})
}

// shown makes a pointer of a text or list; an empty one was not read.
func shown[T string | []int](v T) *T {
	if len(v) == 0 {
		return nil
	}
	return &v
}

// figure reads one figure of a pool.
func figure(what string, get func(inventory.Buffer) *uint64) property {
	return ofPool(func(p *pool) (int, error) {
		v := get(p.is)
		if v == nil {
			return 0, p.of.Missing(p.name()+" buffers, "+what, "entstat -d "+p.of.Name)
		}
		p.s.evidence(p.of, "entstat -d "+p.of.Name, "%s %s buffers, %s: %d", p.of.Name, p.name(), what, *v)
		return int(min(*v, 1<<62)), nil
	})
}
