package main

import (
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/knowledge"
)

// evidence holds what the expressions of a rule ask for.
type evidence struct {
	Attributes []string // of the catalogue
	Facts      []knowledge.Fact
	Counters   []string // of adapters and ports
	Protocols  []string // counters of protocols, as netstat -s has them
	States     []string // what nobody sets: of links, aggregations, queues
}

// askingFunctions are the functions of expressions that name what they ask for.
const askingFunctions = "attr|num|nums|known|on|off|switched|effective|allowed|running_known|" +
	"fact|has_fact|counter|has_counter|protocol|has_protocol|ppm"

var (
	asked    = regexp.MustCompile(`\.(` + askingFunctions + `)\(("[^"]+"(?:, *"[^"]+")*)`)
	quoted   = regexp.MustCompile(`"([^"]+)"`)
	property = regexp.MustCompile(`\.([a-z][a-z0-9_]*)`)
)

// evidenceOf gives what a rule needs to know before it can be judged, properties that are defined
// by expressions included.
func (c *catalogue) evidenceOf(r *knowledge.Rule) evidence {
	var e evidence
	seen := map[string]bool{}
	for _, check := range r.Checks {
		e.read(c, check.When, seen)
		e.read(c, check.Condition, seen)
	}
	slices.Sort(e.Attributes)
	slices.Sort(e.Counters)
	slices.Sort(e.Protocols)
	slices.Sort(e.States)
	slices.SortFunc(e.Facts, func(a, b knowledge.Fact) int { return compareNames(a.Name, b.Name) })
	return e
}

func (e *evidence) read(c *catalogue, expression string, seen map[string]bool) {
	for _, call := range asked.FindAllStringSubmatch(expression, -1) {
		for _, names := range quoted.FindAllStringSubmatch(call[2], -1) {
			for name := range strings.SplitSeq(names[1], "|") { // the first of these that the element has
				e.add(c, call[1], name, seen)
			}
		}
	}
	for _, p := range property.FindAllStringSubmatch(expression, -1) {
		defined, ok := c.Definitions()[p[1]]
		if !ok || seen["definition "+p[1]] {
			continue
		}
		seen["definition "+p[1]] = true
		e.read(c, defined, seen)
	}
}

func (e *evidence) add(c *catalogue, function, name string, seen map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	fact := c.Fact(name)
	switch {
	case fact.Meaning != "":
		e.Facts = append(e.Facts, fact)
	case c.layers[name] != nil:
		e.Attributes = append(e.Attributes, name)
	case strings.HasSuffix(function, "protocol"):
		e.Protocols = append(e.Protocols, name)
	case strings.HasSuffix(function, "counter") || function == "ppm":
		e.Counters = append(e.Counters, name)
	default:
		e.States = append(e.States, name)
	}
}
