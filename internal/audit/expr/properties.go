package expr

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// lazy makes a property when it is first asked for.
type lazy func() (member, error)

// properties gives what Go knows and what the catalogue defines, by name. In is the
// language of the definitions, once it is there.
func properties(cat *knowledge.Catalog, in func() *cel.Env) map[string]lazy {
	all := map[string]lazy{}
	for name, source := range cat.Definitions() {
		all[name] = sync.OnceValues(func() (member, error) { return defined(in(), source) })
	}
	for name, p := range builtIn {
		all[name] = func() (member, error) { return p, nil }
	}
	return all
}

func defined(env *cel.Env, source string) (member, error) {
	tree, issues := env.Compile(source)
	if err := issues.Err(); err != nil {
		return member{}, fmt.Errorf("%q: %w", source, err)
	}
	program, err := env.Program(tree)
	return member{tree.OutputType(), 0, func(n *node, _ []ref.Val) ref.Val {
		out, _, err := program.Eval(n.vars)
		if err != nil {
			return types.WrapErr(err)
		}
		return out
	}}, err
}

// builtIn are the properties that Go gives; doc.go explains them.
var builtIn = map[string]member{
	"kind":     always(func(e *graph.Element) string { return e.Kind }),
	"name":     always(func(e *graph.Element) string { return cmp.Or(poolName(e), e.Name) }),
	"host":     always(func(e *graph.Element) string { return e.Host }),
	"platform": always(func(e *graph.Element) string { return e.Platform }),
	"machine":  always(func(e *graph.Element) string { return e.Machine }),
	"driver":   always(func(e *graph.Element) string { return e.Driver }),

	"module": read("device driver", `lsdev -Cc adapter -F "name ddins"`, "driver %s",
		func(e *graph.Element) *string { return shown(e.Is.Module) }),
	"firmware": read("firmware level", "lscfg -vl {name}, ethtool -i {name}", "firmware %s",
		func(e *graph.Element) *string { return shown(e.Is.Firmware) }),
	"carried_vnics": of(carriedVNICs),

	// of a vNIC and of an SR-IOV logical port
	"backing_devices":   of(backingCount),
	"backing_vioses":    of(backingVIOSes),
	"backing_adapters":  of(backingAdapters),
	"backing_ready":     of(readyBackings),
	"backing_preferred": of(preferredBacking),
	"auto_failover": read("auto priority failover", listVNICs, "auto priority failover: on|auto priority failover: off",
		func(e *graph.Element) *bool { return e.Is.AutoFailover }),
	"capacity":     carryingShare("capacity", func(p model.PortShare) *float64 { return p.Capacity }),
	"max_capacity": carryingShare("maximum capacity", func(p model.PortShare) *float64 { return p.MaxCapacity }),
	"port_asked": carryingShare("sum of the maximum capacities on its physical port",
		func(p model.PortShare) *float64 { return p.SharersMax }),
	"port_sharers": of(portSharers),

	"product": always(func(e *graph.Element) string { return e.Is.Product }),

	"guest_port": always(func(e *graph.Element) bool { return slices.Contains(model.GuestDrivers, e.Is.Driver) }),

	// state
	"used": always((*graph.Element).Used),
	"default_way": always(func(e *graph.Element) bool {
		return slices.ContainsFunc(e.Of.Routes, func(r model.Route) bool { return r.To.Bits() == 0 && r.Interface == e.Name })
	}),
	"host_way": always(func(e *graph.Element) bool {
		return slices.ContainsFunc(e.Of.Routes, func(r model.Route) bool {
			return r.To.IsSingleIP() && r.Interface == e.Name && !r.To.Addr().IsLinkLocalUnicast()
		})
	}),
	"addressed": always(func(e *graph.Element) bool { return len(graph.Addresses(e)) > 0 }),
	"has_address": always(func(e *graph.Element) bool {
		return slices.ContainsFunc(e.Is.Addrs, func(a netip.Prefix) bool { return a.Addr().IsGlobalUnicast() })
	}),
	"up":    read("whether it is up", "ifconfig {name}", "is up|is down", func(e *graph.Element) *bool { return e.Is.Up }),
	"link":  read("link state", "entstat -d {name}", "link: up|link: down", func(e *graph.Element) *bool { return e.Is.LinkUp }),
	"speed": read("link speed", "entstat -d {name}", "speed %d Mbit/s", func(e *graph.Element) *int64 { return e.Is.SpeedMb }),
	"flow_control": read("flow control status", "entstat -d {name}", "flow control status: enabled|flow control status: disabled",
		func(e *graph.Element) *bool { return e.Is.FlowControl }),
	"is_trunk": read("whether it is a trunk adapter", "entstat -d {name}", "", func(e *graph.Element) *bool { return e.Is.Trunk }),
	"active": read("whether the trunk adapter is active", "entstat -d {name}", "Active: %t",
		func(e *graph.Element) *bool { return e.Is.Bridges }),
	"priority": of(trunkPriority),
	"pvid":     read("port VLAN id", "entstat -d {name}", "Port VLAN ID: %d", func(e *graph.Element) *int { return e.Is.PVID }),
	"vlans":    related((*graph.Element).VLANs),
	"tag":      read("VLAN tag", "lsattr -El {name} -a vlan_tag_id", "has the tag %d", graph.Tag),
	"vswitch":  read("hypervisor switch", "entstat -d {name}", "", func(e *graph.Element) *string { return shown(e.Is.VSwitch) }),
	"mac":      read("MAC address", "entstat -d {name}", "Hardware Address: %s", func(e *graph.Element) *string { return shown(e.Is.MAC) }),
	"ha_state": read("high availability state", "entstat -d {name}", "State: %s",
		func(e *graph.Element) *string { return shown(e.Is.HAState) }),
	"bridge_mode": read("bridge mode", "entstat -d {name}", "Bridge Mode: %s",
		func(e *graph.Element) *string { return shown(strings.ToLower(e.Is.BridgeMode)) }),
	"channel": read("active channel", "entstat -d {name}", "Active channel: %s channel",
		func(e *graph.Element) *string { return shown(e.Is.Channel) }),
	"shared_vlans":  read("shared VLANs", "entstat -d {name}", "VID shared: %v", func(e *graph.Element) *[]int { return shown(e.Is.Shared) }),
	"entitled":      read("entitled", "lparstat -i", "", func(e *graph.Element) *float64 { return e.Of.Partition.Entitled }),
	"virtual_cpus":  read("virtual cpus", "lparstat -i", "", func(e *graph.Element) *int { return e.Of.Partition.VirtualCPUs }),
	"ifconfig_read": always(ifconfigRead),
	"has_next_boot": of(func(_ *Session, e *graph.Element) (bool, error) { return some(e, both), nil }),
	"counters_grow": of(func(s *Session, e *graph.Element) (bool, error) { return counterSpan(s, e).Grows, nil }),

	// related elements
	"adapter":            related((*graph.Element).Adapter),
	"ports":              related((*graph.Element).Ports),
	"real":               related((*graph.Element).Real),
	"trunks":             related((*graph.Element).Trunks),
	"members":            related((*graph.Element).Members),
	"virtual_adapters":   related((*graph.Element).VirtualAdapters),
	"tap":                related((*graph.Element).Tap),
	"underlay":           related(graph.Underlay),
	"inner":              always(graph.Inner),
	"guest":              of(guestOf),
	"above":              always((*graph.Element).Above),
	"owners":             always((*graph.Element).Owners),
	"interfaces":         always((*graph.Element).Interfaces),
	"carriers":           related((*graph.Element).Carriers),
	"clients":            related((*graph.Element).Clients),
	"unread_clients":     of(unreadClients),
	"unmatched_clients":  always(graph.UnmatchedClients),
	"bridged_by":         related((*graph.Element).BridgedBy),
	"partners":           related((*graph.Element).Partners),
	"listed":             of(listedAdapters),
	"peers":              of(peersOf),
	"duplicates":         related(graph.Duplicates),
	"same_address":       addressing(graph.SameAddress, sameAddress),
	"beside":             addressing(graph.Beside, netip.Prefix.Overlaps),
	"other_masks":        of(otherMasks),
	"detours":            of(detours),
	"rivals":             of(rivals),
	"narrower_than":      of(narrowerThan),
	"unrouted":           of(unrouted),
	"unmet":              of(unmet),
	"lookup_read":        always(func(e *graph.Element) bool { return e.Of.Resolver != nil && e.Of.Resolver.Order != nil }),
	"servers_read":       always(func(e *graph.Element) bool { return e.Of.Resolver != nil && e.Of.Resolver.Servers != nil }),
	"mounts_read":        always(func(e *graph.Element) bool { return e.Of.NFSMounts != nil }),
	"errors_read":        always(func(e *graph.Element) bool { return e.Of.ErrorLog != nil }),
	"name_servers":       of(nameServers),
	"name_wait":          of(nameWait),
	"lookup_order":       of(lookupOrder),
	"uses_ipv6":          of(usesIPv6),
	"default_interfaces": of(defaultInterfaces),
	"default_routes":     of(defaultRoutes),
	"unmet_gateways":     of(unmetGateways),
	"neighbours_read":    always(func(e *graph.Element) bool { return e.Of.Unmet != nil }),
	"lost_defaults":      of(lostDefaults),
	"without_vlan":       related(graph.WithoutVLAN),
	"partner_only":       of(partnerOnly),
	"tunables":           always(graph.Tunables),

	// what follows from several elements
	"subnet_mtus":       of((*Session).subnetMTUs),
	"machine_platforms": always(graph.MachinePlatforms),
	"isno":              of(func(s *Session, e *graph.Element) (bool, error) { return s.isno(e), nil }),
	"drift":             of((*Session).drift),
	"unusual":           of((*Session).unusual),

	// of a receive pool
	"pools":     related(pools),
	"pool_name": read("which of its receive pools is meant", "", "", func(e *graph.Element) *string { return shown(poolName(e)) }),
	"min":       figure("Min Buffers", func(b *model.Buffer) *uint64 { return b.Min }),
	"max":       figure("Max Buffers", func(b *model.Buffer) *uint64 { return b.Max }),
	"highest":   figure("Max Allocated", func(b *model.Buffer) *uint64 { return b.MaxAllocated }),
	"lowest":    figure("Lowest Registered", func(b *model.Buffer) *uint64 { return b.LowestRegistered }),
	"setting":   of(func(s *Session, e *graph.Element) (int, error) { return s.num(e, "max_buf_"+poolName(e)) }),
	"allowed":   of(func(s *Session, e *graph.Element) (int, error) { return s.allowed(e, "max_buf_"+poolName(e)) }),
}

// always makes a property of what is known of every element.
func always[T any](get func(*graph.Element) T) member {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e), nil })
}

// related makes a property of what the graph answers, or says is missing.
func related[T any](get func(*graph.Element) (T, error)) member {
	return of(func(_ *Session, e *graph.Element) (T, error) { return get(e) })
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
func read[T any](what, command, says string, get func(*graph.Element) *T) member {
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
			text = no
			if any(*v).(bool) {
				text = yes
			}
		}
		if text != "" {
			how = cmp.Or(e.Is.Source(what), how)
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

// poolName is tiny, small, medium, large or huge; control is for the packets of SEAs without a
// control channel. Of an adapter as a whole it is empty.
func poolName(e *graph.Element) string {
	if e.Pool == nil {
		return ""
	}
	return strings.ToLower(e.Pool.Pool)
}

func pools(e *graph.Element) ([]*graph.Element, error) {
	if len(e.Pools) == 0 {
		return nil, e.Missing("receive buffers", "entstat -d "+e.Name)
	}
	return e.Pools, nil
}

func figure(what string, get func(*model.Buffer) *uint64) member {
	return of(func(s *Session, e *graph.Element) (int, error) {
		how, name := "entstat -d "+e.Name, strings.TrimSpace(poolName(e)+" buffers, "+what)
		if e.Pool == nil || get(e.Pool) == nil {
			return 0, e.Missing(name, how)
		}
		n := *get(e.Pool)
		s.evidence(e, how, "%s %s: %d", e.Name, name, n)
		return int(min(n, 1<<62)), nil
	})
}
