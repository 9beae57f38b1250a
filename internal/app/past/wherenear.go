package past

import (
	"context"
	"maps"
	"slices"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/history"
)

// lower are the facts that tell where a relation leads.
var lower = map[string][]string{
	"adapter": {diff.Adapter},
	"real":    {diff.RealAdapter},
	"trunks":  {diff.TrunkAdapters},
	"members": {diff.Members},
	"ports":   {diff.Adapter, diff.RealAdapter, diff.Members},
}

// ofMany is the part of all hosts from which on the facts of all are read one attribute after the other: to look elements
// up one by one takes longer then.
const ofMany = 10

// narrowNear leaves the elements that the elements which they are built on allow, and others of their host.
func (k *sieve) narrowNear(ctx context.Context, list []candidate) ([]candidate, error) {
	err := k.findPlatforms(ctx, hostsOf(list))
	if err != nil {
		return nil, err
	}
	ports := slices.Contains(k.near.Asks.Relations, "ports")
	for _, id := range hostsOf(list) {
		linux, known := k.linux[id]
		if !known || linux && ports { // those of a virtual machine or a bridge are further away
			k.raw[id] = true
		}
	}
	list = k.trusted(list)
	attributes := slices.Clone(k.near.Asks.Attributes)
	for _, relation := range k.near.Asks.Relations {
		attributes = append(attributes, lower[relation]...)
	}
	slices.Sort(attributes)
	attributes = append(slices.Compact(attributes), diff.ElementExists)
	table := newFactTable(attributes)
	maps.Copy(table.texts, k.facts.texts)
	k.facts = table
	k.follow = map[string]int64{}
	hosts := map[int64]bool{}
	for _, c := range list {
		hosts[c.Host] = true
	}
	if len(k.near.Asks.Siblings) > 0 || len(hosts)*ofMany > len(k.hosts) {
		err = k.facts.read(ctx, k.shown, hosts)
		if err == nil {
			_, err = k.followed(ctx, list)
		}
	} else {
		err = k.lookUp(ctx, list)
	}
	if err != nil {
		return nil, err
	}
	return k.sift(ctx, k.near, k.trusted(list))
}

// lookUp reads the facts of elements, and of those that they lead to.
func (k *sieve) lookUp(ctx context.Context, list []candidate) error {
	there := map[history.Place]bool{}
	next, err := k.followed(ctx, list)
	for err == nil && len(next) > 0 {
		for _, p := range next {
			there[p] = true
		}
		err = k.shown.Of(ctx, next, k.facts.attributes, k.facts.add)
		if err != nil {
			return err
		}
		next, err = k.followed(ctx, list)
		next = slices.DeleteFunc(next, func(p history.Place) bool { return there[p] })
	}
	return err
}

// followed gives all elements that facts lead to so far.
func (k *sieve) followed(ctx context.Context, list []candidate) ([]history.Place, error) {
	err := k.spell(ctx, list)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, name := range k.near.Asks.Named {
		names[name] = true
	}
	for _, s := range k.facts.rows {
		for _, name := range k.facts.named(s) {
			names[name] = true
		}
	}
	for name := range k.follow {
		delete(names, name)
	}
	numbers, err := k.shown.Numbers(ctx, slices.Sorted(maps.Keys(names))...)
	if err != nil {
		return nil, err
	}
	for name := range names {
		k.follow[name] = numbers[name] // 0: the history has no such name
		if numbers[name] != 0 {
			k.facts.texts[numbers[name]] = name
		}
	}
	var out []history.Place
	met := map[history.Place]bool{}
	for _, c := range list {
		for _, p := range k.needed(c) {
			if !met[p] {
				met[p] = true
				out = append(out, p)
			}
		}
	}
	return out, nil
}
