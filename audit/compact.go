package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/inventory"
)

// The cases of rules write inventories in a compact form:
//
//	hosts:
//	  lpar1:
//	    platform: aix
//	    tunables: {sb_max: 1048576}
//	    elements:
//	      en0: {kind: interface, "on": ent0, attrs: {mtu: 1500}}
//
// Keys are those of the inventory's JSON. A plain attribute value is running
// and next-boot value at once; {running: , next_boot: , allowed: []} says them
// apart. What an HMC said stands beside the hosts, as "hmc: {adapters: []}". Buffers are keyed by pool. "like: host" and "like: host:element" take
// over what stands there; what is added wins.

// expand makes an inventory of a compact form. Keys it does not know are
// errors.
func expand(compact map[string]any) (*inventory.Fleet, error) {
	hosts, ok := compact["hosts"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("hosts: a map of hosts is wanted")
	}
	fleet := &inventory.Fleet{}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		h, err := expandHost(name, hosts[name])
		if err != nil {
			return nil, fmt.Errorf("host %s: %w", name, err)
		}
		fleet.Hosts = append(fleet.Hosts, h)
	}
	if said, ok := compact["hmc"]; ok {
		c := &inventory.HMC{}
		if err := into(said, c); err != nil {
			return nil, fmt.Errorf("hmc: %w", err)
		}
		c.Name = "hmc"
		fleet.HMCs = append(fleet.HMCs, c)
		fleet.MergeHMC()
	}
	return fleet, nil
}

func expandHost(name string, v any) (*inventory.Host, error) {
	in, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a map is wanted, not %T", v)
	}
	in = maps.Clone(in)
	elements, _ := in["elements"].(map[string]any)
	tunables := in["tunables"]
	delete(in, "elements")
	delete(in, "tunables")
	h := &inventory.Host{Elements: map[string]*inventory.Element{}}
	if err := into(in, h); err != nil {
		return nil, err
	}
	h.Name = name
	var err error
	if h.Tunables, err = expandAttrs(tunables); err != nil {
		return nil, fmt.Errorf("tunables: %w", err)
	}
	for en, ev := range elements {
		e, err := expandElement(en, ev)
		if err != nil {
			return nil, fmt.Errorf("element %s: %w", en, err)
		}
		h.Elements[en] = e
	}
	return h, nil
}

func expandElement(name string, v any) (*inventory.Element, error) {
	in, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a map is wanted, not %T", v)
	}
	in = maps.Clone(in)
	attrs, buffers := in["attrs"], in["buffers"]
	delete(in, "attrs")
	delete(in, "buffers")
	e := &inventory.Element{}
	if err := into(in, e); err != nil {
		return nil, err
	}
	e.Name = name
	var err error
	if e.Attrs, err = expandAttrs(attrs); err != nil {
		return nil, err
	}
	if buffers == nil {
		return e, nil
	}
	pools, ok := buffers.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("buffers: a map of pools is wanted")
	}
	for _, pool := range slices.Sorted(maps.Keys(pools)) {
		var b inventory.Buffer
		if err := into(pools[pool], &b); err != nil {
			return nil, fmt.Errorf("buffers %s: %w", pool, err)
		}
		b.Pool = pool
		e.Buffers = append(e.Buffers, b)
	}
	return e, nil
}

func expandAttrs(v any) (map[string]*inventory.Attr, error) {
	if v == nil {
		return nil, nil
	}
	in, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("attributes: a map is wanted, not %T", v)
	}
	out := map[string]*inventory.Attr{}
	for name, value := range in {
		a := &inventory.Attr{Name: name}
		switch value := value.(type) {
		case nil:
			continue
		case map[string]any:
			text := map[string]any{}
			for k, x := range value {
				text[k] = x
				if _, list := x.([]any); !list && k != "settable" {
					text[k] = fmt.Sprint(x)
				}
			}
			if err := into(text, a); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		default:
			text := fmt.Sprint(value)
			a.Running, a.NextBoot = &text, &text
		}
		out[name] = a
	}
	return out, nil
}

func into(v, target any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(target)
}

// resolved gives a compact fleet with every "like" carried out.
func resolved(compact map[string]any) (map[string]any, error) {
	out := merged(compact, nil)
	hosts, ok := out["hosts"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("hosts: a map of hosts is wanted")
	}
	at := func(ref string) (map[string]any, error) {
		host, element, _ := strings.Cut(ref, ":")
		h, ok := hosts[host].(map[string]any)
		if ok && element != "" {
			elements, _ := h["elements"].(map[string]any)
			h, ok = elements[element].(map[string]any)
		}
		if !ok {
			return nil, fmt.Errorf("like %q: no such host or element", ref)
		}
		return h, nil
	}
	follow := func(m map[string]any, key string) error {
		// A chain is followed link by link; it cannot be longer than this in earnest.
		for range 16 {
			v, _ := m[key].(map[string]any)
			ref, ok := v["like"].(string)
			if !ok {
				return nil
			}
			base, err := at(ref)
			if err != nil {
				return err
			}
			own := maps.Clone(v)
			delete(own, "like")
			m[key] = merged(base, own)
		}
		return fmt.Errorf("%s: like goes round in a circle", key)
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		if err := follow(hosts, name); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		h, _ := hosts[name].(map[string]any)
		elements, _ := h["elements"].(map[string]any)
		for key := range elements {
			if err := follow(elements, key); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// change lays what a case says over a compact fleet. Keys are "host", "hmc" or
// "host:element"; "host:no" and "host:sysctl" name its tunables. What stands
// under a key is merged in; a null removes.
func change(fleet map[string]any, with map[string]any) (map[string]any, error) {
	out, err := resolved(fleet)
	if err != nil {
		return nil, err
	}
	hosts := out["hosts"].(map[string]any)
	for key, v := range with {
		host, element, _ := strings.Cut(key, ":")
		if element == "" && host == "hmc" {
			place(out, host, v)
			continue
		}
		if element == "" {
			place(hosts, host, v)
			continue
		}
		h, ok := hosts[host].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s: no such host in the fleet", key)
		}
		within := "elements"
		if element == "no" || element == "sysctl" {
			within, element = "", "tunables"
		}
		if within != "" {
			h, ok = h[within].(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s: the host has no elements", key)
			}
		}
		place(h, element, v)
	}
	return out, nil
}

// place merges v into m[key].
func place(m map[string]any, key string, v any) {
	if v == nil {
		delete(m, key)
		return
	}
	add, ok := v.(map[string]any)
	if !ok {
		m[key] = v
		return
	}
	have, _ := m[key].(map[string]any)
	m[key] = merged(have, add)
}

// merged is a copy of base with add laid over it, at every depth.
func merged(base, add map[string]any) map[string]any {
	out := make(map[string]any, len(base)+len(add))
	for k, v := range base {
		if m, ok := v.(map[string]any); ok {
			v = merged(m, nil)
		}
		out[k] = v
	}
	for k, v := range add {
		place(out, k, v)
	}
	return out
}
