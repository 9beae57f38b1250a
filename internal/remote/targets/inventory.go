package targets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/remote/become"
)

const maxInventory = 1 << 20

// Entry is one host of an inventory file.
type Entry struct {
	Address   string            `yaml:"address,omitempty"`
	User      string            `yaml:"user,omitempty"`
	Port      int               `yaml:"port,omitempty"`
	Via       string            `yaml:"via,omitempty"`
	Platform  string            `yaml:"platform,omitempty"`
	SSHConfig string            `yaml:"ssh_config,omitempty"`
	Become    become.Method     `yaml:"become,omitempty"`
	Labels    map[string]string `yaml:"labels,omitempty"`
}

// Inventory is a checked inventory file.
type Inventory struct {
	File      string
	SSHConfig string // complete path, or empty
	Become    Become // of hosts that do not say it themselves
	Hosts     map[string]Entry
	Groups    map[string][]string // hosts by group
}

// Names are the hosts of the file in alphabetical order.
func (v *Inventory) Names() []string {
	return slices.Sorted(maps.Keys(v.Hosts))
}

// expand puts the hosts of a group in place of its name.
func (v *Inventory) expand(names []string) []string {
	var out []string
	for _, name := range names {
		if members, ok := v.Groups[name]; ok {
			out = append(out, members...)
			continue
		}
		out = append(out, name)
	}
	return out
}

// Load reads an inventory file, ours or Ansible's. Errors name file and line.
func Load(ctx context.Context, file string) (*Inventory, error) {
	text, err := decode.Read(ctx, file, maxInventory)
	if err != nil {
		return nil, fmt.Errorf("inventory: %w", err)
	}
	return parse(file, text)
}

func parse(file string, text []byte) (*Inventory, error) {
	var doc struct {
		SSHConfig string           `yaml:"ssh_config"`
		Become    Become           `yaml:"become"`
		Hosts     map[string]Entry `yaml:"hosts"`

		Groups map[string][]string `yaml:"groups"`
	}
	other, err := readAnsible(file, text)
	if err != nil {
		return nil, err
	}
	if other != nil {
		if doc.Hosts, doc.Groups, err = other.entries(file); err != nil {
			return nil, err
		}
	} else if err := decode.YAML(file, text, &doc); err != nil {
		return nil, err
	}
	v := &Inventory{File: file, Become: doc.Become, Hosts: map[string]Entry{}, Groups: doc.Groups}
	v.SSHConfig = v.relative(doc.SSHConfig)
	for name, e := range doc.Hosts {
		e.SSHConfig = v.relative(e.SSHConfig)
		e.Platform = strings.ToLower(e.Platform)
		v.Hosts[name] = e
	}
	err = v.check(text)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// mostFaults is how many faults of an inventory are named.
const mostFaults = 20

// check names what is wrong in a file, all of it, a line each.
func (v *Inventory) check(text []byte) error {
	var faults []error
	for _, name := range v.Names() {
		if key, err := check(name, v.Hosts[name]); err != nil {
			faults = append(faults, fmt.Errorf("%s:%d: host %.100s: %w", v.File, lineOf(text, "hosts", name, key), name, err))
		}
	}
	for _, group := range slices.Sorted(maps.Keys(v.Groups)) {
		if _, ok := v.Hosts[group]; ok {
			faults = append(faults, fmt.Errorf("%s:%d: group %.100s: a host has this name", v.File, lineOf(text, "groups", group), group))
		}
		for _, name := range v.Groups[group] {
			if _, ok := v.Hosts[name]; !ok {
				faults = append(faults, fmt.Errorf("%s:%d: group %.100s: %.100s is none of the hosts", v.File, lineOf(text, "groups", group),
					group, name))
			}
		}
	}
	if more := len(faults) - mostFaults; more > 0 {
		faults = append(faults[:mostFaults], fmt.Errorf("%s: %d more", v.File, more))
	}
	return errors.Join(faults...)
}

// relative completes a path that is given relative to the inventory file.
func (v *Inventory) relative(file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return filepath.Join(filepath.Dir(v.File), file)
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:-]*$`)

// check returns the key at fault and what was expected of it.
func check(name string, e Entry) (string, error) {
	switch {
	case !hostName.MatchString(name) || name == Local:
		return "", fmt.Errorf("not usable as a name: expected letters, digits and . _ - : (and not %q)", Local)
	case e.Port < 0 || e.Port > 65535:
		return "port", fmt.Errorf("port %d: expected a number from 1 to 65535", e.Port)
	case e.Platform != "" && !slices.Contains([]string{"aix", "vios", "linux", "hmc"}, e.Platform):
		return "platform", fmt.Errorf("platform %q: expected aix, vios, linux or hmc", e.Platform)
	case e.Become.Check() != nil:
		return "become", e.Become.Check()
	case e.Via == name:
		return "via", errors.New("via names the host itself")
	}
	return "", nil
}

// lineOf finds the line of a key in the file, by the keys above it.
func lineOf(text []byte, keys ...string) int {
	at, err := decode.Node("", text)
	if at == nil || err != nil {
		return 1
	}
	line := 1
	for _, key := range keys {
		for i := 0; i+1 < len(at.Content); i += 2 {
			if at.Content[i].Value == key {
				line, at = at.Content[i].Line, at.Content[i+1]
				break
			}
		}
	}
	return line
}

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
