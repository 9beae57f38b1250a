package plans

import (
	"context"
	"fmt"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
)

// RehearsalSchema names the format of a rehearsal's result.
const RehearsalSchema = "seaworthy.rehearsal/1"

// Rehearsal is what apply asks of a rehearsal's result: rehearse -o writes it.
type Rehearsal struct {
	Schema    string    `json:"schema"`
	Plan      plan.ID   `json:"plan"`
	Ended     time.Time `json:"ended"`
	AsPlanned bool      `json:"as_planned"`
}

// maxRehearsal is the size of the largest result that is read, in bytes.
const maxRehearsal = 64 << 20

// RequireRehearsal reads the result of a rehearsal and refuses a plan that it is not about, that did not go as
// planned in it, or that was rehearsed longer ago than age. That the hosts are still as they were then, apply
// asks the hosts.
func RequireRehearsal(ctx context.Context, file string, p *plan.Plan, age time.Duration) error {
	text, err := decode.Read(ctx, file, maxRehearsal)
	if err != nil {
		return fmt.Errorf("rehearsal %s: %w (seaworthy rehearse PLAN -o writes one)", file, fileio.Cause(err))
	}
	var r Rehearsal
	err = decode.JSON(file, text, &r, decode.Newer)
	if err != nil {
		return err
	}
	switch since := time.Since(r.Ended); {
	case r.Schema != RehearsalSchema:
		return fmt.Errorf("rehearsal %s: its schema is %q, not %q (rehearse again)", file, r.Schema, RehearsalSchema)
	case r.Plan != p.ID:
		return fmt.Errorf("rehearsal %s: it is of plan %s, not of %s (rehearse this plan)", file, r.Plan, p.ID)
	case !r.AsPlanned:
		return fmt.Errorf("rehearsal %s: plan %s did not go as planned in it (its table says where)", file, p.ID)
	case since > age || since < -time.Hour:
		return fmt.Errorf("rehearsal %s: it ended at %s, and may be %s old (rehearse again, or --rehearsal-age)",
			file, r.Ended.Local().Format(time.DateTime), age)
	}
	return nil
}
