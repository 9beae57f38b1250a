// Package errorlog keeps the error logs of a lab's nodes: what errpt lists.
package errorlog

import (
	"slices"
	"sync"
	"time"
)

// Template is a kind of entry, as errpt names it.
type Template struct {
	ID, Label   string
	Type, Class string // T, P, I …; H, S, O
	Description string
}

// The entries that a lab has a cause for. Failures of other drivers' links have
// entries on AIX, too, but no public text shows their identifiers: a lab leaves
// them out.
var (
	On     = &Template{"9DBCFDEE", "ERRLOG_ON", "T", "O", "ERROR LOGGING TURNED ON"}
	Off    = &Template{"192AC071", "ERRLOG_OFF", "T", "O", "ERROR LOGGING TURNED OFF"}
	Reboot = &Template{"2BFA76F6", "REBOOT_ID", "T", "S", "SYSTEM SHUTDOWN BY USER"}
	Note   = &Template{"AA8AB241", "OPMSG", "T", "O", "OPERATOR NOTIFICATION"}
	// APAR IV63123 shows one of a converged network adapter.
	LinkDown        = &Template{"DD2E9242", "LNCENT_PLINK_DOWN", "T", "H", "Physical link down"}
	GigabitLinkDown = &Template{"EC0BCCD4", "GOENT_LINK_DOWN", "T", "H", "ETHERNET DOWN"}
	// IBM's support page 7230381 has the label, Checkmk's agent samples the rest.
	ChannelFailover = &Template{"F3846E13", "ECH_CHAN_FAIL", "P", "H", "ETHERCHANNEL FAILOVER"}
	ChannelRecovery = &Template{"8650BE3F", "ECH_CHAN_RCVRY", "I", "H", "ETHERCHANNEL RECOVERY"}
	BecomePrimary   = &Template{"E48A73A4", "SEAHA_PRIMARY", "I", "H", "BECOME PRIMARY"}
	BecomeBackup    = &Template{"E136EAFA", "SEAHA_BACKUP", "I", "H", "BECOME BACKUP"}
)

// Entry is one entry of a log. Append sets its sequence number.
type Entry struct {
	*Template
	At       time.Time
	Sequence int
	Resource string
	Detail   string
}

// size is how many entries a log keeps; then the oldest go, as from a file of
// AIX's size.
const size = 2000

// Logs are the error logs of the nodes, by node. They survive restarts. The zero
// value is ready, and safe for concurrent use.
type Logs struct {
	mu   sync.Mutex
	logs map[string]*log
}

type log struct {
	entries []Entry // oldest first
	last    int     // sequence number
}

// Append adds an entry to a node's log.
func (l *Logs) Append(node string, e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logs == nil {
		l.logs = map[string]*log{}
	}
	n := l.logs[node]
	if n == nil {
		n = &log{}
		l.logs[node] = n
	}
	n.last++
	e.Sequence = n.last
	n.entries = append(n.entries, e)
	n.entries = slices.Delete(n.entries, 0, max(0, len(n.entries)-size))
}

// Entries returns the entries of a node's log, newest first.
func (l *Logs) Entries(node string) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.logs[node]
	if n == nil {
		return nil
	}
	list := slices.Clone(n.entries)
	slices.Reverse(list)
	return list
}

// Remove deletes the entries of a node's log for which remove is true.
func (l *Logs) Remove(node string, remove func(Entry) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := l.logs[node]; n != nil {
		n.entries = slices.DeleteFunc(n.entries, remove)
	}
}
