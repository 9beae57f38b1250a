package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// prove sends packets that must arrive. A link that was just down, or a switch
// that has to learn, may take a moment.
func (r *Runner) prove(ctx context.Context, proofs []plan.Proof) error {
	var lost []string
	var first error
	var of plan.Proof
	for i, err := range each(proofs, func(p plan.Proof) error { return r.proveWithRetries(ctx, p) }) {
		if err == nil {
			continue
		}
		if first == nil {
			first, of = err, proofs[i]
		}
		lost = append(lost, fmt.Sprintf("%s:%s to %s", proofs[i].Host, proofs[i].Element, proofs[i].Peer))
	}
	if first == nil {
		return nil
	}
	return &probeFailure{of: of, error: fmt.Errorf("packets of %d bytes do not arrive whole from %s: %s: %w", of.Bytes,
		strings.Join(lost, ", "), of.Command, first)}
}

// tries of a proof, a second apart.
const tries = 3

func (r *Runner) proveWithRetries(ctx context.Context, p plan.Proof) (last error) {
	for n := range tries {
		if n > 0 {
			if err := pause(ctx, time.Second); err != nil {
				return err
			}
		}
		h, done, err := r.dial(ctx, p.Host)
		if err != nil {
			last = err
			continue
		}
		res, err := h.Run(ctx, p.Ping())
		done()
		switch {
		case err != nil:
			last = err
		case pathmtu.Answered(string(res.Stdout)):
			return nil
		default:
			last = errors.New(said(res))
		}
	}
	return last
}

// ErrManual says that a plan waits for somebody else's work.
var ErrManual = errors.New("waits for manual work")

// manualDone makes sure, before anything is changed, that what has to be done
// manually has been done: the packets show it, or the user says so. What is
// believed the plan's proofs hold against the network later, before the next
// hosts send such packets.
func (r *Runner) manualDone(ctx context.Context, p *plan.Plan) (map[string]string, error) {
	how := map[string]string{}
	for i, s := range p.Steps {
		if s.Manual == nil {
			continue
		}
		shown, left := r.shown(ctx, s.Manual)
		switch {
		case len(left) == 0:
			how[s.ID] = "shown by packets of " + strconv.Itoa(s.Manual.MTU) + " bytes that pass"
		case slices.Contains(r.Done, s.ID):
			how[s.ID] = "on your word (--done)"
		default:
			already := ""
			if len(shown) > 0 {
				already = fmt.Sprintf(" (done already: %s)", strings.Join(shown, ", "))
			}
			return nil, fmt.Errorf("plan %s: step %d %s %w: the %s has to %s: %s%s. Nothing was changed; when it is done, apply again with "+
				"--done %s",
				p.ID, i+1, s.ID, ErrManual, s.Manual.Owner, s.Manual.What, strings.Join(left, "; "), already, s.ID)
		}
	}
	return how, nil
}

// shown divides the ports into those that packets have shown to be done and
// the others.
func (r *Runner) shown(ctx context.Context, b *plan.ManualStep) (done, left []string) {
	var mu sync.Mutex
	var passed []model.Ref
	each(b.Proofs, func(x plan.PortProof) error {
		if h := r.Hosts[x.Host]; h != nil {
			res, err := h.Run(ctx, x.Ping())
			if err == nil && pathmtu.Answered(string(res.Stdout)) {
				mu.Lock()
				defer mu.Unlock()
				passed = append(passed, x.Passes...)
			}
		}
		return nil // a proof that fails shows nothing
	})
	for _, p := range b.Ports {
		if slices.Contains(passed, p.At) {
			done = append(done, p.At.String())
		} else {
			left = append(left, p.String())
		}
	}
	return done, left
}

// probeFailure is a proof that does not hold.
type probeFailure struct {
	error
	of plan.Proof
}

func (u *probeFailure) Unwrap() error { return u.error }

// relatedHosts are the hosts of the plan, the two ends of a proof and those that carry
// its packets, though the plan may not touch them, as far as they can be read.
func (k *attempt) relatedHosts(ctx context.Context, of plan.Proof) *model.Fleet {
	names := slices.Concat(k.plan.Hosts, of.Via, []string{of.Host, of.Peer.Host})
	slices.Sort(names)
	names = slices.Compact(names)
	if k.Survey != nil {
		if f, err := k.Survey(ctx, names); err == nil {
			return f
		}
	}
	f := &model.Fleet{}
	for _, name := range names {
		if k.Hosts[name] == nil {
			continue
		}
		if h, err := k.readFresh(ctx, name); err == nil {
			f.Hosts = append(f.Hosts, h)
		}
	}
	return f
}

// searching is how long an undo waits for the name of what stops the packets:
// it can be found only while they are sent.
const searching = 45 * time.Second

// locateFault says of packets that did not arrive which element stops them, or what
// to look at where none is found.
func (k *attempt) locateFault(ctx context.Context, failure error) error {
	u, ok := errors.AsType[*probeFailure](failure)
	if !ok {
		return failure
	}
	ctx, cancel := context.WithTimeout(ctx, searching)
	defer cancel()
	way, err := k.locate(ctx, u.of)
	if err != nil {
		return fmt.Errorf("%w. What stops them was not found (%w): %s", failure, err, places(u.of))
	}
	return fmt.Errorf("%w. %s", failure, stopped(u.of, way))
}

// locate measures the way of a proof while its packets are still sent.
func (k *attempt) locate(ctx context.Context, of plan.Proof) (*pathmtu.Direction, error) {
	prober := pathmtu.Prober{Fleet: k.relatedHosts(ctx, of), Hosts: map[string]remote.Host{}}
	for _, name := range []string{of.Host, of.Peer.Host} {
		if prober.Fleet.Host(name) == nil {
			return nil, fmt.Errorf("%s could not be read", name)
		}
		h, done, err := k.dial(ctx, name)
		if err != nil {
			return nil, err
		}
		defer done()
		prober.Hosts[name] = h
	}
	prober.Fleet.MergeHMC()
	ways, err := prober.Between(ctx, of.Host+":"+of.Element, of.Peer.String())
	if err != nil {
		return nil, err
	}
	return &ways[0], nil
}

// stopped says what a search along a proof's way has shown.
func stopped(p plan.Proof, w *pathmtu.Direction) string {
	var names []string
	for _, x := range w.Suspect {
		names = append(names, x.Is)
	}
	switch {
	case len(names) > 0:
		return fmt.Sprintf("What stops them is %s: %s", strings.Join(names, " or "), w.Suspect[0].Why)
	case w.Verdict == pathmtu.Whole && w.Wanted >= p.Bytes:
		return "Tried once more they arrived: a link or a switch needed longer than usual after the change; apply again"
	case w.Verdict == pathmtu.NoAnswer:
		return fmt.Sprintf("Small packets get no answer either: look whether %s is up, and whether %s answers a ping at all", p.Peer, p.To)
	case w.Verdict == pathmtu.Unable:
		return fmt.Sprintf("ping cannot be used on %s, so nothing is proved: %s", p.Host, w.Probes[len(w.Probes)-1].Said)
	}
	return "What stops them was not found: " + places(p)
}

// places returns what a person can look at.
func places(p plan.Proof) string {
	hosts := slices.Concat([]string{p.Host}, p.Via, []string{p.Peer.Host})
	hosts = slices.DeleteFunc(hosts, func(h string) bool { return h == "" })
	return fmt.Sprintf("look at jumbo_frames and mtu on %s, and at the switch's ports between them", strings.Join(hosts, ", "))
}
