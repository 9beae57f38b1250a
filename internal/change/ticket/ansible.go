package ticket

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

//go:embed playbook.yml.tmpl
var playbookText string

// The text of a playbook: Ansible has the braces.
var playbook = template.Must(template.New("").Delims("[[", "]]").Funcs(template.FuncMap{
	"yaml": func(s string) (string, error) { return scalar(yaml.Node{Value: s, Tag: "!!str"}) },
	"unsafe": func(s string) (string, error) {
		return scalar(yaml.Node{Value: s, Tag: "!unsafe", Style: yaml.LiteralStyle})
	},
}).Parse(playbookText))

// scalar writes a name or value of a playbook; Ansible expands nothing in one tagged unsafe.
func scalar(n yaml.Node) (string, error) {
	n.Kind = yaml.ScalarNode
	var b strings.Builder
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(map[string]*yaml.Node{"v": &n})
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(b.String(), "v: "), "\n"), "\n", "\n    "), err
}

// pattern is a host's name that means this host alone to Ansible.
var pattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// play is a leg as the playbook has it.
type play struct {
	leg
	Name, Work, Shell, Prelude string
	Known                      string // the function host_is_meant; empty: the host showed no address
	Steps, Undo                []playStep
}

type playStep struct {
	N               int
	Name, Functions string
}

// Playbook writes a plan for Ansible: a play for neighbouring steps of a host, in the
// plan's order, and with the tag backout all of them in reverse. Every step is read,
// done, read back, and undone if that fails; then the run ends.
func Playbook(p *plan.Plan) ([]byte, error) {
	if p.Next != nil {
		return nil, fmt.Errorf("plan %s goes on after a reboot, which a playbook does not wait for: use --scripts", p.ID)
	}
	var forward, backward []play
	for _, l := range legs(p) {
		x := play{leg: l, Name: fmt.Sprintf("%s: steps%s", l.Host, l.Numbers()), Shell: "sh -s", Prelude: task.Prelude}
		if m := l.Manual; m != nil {
			x.Host, x.Work = "localhost", plain(fmt.Sprintf("%s: %s: %s", m.Owner, m.What, strings.Join(m.Names(), ", ")))
			forward = append(forward, x)
			continue
		}
		if err := ownName(p, l.Host); err != nil {
			return nil, err
		}
		if !pattern.MatchString(l.Host) || slices.Contains([]string{"all", "ungrouped"}, l.Host) {
			return nil, fmt.Errorf("plan %s: Ansible would take the host name %q for more than one host: use --scripts", p.ID, l.Host)
		}
		if p.Steps[l.From-1].Platform == model.VIOS {
			x.Shell = "oem_setup_env"
		}
		for n := l.From; n <= l.To; n++ {
			x.Steps = append(x.Steps, playStep{n, stepName(p, n), p.Steps[n-1].Functions(n)})
		}
		_, x.Known = identity(p, l.Host)
		x.Undo = slices.Clone(x.Steps)
		slices.Reverse(x.Undo)
		forward, backward = append(forward, x), append(backward, x)
	}
	slices.Reverse(backward)
	var b bytes.Buffer
	if err := playbook.Execute(&b, map[string]any{"ID": p.ID, "Forward": forward, "Backward": backward}); err != nil {
		return nil, fmt.Errorf("playbook of plan %s: %w", p.ID, err)
	}
	return b.Bytes(), nil
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
