package findings

import (
	"context"
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Change says which changes of hosts are planned.
type Change struct {
	Rules   Rules
	Set     []string // HOST:ELEMENT:ATTR=VALUE; none: what the findings ask for
	Site    string   // file of what the site wants; empty: what Set or the findings ask for
	Jumbo   []string // hosts between which jumbo frames are to pass; none: what Set or the findings ask for
	Only    []string // rules or findings; none: all
	Waivers []string // files
	Accept  []string // risks that do not stop a step

	Notify func(format string, args ...any) // told of choices without effect
}

// Make reads the hosts and folders that args name and plans the change for them.
func (c *Change) Make(ctx context.Context, access fleet.Access, args []string) (*plan.Plan, *fleet.Reading, error) {
	set, err := c.Rules.Compile(ctx)
	if err != nil {
		return nil, nil, err
	}
	got, err := access.ReadNewest(ctx, args, fleet.Options{})
	if err != nil {
		return nil, nil, err
	}
	p, err := c.Plan(ctx, set, got.Fleet)
	return p, got, err
}

// Plan plans the change for hosts that were read.
func (c *Change) Plan(ctx context.Context, set *rule.Set, hosts *model.Fleet) (*plan.Plan, error) {
	desired, now, err := c.desired(ctx, set, hosts)
	if err != nil {
		return nil, err
	}
	return plan.Simulator{Rules: set, Accept: c.Accept, Now: now}.Build(ctx, hosts, knowledge.BuiltIn(), desired)
}

// desired returns the values to plan, and what the audit said that they come from; nil:
// none was needed.
func (c *Change) desired(
	ctx context.Context, set *rule.Set, hosts *model.Fleet,
) (want []plan.DesiredSetting, all []finding.Finding, err error) {
	if len(c.Jumbo) > 0 {
		want, err = plan.Jumbo(ctx, hosts, c.Jumbo)
		return want, nil, err
	}
	if c.Site != "" {
		want, err = wantedBy(ctx, c.Site, hosts)
		return want, nil, err
	}
	if len(c.Set) > 0 {
		want, err = ParseSettings(c.Set)
		return want, nil, err
	}
	all, err = set.Run(ctx, hosts, rule.Options{Passed: new(int)})
	if err != nil {
		return nil, nil, err
	}
	left, ineffective, err := withoutWaived(ctx, all, c.Waivers)
	if err != nil {
		return nil, nil, err
	}
	for _, line := range ineffective {
		c.Notify("%s", line)
	}
	finding.LargestNeeds(left)
	chosen, err := c.choose(set, left)
	if err != nil {
		return nil, nil, err
	}
	return plan.FromFindings(chosen), all, nil
}

// choose keeps the findings that are named.
func (c *Change) choose(set *rule.Set, all []finding.Finding) ([]finding.Finding, error) {
	if len(c.Only) == 0 {
		return all, nil
	}
	err := known(set, c.Only)
	if err != nil {
		return nil, err
	}
	var out []finding.Finding
	for _, id := range c.Only {
		n := len(out)
		for _, f := range all {
			if f.Verdict == finding.Found && isNamed(f, id) {
				out = append(out, f)
			}
		}
		if len(out) == n {
			c.Notify("--only %s: no finding of that id or rule; %s", id, available(all))
		}
	}
	return out, nil
}

// available names the findings that have a remedy.
func available(all []finding.Finding) string {
	var ids []string
	for _, f := range all {
		if f.Verdict == finding.Found && len(f.Remedy) > 0 {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) == 0 {
		return "none has a remedy"
	}
	return "there are " + strings.Join(ids, ", ")
}

// ParseSettings reads settings as HOST:ELEMENT:ATTR=VALUE.
func ParseSettings(texts []string) ([]plan.DesiredSetting, error) {
	var all []plan.DesiredSetting
	for _, text := range texts {
		head, value, ok := strings.Cut(text, "=")
		parts := strings.Split(head, ":")
		if !ok || len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
			return nil, app.Usage("--set %s: expected HOST:ELEMENT:ATTR=VALUE", text)
		}
		setting := finding.Setting{Ref: model.Ref{Host: parts[0], Element: parts[1]}, Attr: parts[2], Value: value}
		all = append(all, plan.DesiredSetting{Setting: setting})
	}
	return all, nil
}

// Plan plans what findings ask for.
func Plan(ctx context.Context, set *rule.Set, hosts *model.Fleet, all []finding.Finding) (*plan.Plan, error) {
	return plan.Simulator{Rules: set}.Build(ctx, hosts, knowledge.BuiltIn(), plan.FromFindings(all))
}
