package node

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/lab/effect"
	"seaworthy/lab/topology"
)

// watch is what the world remembers of SEA pairs and EtherChannels, to know
// what has changed.
type watch struct {
	faults   effect.Faults
	pairs    map[[2]string]*effect.Failover // nil: nothing applied yet
	live     map[[2]string][]string         // node, EtherChannel -> ports
	became   map[[3]string]uint64           // how often, since its node has booted: node, SEA, PRIMARY or BACKUP
	impaired map[[2]string]bool             // ports without a link, EtherChannels that go by their backup adapter
	warned   []string                       // that hold now
	news     []string                       // not reported yet
}

// Down says why nobody can log in to a node; nil if they can.
func (w *Simulator) Down(node string) error {
	w.changing.Lock()
	defer w.changing.Unlock()
	if w.seen.faults.Of(effect.Crash, node) > 0 {
		return fmt.Errorf("%s is down: it has crashed; seaworthy lab mend %s boots it", node, node)
	}
	return nil
}

// report gives the warnings that were not reported yet. The caller holds the lock.
func (w *Simulator) report() []string {
	news := w.seen.news
	w.seen.news = nil
	return news
}

// Warnings are those of the guard against loops that hold now. Whoever asked
// has been reported.
func (w *Simulator) Warnings() []string {
	w.changing.Lock()
	defer w.changing.Unlock()
	w.seen.news = nil
	return slices.Clone(w.seen.warned)
}

// Narrow says whether the lab cuts large frames early, for the sake of those
// that an element of the network is too small for.
func (w *Simulator) Narrow() bool {
	w.changing.Lock()
	defer w.changing.Unlock()
	return effect.MTUMismatch(w.Plan(), w.look())
}

// takeOver looks at what bridges now, counts the changes, and lets adapters
// that took over announce the addresses behind them. The caller holds the lock.
func (w *Simulator) takeOver() error {
	pairs, warnings := effect.Failovers(w.Plan(), w.look())
	// What is over before it was reported is dropped.
	w.seen.news = slices.DeleteFunc(w.seen.news, func(x string) bool { return !slices.Contains(warnings, x) })
	for _, x := range warnings {
		if !slices.Contains(w.seen.warned, x) {
			w.seen.news = append(w.seen.news, x)
		}
	}
	w.seen.warned = warnings
	first := w.seen.pairs == nil
	if first {
		w.seen.became, w.seen.impaired = map[[3]string]uint64{}, map[[2]string]bool{}
	}
	var failed error
	live := map[[2]string][]string{}
	for s, n := range w.Plan().Nodes() {
		for k := range n.Adapters {
			a := &n.Adapters[k]
			at := [2]string{n.Name, a.Name}
			switch a.Kind {
			case topology.SEA:
				w.count(at, pairs[at])
				for _, t := range a.Trunks { // those that bridge now and did not
					if !first && pairs[at].Active[t] && !w.seen.pairs[at].Active[t] {
						failed = errors.Join(failed, w.announceTrunk(s, n, t))
					}
				}
			case topology.Channel:
				live[at], _ = effect.Live(w.Plan(), w.look(), n.Name, a.Name)
				if !first && len(live[at]) > 0 && !slices.Equal(live[at], w.seen.live[at]) {
					failed = errors.Join(failed, w.announceChannel(s, n, a, pairs))
				}
			}
		}
	}
	w.seen.pairs, w.seen.live = pairs, live
	w.logLinks()
	return failed
}

// count counts and logs what an SEA became in its pair.
func (w *Simulator) count(at [2]string, now *effect.Failover) {
	was, is := "", side(now.State)
	if p := w.seen.pairs[at]; p != nil {
		was = p.State
	}
	if now.State == was {
		return
	}
	w.seen.became[[3]string{at[0], at[1], is}]++
	if t := map[string]*errTemplate{"PRIMARY": errPrimary, "BACKUP": errBackup}[is]; t != nil && w.seen.pairs != nil && side(was) != is {
		w.logNow(at, t, "")
	}
}

// side is what an SEA is to its partner, whether they share the VLANs or not.
func side(state string) string { return strings.TrimSuffix(state, "_SH") }

// failover is what an SEA is in its pair, and how often it became primary and
// backup since its node has booted.
func (w *Simulator) failover(node, sea string) (f effect.Failover, primary, backup uint64) {
	w.changing.Lock()
	defer w.changing.Unlock()
	if p := w.seen.pairs[[2]string{node, sea}]; p != nil {
		f = *p
	}
	return f, w.seen.became[[3]string{node, sea, "PRIMARY"}], w.seen.became[[3]string{node, sea, "BACKUP"}]
}

// announceTrunk tells the VIOS and the Ethernet switch behind it that the
// addresses of its VLANs are reached by this trunk now. The hypervisor's end
// sends, so that the SEA learns them on the right side, too.
func (w *Simulator) announceTrunk(s *topology.System, n *topology.Node, trunk string) error {
	a := n.Adapter(trunk)
	var failed error
	for _, tag := range append([]int{0}, tagsOf(n, trunk)...) {
		if far, ok := w.Far(w.vlanDev(n, trunk, tag)); ok {
			failed = errors.Join(failed, w.Announce(far, clients(s, vlanOf(a, tag))))
		}
	}
	return failed
}

func vlanOf(trunk *topology.Adapter, tag int) int {
	if tag == 0 {
		return trunk.PVID
	}
	return tag
}

// clients are the addresses of a VLAN's virtual adapters that are no trunks,
// and of the VLAN pseudo devices that are on it.
func clients(s *topology.System, vlan int) []string {
	var macs []string
	for _, n := range slices.Concat(s.Nodes, s.Linux) {
		for _, a := range n.Adapters {
			base := n.Adapter(a.Base)
			if a.Kind == topology.Virtual && !a.Trunk && a.PVID == vlan ||
				a.Kind == topology.VLAN && base.Kind == topology.Virtual && a.Tag == vlan {
				macs = append(macs, a.MAC)
			}
		}
	}
	return macs
}

// announceChannel tells the switch which port leads to what is behind an
// EtherChannel now.
func (w *Simulator) announceChannel(s *topology.System, n *topology.Node, c *topology.Adapter, pairs map[[2]string]*effect.Failover) error {
	var failed error
	for _, tag := range append([]int{0}, tagsOf(n, c.Name)...) {
		macs := []string{c.MAC}
		for i := range n.Adapters {
			sea := &n.Adapters[i]
			if sea.Kind != topology.SEA || sea.Real != c.Name {
				continue
			}
			for _, t := range sea.Trunks {
				a := n.Adapter(t)
				if vlan := vlanOf(a, tag); slices.Contains(a.Carries(), vlan) && pairs[[2]string{n.Name, sea.Name}].Active[t] {
					macs = append(macs, clients(s, vlan)...)
				}
			}
		}
		failed = errors.Join(failed, w.Announce(w.vlanDev(n, c.Name, tag), macs))
	}
	return failed
}
