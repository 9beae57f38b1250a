package importer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// Candidate is a name or a platform that something speaks for when those of a host are decided.
type Candidate struct {
	Of     string `json:"of"`   // "host" or "platform"
	Name   string `json:"name"` // lpar7, aix
	Chosen bool   `json:"chosen"`
	// Weight is how many outputs give a name, or the sum of the votes for a platform. A name is not decided by it
	// alone: one that a text gives goes before one that only files or folders have.
	Weight   int        `json:"weight"`
	Evidence []Evidence `json:"evidence"` // the surest first, then the heaviest
}

// Evidence is one kind of sign for a candidate.
type Evidence struct {
	Sign   string `json:"sign"`            // where a name stands: "prompt", "file name"; the output that votes: "lsattr -El"
	Weight int    `json:"weight"`          // of a name: outputs; of a platform: the vote
	First  string `json:"first,omitempty"` // where the first of them is: FILE:LINE
}

// What a candidate can be for.
const (
	OfHost     = "host"
	OfPlatform = "platform"
)

// Claim is a host's name that something gives an output.
type Claim struct {
	Name string `json:"name"`
	From string `json:"from"` // what gives it: "prompt", "node name of uname -a", "file name", "folder name"
}

// claim collects what names a host for each output, before anything is decided.
func claim(files []*file) {
	for _, f := range files {
		byPath := pathClaims(f)
		for _, p := range f.parts {
			if p.found == nil && p.named == "" {
				continue
			}
			if p.named != "" {
				p.Claims = append(p.Claims, Claim{p.named, p.namedBy})
			}
			if p.known != "" && key(p.known) != key(p.named) {
				p.Claims = append(p.Claims, Claim{p.known, "heading or command line"})
			}
			p.Claims = append(p.Claims, byPath...)
		}
	}
}

// pathClaims are the names of hosts in a file's path, as far as they have the form of one.
func pathClaims(f *file) (out []Claim) {
	if bearsHost(f.path) {
		out = append(out, Claim{stem(f.path), "file name"})
	}
	folder := path.Dir(f.path)
	if f.root == f.path || folder == "." || folder == "/" || isPlain(folder) {
		return out
	}
	return append(out, Claim{bundleHost(path.Base(folder)), "folder name"})
}

// tally counts the signs for candidates of one decision.
type tally struct {
	of   string
	list []*Candidate
	at   map[string]*Candidate // by key
}

// add counts a sign for a candidate.
func (t *tally) add(name, sign, first string, weight int) {
	c := t.at[key(name)]
	if c == nil {
		c = &Candidate{Of: t.of, Name: name}
		t.at[key(name)] = c
		t.list = append(t.list, c)
	}
	if len(name) > len(c.Name) {
		c.Name = name
	}
	i := slices.IndexFunc(c.Evidence, func(e Evidence) bool { return e.Sign == sign })
	if i < 0 {
		i = len(c.Evidence)
		c.Evidence = append(c.Evidence, Evidence{Sign: sign, First: first})
	}
	c.Evidence[i].Weight += weight
}

// decided gives the candidates, the chosen one first, then by weight.
func (t *tally) decided(chosen string) []Candidate {
	out := make([]Candidate, 0, len(t.list))
	for _, c := range t.list {
		c.Chosen = key(c.Name) == key(chosen)
		slices.SortStableFunc(c.Evidence, func(a, b Evidence) int {
			switch {
			case t.of == OfHost && sure(a.Sign) != sure(b.Sign):
				return cmp.Compare(sure(a.Sign), sure(b.Sign))
			case (a.Weight == 0) != (b.Weight == 0): // no vote: a person or a manifest said so
				return cmp.Compare(a.Weight, b.Weight)
			}
			return cmp.Compare(b.Weight, a.Weight)
		})
		out = append(out, *c)
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		switch {
		case a.Chosen != b.Chosen:
			return choose(a.Chosen, -1, 1)
		case a.Weight != b.Weight:
			return cmp.Compare(b.Weight, a.Weight)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

func choose(when bool, yes, no int) int {
	if when {
		return yes
	}
	return no
}

// hostCandidates are the names that the outputs of a host gave, and which was chosen.
func hostCandidates(chosen string, parts []*part) []Candidate {
	t := tally{of: OfHost, at: map[string]*Candidate{}}
	for _, p := range parts {
		counted := map[string]bool{}
		vote := func(c Claim) {
			t.add(c.Name, c.From, from(p), 1)
			if !counted[key(c.Name)] {
				counted[key(c.Name)] = true
				t.at[key(c.Name)].Weight++
			}
		}
		claimed := false
		for _, c := range p.Claims {
			vote(c)
			claimed = claimed || strings.HasPrefix(p.HostFrom, c.From) && key(c.Name) == key(p.Host)
		}
		if !claimed {
			vote(Claim{p.Host, p.HostFrom})
		}
	}
	return t.decided(chosen)
}

// platformCandidates are the platforms for which the outputs of a host vote, and which was chosen: by sums, or as
// somebody said.
func platformCandidates(chosen, saidBy string, list []vote) []Candidate {
	sums := countVotes(list)
	t := tally{of: OfPlatform, at: map[string]*Candidate{}}
	if saidBy != "" || len(list) == 0 {
		t.add(chosen, cmp.Or(saidBy, "no output tells"), "", 0)
	}
	for _, v := range list {
		system := v.system()
		if string(system) == string(model.AIX) && chosen == string(model.VIOS) {
			system = registry.VIOS // runs AIX: one candidate
		}
		t.add(string(system), v.kind, v.first, v.weight)
		t.at[string(system)].Weight = sums[v.system()]
	}
	if len(list) > 0 && t.at[chosen] == nil {
		why := "what was read is the same on several platforms"
		if system := foreignSystem(list); system != "" {
			why = "most outputs are " + notRead(system)
		}
		t.add(chosen, why, "", 0)
	}
	return t.decided(chosen)
}
