package effect

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/knowledge"
)

// Outcome of changing an attribute in this lab.
type Outcome string

const (
	Kernel   Outcome = "kernel"   // changes what the kernel does with packets
	Recorded Outcome = "recorded" // kept in the ODM, printed, nothing else
	Refused  Outcome = "refused"  // the command fails
)

// Entry is one line of lab effects.
type Entry struct {
	Layer     string  `json:"layer"`
	Attribute string  `json:"attribute"`
	Outcome   Outcome `json:"outcome"`
	What      string  `json:"what"` // the kernel setting, or why there is none
}

// Machine holds what a lab's machine has; the zero value has all.
type Machine struct {
	NoBuffers string // why virtual adapters have no receive buffers that can run out
}

// outcome is an outcome with its reason: one entry.
type outcome map[Outcome]string

func (o outcome) fill(e *Entry) {
	for e.Outcome, e.What = range o {
	}
}

//go:embed effects.yaml
var text []byte

// table is effects.yaml, by layer and attribute.
var table = sync.OnceValue(func() (t struct {
	Attributes map[string]map[string]outcome
	Layers     map[string]string
	Counters   []struct {
		Layer, Attribute string
		Outcome          outcome
	}
}) {
	if err := decode.YAML("effects.yaml", text, &t); err != nil {
		panic(err) // embedded, and read by a test
	}
	return t
})

// pooled says whether an attribute is one of receive buffers that can run out.
func pooled(a knowledge.Attribute) bool {
	if a.Layer != "virtual-adapter" || strings.HasSuffix(a.Name, "_control") {
		return false
	}
	return strings.HasPrefix(a.Name, "min_buf_") || strings.HasPrefix(a.Name, "max_buf_") || a.Name == "buf_mode"
}

// Counters says which measured numbers the nodes' commands print, and where they
// come from; what is not named is not printed.
func Counters(m Machine) []Entry {
	var out []Entry
	for _, c := range table().Counters {
		e := Entry{Layer: c.Layer, Attribute: c.Attribute}
		c.Outcome.fill(&e)
		if m.NoBuffers != "" && strings.HasPrefix(c.Attribute, "receive buffer pools") {
			e.Outcome, e.What = Recorded, "the sizes that are set; no counts: "+m.NoBuffers
		}
		out = append(out, e)
	}
	return out
}

// Table is an entry for every attribute of the catalogue that can be set on a
// node, sorted by layer and name.
func Table(all []knowledge.Attribute, m Machine) []Entry {
	var out []Entry
	for _, a := range all {
		e := Entry{Layer: a.Layer, Attribute: a.Name, Outcome: Recorded, What: cmp.Or(table().Layers[a.Layer], "no equivalent in a lab")}
		table().Attributes[a.Layer][a.Name].fill(&e)
		if m.NoBuffers != "" && pooled(a) {
			e.Outcome, e.What = Recorded, "no receive buffers here: "+m.NoBuffers
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Attribute, b.Attribute))
	})
	return out
}

// Refuses says why an attribute cannot be changed in this lab, or nothing.
func Refuses(layer, attribute string) string { return table().Attributes[layer][attribute][Refused] }
