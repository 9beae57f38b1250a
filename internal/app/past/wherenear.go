package past

import (
	"context"
	"maps"
	"slices"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/model"
)

// lower are the facts that tell where a relation leads.
var lower = map[string][]string{
	"adapter": {diff.Adapter},
	"real":    {diff.RealAdapter},
	"trunks":  {diff.TrunkAdapters},
	"members": {diff.Members},
	"ports":   {diff.Adapter, diff.RealAdapter, diff.Members},
}

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
	k.beginNear(list)
	if len(k.near.Asks.Siblings) > 0 {
		err = k.readMore(ctx, k.facts.attributes...)
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

// beginNear begins a table for the facts of elements that lie near.
func (k *sieve) beginNear(list []candidate) {
	attributes := slices.Clone(k.near.Asks.Attributes)
	for _, relation := range k.near.Asks.Relations {
		attributes = append(attributes, lower[relation]...)
	}
	slices.Sort(attributes)
	attributes = append(slices.Compact(attributes), diff.ElementExists)
	table := newFactTable(attributes)
	maps.Copy(table.texts, k.facts.texts)
	k.wanted = map[int64]bool{}
	for _, c := range list {
		k.wanted[c.Host] = true
		if k.kinds[c.kind] != 0 {
			table.add(history.Showing{Place: c.Place, Attribute: len(attributes) - 1, Value: k.kinds[c.kind]})
		}
	}
	k.whole = map[string]bool{}
	for _, a := range k.own.Asks.Attributes {
		k.whole[a] = true
	}
	for _, s := range k.facts.rows {
		s.Attribute = slices.Index(attributes, k.facts.attributes[s.Attribute])
		if k.wanted[s.Host] {
			table.add(s)
		}
	}
	k.facts = table
	k.follow = map[string]int64{}
}

// many says whether so many elements are looked for that the facts of all hosts are read rather than theirs one by one.
func (k *sieve) many(places []history.Place) bool { return len(places)*8 > len(k.hosts) }

// readMore reads attributes of all hosts that have a candidate.
func (k *sieve) readMore(ctx context.Context, attributes ...string) error {
	for _, a := range attributes {
		if k.whole[a] {
			continue
		}
		k.whole[a] = true
		n := slices.Index(k.facts.attributes, a)
		err := k.shown.Each(ctx, a, nil, func(s history.Showing) {
			s.Attribute = n
			if k.wanted[s.Host] {
				k.facts.add(s)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lookUp reads the facts of elements, and of those that they lead to.
func (k *sieve) lookUp(ctx context.Context, list []candidate) error {
	kinds := map[history.Place]string{}
	for _, c := range list {
		kinds[c.Place] = c.kind
	}
	there := map[history.Place]bool{}
	next, err := k.followed(ctx, list)
	for err == nil && len(next) > 0 {
		err = k.lookUpKinds(ctx, next, kinds)
		if err != nil {
			return err
		}
		byKind := map[string][]history.Place{}
		for _, p := range next {
			there[p] = true
			byKind[kinds[p]] = append(byKind[kinds[p]], p)
		}
		for _, kind := range slices.Sorted(maps.Keys(byKind)) {
			err = k.lookUpAttributes(ctx, byKind[kind], k.asked(kind))
			if err != nil {
				return err
			}
		}
		next, err = k.followed(ctx, list)
		next = slices.DeleteFunc(next, func(p history.Place) bool { return there[p] })
	}
	return err
}

func (k *sieve) lookUpAttributes(ctx context.Context, places []history.Place, attributes []string) error {
	attributes = slices.DeleteFunc(attributes, func(a string) bool { return k.whole[a] })
	if k.many(places) {
		return k.readMore(ctx, attributes...)
	}
	asked := k.facts.only(attributes)
	return k.shown.Of(ctx, places, attributes, func(s history.Showing) { k.facts.add(asked.in(s)) })
}

// lookUpKinds reads the kinds of elements that are not known yet: of many one kind after the other, until all are known.
func (k *sieve) lookUpKinds(ctx context.Context, places []history.Place, kinds map[history.Place]string) error {
	unknown := func() (out []history.Place) {
		for _, p := range places {
			_, known := kinds[p]
			if !known {
				out = append(out, p)
			}
		}
		return out
	}
	note := func(s history.Showing) {
		s.Attribute = len(k.facts.attributes) - 1
		if k.wanted[s.Host] {
			k.facts.add(s)
			kinds[s.Place] = k.kindOf[s.Value]
		}
	}
	left := unknown()
	rarest := []string{string(model.EtherChannel), string(model.SEA), string(model.Physical), string(model.VNIC), string(model.VLANDevice)}
	for _, kind := range append(rarest, slices.Sorted(maps.Keys(k.kinds))...) {
		if !k.many(left) {
			break
		}
		number := k.kinds[kind]
		if number == 0 || k.whole["kind "+kind] {
			continue
		}
		k.whole["kind "+kind] = true
		err := k.shown.Each(ctx, diff.ElementExists, []int64{number}, note)
		if err != nil {
			return err
		}
		left = unknown()
	}
	return k.shown.Of(ctx, left, []string{diff.ElementExists}, note)
}

// asked are the attributes that an expression may ask for of an element of a kind.
func (k *sieve) asked(kind string) []string {
	out := slices.Clone(k.near.Asks.Attributes)
	for _, relation := range k.near.Asks.Relations {
		switch {
		case relation == "ports" && kind == string(model.SEA):
			out = append(out, diff.RealAdapter)
		case relation == "ports" && kind == string(model.EtherChannel):
			out = append(out, diff.Members)
		case relation == "ports" && slices.Contains([]model.Kind{model.Physical, model.VNIC, model.Virtual}, model.Kind(kind)):
		case relation == "ports":
			out = append(out, diff.Adapter)
		default:
			out = append(out, lower[relation]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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
