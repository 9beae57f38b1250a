package ticket

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"seaworthy/change/plan"
	"seaworthy/change/task"
	"seaworthy/inventory"
)

type (
	play struct {
		Name      string                `yaml:"name"`
		Hosts     string                `yaml:"hosts"`
		Gather    bool                  `yaml:"gather_facts"`
		Fatal     bool                  `yaml:"any_errors_fatal"`
		Tags      []string              `yaml:"tags,flow"`
		Variables map[string]unsafeText `yaml:"vars,omitempty"`
		Tasks     []ansibleTask         `yaml:"tasks"`
	}
	ansibleTask struct {
		Name     string   `yaml:"name"`
		Raw      string   `yaml:"ansible.builtin.raw,omitempty"`
		Assert   *assert  `yaml:"ansible.builtin.assert,omitempty"`
		Register string   `yaml:"register,omitempty"`
		When     string   `yaml:"when,omitempty"`
		Check    *bool    `yaml:"check_mode,omitempty"`
		Changed  string   `yaml:"changed_when,omitempty"`
		Failed   string   `yaml:"failed_when,omitempty"`
		Tags     []string `yaml:"tags,flow,omitempty"`
	}
	assert struct {
		That    string `yaml:"that"`
		FailMsg string `yaml:"fail_msg"`
	}
)

// unsafeText is text in which Ansible expands nothing.
type unsafeText string

// MarshalYAML gives it Ansible's tag.
func (t unsafeText) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!unsafe", Value: string(t), Style: yaml.LiteralStyle}, nil
}

// pattern is a host's name that means this host alone to Ansible.
var pattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

const playbookHead = `# Plan %[1]s.
# Dry run:     ansible-playbook -i INVENTORY FILE --check
# Implement:   ansible-playbook -i INVENTORY FILE
# Read back:   ansible-playbook -i INVENTORY FILE --tags verify
# Back out:    ansible-playbook -i INVENTORY FILE --tags backout
# Log in as root (or set ansible_become), to a VIOS as padmin. Hosts need no Python.
# Unlike seaworthy apply --confirm-within, a host that is cut off does not revert by itself.
`

// Playbook writes a plan for Ansible: a play for neighbouring steps of a host, in the
// plan's order, and with the tag backout all of them in reverse. Every step is read,
// done, read back, and undone if that fails; then the run ends.
func Playbook(p *plan.Plan) ([]byte, error) {
	if p.Next != nil {
		return nil, fmt.Errorf("plan %s goes on after a restart, which a playbook does not wait for: use --scripts", p.ID)
	}
	var forward, backward []play
	for _, l := range legs(p) {
		if l.Manual != nil {
			forward = append(forward, byHand(p, l))
			continue
		}
		if !pattern.MatchString(l.Host) || slices.Contains([]string{"all", "ungrouped"}, l.Host) {
			return nil, fmt.Errorf("plan %s: Ansible would take the host name %q for more than one host: use --scripts", p.ID, l.Host)
		}
		forward = append(forward, implement(p, l))
		backward = append(backward, backout(p, l))
	}
	slices.Reverse(backward)
	var b bytes.Buffer
	fmt.Fprintf(&b, playbookHead, p.ID)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(append(forward, backward...)); err != nil {
		return nil, fmt.Errorf("playbook of plan %s: %w", p.ID, err)
	}
	return b.Bytes(), nil
}

// byHand stops the run until somebody says that the work of people is done.
func byHand(p *plan.Plan, l leg) play {
	name := "seaworthy_done_" + fmt.Sprint(l.From)
	var ports []string
	for _, x := range l.Manual.Ports {
		ports = append(ports, x.String())
	}
	what := plain(fmt.Sprintf("%s: %s: %s", l.Manual.Owner, l.Manual.What, strings.Join(ports, ", ")))
	return play{Name: fmt.Sprintf("step %d, by hand: %s", l.From, what), Hosts: "localhost", Fatal: true, Tags: []string{"implement"},
		Tasks: []ansibleTask{{Name: "is it done?", Assert: &assert{That: name + " | default(false) | bool",
			FailMsg: fmt.Sprintf("To be done first by the %s. Once it is: -e %s=true", what, name)}}}}
}

func implement(p *plan.Plan, l leg) play {
	x := playOf(p, l, "implement")
	always := false
	for n := l.From; n <= l.To; n++ {
		name, read := stepName(p, n), fmt.Sprintf("read_%d", n)
		x.Tasks = append(x.Tasks,
			ansibleTask{Name: name + ": read", Check: &always, Register: read, Tags: []string{"verify"},
				Raw:     script(l, n, `if after_N; then echo "seaworthy: as planned"; else echo "seaworthy: differs"; fi`),
				Changed: "ansible_check_mode and 'seaworthy: differs' in " + read + ".stdout",
				Failed:  "'seaworthy: ' not in " + read + ".stdout"},
			ansibleTask{Name: name, Register: "done", When: "'seaworthy: differs' in " + read + ".stdout",
				Raw: script(l, n, `if before_N; then
	if do_N && after_N; then echo "seaworthy: changed"
	else undo_N || undo_N; if undone_N; then echo "failed, and undone"; else echo "failed, and NOT undone"; fi; fi
else echo "not as the plan expects it: nothing was done"; fi`),
				Failed: "'seaworthy: changed' not in done.stdout"})
	}
	return x
}

func backout(p *plan.Plan, l leg) play {
	x := playOf(p, l, "never", "backout")
	x.Name = "back out " + x.Name
	for n := l.To; n >= l.From; n-- {
		x.Tasks = append(x.Tasks, ansibleTask{Name: "undo " + stepName(p, n), Register: "undone",
			Raw: script(l, n, `if undone_N >/dev/null; then echo "seaworthy: as before"; else
	undo_N || undo_N; if undone_N; then echo "seaworthy: undone"; fi; fi`),
			Changed: "'seaworthy: undone' in undone.stdout",
			Failed:  "'seaworthy: ' not in undone.stdout"})
	}
	return x
}

func playOf(p *plan.Plan, l leg, tags ...string) play {
	x := play{Name: fmt.Sprintf("%s: steps%s", l.Host, l.Numbers()), Hosts: l.Host, Fatal: true, Tags: tags,
		Variables: map[string]unsafeText{"prelude": unsafeText(task.Prelude)}}
	for n := l.From; n <= l.To; n++ {
		x.Variables[fmt.Sprintf("step_%d", n)] = unsafeText(p.Steps[n-1].Functions(n))
	}
	shell := "sh -s"
	if p.Steps[l.From-1].Platform == inventory.VIOS {
		shell = "oem_setup_env"
	}
	x.Variables["shell"] = unsafeText(shell)
	return x
}

// script is what one task sends: the functions of a step, and what is to be done with
// them. Its verdict is a word on the standard output, since oem_setup_env need not give
// an exit status.
func script(l leg, n int, body string) string {
	body = strings.ReplaceAll(body, "_N", fmt.Sprintf("_%d", n))
	return fmt.Sprintf("{{ shell }} <<'SEAWORTHY'\n{{ prelude }}\n{{ step_%d }}\n{\n%s\n} </dev/null\nSEAWORTHY\n", n, body)
}

func stepName(p *plan.Plan, n int) string {
	s := p.Steps[n-1]
	var what []string
	for _, c := range s.Changes {
		name := c.Name()
		if to := cmp.Or(c.After.Running, c.After.NextBoot); to != nil {
			name += "=" + *to
		}
		what = append(what, name)
	}
	return plain(fmt.Sprintf("step %d: %s %s", n, s.Element, strings.Join(what, ", ")))
}

// plain is text in which Ansible finds nothing to expand.
func plain(s string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(task.Comment(s)) }
