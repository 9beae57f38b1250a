package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"seaworthy/change/pathmtu"
	"seaworthy/remote"
)

// ErrByHand says that a plan waits for somebody else's work.
var ErrByHand = errors.New("waits for work by hand")

// handsDone makes sure, before anything is changed, that what has to be done
// by hand has been done: the packets show it, or the user says so. What is
// believed the plan's proofs hold against the network later, before the next
// hosts send such packets.
func (r *Runner) handsDone(ctx context.Context, p *Plan) (map[string]string, error) {
	how := map[string]string{}
	for i, s := range p.Steps {
		if s.ByHand == nil {
			continue
		}
		shown, left := r.shown(ctx, s.ByHand)
		switch {
		case len(left) == 0:
			how[s.ID] = "shown by packets of " + strconv.Itoa(s.ByHand.MTU) + " bytes that pass"
		case slices.Contains(r.Done, s.ID):
			how[s.ID] = "said to be done"
		default:
			already := ""
			if len(shown) > 0 {
				already = fmt.Sprintf(" (done already: %s)", strings.Join(shown, ", "))
			}
			return nil, fmt.Errorf("plan %s: step %d %s %w: the %s has to %s: %s%s. Nothing was changed; when it is done, apply again with --done %s",
				p.ID, i+1, s.ID, ErrByHand, s.ByHand.Owner, s.ByHand.What, strings.Join(left, "; "), already, s.ID)
		}
	}
	return how, nil
}

// handDone notes a step by hand in the journal, with how it is known.
func (r *Runner) handDone(s Step, write func(...event) error, how string) error {
	r.tell(s, evDone, nil)
	return write(event{Event: evDone, Step: s.ID, How: how})
}

// shown divides the ports into those that packets have shown to be done and
// the others.
func (r *Runner) shown(ctx context.Context, b *ByHand) (done, left []string) {
	passes := make([]bool, len(b.Proofs))
	var all sync.WaitGroup
	for i, x := range b.Proofs {
		all.Go(func() {
			if h := r.Hosts[x.Host]; h != nil {
				res, err := h.Run(ctx, remote.Command{Line: x.Command})
				passes[i] = err == nil && pathmtu.Answered(string(res.Stdout))
			}
		})
	}
	all.Wait()
	for _, p := range b.Ports {
		ok := false
		for i, x := range b.Proofs {
			ok = ok || passes[i] && slices.Contains(x.Passes, p.At)
		}
		if ok {
			done = append(done, p.At.String())
		} else {
			left = append(left, p.String())
		}
	}
	return done, left
}

// Senders are all hosts that a plan file sends commands to: those of the plan
// and of what comes after its restarts, and those whose packets prove something.
func (p *Plan) Senders() []string {
	all := p.AllHosts()
	for ; p != nil; p = p.Next {
		for _, x := range p.Proofs {
			all = append(all, x.Host)
		}
		for _, s := range p.Steps {
			if s.ByHand == nil {
				continue
			}
			for _, x := range s.ByHand.Proofs {
				all = append(all, x.Host)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
