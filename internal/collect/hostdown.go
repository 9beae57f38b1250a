package collect

import (
	"context"
	"fmt"
	"strings"

	"seaworthy/internal/inventory/model"
)

// lastFew commands that all failed are reason to ask whether the host is there:
// one or the other that a host does not have fails anyway.
const lastFew = 3

// lostConnection reports whether a host went down while it was read: commands were ended by a
// signal, or what it answered in the beginning it does not answer any more. A
// host that crashes can keep the session open, so that every command just
// fails.
func (r *runner) lostConnection(ctx context.Context) error {
	if r.login.platform == model.Unknown {
		return r.unresponsive(ctx)
	}
	killed, failing := 0, 0 // in a row, to the end
	var first string
	for _, rec := range r.m.Commands {
		failing++
		if rec.Exit == 0 {
			failing = 0
		}
		// sh(1): a command that a signal ended has 128 and its number.
		if rec.Exit > 128 && rec.Exit < 128+32 {
			killed++
			if first == "" {
				first = model.Brief(rec.Line)
			}
		}
	}
	if killed == 0 && failing < min(lastFew, len(r.m.Commands)) || ctx.Err() != nil {
		return nil
	}
	// What detect asked is asked again.
	d := &detector{h: r.h, wrap: r.login.wrap}
	ask := []string{"uname -s", "ioscli ioslevel", "/usr/ios/cli/ioscli ioslevel"}
	if r.login.via == viosvrcmd {
		ask = ask[1:2]
	}
	answers := d.each(ctx, ask...)
	switch {
	case d.err != nil:
		return fmt.Errorf("%s: host became unreachable during collection: %w", r.h.Name(), d.err)
	case strings.Join(answers, "") == "":
		return fmt.Errorf("%s: host became unreachable during collection: %s, answered at the start, now fails", r.h.Name(), ask[0])
	case killed > 0:
		return fmt.Errorf("%s: host rebooted, or commands were killed, during collection: %d of %d, first %s", r.h.Name(), killed,
			len(r.m.Commands), first)
	}
	return nil
}

// unresponsive says so of a host whose commands all fail, unlike one of another system.
func (r *runner) unresponsive(ctx context.Context) error {
	for _, rec := range r.m.Commands {
		if rec.Exit == 0 || rec.Stdout != "" {
			return nil
		}
	}
	if len(r.m.Gaps) == 0 || ctx.Err() != nil {
		return nil
	}
	g := r.m.Gaps[0]
	return fmt.Errorf("%s: no command succeeds: %s: %s", r.h.Name(), g.What, g.Why)
}
