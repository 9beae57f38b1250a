package plans

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
)

// RehearsedHosts are the hosts of a plan as a fleet has them.
func RehearsedHosts(f *model.Fleet, p *plan.Plan) map[string]rehearsed.Host {
	out := map[string]rehearsed.Host{}
	for _, name := range p.Senders() {
		h := f.Host(name)
		if h != nil {
			out[name] = rehearsed.Host{Read: h.Taken, Settings: settings(h)}
		}
	}
	return out
}

// settings are those of a host, as rehearsed.Host has them.
func settings(h *model.Host) map[string]string {
	out := map[string]string{}
	for name, el := range h.Elements {
		for attr, a := range el.Attrs {
			note(out, name, attr, a)
		}
	}
	for attr, a := range h.Tunables {
		note(out, "no", attr, a)
	}
	return out
}

// note notes an attribute if one of its values is known.
func note(to map[string]string, element, attr string, a *model.Attr) {
	if a.Running == nil && a.NextBoot == nil {
		return
	}
	value := func(v *string) string {
		if v == nil {
			return unknownValue
		}
		return *v
	}
	to[element+" "+attr] = value(a.Running) + settingSeparator + value(a.NextBoot)
}

const (
	unknownValue     = "?"
	settingSeparator = " / "
)

// Unchanged reads the hosts of a plan and refuses if a setting is another one than when the plan was rehearsed. Those
// that the plan changes are not looked at: apply looks at them itself.
func Unchanged(
	ctx context.Context, r *rehearsed.Result, p *plan.Plan, read func(ctx context.Context, host string) (*model.Host, error),
) error {
	own := map[string]bool{}
	for q := p; q != nil; q = q.Next {
		for _, s := range q.Steps {
			for _, c := range s.Changes {
				at := s.Of(c)
				own[at.Host+" "+at.Element+" "+c.Attr] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(r.Hosts))
	others := make([][]string, len(names))
	reading, within := errgroup.WithContext(ctx)
	reading.SetLimit(atOnce)
	for i, name := range names {
		reading.Go(func() error {
			h, err := read(within, name)
			if err != nil {
				return fmt.Errorf("%s: is it as it was rehearsed? %w", name, err)
			}
			others[i] = differing(r.Hosts[name].Settings, name, settings(h), own)
			return nil
		})
	}
	err := reading.Wait()
	if err != nil {
		return err
	}
	changed := slices.Concat(others...)
	if len(changed) == 0 {
		return nil
	}
	most := min(len(changed), 3)
	text := strings.Join(changed[:most], "; ")
	if len(changed) > most {
		text += fmt.Sprintf("; and %d more", len(changed)-most)
	}
	return fmt.Errorf("plan %s: its hosts are not as they were when it was rehearsed: %s (collect, and rehearse again)", p.ID, text)
}

// atOnce is how many hosts are read at the same time.
const atOnce = 32

// differing are the settings of a host that were others when it was rehearsed. What either reading does not know says nothing.
func differing(then map[string]string, host string, now map[string]string, own map[string]bool) (out []string) {
	for _, key := range slices.Sorted(maps.Keys(then)) {
		is, known := now[key]
		if known && !own[host+" "+key] && !alike(then[key], is) {
			out = append(out, fmt.Sprintf("%s %s was %s and is %s", host, key, then[key], is))
		}
	}
	return out
}

// alike says whether two values of a setting are the same as far as both are known.
func alike(x, y string) bool {
	a, b := strings.SplitN(x, settingSeparator, 2), strings.SplitN(y, settingSeparator, 2)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i] != unknownValue && b[i] != unknownValue {
			return false
		}
	}
	return true
}

// RequireRehearsal reads the result of a rehearsal and refuses a plan that it is not about, that did not go as
// planned in it, that was rehearsed longer ago than age, or in a copy of hosts that were read longer ago. That the
// hosts are still as they were then, Unchanged asks them.
func RequireRehearsal(ctx context.Context, file string, p *plan.Plan, age time.Duration) (*rehearsed.Result, error) {
	text, err := decode.Read(ctx, file, rehearsed.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("rehearsal %s: %w (seaworthy rehearse PLAN -o writes one)", file, fileio.Cause(err))
	}
	r, err := rehearsed.Parse(file, text)
	if err != nil {
		return nil, err
	}
	switch since := time.Since(r.Ended); {
	case r.Plan != p.ID:
		return nil, fmt.Errorf("rehearsal %s: it is of plan %s, not of %s (rehearse this plan)", file, r.Plan, p.ID)
	case !r.AsPlanned:
		return nil, fmt.Errorf("rehearsal %s: plan %s did not go as planned in it (its table says where)", file, p.ID)
	case since > age || since < -time.Hour:
		return nil, fmt.Errorf("rehearsal %s: it ended at %s, and may be %s old (rehearse again, or --rehearsal-age)",
			file, r.Ended.Local().Format(time.DateTime), age)
	}
	for _, name := range p.Senders() {
		h, known := r.Hosts[name]
		since := time.Since(h.Read)
		switch {
		case !known:
			return nil, fmt.Errorf("rehearsal %s: host %s of the plan was not in it (rehearse again)", file, name)
		case since > age || since < -time.Hour:
			return nil, fmt.Errorf("rehearsal %s: host %s was read at %s, and may have been %s ago (collect and rehearse again, or --rehearsal-age)",
				file, name, h.Read.Local().Format(time.DateTime), age)
		}
	}
	return r, nil
}
