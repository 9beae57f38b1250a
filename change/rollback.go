package change

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"seaworthy/inventory"
	"seaworthy/remote"
)

// Rollback restores the running and next-boot values that a run found, in
// reverse order, and reads them back. A run that was killed is rolled back as
// far as its journal says it may have come. A second rollback has nothing to do.
// A run that this machine does not know, but the hosts do, is taken back by them.
func (r *Runner) Rollback(ctx context.Context, id string) (*Run, error) {
	run, p, err := r.Journals.Load(id)
	if errors.Is(err, ErrNoRun) && runID.MatchString(id) {
		return r.takeBack(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if run.Within != "" {
		return r.rollbackKept(ctx, run, p)
	}
	for i, s := range p.Steps {
		if run.Steps[i].undoable() && r.Hosts[s.Host] == nil {
			return nil, fmt.Errorf("run %s: host %s is not connected", id, s.Host)
		}
	}
	release, err := r.Journals.lock(ctx, p.Hosts)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	defer release()
	// Only now: another rollback may have come first.
	if run, p, err = r.Journals.Load(id); err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(r.Journals.Dir, id), id)
	if err != nil {
		return nil, err
	}
	defer j.file.Close()
	var mu sync.Mutex
	var failed, unlogged []error
	undone := 0
	for _, group := range slices.Backward(p.together()) {
		group = begun(run, group)
		if len(group) == 0 {
			continue
		}
		if ctx.Err() != nil {
			failed = append(failed, fmt.Errorf("stopped before %s: %w", group[0].ID, context.Cause(ctx)))
			break
		}
		_ = eachStep(group, func(s Step) error {
			err, logged := r.undo(context.WithoutCancel(ctx), j, s)
			mu.Lock()
			defer mu.Unlock()
			if logged != nil {
				unlogged = append(unlogged, logged)
			}
			if err != nil {
				failed = append(failed, err)
			} else {
				undone++
			}
			return nil
		})
	}
	outcome := RolledBack
	if len(failed) > 0 {
		outcome = Partial
	}
	err = errors.Join(failed...)
	if undone > 0 || err != nil {
		end := event{Event: evEnd, Outcome: outcome}
		if err != nil {
			end.Error = err.Error()
		}
		err = errors.Join(err, errors.Join(unlogged...), j.write(end))
	}
	run, lerr := r.Journals.now(j)
	return run, errors.Join(err, lerr)
}

// values finds an attribute that a step changes on a host as read now.
func values(h *inventory.Host, s Step, c Change) Values {
	attr := c.Attr
	var a *inventory.Attr
	if s.Kind == kindNo || s.Kind == kindSysctl {
		a = h.Tunables[attr]
	} else if el := h.Elements[s.of(c).Element]; el != nil {
		a = el.Attrs[attr]
	}
	if a == nil {
		return Values{}
	}
	return Values{Running: a.Running, NextBoot: a.NextBoot}
}

// equal compares what both sides know. A value that was known and is not any
// more is a difference: unknown is no proof.
func equal(want, now Values) bool {
	one := func(w, n *string) bool { return w == nil || n != nil && *w == *n }
	return one(want.Running, now.Running) && one(want.NextBoot, now.NextBoot)
}

func (v Values) String() string {
	show := func(s *string) string {
		switch {
		case s == nil:
			return "not known"
		case *s == "":
			return "unset"
		}
		return *s
	}
	if v.Running != nil && v.NextBoot != nil && *v.Running == *v.NextBoot {
		return show(v.Running)
	}
	return show(v.Running) + " running, " + show(v.NextBoot) + " at next boot"
}

// bare takes the value out of a check's output: "on", "sb_max = 1048576", or
// the "value" heading of VIOS with the value below it.
func bare(out string) string {
	last := ""
	for l := range strings.Lines(out) {
		if l = strings.TrimSpace(l); l != "" {
			last = l
		}
	}
	if _, v, ok := strings.Cut(last, " = "); ok {
		return strings.TrimSpace(v)
	}
	if last == "value" {
		return ""
	}
	return last
}

// said is what a command printed, short enough for an error message.
func said(r *remote.Result) string {
	s := strings.Join(strings.Fields(string(r.Stderr)+" "+string(r.Stdout)), " ")
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return s
}
