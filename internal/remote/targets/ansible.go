package targets

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/remote/become"
)

// ansible holds what an Ansible inventory says.
type ansible struct {
	hosts    map[string]login           // by host
	groups   map[string]map[string]bool // hosts by group
	children map[string][]string        // groups in groups
	vars     map[string]login           // by group
}

// login holds what variables say of where and as whom to log in.
type login struct{ address, user, port, become, method string }

// or takes what is not said from another.
func (l login) or(o login) login {
	return login{cmp.Or(l.address, o.address), cmp.Or(l.user, o.user), cmp.Or(l.port, o.port), cmp.Or(l.become, o.become),
		cmp.Or(l.method, o.method)}
}

func loginOf[V any](vars map[string]V) login {
	get := func(key string) string {
		return cmp.Or(text(vars, "ansible_"+key), text(vars, "ansible_ssh_"+key))
	}
	return login{get("host"), get("user"), get("port"), text(vars, "ansible_become"), text(vars, "ansible_become_method")}
}

// becomes is how the login becomes root; Auto: nothing is said of it.
func (l login) becomes() (become.Method, error) {
	switch strings.ToLower(l.become) {
	case "":
		return become.Auto, nil
	case "true", "yes", "1", "on":
		method := become.Method(cmp.Or(l.method, string(become.Sudo)))
		return method, method.Check()
	case "false", "no", "0", "off":
		return become.None, nil
	}
	return "", fmt.Errorf("ansible_become %q: expected true or false", l.become)
}

func text[V any](vars map[string]V, key string) string {
	if v, ok := vars[key]; ok {
		return fmt.Sprint(v)
	}
	return ""
}

func newAnsible() *ansible {
	return &ansible{hosts: map[string]login{}, groups: map[string]map[string]bool{}, children: map[string][]string{}, vars: map[string]login{}}
}

// readAnsible reads an Ansible inventory, INI or YAML; nil: the text is none.
func readAnsible(file string, text []byte) (*ansible, error) {
	if bytes.HasPrefix(text, []byte("#!")) {
		return nil, fmt.Errorf("%s is a script, which is not run: save what its --list prints in a file, and name that with -i", file)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") || line == "---" {
			continue
		}
		if strings.HasPrefix(line, "[") || strings.Contains(line, "ansible_") && !strings.Contains(line, ":") {
			return readINI(file, text)
		}
		break
	}
	n, err := decode.Node(file, text)
	if n == nil || err != nil {
		return nil, err
	}
	if isListed(n) {
		return readListed(file, n)
	}
	if n.Kind != yaml.MappingNode || !slices.ContainsFunc(n.Content, func(n *yaml.Node) bool { return n.Value == "all" }) {
		return nil, nil
	}
	var top map[string]yamlGroup
	if err := decode.YAML(file, text, &top); err != nil {
		return nil, err
	}
	a := newAnsible()
	for name, g := range top {
		a.group(name, g)
	}
	return a, nil
}

type yamlGroup struct {
	Hosts    map[string]map[string]any `yaml:"hosts"`
	Children map[string]yamlGroup      `yaml:"children"`
	Vars     map[string]any            `yaml:"vars"`
}

func (a *ansible) group(name string, g yamlGroup) {
	for host, vars := range g.Hosts {
		names, err := expandRanges(host)
		if err != nil || len(a.hosts)+len(names) > mostMembers {
			names = []string{host} // the check of names refuses it, with its line
		}
		for _, one := range names {
			a.add(name, one, loginOf(vars))
		}
	}
	a.vars[name] = loginOf(g.Vars).or(a.vars[name])
	for child, sub := range g.Children {
		a.children[name] = append(a.children[name], child)
		a.group(child, sub)
	}
}

func (a *ansible) add(group, host string, l login) {
	a.hosts[host] = l.or(a.hosts[host])
	if a.groups[group] == nil {
		a.groups[group] = map[string]bool{}
	}
	a.groups[group][host] = true
}

// readINI reads the form with [group], [group:vars] and [group:children].
func readINI(file string, text []byte) (*ansible, error) {
	a := newAnsible()
	group, kind := "ungrouped", ""
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		switch {
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";"):
		case strings.HasPrefix(line, "["):
			inner, ok := strings.CutSuffix(strings.TrimPrefix(line, "["), "]")
			group, kind, _ = strings.Cut(inner, ":")
			if !ok || group == "" || strings.ContainsAny(group, "[]") || kind != "" && kind != "vars" && kind != "children" {
				return nil, fmt.Errorf("%s:%d: %.100s: expected [group], [group:vars] or [group:children]", file, n, line)
			}
		case kind == "children":
			a.children[group] = append(a.children[group], line)
		case kind == "vars":
			a.vars[group] = loginOf(assigned(line)).or(a.vars[group])
		default:
			words := strings.Fields(line)
			names, err := expandRanges(words[0])
			if err == nil && len(a.hosts)+len(names) > mostMembers {
				err = fmt.Errorf("more than %d hosts", mostMembers)
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %.100s: %w", file, n, words[0], err)
			}
			for _, name := range names {
				a.add(group, name, loginOf(assigned(words[1:]...)))
			}
		}
	}
	return a, nil
}

func assigned(words ...string) map[string]string {
	vars := map[string]string{}
	for _, w := range words {
		if k, v, ok := strings.Cut(w, "="); ok {
			vars[strings.TrimSpace(k)] = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return vars
}

// mostMembers bounds the hosts of all groups together, those of groups in groups
// each time, and the groups that are in groups.
const mostMembers = 300_000

// members are the hosts of a group and of those in it. count is the work so far.
func (a *ansible) members(group string, count *int) []string {
	hosts, seen := map[string]bool{}, map[string]bool{group: true}
	for queue := []string{group}; len(queue) > 0 && *count <= mostMembers; queue = queue[1:] {
		maps.Copy(hosts, a.groups[queue[0]])
		*count += len(a.groups[queue[0]]) + len(a.children[queue[0]])
		for _, child := range a.children[queue[0]] {
			if !seen[child] {
				seen[child] = true
				queue = append(queue, child)
			}
		}
	}
	return slices.Sorted(maps.Keys(hosts))
}

// entries are the hosts and groups in the form of our own file. A host's own
// variable goes before a group's, a group's before those of groups around it and
// of all.
func (a *ansible) entries(file string) (map[string]Entry, map[string][]string, error) {
	groups, count := map[string][]string{}, 0
	names := slices.AppendSeq(slices.Collect(maps.Keys(a.groups)), maps.Keys(a.children))
	for _, name := range names {
		if m := a.members(name, &count); name != "all" && name != "ungrouped" && len(m) > 0 {
			groups[name] = m
		}
		if count > mostMembers {
			return nil, nil, fmt.Errorf("%s: its groups have more than %d members in all, those of groups in groups each time", file, mostMembers)
		}
	}
	// A group in another is not a larger. Of two the later name decides, as in Ansible.
	logins := maps.Clone(a.hosts)
	for _, name := range slices.SortedFunc(maps.Keys(groups), func(x, y string) int {
		return cmp.Or(len(groups[x])-len(groups[y]), cmp.Compare(y, x))
	}) {
		for _, host := range groups[name] {
			logins[host] = logins[host].or(a.vars[name])
		}
	}
	hosts := map[string]Entry{}
	for name, l := range logins {
		l = l.or(a.vars["all"])
		port, err := strconv.Atoi(cmp.Or(l.port, "0"))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: host %s: ansible_port %s: expected a number", file, name, l.port)
		}
		method, err := l.becomes()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: host %s: %w", file, name, err)
		}
		hosts[name] = Entry{Address: l.address, User: l.user, Port: port, Become: method}
	}
	return hosts, groups, nil
}
