package past

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/expr"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// Deciding by facts. A snapshot's facts tell the kind, the attributes and the lower devices of each element, and an
// expression that asks for no more gives on them what it gives on the snapshot itself. It is run as it is, on models that
// have these facts alone. Of other expressions the parts that facts tell are run, the rest is left open: where that does
// not hold, the whole does not either. What elements with the same facts give is found out once.

// candidate is an element on which the expression may hold, or be undecided.
type candidate struct {
	history.Place

	kind string
}

// Elements of a host that no fact lists have numbers of their own where the history has no such name.
var pseudo = map[string]int64{graph.KindHost: -1, optionsOfAIX: -2, optionsOfLinux: -3}

// What the options of a host are called.
const (
	optionsOfAIX   = "no"
	optionsOfLinux = "sysctl"
)

// told says whether facts tell an attribute: those of another thing may have the same name.
func told(attribute string) bool { return !diff.IsAspect(attribute) }

// decideByFacts gives how many hosts were looked at, and those whose raw text has to be read.
func (q *inquiry) decideByFacts(ctx context.Context, found *outcome) (looked int, raw []int64, err error) {
	k := &sieve{inquiry: q, raw: map[int64]bool{}, linux: map[int64]bool{}, numbers: map[string]int64{}}
	k.own, err = q.x.Within(expr.AtElement, told)
	if err != nil {
		return 0, nil, err
	}
	k.near, err = q.x.Within(expr.AtHost, told)
	if err != nil {
		return 0, nil, err
	}
	list, err := k.possible(ctx)
	if err != nil {
		return 0, nil, err
	}
	list, err = k.narrowOwn(ctx, list)
	if err != nil {
		return 0, nil, err
	}
	looked = countHosts(list, k.raw)
	if !k.own.Whole && (k.near.Whole || k.near.Asks.Near()) {
		list, err = k.narrowNear(ctx, list)
		if err != nil {
			return 0, nil, err
		}
	}
	if k.own.Whole || k.near.Whole {
		err = k.decide(ctx, list, found)
		if err != nil {
			return 0, nil, err
		}
	} else {
		for _, c := range list {
			k.raw[c.Host] = true
		}
	}
	return looked, slices.Sorted(maps.Keys(k.raw)), nil
}

func countHosts(list []candidate, more map[int64]bool) int {
	hosts := map[int64]bool{}
	for id := range more {
		hosts[id] = true
	}
	for _, c := range list {
		hosts[c.Host] = true
	}
	return len(hosts)
}

// sieve leaves the elements on which an expression may hold.
type sieve struct {
	*inquiry

	own, near *expr.Part
	raw       map[int64]bool // hosts of which facts do not tell enough
	linux     map[int64]bool // of the hosts that it is known of
	numbers   map[string]int64
	kindOf    map[int64]string // kinds of elements by number
	kinds     map[string]int64 // and the other way
	facts     *factTable
	follow    map[string]int64 // elements that facts name; nil: they are not followed
	wanted    map[int64]bool   // hosts that have a candidate when elements near are looked at
	whole     map[string]bool  // attributes, and "kind " with a kind, that were read of all of these
}

// possible gives the elements whose kind allows it, sorted.
func (k *sieve) possible(ctx context.Context) ([]candidate, error) {
	part, err := k.x.Within(expr.AtKind, told)
	if err != nil {
		return nil, err
	}
	k.numbers, err = k.shown.Numbers(ctx, graph.KindHost, optionsOfAIX, optionsOfLinux)
	if err != nil {
		return nil, err
	}
	for name, number := range pseudo {
		if k.numbers[name] == 0 {
			k.numbers[name] = number
		}
	}
	kinds, err := k.shown.Values(ctx, diff.ElementExists)
	if err != nil {
		return nil, err
	}
	k.kindOf = kinds
	k.kinds = map[string]int64{}
	for number, kind := range kinds {
		k.kinds[kind] = number
	}
	k.facts = newFactTable(k.own.Asks.Attributes)
	for name, number := range k.numbers {
		k.facts.texts[number] = name
	}
	open, err := k.open(ctx, part, kinds)
	if err != nil {
		return nil, err
	}
	var list []candidate
	var wanted []int64
	for number, kind := range kinds {
		if open[kind] {
			wanted = append(wanted, number)
		}
	}
	slices.Sort(wanted)
	if len(wanted) > 0 {
		err = k.shown.Each(ctx, diff.ElementExists, wanted, func(s history.Showing) {
			list = append(list, candidate{s.Place, kinds[s.Value]})
		})
	}
	if err == nil && (open[graph.KindHost] || open[graph.KindTunables]) {
		list, err = k.addUnlisted(ctx, list, open)
	}
	slices.SortFunc(list, func(a, b candidate) int { return comparePlaces(a.Place, b.Place) })
	return list, err
}

// open says which kinds a part of the expression allows, whatever the element.
func (k *sieve) open(ctx context.Context, part *expr.Part, kinds map[int64]string) (map[string]bool, error) {
	h := &model.Host{Name: "-", Platform: model.AIX, Elements: map[string]*model.Element{}}
	for _, kind := range kinds {
		h.Elements["of kind "+kind] = &model.Element{Name: "of kind " + kind, Kind: model.Kind(kind)}
	}
	links, err := graph.New(ctx, &model.Fleet{Hosts: []*model.Host{h}})
	if err != nil {
		return nil, err
	}
	session := expr.NewSession(ctx, links, expr.Context{Catalog: k.cat})
	out := map[string]bool{}
	for _, e := range links.Of(h.Name) {
		out[e.Kind] = part.Decide(session, e).Truth != expr.No
	}
	return out, nil
}

// addUnlisted adds the hosts themselves and their options, which are judged like elements.
func (k *sieve) addUnlisted(ctx context.Context, list []candidate, open map[string]bool) ([]candidate, error) {
	all := sortedHosts(k.hosts)
	err := k.findPlatforms(ctx, all)
	if err != nil {
		return nil, err
	}
	for _, id := range all {
		linux, known := k.linux[id]
		if !known {
			k.raw[id] = true
			continue
		}
		if open[graph.KindHost] {
			list = append(list, candidate{history.Place{Host: id, Element: k.numbers[graph.KindHost]}, graph.KindHost})
		}
		if open[graph.KindTunables] {
			list = append(list, candidate{history.Place{Host: id, Element: k.numbers[options(linux)]}, graph.KindTunables})
		}
	}
	return list, nil
}

func options(linux bool) string {
	if linux {
		return optionsOfLinux
	}
	return optionsOfAIX
}

// findPlatforms notes which hosts run Linux, of those that show options.
func (k *sieve) findPlatforms(ctx context.Context, hosts []int64) error {
	aix, err := k.shown.With(ctx, hosts, optionsOfAIX, diff.ElementExists)
	if err != nil {
		return err
	}
	var left []int64
	for _, id := range hosts {
		if aix[id] {
			k.linux[id] = false
		} else {
			left = append(left, id)
		}
	}
	linux, err := k.shown.With(ctx, left, optionsOfLinux, diff.ElementExists)
	for id := range linux {
		k.linux[id] = true
	}
	return err
}

// narrowOwn leaves the elements whose own kind and attributes allow it.
func (k *sieve) narrowOwn(ctx context.Context, list []candidate) ([]candidate, error) {
	hosts := map[int64]bool{}
	for _, c := range list {
		hosts[c.Host] = true
	}
	err := k.facts.read(ctx, k.shown, hosts)
	if err == nil {
		err = k.spell(ctx, list)
	}
	if err != nil {
		return nil, err
	}
	return k.sift(ctx, k.own, k.trusted(list))
}

// trusted are the candidates of hosts whose raw text is not read anyway.
func (k *sieve) trusted(list []candidate) []candidate {
	return slices.DeleteFunc(list, func(c candidate) bool { return k.raw[c.Host] })
}

// spell reads the texts that facts are made of. A host with one that the history has not as it was is read.
func (k *sieve) spell(ctx context.Context, list []candidate) error {
	k.facts.sort()
	missing := map[int64]bool{}
	want := func(n int64) {
		_, there := k.facts.texts[n]
		if !there {
			missing[n] = true
		}
	}
	for _, c := range list {
		want(c.Element)
	}
	for _, s := range k.facts.rows {
		want(s.Element)
		want(s.Value)
	}
	names, err := k.shown.Names(ctx, missing)
	if err != nil {
		return err
	}
	changed := map[int64]bool{}
	for n, text := range names {
		k.facts.texts[n] = text
		if history.Changed(text) {
			changed[n] = true
		}
	}
	for _, c := range list {
		// A device may be called as the options of hosts are.
		_, reserved := pseudo[k.facts.texts[c.Element]]
		listed := c.kind != graph.KindHost && c.kind != graph.KindTunables
		if changed[c.Element] || reserved && listed {
			k.raw[c.Host] = true
		}
	}
	for _, s := range k.facts.rows {
		if changed[s.Element] || changed[s.Value] {
			k.raw[s.Host] = true
		}
	}
	return nil
}

// sift leaves the candidates that a part of the expression does not rule out.
func (k *sieve) sift(ctx context.Context, part *expr.Part, list []candidate) ([]candidate, error) {
	number := map[string]int{} // of what has the same facts
	same := make([]int, len(list))
	var first []candidate
	for i, c := range list {
		signature := k.signature(c, part.Asks.Names)
		n, met := number[signature]
		if !met {
			n = len(first)
			number[signature] = n
			first = append(first, c)
		}
		same[i] = n
	}
	var truths []expr.Truth
	for len(truths) < len(first) {
		some := first[len(truths):]
		some = some[:hostsOfSome(some, atOnce)]
		links, err := k.models(ctx, some)
		if err != nil {
			return nil, err
		}
		session := expr.NewSession(ctx, links, expr.Context{Catalog: k.cat})
		for _, c := range some {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			truths = append(truths, part.Decide(session, links.At(k.ref(c.Place))).Truth)
		}
	}
	left := list[:0]
	for i, c := range list {
		if truths[same[i]] != expr.No {
			left = append(left, c)
		}
	}
	return left, nil
}

// atOnce is of how many hosts models are made at once.
const atOnce = 500

// hostsOfSome is how many of a list, sorted by host, are those of its first n hosts.
func hostsOfSome(list []candidate, n int) int {
	for i := 1; i < len(list); i++ {
		if list[i].Host != list[i-1].Host {
			n--
		}
		if n == 0 {
			return i
		}
	}
	return len(list)
}

func (k *sieve) ref(p history.Place) model.Ref {
	return model.Ref{Host: k.hosts[p.Host].Host, Element: k.facts.texts[p.Element]}
}

// decide runs the expression on candidates, of which facts tell all that it asks for.
func (k *sieve) decide(ctx context.Context, list []candidate, found *outcome) error {
	hosts := hostsOf(list)
	err := k.findPlatforms(ctx, hosts)
	if err != nil {
		return err
	}
	for _, id := range hosts {
		_, known := k.linux[id]
		if !known { // it decides what is said to be missing
			k.raw[id] = true
		}
	}
	list = k.trusted(list)
	shown := progress.Begin(ctx, "deciding", "host", len(hosts))
	defer shown.End()
	for len(list) > 0 {
		some := list[:hostsOfSome(list, atOnce)]
		list = list[len(some):]
		links, err := k.models(ctx, some)
		if err != nil {
			return err
		}
		session := expr.NewSession(ctx, links, expr.Context{Catalog: k.cat})
		for len(some) > 0 {
			of := some[:hostsOfSome(some, 1)]
			some = some[len(of):]
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			k.decideHost(session, links, of, found)
			shown.Step("")
		}
		found.failed = cmp.Or(found.failed, session.Failed)
	}
	return nil
}

// decideHost runs the expression on candidates of one host, in the order of a host's elements.
func (k *sieve) decideHost(session *expr.Session, links *graph.Graph, list []candidate, found *outcome) {
	wanted := map[string]bool{}
	for _, c := range list {
		wanted[k.facts.texts[c.Element]] = true
	}
	for _, e := range links.Of(k.hosts[list[0].Host].Host) {
		if wanted[e.Name] {
			found.decide(session, k.x, e.Of, e)
		}
	}
}

func hostsOf(list []candidate) (out []int64) {
	for _, c := range list {
		if n := len(out); n == 0 || out[n-1] != c.Host {
			out = append(out, c.Host)
		}
	}
	return out
}

func comparePlaces(a, b history.Place) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Element, b.Element))
}
