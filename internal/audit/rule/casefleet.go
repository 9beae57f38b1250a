package rule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
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
// and next-boot value at once; {running: , next_boot: , allowed: []} sets them
// apart. Buffers are keyed by pool. What an HMC listed is next to the hosts:
// "hmc: {adapters: []}". What hosts have in common is a YAML anchor, merged by "<<".

// BuildFleet builds an inventory from a compact fleet and the changes laid over
// it, one after the other. Keys that it does not know are errors.
func BuildFleet(compact map[string]any, changes ...map[string]any) (*model.Fleet, error) {
	compact = mergeInto(nil, compact)
	hosts, ok := compact["hosts"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("hosts: want a map of hosts")
	}
	for _, with := range changes {
		if err := change(compact, hosts, with); err != nil {
			return nil, err
		}
	}
	fleet := &model.Fleet{}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		h := &model.Host{}
		if err := decodeFleet(wholeHost(name, hosts[name]), h); err != nil {
			return nil, fmt.Errorf("host %s: %w", name, err)
		}
		fleet.Hosts = append(fleet.Hosts, h)
	}
	if listed, ok := compact["hmc"]; ok {
		c := &model.HMC{}
		if err := decodeFleet(listed, c); err != nil {
			return nil, fmt.Errorf("hmc: %w", err)
		}
		c.Name = "hmc"
		fleet.HMCs = append(fleet.HMCs, c)
	}
	fleet.MergeHMC()
	return fleet, nil
}

func decodeFleet(v, target any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(target)
}

// wholeHost writes out what the compact form of a host leaves implied.
func wholeHost(name string, v any) any {
	in, ok := v.(map[string]any)
	if !ok {
		return v // which no host is read from
	}
	out, elements := maps.Clone(in), map[string]any{}
	out["name"], out["elements"] = name, elements
	out["tunables"] = wholeAttrs(in["tunables"])
	compact, _ := in["elements"].(map[string]any)
	for key, v := range compact {
		elements[key] = v
		if e, ok := v.(map[string]any); ok {
			elements[key] = wholeElement(key, maps.Clone(e))
		}
	}
	return out
}

func wholeElement(name string, e map[string]any) any {
	e["name"], e["attrs"] = name, wholeAttrs(e["attrs"])
	if pools, ok := e["buffers"].(map[string]any); ok {
		var list []any
		for _, pool := range slices.Sorted(maps.Keys(pools)) {
			list = append(list, mergeInto(map[string]any{"pool": pool}, pools[pool]))
		}
		e["buffers"] = list
	}
	return e
}

func wholeAttrs(v any) any {
	in, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for name, value := range in {
		a := map[string]any{"name": name}
		switch value := value.(type) {
		case nil:
			continue
		case map[string]any:
			for k, x := range value {
				a[k] = x
				if _, list := x.([]any); !list && k != "settable" {
					a[k] = fmt.Sprint(x)
				}
			}
		default:
			a["running"], a["next_boot"] = fmt.Sprint(value), fmt.Sprint(value)
		}
		out[name] = a
	}
	return out
}

// change lays what a case says over a compact fleet. Keys are "host", "hmc" or
// "host:element"; "host:no" and "host:sysctl" name its tunables. What is under a
// key is merged in; a null removes.
func change(fleet, hosts, with map[string]any) error {
	for key, v := range with {
		host, element, ofElement := strings.Cut(key, ":")
		switch h, ok := hosts[host].(map[string]any); {
		case key == "hmc":
			mergeInto(fleet, map[string]any{key: v})
		case !ofElement:
			mergeInto(hosts, map[string]any{key: v})
		case !ok:
			return fmt.Errorf("%s: no such host in the fleet", key)
		case element == "no" || element == "sysctl":
			mergeInto(h, map[string]any{"tunables": v})
		default:
			mergeInto(h, map[string]any{"elements": map[string]any{element: v}})
		}
	}
	return nil
}

// mergeInto lays a map over another, at every depth, and gives the other, which
// it makes if there is none; a null removes.
func mergeInto(base map[string]any, v any) map[string]any {
	if base == nil {
		base = map[string]any{}
	}
	add, _ := v.(map[string]any)
	for key, x := range add {
		switch x := x.(type) {
		case nil:
			delete(base, key)
		case map[string]any:
			have, _ := base[key].(map[string]any)
			base[key] = mergeInto(have, x)
		default:
			base[key] = x
		}
	}
	return base
}
