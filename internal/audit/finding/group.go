package finding

import (
	"cmp"
	"slices"

	"seaworthy/internal/inventory/model"
)

// Group is the findings of one cause: those by which the same rule says the
// same of several elements. Forty interfaces without largesend are one group
// of forty; one wrong SEA is a group of one, with its clients in Affects.
type Group struct {
	Rule     string      `json:"rule"`
	Title    string      `json:"title"`
	Severity Severity    `json:"severity"`
	Class    string      `json:"class,omitempty"`
	Hosts    int         `json:"hosts"`             // of its findings
	Findings []string    `json:"findings"`          // ids, in the order of the findings
	Affects  []model.Ref `json:"affects,omitempty"` // of any of them, each once
	Remedy   []Wanted    `json:"remedy,omitempty"`

	Members []*Finding `json:"-"`
}

// Wanted is a setting wanted in several places.
type Wanted struct {
	Attr  string      `json:"attr"`
	Value string      `json:"value"`
	At    []model.Ref `json:"at"`
}

// Groups puts the FINDINGs of an audit together by cause, those of greatest
// impact first: by severity, defects without a sign after what was seen, then by how many elements
// they name or affect.
// Every FINDING is in exactly one group. The groups point into the list they
// were made from.
func Groups(all []Finding) []Group {
	type cause struct {
		rule, title string
		severity    Severity
	}
	var groups []Group
	at := map[cause]int{}
	for i := range all {
		f := &all[i]
		if f.Verdict != Found {
			continue
		}
		key := cause{f.Rule, f.Title, f.Severity}
		n, ok := at[key]
		if !ok {
			n = len(groups)
			at[key] = n
			groups = append(groups, Group{Rule: f.Rule, Title: f.Title, Severity: f.Severity, Class: f.Class})
		}
		groups[n].Members = append(groups[n].Members, f)
		groups[n].Class = max(groups[n].Class, f.Class) // O0 … O6 sort as text
	}
	for i := range groups {
		groups[i].sum()
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
			a.Members[0].presumed()-b.Members[0].presumed(),
			cmp.Compare(b.Size()+len(b.Affects), a.Size()+len(a.Affects)),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Title, b.Title),
		)
	})
	return groups
}

// Evidence gives its members' evidence, each line once, in their order; of is
// how many of them prove the first member.
func (g *Group) Evidence() (all []Evidence, of int) {
	seen := map[Evidence]bool{}
	for i, f := range g.Members {
		for _, e := range f.Evidence {
			if !seen[e] {
				seen[e] = true
				all = append(all, e)
			}
		}
		if i == 0 {
			of = len(all)
		}
	}
	return all, of
}

// Size is the number of its findings.
func (g *Group) Size() int { return len(g.Members) }

// At gives the elements of its findings.
func (g *Group) At() []model.Ref {
	at := make([]model.Ref, len(g.Members))
	for i, f := range g.Members {
		at[i] = f.Element
	}
	return at
}

func (g *Group) sum() {
	hosts := map[string]bool{}
	affected := map[model.Ref]bool{} // not those that are members themselves
	for _, f := range g.Members {
		affected[f.Element] = true
	}
	wanted := map[Setting]bool{} // members of an EtherChannel ask for the same of each other
	for _, f := range g.Members {
		g.Findings = append(g.Findings, f.ID)
		hosts[f.Element.Host] = true
		for _, r := range f.Affects {
			if !affected[r] {
				affected[r] = true
				g.Affects = append(g.Affects, r)
			}
		}
		for _, s := range f.Remedy {
			if wanted[s] {
				continue
			}
			wanted[s] = true
			n := slices.IndexFunc(g.Remedy, func(w Wanted) bool { return w.Attr == s.Attr && w.Value == s.Value })
			if n < 0 {
				n = len(g.Remedy)
				g.Remedy = append(g.Remedy, Wanted{Attr: s.Attr, Value: s.Value})
			}
			g.Remedy[n].At = append(g.Remedy[n].At, s.Ref)
		}
	}
	g.Hosts = len(hosts)
}

// Where names the elements of a group in a few words: "lpar1:en0",
// "en0 on 40 hosts", "52 elements on 40 hosts".
func (g *Group) Where() string {
	if g.Size() == 1 {
		return g.Members[0].Element.String()
	}
	hosts := counted(g.Hosts, "host")
	if g.Hosts == 1 {
		hosts = g.Members[0].Element.Host
	}
	name := g.Members[0].Element.Element
	if slices.ContainsFunc(g.Members, func(f *Finding) bool { return f.Element.Element != name }) {
		name = counted(g.Size(), "element")
	}
	return name + " on " + hosts
}
