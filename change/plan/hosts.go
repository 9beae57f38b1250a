package plan

import "slices"

// Of gives the steps of one host with their places in the plan, from 1.
func (p *Plan) Of(host string) (steps []Step, places []int) {
	for i, s := range p.Steps {
		if s.Host == host {
			steps, places = append(steps, s), append(places, i+1)
		}
	}
	return steps, places
}

// Stages groups neighbouring steps that may run at the same time: those of one
// stage, each on a host of its own.
func (p *Plan) Stages() [][]Step {
	var out [][]Step
	for _, s := range p.Steps {
		if n := len(out); n > 0 && s.Stage != 0 && out[n-1][0].Stage == s.Stage &&
			!slices.ContainsFunc(out[n-1], func(o Step) bool { return o.Host == s.Host }) {
			out[n-1] = append(out[n-1], s)
			continue
		}
		out = append(out, []Step{s})
	}
	return out
}

// AllHosts are the hosts of the plan and of what comes after its restarts, and
// those that are only looked at: peers that take over.
func (p *Plan) AllHosts() []string {
	var all []string
	for ; p != nil; p = p.Next {
		all = append(all, p.Hosts...)
		for _, s := range p.Steps {
			for _, c := range s.Needs {
				all = append(all, c.Host)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
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
			if s.Manual == nil {
				continue
			}
			for _, x := range s.Manual.Proofs {
				all = append(all, x.Host)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Restarts are the hosts that have to be restarted before the plan's values
// are in force, in the plan's order: of a pair of VIOSes the backup first.
func (p *Plan) Restarts() []string {
	var out []string
	for _, s := range p.Steps {
		if s.Pending && !slices.Contains(out, s.Host) {
			out = append(out, s.Host)
		}
	}
	return out
}
