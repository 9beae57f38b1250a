package replica

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"seaworthy/lab/topology"
)

// maxUnfit is how many parts of a network may contradict each other, or what a lab can have, before there is no copy.
const maxUnfit = 200

// fit returns the text of the copy, and leaves out what a topology cannot have: what was read may contradict itself, as
// outputs of hosts do that were put together by a person.
func (b *builder) fit() ([]byte, error) {
	var wrong *topology.Error
	for range maxUnfit {
		text, err := b.file.text()
		if err != nil {
			return nil, err
		}
		_, err = topology.Parse("copy.yaml", text)
		if err == nil {
			return text, nil
		}
		if !errors.As(err, &wrong) || !b.drop(placeOf(text, wrong.Line), wrong.Msg) {
			return nil, fmt.Errorf("the copy is not a topology: %w", err)
		}
	}
	return nil, fmt.Errorf("the copy is not a topology, though %d parts were left out: %w", maxUnfit, wrong)
}

// place is a part of a node in a topology's text.
type place struct{ node, section, name string }

// placeOf finds the part of a node that a line of the text belongs to; without a node: none.
func placeOf(text []byte, line int) (found place) {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return found
	}
	top := doc.Content[0]
	nodes := slices.Clone(sequence(member(top, "servers")))
	for _, s := range sequence(member(top, "systems")) {
		nodes = append(nodes, sequence(member(s, "nodes"))...)
	}
	var node *yaml.Node
	for _, n := range nodes {
		if n.Line <= line && (node == nil || n.Line > node.Line) {
			node = n
		}
	}
	if node == nil {
		return found
	}
	if name := member(node, "name"); name != nil {
		found.node = name.Value
	}
	var section *yaml.Node
	found.section, section = lastBefore(node, line)
	found.name, _ = lastBefore(section, line)
	return found
}

// member is a value of a mapping; nil: it has none of that key.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func sequence(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// lastBefore is the last key of a mapping that begins at or before a line.
func lastBefore(n *yaml.Node, line int) (key string, value *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return "", nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Line <= line {
			key, value = n.Content[i].Value, n.Content[i+1]
		}
	}
	return key, value
}

// drop leaves out a part of a node, and says why; false: there is no such part.
func (b *builder) drop(at place, why string) bool {
	n := b.file.node(at.node)
	if n == nil {
		return false
	}
	host := at.node
	for h, node := range b.nodes {
		if node == at.node {
			host = h
		}
	}
	_, adapter := n.Adapters[at.name]
	_, iface := n.Interfaces[at.name]
	_, route := n.Routes[at.name]
	switch {
	case at.section == "adapters" && adapter:
		b.dropAdapter(n, host, at.name, why)
	case at.section == "interfaces" && iface:
		delete(n.Interfaces, at.name)
		b.add(LeftOut, host+":"+at.name, "%s", why)
	case at.section == "routes" && route:
		delete(n.Routes, at.name)
		b.add(LeftOut, host, "%s", why)
	case at.section == "set" && n.Set[at.name] != nil:
		delete(n.Set, at.name)
		b.add(LeftOut, host+":"+at.name, "%s", why)
	case at.section == "next_boot" && n.NextBoot[at.name] != nil:
		delete(n.NextBoot, at.name)
		b.add(LeftOut, host+":"+at.name, "%s", why)
	default:
		b.file.dropNode(at.node)
		delete(b.nodes, host)
		b.add(LeftOut, host, "%s", why)
	}
	if len(n.Adapters) == 0 {
		b.file.dropNode(at.node)
		delete(b.nodes, host)
	}
	return true
}

// dropAdapter leaves out an adapter with what stands on it.
func (b *builder) dropAdapter(n *nodeFile, host, name, why string) {
	below := n.Adapters[name]
	delete(n.Adapters, name)
	delete(n.Interfaces, name)
	delete(n.Interfaces, "en"+name[min(len(name), len("ent")):])
	delete(n.Set, name)
	delete(n.NextBoot, name)
	if below.Port != "" {
		delete(b.file.Switch.Ports, below.Port)
	}
	b.add(LeftOut, host+":"+name, "%s", why)
	for _, by := range slices.Sorted(maps.Keys(n.Adapters)) {
		a, there := n.Adapters[by]
		if there && (a.Base == name || slices.Contains(a.below(), name)) {
			b.dropAdapter(n, host, by, fmt.Sprintf("%s below it is not in the copy", name))
		}
	}
}

// dropNode leaves out a node, and its system where that has no other.
func (t *topologyFile) dropNode(name string) {
	is := func(n nodeFile) bool { return n.Name == name }
	t.Servers = slices.DeleteFunc(t.Servers, is)
	for i := range t.Systems {
		t.Systems[i].Nodes = slices.DeleteFunc(t.Systems[i].Nodes, is)
	}
	t.Systems = slices.DeleteFunc(t.Systems, func(s systemFile) bool { return len(s.Nodes) == 0 })
}
