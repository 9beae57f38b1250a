package replica

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
)

// Fate says how a part of the network got into the copy.
type Fate string

const (
	AsRead   Fate = "as read"
	Planted  Fate = "planted" // a fault that readings prove
	Assumed  Fate = "assumed"
	StandsIn Fate = "stands in"
	LeftOut  Fate = "left out"
)

// fates in the order in which they are printed: what a person has to judge comes last.
var fates = []Fate{AsRead, Planted, Assumed, StandsIn, LeftOut}

// Part is a part of the network, and what became of it.
type Part struct {
	Fate Fate   `json:"fate"`
	What string `json:"what"`          // host, host:element, or the switch
	Why  string `json:"why,omitempty"` // not of what is as read
}

// parts collects them.
type parts struct{ list []Part }

func (p *parts) add(f Fate, what, why string, args ...any) {
	part := Part{Fate: f, What: what, Why: fmt.Sprintf(why, args...)}
	if !slices.Contains(p.list, part) {
		p.list = append(p.list, part)
	}
}

// forget takes back what was said of a part that is not in the copy after all.
func (p *parts) forget(what string) {
	p.list = slices.DeleteFunc(p.list, func(x Part) bool { return x.What == what })
}

// sorted are the parts by fate, then by host and element as people count.
func (p *parts) sorted() []Part {
	list := slices.Clone(p.list)
	slices.SortStableFunc(list, func(a, b Part) int {
		return cmp.Or(slices.Index(fates, a.Fate)-slices.Index(fates, b.Fate), model.Natural(a.What, b.What))
	})
	return list
}

// someOf names the first of many.
func someOf(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
