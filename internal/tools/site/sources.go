package main

import (
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/knowledge"
)

// citedSource is a source with what cites it.
type citedSource struct {
	knowledge.Source
	Rules, Attributes []string
}

// Cited are the sources of rules and attributes, in the order of their keys.
func (c *catalogue) Cited() []citedSource {
	found := map[string]*citedSource{}
	cite := func(citation string) *citedSource {
		key, _, _ := strings.Cut(citation, ":")
		if found[key] == nil {
			s, _ := c.Source(key)
			s.Key = key
			found[key] = &citedSource{Source: s}
		}
		return found[key]
	}
	for _, r := range c.Rules {
		for _, citation := range r.Sources {
			s := cite(citation)
			if !slices.Contains(s.Rules, r.ID) {
				s.Rules = append(s.Rules, r.ID)
			}
		}
	}
	for _, a := range c.Attributes {
		for _, layer := range a.Layers {
			for _, citation := range layer.Sources {
				s := cite(citation)
				if !slices.Contains(s.Attributes, a.Name) {
					s.Attributes = append(s.Attributes, a.Name)
				}
			}
		}
	}
	var out []citedSource
	for _, key := range slices.SortedFunc(maps.Keys(found), compareNames) {
		out = append(out, *found[key])
	}
	return out
}
