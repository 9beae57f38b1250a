package main

import (
	"slices"

	"seaworthy/internal/knowledge"
)

// symptomGroup is a symptom with the causes that it can have.
type symptomGroup struct {
	Name   string
	Causes []knowledge.Cause
}

// BySymptom are the causes of each symptom, in the order of the catalogue.
func (c *catalogue) BySymptom() []symptomGroup {
	var out []symptomGroup
	for _, symptom := range knowledge.Symptoms {
		g := symptomGroup{Name: symptom}
		for _, cause := range c.Causes {
			if slices.Contains(cause.Symptoms, symptom) {
				g.Causes = append(g.Causes, cause)
			}
		}
		out = append(out, g)
	}
	return out
}

// CauseTitle is the title of a cause by its id.
func (c *catalogue) CauseTitle(id string) string {
	i := slices.IndexFunc(c.Causes, func(x knowledge.Cause) bool { return x.ID == id })
	if i < 0 {
		return id
	}
	return c.Causes[i].Title
}

// Elsewhere is where to look when the network is clean.
func (c *catalogue) Elsewhere() []knowledge.Elsewhere { return c.Innocence().Elsewhere }
