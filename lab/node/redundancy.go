package node

import (
	"errors"
	"slices"
	"strings"

	"seaworthy/lab/effect"
	"seaworthy/lab/node/errorlog"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// Redundancy follows SEA pairs and EtherChannels: which adapter carries the
// traffic, and how often that changed.
type Redundancy struct {
	sim   *Simulator
	state *redundancyState
}

// redundancyState holds what was last applied, to compare a change with.
type redundancyState struct {
	pairs    map[[2]string]*effect.Failover // nil: nothing applied yet
	live     map[[2]string][]string         // node, EtherChannel -> ports
	became   map[[3]string]uint64           // how often, since its node has booted: node, SEA, PRIMARY or BACKUP
	impaired map[[2]string]bool             // ports without a link, EtherChannels on their backup adapter
	warned   []string                       // warnings that hold now
	news     []string                       // warnings not reported yet
}

// update looks at what bridges now, counts the changes, and lets adapters
// that took over announce the addresses behind them. The caller holds the lock.
func (r Redundancy) update() error {
	pairs, warnings := effect.Failovers(r.sim.Plan(), r.sim.lookup())
	// What is over before it was reported is dropped.
	r.state.news = slices.DeleteFunc(r.state.news, func(x string) bool { return !slices.Contains(warnings, x) })
	for _, x := range warnings {
		if !slices.Contains(r.state.warned, x) {
			r.state.news = append(r.state.news, x)
		}
	}
	r.state.warned = warnings
	first := r.state.pairs == nil
	if first {
		r.state.became, r.state.impaired = map[[3]string]uint64{}, map[[2]string]bool{}
	}
	var failed error
	live := map[[2]string][]string{}
	for s, n := range r.sim.Plan().Nodes() {
		for k := range n.Adapters {
			a := &n.Adapters[k]
			at := [2]string{n.Name, a.Name}
			switch a.Kind {
			case topology.SEA:
				r.count(at, pairs[at])
				for _, t := range a.Trunks { // those that bridge now and did not
					if !first && pairs[at].Active[t] && !r.state.pairs[at].Active[t] {
						failed = errors.Join(failed, r.announceTrunk(s, n, t))
					}
				}
			case topology.Channel:
				live[at], _ = effect.Live(r.sim.Plan(), r.sim.lookup(), n.Name, a.Name)
				if !first && len(live[at]) > 0 && !slices.Equal(live[at], r.state.live[at]) {
					failed = errors.Join(failed, r.announceChannel(s, n, a, pairs))
				}
			}
		}
	}
	r.state.pairs, r.state.live = pairs, live
	r.logLinks()
	return failed
}

// count counts and logs the changes of an SEA's role in its pair.
func (r Redundancy) count(at [2]string, now *effect.Failover) {
	was, is := "", haRole(now.State)
	if p := r.state.pairs[at]; p != nil {
		was = p.State
	}
	if now.State == was {
		return
	}
	r.state.became[[3]string{at[0], at[1], is}]++
	entries := map[string]*errorlog.Template{"PRIMARY": errorlog.BecomePrimary, "BACKUP": errorlog.BecomeBackup}
	became := entries[is]
	if became != nil && r.state.pairs != nil && haRole(was) != is {
		r.log(at, became, "")
	}
}

// haRole is the role of an SEA in its pair, whether they share the VLANs or not.
func haRole(state string) string { return strings.TrimSuffix(state, "_SH") }

// SEA returns the role of an SEA in its pair, and how often it became primary and
// backup since its node has booted.
func (r Redundancy) SEA(node, sea string) (f effect.Failover, primary, backup uint64) {
	r.sim.changing.Lock()
	defer r.sim.changing.Unlock()
	if p := r.state.pairs[[2]string{node, sea}]; p != nil {
		f = *p
	}
	return f, r.state.became[[3]string{node, sea, "PRIMARY"}], r.state.became[[3]string{node, sea, "BACKUP"}]
}

// logLinks writes which links went down since the last time, and which
// EtherChannels changed over. The caller holds the lock.
func (r Redundancy) logLinks() {
	for _, n := range r.sim.Plan().Nodes() {
		crashed := r.sim.faults.Of(effect.Crash, n.Name) > 0 // it logs nothing
		for k := range n.Adapters {
			a := &n.Adapters[k]
			at := [2]string{n.Name, a.Name}
			was := r.state.impaired[at]
			switch {
			case a.Kind == topology.Physical:
				cut := !crashed && r.sim.faults.Unplugged(n.Name, a.Name)
				if t := linkDown(a); t != nil && cut && !was {
					r.log(at, t, "")
				}
				r.state.impaired[at] = cut
			case a.Kind == topology.Channel && a.Backup != "" && !crashed:
				ports, onBackup := effect.Live(r.sim.Plan(), r.sim.lookup(), n.Name, a.Name)
				switch {
				case len(ports) == 0:
					continue // nothing took over
				case onBackup && !was:
					r.log(at, errorlog.ChannelFailover, "All primary adapters have failed: the backup adapter takes over")
				case was && !onBackup:
					r.log(at, errorlog.ChannelRecovery, "A primary adapter is back and takes over from the backup adapter")
				}
				r.state.impaired[at] = onBackup
			}
		}
	}
}

// linkDown returns the entry that the driver of a port logs; nil if that is not known.
func linkDown(a *topology.Adapter) *errorlog.Template {
	name := odm.PortName(a.LineRate)
	switch {
	case strings.Contains(name, "Converged Network Adapter"):
		return errorlog.LinkDown
	case strings.Contains(name, "10/100/1000"):
		return errorlog.GigabitLinkDown
	}
	return nil
}

// log writes an entry for a device. The caller holds the lock.
func (r Redundancy) log(at [2]string, t *errorlog.Template, detail string) {
	r.sim.ErrorLogs.Append(at[0], errorlog.Entry{Template: t, At: r.sim.clock(at[0]), Resource: at[1], Detail: detail})
}

// startAtOne lets the counts of a node's SEA begin with the role it has. The caller holds the lock.
func (r Redundancy) startAtOne(node, sea string) {
	for _, state := range []string{"PRIMARY", "BACKUP"} {
		delete(r.state.became, [3]string{node, sea, state})
	}
	if p := r.state.pairs[[2]string{node, sea}]; p != nil {
		r.state.became[[3]string{node, sea, haRole(p.State)}] = 1
	}
}

// Channel returns whether an EtherChannel works over its backup adapter, and the state of LACP.
func (r Redundancy) Channel(node, channel string) (backup bool, lacp effect.Aggregation) {
	r.sim.changing.Lock()
	defer r.sim.changing.Unlock()
	_, backup = effect.Live(r.sim.Plan(), r.sim.lookup(), node, channel)
	return backup, effect.LACP(r.sim.Plan(), r.sim.lookup(), node, channel)
}
