package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
)

// ErrRefused says that a feature does not work on a host as it is.
var ErrRefused = errors.New("refused")

var named = map[knowledge.Feature]string{
	knowledge.Collecting: "collect", knowledge.Applying: "apply", knowledge.ConfirmWithin: "apply --confirm-within",
	knowledge.ProbingMTU: "probe mtu", knowledge.Benchmarking: "bench",
}

// Name is a feature as users type it.
func Name(f knowledge.Feature) string { return named[f] }

var witnesses = map[knowledge.Witness]string{
	knowledge.Page: "vendor page", knowledge.Output: "published output", knowledge.Use: "published use", knowledge.Kernel: "real kernel",
	knowledge.Unproven: "unproven",
}

// Witness returns what an assumption rests on, in words.
func Witness(w knowledge.Witness, source string) string {
	if source == string(knowledge.Unproven) {
		return witnesses[w]
	}
	return witnesses[w] + " (" + source + ")"
}

// PingWhole is the assumption that a Linux host's ping can forbid fragments.
const PingWhole = "ping-whole"

const hostsAtOnce = 16

// All examines hosts side by side. What went wrong with one is at its place in errs.
func All(ctx context.Context, hosts []remote.Host, o Options) (found []*Examination, errs []error) {
	found, errs = make([]*Examination, len(hosts)), make([]error, len(hosts))
	t := progress.Begin(ctx, "testing assumptions", "host", len(hosts))
	defer t.End()
	var work errgroup.Group
	work.SetLimit(hostsAtOnce)
	for i, h := range hosts {
		work.Go(func() error {
			found[i], errs[i] = Examine(ctx, h, o)
			if errs[i] != nil {
				t.Failed(h.Name())
			}
			t.Step(h.Name())
			return nil
		})
	}
	_ = work.Wait() // what went wrong is in errs
	return found, errs
}

// Require tests on every host what a feature leans on. The error, of
// ErrRefused, names each host on which the feature does not work and why;
// other are the broken assumptions for which the feature takes another way.
// What could not be tested, or a host that does not answer, does not stop a
// feature.
func Require(ctx context.Context, hosts []remote.Host, o Options, f knowledge.Feature) (other []Consequence, err error) {
	o.Features = []knowledge.Feature{f}
	found, errs := All(ctx, hosts, o)
	for i, e := range found {
		if errs[i] != nil {
			slog.DebugContext(ctx, "host not tested", "host", hosts[i].Name(), "why", errs[i])
			errs[i] = nil
			continue
		}
		for _, c := range e.Of(f) {
			if c.Does.Broken == knowledge.Refuse {
				errs[i] = errors.Join(errs[i], c.refusal())
			} else {
				other = append(other, c)
			}
		}
		for _, r := range e.Results {
			if r.Verdict == knowledge.Unknown {
				slog.DebugContext(ctx, "assumption not tested", "host", e.Host, "assumption", r.ID, "why", r.Why)
			}
		}
	}
	return other, errors.Join(errs...)
}

func (c Consequence) refusal() error {
	return fmt.Errorf("%s: %s is %w: %s (%s; to see all: seaworthy doctor %s)", c.Host, named[c.Does.Feature], ErrRefused, c.Does.Why,
		c.brief(), c.Host)
}

// Said is the other way in a line.
func (c Consequence) Said() string {
	return fmt.Sprintf("%s: %s (%s)", c.Host, c.Does.Why, c.brief())
}

func (c Consequence) brief() string {
	return fmt.Sprintf("%q answered %s", c.Result.Command, Brief(c.Result.Answer))
}

// Brief is an answer in a few words.
func Brief(a *knowledge.Answer) string {
	text := strings.Join(strings.Fields(a.Stdout+" "+a.Stderr), " ")
	if r := []rune(text); len(r) > 80 {
		text = string(r[:80]) + "…"
	}
	switch {
	case text == "":
		return fmt.Sprintf("nothing, exit status %d", a.Exit)
	case a.Exit != 0:
		return fmt.Sprintf("%q, exit status %d", text, a.Exit)
	}
	return fmt.Sprintf("%q", text)
}
