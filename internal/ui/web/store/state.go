package store

import (
	"sync"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/waiver"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/measure/history"
)

// Phases of reading.
const (
	Collecting = "reading"
	Auditing   = "auditing"
	Ready      = "ready"
)

// Progress says how far reading is.
type Progress struct {
	Phase    string
	Done, Of int           // hosts read, and folders there are; 0: not known yet
	Took     time.Duration // Ready: how long it took
	Read     time.Time     // Ready: when it was done
	Again    bool          // a change was seen, and the folders are being read again
}

// Row is a host in a few words.
type Row struct {
	Host, System, Platform, Level string
	Taken                         time.Time
	Found                         [5]int // findings by severity, critical first; Ready only
	NotAssessed                   int
}

// State holds what the folders held at one moment.
type State struct {
	Progress
	Generation int   // 0: not Ready; another number after every reading
	Rows       []Row // by host name if Ready

	// The rest is there when it is Ready.
	Fleet    *model.Fleet
	Before   *model.Fleet // of hosts that were read more than once; nil: none
	Findings []finding.Finding
	Groups   []finding.Group
	Waived   []waiver.Waived
	Healthy  int              // verdicts that passed
	Problems []string         // why hosts or files were not read
	Readings []Reading        // the folders that hold snapshots, the earliest first
	Results  []Result         // saved measurements and runs, the newest first; then plans
	Passed   []history.Passed // other .json files
	Folders  []string         // those that hold snapshots, as named by the user

	reads  chan struct{} // as many outputs are read at once
	hosts  map[string]*model.Host
	dirs   map[string][]saved // by host
	byHost map[string][]*finding.Finding
	byID   map[string]*finding.Finding
	graph  func() *graph.Graph
}

// saved is where a host's snapshot of one time is.
type saved struct {
	top   string // the folder of the user's, with its links followed
	dir   string
	taken time.Time
}

// Reading is a folder with snapshots of hosts.
type Reading struct {
	Dir         string
	Hosts       int
	First, Last time.Time // of its snapshots
}

// Host is the newest state of a host; nil if it was not read.
func (s *State) Host(name string) *model.Host { return s.hosts[name] }

// Verdicts are those on a host, but for those that passed.
func (s *State) Verdicts(host string) []*finding.Finding { return s.byHost[host] }

// Finding is one by its id; nil if there is none.
func (s *State) Finding(id string) *finding.Finding { return s.byID[id] }

// Graph says what is connected to what.
func (s *State) Graph() *graph.Graph { return s.graph() }

// Snapshot is the folder of a host's snapshot of a time, or the newest for a zero
// time; "" if there is none.
func (s *State) Snapshot(host string, taken time.Time) string { return s.saved(host, taken).dir }

// saved is where a host's snapshot of a time is, or the newest for a zero time.
func (s *State) saved(host string, taken time.Time) saved {
	for _, d := range s.dirs[host] {
		if taken.IsZero() || d.taken.Equal(taken) {
			return d
		}
	}
	return saved{}
}

// Times are when a host was read, the newest first.
func (s *State) Times(host string) []time.Time {
	var out []time.Time
	for _, d := range s.dirs[host] {
		out = append(out, d.taken)
	}
	return out
}

// index fills in what is found by name.
func (s *State) index() {
	s.hosts = make(map[string]*model.Host, len(s.Fleet.Hosts))
	at := make(map[string]int, len(s.Fleet.Hosts))
	s.Rows = make([]Row, len(s.Fleet.Hosts))
	for i, h := range s.Fleet.Hosts {
		s.hosts[h.Name], at[h.Name], s.Rows[i] = h, i, rowOf(h)
	}
	s.byHost, s.byID = map[string][]*finding.Finding{}, make(map[string]*finding.Finding, len(s.Findings))
	for i := range s.Findings {
		f := &s.Findings[i]
		s.byHost[f.Element.Host] = append(s.byHost[f.Element.Host], f)
		s.byID[f.ID] = f
		row, ok := at[f.Element.Host]
		switch {
		case !ok:
		case f.Verdict == finding.NotAssessed:
			s.Rows[row].NotAssessed++
		case f.Severity.Rank() < len(s.Rows[row].Found):
			s.Rows[row].Found[f.Severity.Rank()]++
		}
	}
	s.Groups = finding.Groups(s.Findings)
	s.graph = sync.OnceValue(func() *graph.Graph { return graph.Of(s.Fleet) })
}

func rowOf(h *model.Host) Row {
	r := Row{Host: h.Name, System: h.MachineID, Platform: string(h.Platform), Level: h.Level, Taken: h.Taken}
	if h.IOSLevel != "" {
		r.Level = h.IOSLevel
	}
	return r
}
