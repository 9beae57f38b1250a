package targets

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// listedGroup is a group as a dynamic inventory prints it; Ansible allows a bare list of hosts.
type listedGroup struct {
	Hosts    []string       `yaml:"hosts"`
	Children []string       `yaml:"children"`
	Vars     map[string]any `yaml:"vars"`
}

// meta is where a dynamic inventory has the variables of hosts.
const meta = "_meta"

// isListed says whether a document is what a dynamic inventory prints for --list.
func isListed(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && slices.ContainsFunc(n.Content, func(key *yaml.Node) bool { return key.Value == meta })
}

// readListed reads what a dynamic inventory prints for --list: the groups with their hosts,
// and _meta with the variables of each host.
func readListed(file string, n *yaml.Node) (*ansible, error) {
	a := newAnsible()
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		if name == meta {
			var vars struct {
				Hosts map[string]map[string]any `yaml:"hostvars"`
			}
			err := value.Decode(&vars)
			if err != nil {
				return nil, fmt.Errorf("%s: _meta: %w", file, err)
			}
			for host, of := range vars.Hosts {
				a.add("ungrouped", host, loginOf(of))
			}
			continue
		}
		var g listedGroup
		decode := value.Decode(&g)
		if value.Kind == yaml.SequenceNode {
			decode = value.Decode(&g.Hosts)
		}
		if decode != nil {
			return nil, fmt.Errorf("%s: group %.100s: %w", file, name, decode)
		}
		for _, host := range g.Hosts {
			a.add(name, host, login{})
		}
		a.vars[name] = loginOf(g.Vars)
		a.children[name] = append(a.children[name], g.Children...)
	}
	return a, nil
}
