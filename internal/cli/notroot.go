package cli

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

// notRoot is what a host did not say because it was not read as root.
type notRoot struct {
	Why      string   `json:"why"`
	Commands []string `json:"commands"` // whose outputs are missing
	Rules    []string `json:"rules"`    // that cannot be judged without them

	manifest *collect.Manifest
}

// readBy is the command that a missing fact is read by, as its text ends.
var readBy = regexp.MustCompile(`\(([^(),]+)(?:, or [^()]*)?\)$`)

// notRead finds, for each host that was not read as root, what that costs: the rules
// that are not assessed for want of a command that gave nothing.
func (a *app) notRead(ctx context.Context, outcomes []collect.Outcome) (map[string]*notRoot, error) {
	lack := map[string]*notRoot{}
	read := &model.Fleet{}
	for _, o := range outcomes {
		if o.Manifest == nil || o.Dir == "" {
			continue
		}
		why := collect.NotRoot(o.Manifest.Gaps)
		if why == "" {
			continue
		}
		lack[o.Host] = &notRoot{Why: why, Commands: []string{}, Rules: []string{}, manifest: o.Manifest}
		saved, _ := collect.Inventories(ctx, o.Dir) // collect reported what it could not read
		read.Hosts = append(read.Hosts, saved.Hosts...)
	}
	if len(lack) == 0 {
		return nil, nil
	}
	set, err := (&ruleFlags{}).compile(ctx)
	if err != nil {
		return nil, err
	}
	all, err := set.Run(ctx, read, rule.Options{})
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		l := lack[f.Element.Host]
		if f.Verdict != finding.NotAssessed || l == nil {
			continue
		}
		for _, missing := range f.Missing {
			m := readBy.FindStringSubmatch(missing)
			if m == nil || !l.manifest.Withheld(m[1]) || !strings.HasPrefix(missing, f.Element.Host+" ") {
				continue
			}
			l.Commands, l.Rules = append(l.Commands, m[1]), append(l.Rules, f.Rule)
		}
	}
	for _, l := range lack {
		l.Commands, l.Rules = sorted(l.Commands), sorted(l.Rules)
	}
	return lack, nil
}

func sorted(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// noticeNotRoot reports the hosts that were not read as root, those with the same
// reason in one line.
func (a *app) noticeNotRoot(fleet *model.Fleet) {
	names := map[string][]string{}
	for _, h := range fleet.Hosts {
		if why := collect.NotRoot(h.Gaps); why != "" {
			names[why] = append(names[why], h.Name)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(names)) {
		who := names[why]
		if more := len(who) - 5; more > 0 {
			who = append(who[:5:5], fmt.Sprintf("and %d more", more))
		}
		a.Notice("%s: %s", strings.Join(who, ", "), why)
	}
}
