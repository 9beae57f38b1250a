package findings

import (
	"context"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
)

// Compare reads the earlier folder and what args name, and says what changed:
// settings, counters and findings by the rules; with settings, only settings, levels, topology and
// the findings that rest on them.
func Compare(
	ctx context.Context, access fleet.Access, rules Rules, earlier string, args []string, settings bool,
) (*diff.Diff, *fleet.Reading, error) {
	set, err := rules.Compile(ctx)
	if err != nil {
		return nil, nil, err
	}
	got, err := access.ReadBoth(ctx, "diff", earlier, args, fleet.Options{})
	if err != nil {
		return nil, nil, err
	}
	before, now := got.Before, got.Fleet
	if settings {
		before, now = diff.Configured(before), diff.Configured(now)
	}
	d, err := diff.Audited(ctx, set, before, now)
	if err == nil && settings {
		d.OnlySettings()
	}
	return d, got, err
}
