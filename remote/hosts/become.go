package hosts

import (
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"seaworthy/remote/become"
)

// Become says how logins become root: by patterns of host names; the first
// that matches holds. In a file it is one word for all hosts, or a mapping.
type Become []rootBy

type rootBy struct {
	pattern string
	method  become.Method
}

// UnmarshalYAML reads a word, or a mapping in its order.
func (b *Become) UnmarshalYAML(n *yaml.Node) error {
	pairs := n.Content
	switch n.Kind {
	case yaml.ScalarNode:
		pairs = []*yaml.Node{{Kind: yaml.ScalarNode, Value: "*", Line: n.Line}, n}
	case yaml.MappingNode:
	default:
		return fmt.Errorf("line %d: become: expected a word, or a mapping of host patterns to words", n.Line)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		one := rootBy{pairs[i].Value, become.Method(pairs[i+1].Value)}
		if _, err := path.Match(one.pattern, ""); err != nil {
			return fmt.Errorf("line %d: become: pattern %q: expected * for any text, ? for one character, [ab] for one of these",
				pairs[i].Line, one.pattern)
		}
		if err := one.method.Check(); err != nil || pairs[i+1].Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: become %q: expected %s", pairs[i+1].Line, one.method, strings.Join(become.Methods, ", "))
		}
		*b = append(*b, one)
	}
	return nil
}

// of is the method for a host.
func (b Become) of(host string) become.Method {
	for _, one := range b {
		if ok, _ := path.Match(one.pattern, host); ok { // checked when it was read
			return one.method
		}
	}
	return become.Auto
}
