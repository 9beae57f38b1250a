package diff

import (
	"context"

	"seaworthy/audit/rule"
	"seaworthy/inventory"
)

// Audited is Of two readings with their findings compared, those of the later one by
// the growth of counters.
func Audited(ctx context.Context, set *rule.Set, before, now *inventory.Fleet) (*Diff, error) {
	d, err := Of(ctx, before, now)
	if err != nil {
		return nil, err
	}
	was, err := set.Run(ctx, before, rule.Options{Passed: new(int)})
	if err != nil {
		return nil, err
	}
	is, err := set.Run(ctx, now, rule.Options{Passed: new(int), Before: before})
	if err != nil {
		return nil, err
	}
	d.Findings = Compare(was, is)
	d.Findings.Unread(now.HasRead)
	return d, nil
}
