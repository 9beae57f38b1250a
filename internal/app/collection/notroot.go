package collection

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/app/findings"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

// NotRoot holds what a host did not say because it was not read as root.
type NotRoot struct {
	Why      string   `json:"why"`
	Commands []string `json:"commands"` // whose outputs are missing
	Rules    []string `json:"rules"`    // that cannot be judged without them

	manifest *collect.Manifest
}

// readBy is the command that a missing fact is read by, as its text ends.
var readBy = regexp.MustCompile(`\(([^(),]+)(?:, or [^()]*)?\)$`)

// notRoot finds, for each host that was not read as root, what that costs: the rules
// that are not assessed for lack of a command that gave nothing.
func notRoot(ctx context.Context, outcomes []collect.Outcome) (map[string]*NotRoot, error) {
	lack := map[string]*NotRoot{}
	read := &model.Fleet{}
	for _, o := range outcomes {
		if o.Manifest == nil || o.Dir == "" {
			continue
		}
		why := collect.NotRoot(o.Manifest.Gaps)
		if why == "" {
			continue
		}
		lack[o.Host] = &NotRoot{Why: why, Commands: []string{}, Rules: []string{}, manifest: o.Manifest}
		saved, _ := collect.Inventories(ctx, o.Dir) // collect reported what it could not read
		read.Hosts = append(read.Hosts, saved.Hosts...)
	}
	if len(lack) == 0 {
		return nil, nil
	}
	set, err := findings.Rules{}.Compile(ctx)
	if err != nil {
		return nil, err
	}
	all, err := set.Run(ctx, read, rule.Options{})
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		l := lack[f.Element.Host]
		if f.Verdict == finding.NotAssessed && l != nil {
			l.add(f)
		}
	}
	for _, l := range lack {
		l.Commands, l.Rules = sorted(l.Commands), sorted(l.Rules)
	}
	return lack, nil
}

// add notes the commands that a verdict misses.
func (l *NotRoot) add(f finding.Finding) {
	for _, missing := range f.Missing {
		m := readBy.FindStringSubmatch(missing)
		if m == nil || !l.manifest.Withheld(m[1]) || !strings.HasPrefix(missing, f.Element.Host+" ") {
			continue
		}
		l.Commands, l.Rules = append(l.Commands, m[1]), append(l.Rules, f.Rule)
	}
}

func sorted(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
