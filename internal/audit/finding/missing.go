package finding

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MissingFact is a fact that several verdicts could not do without.
type MissingFact struct {
	What     string   `json:"what"`          // "mtu_bypass"
	How      string   `json:"how,omitempty"` // the command that shows it, enN standing for the interface
	Rules    []string `json:"rules"`
	Hosts    int      `json:"hosts"`
	Verdicts int      `json:"verdicts"` // that would be known with it, or be nearer to it

	defects bool // nothing but known defects asks for it
}

var (
	missingText = regexp.MustCompile(`^(\S+)(?: \S+)?: (.*?)(?: \(([^()]*)\))?$`)
	poolOf      = regexp.MustCompile(`^(tiny|small|medium|large|huge) buffers\b`)
	ordinal     = regexp.MustCompile(`\b(en|et|ent|eth|env|ib)[0-9]+\b`)
)

// SummarizeMissing sums up what NOT_ASSESSED findings miss: first what a command shows, what only known
// defects ask for behind the rest, then what only a measurement or another host can; of each what most wait for.
func SummarizeMissing(all []Finding) []MissingFact {
	type fact struct{ what, how string }
	type sum struct {
		MissingFact
		hosts map[string]bool
	}
	found, keys := map[fact]*sum{}, map[fact]fact{}
	for _, f := range all {
		if f.Verdict != NotAssessed {
			continue
		}
		for _, text := range f.Missing {
			host, what, how := f.Element.Host, text, ""
			if m := missingText.FindStringSubmatch(text); m != nil {
				host, what, how = m[1], m[2], m[3]
			}
			key, known := keys[fact{what, how}]
			if !known { // the rules of one element lack the same
				key = fact{ordinal.ReplaceAllString(poolOf.ReplaceAllString(what, "receive buffers"), "${1}N"), ordinal.ReplaceAllString(how, "${1}N")}
				keys[fact{what, how}] = key
			}
			s := found[key]
			if s == nil {
				s = &sum{MissingFact{What: key.what, How: key.how, defects: true}, map[string]bool{}}
				found[key] = s
			}
			s.hosts[host] = true
			s.Verdicts++
			s.defects = s.defects && f.Known
			if !slices.Contains(s.Rules, f.Rule) {
				s.Rules = append(s.Rules, f.Rule)
			}
		}
	}
	out := make([]MissingFact, 0, len(found))
	for _, s := range found {
		s.Hosts = len(s.hosts)
		slices.Sort(s.Rules)
		out = append(out, s.MissingFact)
	}
	slices.SortFunc(out, func(a, b MissingFact) int {
		return cmp.Or(cmp.Compare(a.last(), b.last()), cmp.Compare(b.Verdicts, a.Verdicts),
			cmp.Compare(a.What, b.What), cmp.Compare(a.How, b.How))
	})
	return out
}

// last is 2 for what no command of a host shows, 1 for what only known defects ask for.
func (l MissingFact) last() int {
	switch {
	case l.How == "" || strings.HasPrefix(l.How, "--"):
		return 2
	case l.defects:
		return 1
	}
	return 0
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
