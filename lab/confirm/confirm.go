package confirm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app/diagnosis"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/model"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
	"seaworthy/lab/fault"
	"seaworthy/lab/replica"
)

// Options of looking for causes in a copy.
type Options struct {
	Lab     *lab.Lab      // that is the copy
	Copy    *replica.Copy // of what Lab is
	Program string        // version of the program
	Watch   time.Duration // between the two readings of the copy's hosts; 0: defaultWatch
}

// defaultWatch lets a link come and go twice.
const defaultWatch = 6 * time.Second

// maxPlanted is how many causes are planted, one after the other; each takes about a quarter of a minute.
const maxPlanted = 8

// trial is a copy whose path is diagnosed.
type trial struct {
	Options
	from, to string // in the copy
	planter  *planter
	asBuilt  *diagnosis.Result
	planted  int
	task     *progress.Task
}

// Run diagnoses the path in the copy, then plants each cause that a fault of the lab brings about and diagnoses it again. A
// cause is reproduced if the copy shows it with the fault and not without, or by its settings alone. The lab is
// left in order.
func Run(ctx context.Context, r diagnose.CopyRequest, o Options) ([]diagnose.InCopy, error) {
	if o.Watch == 0 {
		o.Watch = defaultWatch
	}
	p, err := newPlanter(Readings{Fleet: r.Fleet, Before: r.Before, Measured: r.Measured, Clocks: r.Clocks}, o.Copy)
	if err != nil {
		return nil, err
	}
	t := &trial{Options: o, planter: p, from: at(o.Copy, r.From), to: at(o.Copy, r.To)}
	t.task = progress.Begin(ctx, "looking for the causes in a copy", "trial", 1+min(maxPlanted, len(r.Causes)))
	defer t.task.End()
	t.asBuilt, err = t.diagnose(ctx)
	if err != nil {
		return nil, fmt.Errorf("the path in the copy: %w", err)
	}
	var out []diagnose.InCopy
	for _, c := range r.Causes {
		found, err := t.cause(ctx, c)
		if err != nil {
			return out, err
		}
		found.Cause = c.At()
		out = append(out, found)
	}
	return out, nil
}

// at names an element of a host as the copy does.
func at(c *replica.Copy, r model.Ref) string {
	name := c.Nodes[r.Host]
	if name == "" {
		name = r.Host
	}
	if r.Element == "" {
		return name
	}
	return name + ":" + r.Element
}

func (t *trial) diagnose(ctx context.Context) (*diagnosis.Result, error) {
	defer t.task.Step("")
	q := diagnosis.Request{From: t.from, To: t.to, Watch: t.Watch, Load: true, Program: t.Program}
	return q.Run(ctx, fleet.Access{HostsFile: t.Lab.HostsFile()})
}

// cause looks for one cause.
func (t *trial) cause(ctx context.Context, c diagnose.Cause) (diagnose.InCopy, error) {
	seen := t.shows(t.asBuilt, c)
	if seen != nil {
		why := "with the settings of the network, and nothing planted, the copy shows it too"
		return diagnose.InCopy{Outcome: diagnose.Reproduced, Why: why, Seen: seen.Says}, nil
	}
	f, err := t.planter.causing(c.ID, model.Ref{Host: c.Host, Element: c.Element})
	switch {
	case err != nil:
		return diagnose.InCopy{Outcome: diagnose.NotTried, Why: err.Error()}, nil
	case f == nil && (c.Plan != "" || c.Limits):
		return diagnose.InCopy{Outcome: diagnose.NotReproduced, Why: "the copy has the same settings; " + moved(t.asBuilt)}, nil
	case f == nil:
		return diagnose.InCopy{Outcome: diagnose.NotTried, Why: "a lab has no fault that brings it about"}, nil
	case t.planted == maxPlanted:
		return diagnose.InCopy{Outcome: diagnose.NotTried, Why: fmt.Sprintf("%d causes were tried before it", maxPlanted)}, nil
	}
	t.planted++
	return t.plant(ctx, c, f)
}

// moved says what a stream moved in the copy.
func moved(got *diagnosis.Result) string {
	for _, l := range got.Load {
		if l.Streams == 1 && l.BPS != nil {
			return fmt.Sprintf("the %.0f Mbit/s that a stream moved there do not show that they cost something", *l.BPS/1e6)
		}
	}
	return "it shows " + named(got)
}

// plant brings a cause about, diagnoses the path, and mends it again.
func (t *trial) plant(ctx context.Context, c diagnose.Cause, f *Planted) (diagnose.InCopy, error) {
	found := diagnose.InCopy{Planted: f.Fault.String()}
	err := Plant(ctx, t.Lab, f.Fault)
	if err != nil {
		found.Outcome, found.Why = diagnose.NotTried, err.Error()
		return found, nil
	}
	got, failed := t.diagnose(ctx)
	var mended assemble.Faults
	mend, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err = t.Lab.Query(mend, "mend", f.Fault, &mended)
	if err != nil {
		return found, fmt.Errorf("mend %s in the copy: %w", f.Fault, err)
	}
	if failed != nil {
		return found, fmt.Errorf("the path in the copy with %s: %w", f.Fault, failed)
	}
	seen := t.shows(got, c)
	if seen == nil {
		found.Outcome = diagnose.NotReproduced
		found.Why = "with the fault planted the copy shows " + named(got) + ", not this"
		return found, nil
	}
	found.Outcome, found.Seen = diagnose.Reproduced, seen.Says
	found.Why = "the copy shows the same cause with the fault planted, and not without it"
	if seen.ID != c.ID {
		found.Why = "the copy shows " + seen.At() + " with the fault planted, and not without it"
	}
	return found, nil
}

// Plant breaks something in a lab.
func Plant(ctx context.Context, l *lab.Lab, f fault.Fault) error {
	var now assemble.Faults
	return l.Query(ctx, "break", f, &now)
}

// shows finds a cause in a diagnosis of the copy, at the same host; nil: it is not there.
func (t *trial) shows(got *diagnosis.Result, c diagnose.Cause) *diagnose.Cause {
	for i := range got.Causes {
		o := &got.Causes[i]
		if (o.ID == c.ID || slices.Contains(sameSymptom[c.ID], o.ID)) && (o.Host == t.Copy.Nodes[c.Host] || t.unlocated(c)) {
			return o
		}
	}
	return nil
}

// sameSymptom are causes that rest on what the same fault changes: of live hosts a long round trip is named by itself, and
// a lab's port counts the frames that its cable loses.
var sameSymptom = map[string][]string{"distance-window": {"delay"}, "packet-loss": {"damaged-frames"}}

// unlocated says whether a cause is of the network between the hosts, so that it may show at another of them.
func (t *trial) unlocated(c diagnose.Cause) bool {
	return slices.Contains([]string{"mtu-black-hole", "delay", "distance-window", "packet-loss"}, c.ID)
}

// named lists the causes of a diagnosis.
func named(got *diagnosis.Result) string {
	var all []string
	for _, c := range got.Causes {
		all = append(all, c.At())
	}
	if len(all) == 0 {
		return "no cause"
	}
	return strings.Join(all, ", ")
}
