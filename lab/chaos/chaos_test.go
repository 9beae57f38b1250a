package chaos

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/test/draw"
)

var (
	rounds  = flag.Int("rounds", 0, "rounds; 0: one, or two with MISSETTINGS=all")
	seed    = flag.Uint64("seed", 1, "of the rounds")
	one     = flag.Int("only", 0, "this round alone")
	labs    = flag.Int("labs", 2, "labs that take rounds at the same time; see -parallel")
	options = flag.String("up", "", "further flags of lab up: --strict --shell mksh")
	results = flag.String("results", "", "a file for a line of JSON per round")
)

// job is a plan with the values it starts from and leads to.
type job struct {
	name     string
	topology string // of the lab that it needs
	sets     []string
	file     string
	old, new values
	pending  bool // for the next boot: a reboot in the middle takes running values from it
}

var jobs = []job{
	{name: "no outage, two clients", topology: "two-systems", sets: []string{"lpar1:en0:mtu_bypass=on", "lpar2:en0:mtu_bypass=on"}},
	{name: "interface bounce", topology: "two-systems", sets: []string{"lpar1:en0:mtu=1400", "lpar1:ent0:chksum_offload=no"}},
	{name: "VIOS and client", topology: "two-systems", sets: []string{"vios1:no:sb_max=2097152", "vios1:ent5:largesend=0",
		"vios2:ent5:accounting=enabled", "lpar1:en0:tcp_sendspace=524288", "lpar1:no:sb_max=2097152"}},
	{name: "a step that fails", topology: "two-systems", sets: []string{"lpar1:en0:mtu_bypass=on", "vios1:en5:mtu=9000"}},
	{name: "next boot", topology: "two-systems",
		sets: []string{"lpar1:ent0:max_buf_small=4096", "lpar1:ent0:min_buf_small=4096", "vios1:ent0:queues_rx=12"}, pending: true},
	{name: "failover of a pair", topology: "dual-vios", sets: []string{"vios1a:ent5:jumbo_frames=yes", "vios1b:ent5:jumbo_frames=yes"}},
	{name: "port and interface", topology: "dedicated", sets: []string{"lpar1:ent0:jumbo_frames=yes", "lpar1:en0:mtu=9000"}},
	{name: "EtherChannel", topology: "etherchannel", sets: []string{"lpar2:ent3:hash_mode=src_port", "lpar2:en3:mtu_bypass=on"}},
}

// hosts are those that a plan changes.
func (j *job) hosts() []string {
	var out []string
	for _, set := range j.sets {
		if h, _, _ := strings.Cut(set, ":"); !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// only keeps the values of some hosts.
func only(all values, hosts []string) values {
	out := values{}
	for _, h := range hosts {
		out[h] = all[h]
	}
	return out
}

// round holds what happened in one.
type round struct {
	Round  int      `json:"round"`
	Seed   uint64   `json:"seed"`
	Plan   string   `json:"plan"`
	Fault  string   `json:"fault"`
	Moment string   `json:"moment"` // of the fault
	After  string   `json:"after"`  // from the start of apply, or from the moment
	Ending string   `json:"ending"`
	Exit   int      `json:"exit"` // of apply; -1: killed
	Sides  []string `json:"sides"`
	Person bool     `json:"person"` // somebody had to roll back by hand
	Split  bool     `json:"split"`  // hosts on different sides, each exactly on one
	// Rebooted are the sides before the reboot of all hosts after the round; nil: there was none.
	Rebooted []string `json:"rebooted,omitempty"`
	Wrong    string   `json:"wrong,omitempty"`
	Seconds  float64  `json:"seconds"`

	clean bool // every host is where the next round starts
}

func TestTorture(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	sum := newSummary(t)
	wanted := *rounds
	if wanted == 0 {
		wanted = len(draw.OneIn(t, 2, []string{"first", "second"}))
	}
	queue := make(chan int, wanted)
	for n := 1; n <= wanted; n++ {
		if *one == 0 || n == *one {
			queue <- n
		}
	}
	close(queue)
	bin := build(t)
	t.Run("rounds", func(t *testing.T) {
		for i := range max(1, *labs) {
			t.Run(fmt.Sprintf("lab %d", i+1), func(t *testing.T) {
				t.Parallel()
				sites := map[string]*site{}
				for n := range queue {
					began := time.Now()
					dice := rand.New(rand.NewPCG(*seed, uint64(n)))
					j := &jobs[dice.IntN(len(jobs))]
					if sites[j.topology] == nil {
						sites[j.topology] = start(t, bin, j.topology)
					}
					r := sites[j.topology].round(n, dice, sites[j.topology].prepare(j))
					r.Seconds = time.Since(began).Round(10 * time.Millisecond).Seconds()
					sum.add(t, r)
				}
			})
		}
	})
	t.Logf("%d of %d rounds ended with every host exactly at its new or its earlier values; %d needed a rollback by "+
		"hand; in %d the hosts were not all on the same side",
		sum.good, sum.total, sum.person, sum.split)
}

// summary counts the rounds of all labs.
type summary struct {
	t   *testing.T
	out *os.File

	mu                         sync.Mutex
	total, good, person, split int
	rebooted                   int // rounds that ended with a reboot of all hosts
}

func newSummary(t *testing.T) *summary {
	t.Helper()
	sum := &summary{t: t}
	if *results != "" {
		var err error
		if sum.out, err = os.Create(*results); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { sum.out.Close() })
	}
	return sum
}

func (sum *summary) add(t *testing.T, r round) {
	t.Helper()
	sum.mu.Lock()
	defer sum.mu.Unlock()
	sum.total++
	if r.Wrong == "" {
		sum.good++
	} else {
		t.Errorf("round %d (-only %d): %s, %s %s, ending %s:\n%s", r.Round, r.Round, r.Plan, r.Fault, r.Moment, r.Ending, r.Wrong)
	}
	if r.Person {
		sum.person++
	}
	if r.Split {
		sum.split++
	}
	if r.Rebooted != nil {
		sum.rebooted++
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if sum.out != nil {
		fmt.Fprintln(sum.out, string(line))
	}
	t.Logf("%s", line)
}

// prepare makes the plan of a job, once, and learns what it leads to; that it can be
// applied and rolled back with nothing going wrong is tested on the way.
func (s *site) prepare(of *job) *job {
	s.t.Helper()
	if s.jobs[of] != nil {
		return s.jobs[of]
	}
	j := *of
	j.file, j.old = filepath.Join(s.dir, fmt.Sprintf("plan%d.json", len(s.jobs))), s.old
	args := []string{"plan", "-o", j.file, "--accept", "R020,R021,R023,R041,R047"} // one is meant to fail on the host
	for _, set := range j.sets {
		args = append(args, "--set", set)
	}
	if out, exit := s.run("state", args...); exit != 2 {
		s.t.Fatalf("%s: plan: exit %d: %s", j.name, exit, out)
	}
	out, exit := s.run("state", append(s.apply(&j), "--confirm-within", fmt.Sprintf("%ds", 30*s.place.slow()), "--auto-confirm")...)
	j.new = s.read(s.names)
	switch {
	case exit == 4:
		if d := cmp.Diff(j.old, j.new); d != "" {
			s.t.Fatalf("%s: rolled back, but (-old +now):\n%s", j.name, d)
		}
	case exit != 0 || cmp.Equal(j.old, j.new):
		s.t.Fatalf("%s: apply: exit %d: %s", j.name, exit, out)
	default:
		if out, exit := s.run("state", "rollback", s.newest("state")); exit != 0 {
			s.t.Fatalf("%s: rollback: exit %d: %s", j.name, exit, out)
		}
		if d := cmp.Diff(j.old, s.read(s.names)); d != "" {
			s.t.Fatalf("%s: after rollback (-old +now):\n%s", j.name, d)
		}
	}
	s.jobs[of] = &j
	return &j
}

// newest is the last run of a state folder.
func (s *site) newest(state string) string {
	dirs, _ := filepath.Glob(filepath.Join(s.dir, state, "seaworthy", "runs", "2*"))
	if len(dirs) == 0 {
		return ""
	}
	return filepath.Base(dirs[len(dirs)-1])
}
