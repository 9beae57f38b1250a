package cputime

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/measure/probe/meter"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Role of an owner of CPU time: that of a node, or one of these.
type Role = topology.Role

const (
	Hypervisor Role = "hypervisor" // the switch of a managed system
	Switch     Role = "switch"     // the Ethernet switch
	Lab        Role = "lab"        // logins, and the commands that the lab answers
	Rest       Role = "rest"       // what else this machine does
	Nobody     Role = "nobody"     // work of the kernel that no device and no process stands for
)

var unattributed = Owner{Name: "not attributed", Role: Nobody}

// Owner is somebody who uses CPU time.
type Owner struct {
	Name     string  `json:"name"`
	Role     Role    `json:"role"`
	Entitled float64 `json:"entitled,omitempty"` // cores, of a partition

	netns uint32 // number of its network namespace
}

// Spent is CPU time since the account began. SoftIRQ is nil where only
// processes are accounted.
type Spent struct {
	User    time.Duration  `json:"user_ns"`
	System  time.Duration  `json:"system_ns"`
	SoftIRQ *time.Duration `json:"softirq_ns,omitempty"`
}

// Line is one owner's time.
type Line struct {
	Owner
	Spent
}

// Reading is who has used how much, at one moment. Two readings make a Share.
type Reading struct {
	At      time.Time       `json:"at"`
	Lines   []Line          `json:"lines"`
	Machine *meter.ProcStat `json:"machine"` // by the kernel's own account
	// Processes says why only the time of processes is known; empty: all is.
	Processes string `json:"processes_only,omitempty"`
}

// Account keeps the CPU time of a lab. Safe for concurrent use.
type Account struct {
	owners  []Owner
	process func(node string) (user, system time.Duration, ok bool)
	mu      sync.Mutex
	sampler *Sampler
	failed  error // why there is none
}

// New opens the account of a lab. Process is the time of a node's processes, for
// where the kernel does not allow more. Nothing is sampled, and nothing costs
// anything, until somebody reads.
func New(t *topology.Topology, n *wire.Network, process func(node string) (user, system time.Duration, ok bool)) (*Account, error) {
	a := &Account{process: process}
	for _, s := range t.Systems {
		for _, node := range slices.Concat(s.Nodes, s.Linux) {
			a.owners = append(a.owners, Owner{Name: node.Name, Role: node.Role, Entitled: node.Entitled})
		}
		a.owners = append(a.owners, Owner{Name: wire.HypervisorNS(s.Name), Role: Hypervisor})
	}
	for _, node := range t.Servers {
		a.owners = append(a.owners, Owner{Name: node.Name, Role: node.Role})
	}
	a.owners = append(a.owners, Owner{Name: wire.SwitchNS(t.Switch.Name), Role: Switch}, Owner{Name: "lab", Role: Lab})
	for i := range a.owners {
		o := &a.owners[i]
		var st unix.Stat_t
		err := unix.Stat("/proc/self/ns/net", &st)
		if o.Role != Lab {
			var fd int
			if fd, err = n.FD(o.Name); err == nil {
				err = unix.Fstat(fd, &st)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: network namespace: %w", o.Name, err)
		}
		o.netns = uint32(st.Ino)
	}
	return a, nil
}

// sampling is the sampler, which the first call starts.
func (a *Account) sampling() (*Sampler, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sampler == nil && a.failed == nil {
		a.sampler, a.failed = Start()
	}
	return a.sampler, a.failed
}

// Read gives the time of everybody.
func (a *Account) Read() (*Reading, error) {
	s, failed := a.sampling()
	r := &Reading{}
	var used map[key]time.Duration
	var err error
	if failed == nil {
		used, err = s.read()
	} else {
		r.Processes = failed.Error()
	}
	text, readErr := os.ReadFile("/proc/stat")
	if err = cmp.Or(err, readErr); err != nil {
		return nil, err
	}
	r.At = time.Now()
	if r.Machine, err = meter.ParseProcStat(string(text), r.At); err != nil {
		return nil, err
	}
	for _, o := range a.owners {
		if failed == nil {
			r.Lines = append(r.Lines, Line{o, removeSpent(used, o.netns)})
		} else if user, system, ok := a.processes(o); ok {
			r.Lines = append(r.Lines, Line{o, Spent{User: user, System: system}})
		}
	}
	if failed != nil {
		return r, nil
	}
	nobody := removeSpent(used, 0)
	rest := Spent{SoftIRQ: new(time.Duration)}
	for k, t := range used {
		switch k.Kind {
		case User:
			rest.User += t
		case System:
			rest.System += t
		case SoftIRQ:
			*rest.SoftIRQ += t
		}
	}
	r.Lines = append(r.Lines, Line{Owner{Name: "rest of the machine", Role: Rest}, rest}, Line{unattributed, nobody})
	return r, nil
}

// processes is the time of those of an owner that is a node.
func (a *Account) processes(o Owner) (user, system time.Duration, ok bool) {
	if o.Role != topology.LPAR && o.Role != topology.VIOS && o.Role != topology.Server {
		return 0, 0, false
	}
	return a.process(o.Name)
}

// removeSpent removes a namespace from used and gives its time.
func removeSpent(used map[key]time.Duration, netns uint32) Spent {
	soft := used[key{netns, SoftIRQ}]
	s := Spent{User: used[key{netns, User}], System: used[key{netns, System}], SoftIRQ: &soft}
	for k := User; k <= Idle; k++ {
		delete(used, key{netns, k})
	}
	return s
}

// Node is the time of one node. Whole: with what the kernel did for it; else
// of its processes only. ok is false if it cannot be read.
func (a *Account) Node(name string) (s Spent, whole, ok bool) {
	sampler, failed := a.sampling()
	if failed != nil {
		user, system, ok := a.process(name)
		return Spent{User: user, System: system}, false, ok
	}
	used, err := sampler.read()
	if err != nil {
		return s, true, false
	}
	for _, o := range a.owners {
		if o.Name == name {
			return removeSpent(used, o.netns), true, true
		}
	}
	return s, true, false
}

// Why says why only processes are accounted; nil: all is.
func (a *Account) Why() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sampler != nil || a.failed != nil {
		return a.failed
	}
	s, failed := Start() // only to try: nobody has read CPU time yet
	if failed != nil {
		a.failed = failed
		return failed
	}
	s.Close()
	return nil
}
