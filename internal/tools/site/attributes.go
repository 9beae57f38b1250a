package main

import (
	"slices"

	"seaworthy/internal/knowledge"
)

// Page is the file of the attribute's page.
func (a attribute) Page() string { return "attributes/" + fileName(a.Name) + ".md" }

// SetBy are the rules whose remedy sets it.
func (a attribute) SetBy() []knowledge.Rule {
	return a.cat.rulesWhere(func(r *knowledge.Rule) bool { return slices.Contains(settingsOf(r), a.Name) })
}

// AskedBy are the rules that ask for its value and do not set it.
func (a attribute) AskedBy() []knowledge.Rule {
	return a.cat.rulesWhere(func(r *knowledge.Rule) bool {
		return !slices.Contains(settingsOf(r), a.Name) && slices.Contains(a.cat.evidence[r.ID].Attributes, a.Name)
	})
}

// Outage says what a change of it interrupts.
func (a attribute) Outage(c knowledge.Class) string { return c.Outage() }

// Classes are the outage classes of drivers that differ from the others, in order.
func (a attribute) Classes(x knowledge.Attribute) []string {
	var out []string
	for driver, class := range x.Classes {
		out = append(out, driver+": "+string(class)+", "+class.Outage())
	}
	slices.Sort(out)
	return out
}

// layerGroup is a layer with its attributes.
type layerGroup struct {
	Name string
	All  []knowledge.Attribute
}

// ByLayer are all attributes by their layers.
func (c *catalogue) ByLayer() []layerGroup {
	var out []layerGroup
	for _, layer := range c.Layers() {
		out = append(out, layerGroup{layer, c.Catalog.Attributes(layer)})
	}
	return out
}
