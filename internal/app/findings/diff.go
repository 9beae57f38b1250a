package findings

import (
	"context"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
)

// Compare reads the earlier folder and what args name, and says what changed:
// settings, counters and findings by the rules.
func Compare(ctx context.Context, access fleet.Access, rules Rules, earlier string, args []string) (*diff.Diff, *fleet.Reading, error) {
	set, err := rules.Compile(ctx)
	if err != nil {
		return nil, nil, err
	}
	got, err := access.ReadBoth(ctx, "diff", earlier, args, fleet.Options{})
	if err != nil {
		return nil, nil, err
	}
	d, err := diff.Audited(ctx, set, got.Before, got.Fleet)
	return d, got, err
}
