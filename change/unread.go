package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/audit"
	"seaworthy/change/task"
	"seaworthy/inventory"
)

// largeReceive joins what arrives to packets larger than the clients' MTU. IBM
// i, and Linux before 4.2, cannot take them (rule R009).
const (
	largeReceive     = "large_receive"
	ruleLargeReceive = "R009"
)

// strangers says which clients of an SEA only an HMC knows, where something is
// switched on that not every system can take: nobody has looked at them.
func (b *builder) strangers(it *item) error {
	sea := it.host.Elements[it.wish.Element]
	if sea == nil || sea.Kind != inventory.SEA || it.wish.Attr != largeReceive || it.wish.Value != "yes" || slices.Contains(b.accept, ruleLargeReceive) {
		return nil
	}
	ref := inventory.Ref{Host: it.host.Name, Element: sea.Name}
	bridging := b.fleet.Bridging()
	var names, ibmi []string
	for _, u := range b.fleet.Unread() {
		bridges, _ := bridging.Of(u.Host, u.Adapter)
		on := slices.ContainsFunc(bridges, func(x inventory.Bridge) bool { return x.SEA == ref })
		list := &names
		if u.Host.Platform == inventory.IBMi {
			list = &ibmi
		}
		if name := fmt.Sprintf("%s (%s)", u.Host.Name, u.Adapter.Name); on && u.Host.Platform != inventory.AIX && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	slices.Sort(names)
	slices.Sort(ibmi)
	switch {
	case len(ibmi) > 0:
		return fmt.Errorf("%s carries partitions with IBM i, as the HMC says: %s. IBM i cannot take what %s joins; --accept %s does it all the same",
			ref, strings.Join(ibmi, ", "), largeReceive, ruleLargeReceive)
	case len(names) == 0:
		return nil
	}
	return fmt.Errorf("%s carries partitions that were not read: %s. IBM i, and Linux before 4.2, cannot take what %s joins: read them, or --accept %s",
		ref, strings.Join(names, ", "), largeReceive, ruleLargeReceive)
}

// delicate are attributes that the rules which find lost packets depend on.
var delicate = []string{largeReceive, "largesend", "large_send", "mtu_bypass", "platform_lso", "mtu", "jumbo_frames", "use_jumbo_frame", "chksum_offload", haMode}

// defects are rules on levels that lose packets or stall with largesend.
var defects = []string{"R101", "R103"}

// defective puts the known defects of a host's drivers into the notes of steps
// that switch on what some of them fail with.
func defective(p *Plan, known map[string]audit.Finding) {
	for i, s := range p.Steps {
		x, bad := known["R104/"+s.Host+":host"]
		on := slices.ContainsFunc(s.Changes, func(c task.Change) bool {
			v := c.After.NextBoot
			return v != nil && slices.Contains([]string{"mtu_bypass", "platform_lso", "largesend", "large_send", largeReceive}, c.Attr) && slices.Contains([]string{"on", "plso", "yes", "1"}, *v)
		})
		if bad && on {
			p.Steps[i].Notes = append(p.Steps[i].Notes, fmt.Sprintf("audit finds R104 on %s, install the fix first: %s", s.Host, x.Title))
		}
	}
}

// unsure puts into the notes of steps what nobody can tell of the hosts as they
// would be afterwards: what was of no account before, or could be told, and
// then cannot. Unknown is not well.
func (f Foresight) unsure(ctx context.Context, fleet *inventory.Fleet, p *Plan) error {
	if !slices.ContainsFunc(p.Steps, func(s Step) bool {
		return slices.ContainsFunc(s.Changes, func(c task.Change) bool { return slices.Contains(delicate, c.Attr) })
	}) {
		return nil
	}
	before, err := f.open(ctx, fleet)
	if err != nil {
		return err
	}
	future, err := after(fleet, p, true)
	if err != nil {
		return err
	}
	then, err := f.open(ctx, future)
	if err != nil {
		return err
	}
	for _, x := range then {
		if slices.ContainsFunc(before, func(o audit.Finding) bool { return o.ID == x.ID }) {
			continue
		}
		note := fmt.Sprintf("whether %s then holds for %s (%s) cannot be told: %s is missing", x.Rule, x.Element, x.Title, strings.Join(x.Missing, ", "))
		named := append([]inventory.Ref{x.Element}, x.Affects...)
		for i, s := range p.Steps {
			touched := slices.ContainsFunc(s.Touches(), func(r inventory.Ref) bool { return slices.Contains(named, r) })
			if touched && !slices.Contains(s.Notes, note) {
				p.Steps[i].Notes = append(p.Steps[i].Notes, note)
			}
		}
	}
	return nil
}

// open are the grave questions that a fleet leaves open, in order of their ids.
func (f Foresight) open(ctx context.Context, fleet *inventory.Fleet) ([]audit.Finding, error) {
	all, err := f.Rules.Run(ctx, fleet, audit.Options{})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(x audit.Finding) bool {
		return x.Verdict != audit.NotAssessed || !slices.Contains(breaking, x.Rule) && !slices.Contains(defects, x.Rule)
	})
	slices.SortFunc(all, func(a, b audit.Finding) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}
