package node

import (
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/lab/effect"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// errTemplate is a kind of entry of the error log.
type errTemplate struct {
	id, label   string
	kind, class string // T, P, I …; H, S, O
	description string
}

// The entries that a lab has a cause for. Failures of other drivers' links have
// entries on AIX, too, but no public text shows their identifiers: a lab leaves
// them out.
var (
	errLogOn  = &errTemplate{"9DBCFDEE", "ERRLOG_ON", "T", "O", "ERROR LOGGING TURNED ON"}
	errLogOff = &errTemplate{"192AC071", "ERRLOG_OFF", "T", "O", "ERROR LOGGING TURNED OFF"}
	errReboot = &errTemplate{"2BFA76F6", "REBOOT_ID", "T", "S", "SYSTEM SHUTDOWN BY USER"}
	errNote   = &errTemplate{"AA8AB241", "OPMSG", "T", "O", "OPERATOR NOTIFICATION"}
	// APAR IV63123 shows one of a converged network adapter.
	errLinkDown = &errTemplate{"DD2E9242", "LNCENT_PLINK_DOWN", "T", "H", "Physical link down"}
	errGigaDown = &errTemplate{"EC0BCCD4", "GOENT_LINK_DOWN", "T", "H", "ETHERNET DOWN"}
	// IBM's support page 7230381 has the label, Checkmk's agent samples the rest.
	errChannelFail = &errTemplate{"F3846E13", "ECH_CHAN_FAIL", "P", "H", "ETHERCHANNEL FAILOVER"}
	errChannelBack = &errTemplate{"8650BE3F", "ECH_CHAN_RCVRY", "I", "H", "ETHERCHANNEL RECOVERY"}
	errPrimary     = &errTemplate{"E48A73A4", "SEAHA_PRIMARY", "I", "H", "BECOME PRIMARY"}
	errBackup      = &errTemplate{"E136EAFA", "SEAHA_BACKUP", "I", "H", "BECOME BACKUP"}
)

type errEntry struct {
	*errTemplate
	at       time.Time
	sequence int
	resource string
	detail   string
}

// errLogSize is how many entries a log keeps; then the oldest go, as from a
// file of AIX's size.
const errLogSize = 2000

// errlogs are the error logs of the nodes. They outlive their boots.
type errlogs struct {
	sync.Mutex
	of map[string]*errlog
}

type errlog struct {
	entries []errEntry // oldest first
	last    int        // sequence number
}

func (w *Simulator) log(node string, t *errTemplate, resource, detail string) {
	w.logAt(node, w.clock(node), t, resource, detail)
}

// logNow is log for who holds the lock of the changes.
func (w *Simulator) logNow(at [2]string, t *errTemplate, detail string) {
	w.logAt(at[0], w.seenClock(at[0]), t, at[1], detail)
}

func (w *Simulator) logAt(node string, at time.Time, t *errTemplate, resource, detail string) {
	w.errlogs.Lock()
	defer w.errlogs.Unlock()
	l := w.errlogs.of[node]
	if l == nil {
		l = &errlog{}
		if w.errlogs.of == nil {
			w.errlogs.of = map[string]*errlog{}
		}
		w.errlogs.of[node] = l
	}
	l.last++
	l.entries = append(l.entries, errEntry{t, at, l.last, resource, detail})
	l.entries = slices.Delete(l.entries, 0, max(0, len(l.entries)-errLogSize))
}

// errors are a node's entries, newest first.
func (w *Simulator) errors(node string) (list []errEntry) {
	w.errlogs.Lock()
	defer w.errlogs.Unlock()
	if l := w.errlogs.of[node]; l != nil {
		list = slices.Clone(l.entries)
		slices.Reverse(list)
	}
	return list
}

// logLinks writes which links went down since the last time, and which
// EtherChannels changed over. The caller holds the lock.
func (w *Simulator) logLinks() {
	for _, n := range w.Plan().Nodes() {
		crashed := w.seen.faults.Of(effect.Crash, n.Name) > 0 // it does not see it
		for k := range n.Adapters {
			a := &n.Adapters[k]
			at := [2]string{n.Name, a.Name}
			was := w.seen.impaired[at]
			switch {
			case a.Kind == topology.Physical:
				cut := !crashed && w.seen.faults.Unplugged(n.Name, a.Name)
				if t := linkDown(a); t != nil && cut && !was {
					w.logNow(at, t, "")
				}
				w.seen.impaired[at] = cut
			case a.Kind == topology.Channel && a.Backup != "" && !crashed:
				ports, onBackup := effect.Live(w.Plan(), w.look(), n.Name, a.Name)
				switch {
				case len(ports) == 0:
					continue // nothing took over
				case onBackup && !was:
					w.logNow(at, errChannelFail, "All primary adapters have failed: the backup adapter takes over")
				case was && !onBackup:
					w.logNow(at, errChannelBack, "A primary adapter is back and takes over from the backup adapter")
				}
				w.seen.impaired[at] = onBackup
			}
		}
	}
}

// linkDown is what the driver of a port writes; nil if that is not known.
func linkDown(a *topology.Adapter) *errTemplate {
	switch name := odm.PortName(a.LineRate); {
	case strings.Contains(name, "Converged Network Adapter"):
		return errLinkDown
	case strings.Contains(name, "10/100/1000"):
		return errGigaDown
	}
	return nil
}
