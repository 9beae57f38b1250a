package assemble

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab"
	"seaworthy/lab/capture"
	"seaworthy/lab/cputime"
	"seaworthy/lab/fault"
	"seaworthy/lab/node"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Faults is the answer to the queries "faults", "break" and "mend".
type Faults struct {
	Broken   []fault.Fault `json:"broken"`
	Mended   []fault.Fault `json:"mended,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
}

type query = func(context.Context, json.RawMessage) (any, error)

func answer(s *fault.Set, f Faults) Faults {
	f.Broken = s.List()
	if f.Broken == nil {
		f.Broken = []fault.Fault{}
	}
	return f
}

// faults answers "faults"; guard says which loops are held off now, losses how
// many packets delays have lost.
func faults(s *fault.Set, guard func() []string, losses func() (uint64, error)) query {
	return func(context.Context, json.RawMessage) (any, error) {
		f := answer(s, Faults{Warnings: guard()})
		switch n, err := losses(); {
		case err != nil:
			f.Warnings = append(f.Warnings, err.Error())
		case n > 0:
			f.Warnings = append(f.Warnings, fmt.Sprintf("%d packets were lost on delayed cables because this machine had "+
				"no processor for them in time: what is measured there is less than the cables carry", n))
		}
		return f, nil
	}
}

// breaks answers "break" with a Fault. A flapping port goes on after the
// query, as long as the lab.
func breaks(life context.Context, s *fault.Set) func(context.Context, fault.Fault) (any, error) {
	return func(_ context.Context, f fault.Fault) (any, error) {
		warnings, err := s.Break(life, f)
		return answer(s, Faults{Warnings: warnings}), err
	}
}

func mends(s *fault.Set) func(context.Context, fault.Fault) (any, error) {
	return func(ctx context.Context, f fault.Fault) (any, error) {
		mended, warnings, err := s.Mend(ctx, f)
		return answer(s, Faults{Mended: mended, Warnings: warnings}), err
	}
}

// captureLimit ends a capture that nobody asks for again.
const captureLimit = 2 * time.Minute

// captures runs one capture at a time.
type captures struct {
	mu  sync.Mutex
	net *wire.Network
	top func() *topology.Topology // as it is now
	now *capture.Capture
	end *time.Timer
}

// start answers "capture-start" for a stream.
func (c *captures) start(_ context.Context, s lab.Stream) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now != nil {
		return nil, errors.New("capture: another one is running in this lab")
	}
	k, err := capture.Start(c.net, s.At, passed(c.top(), s))
	if err != nil {
		return nil, err
	}
	c.now = k
	c.end = time.AfterFunc(captureLimit, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.now == k { // and no later one
			_, _ = c.finish()
		}
	})
	return true, nil
}

// passed says which cables the frames of a stream can pass: those of its ends and
// of VIOSes, in the VLANs that an end has.
func passed(t *topology.Topology, s lab.Stream) func(d wire.Device) bool {
	nodes, tags := map[string]bool{}, map[int]bool{0: true}
	for _, n := range t.Hosts() {
		end := n.Name == s.From || n.Name == s.To
		nodes[n.Name] = end || n.Role == topology.VIOS
		for i := range n.Adapters {
			a := &n.Adapters[i]
			if end {
				tags[a.Tag] = true
				for _, vlan := range a.Carries() {
					tags[vlan] = true
				}
			}
		}
	}
	return func(d wire.Device) bool { return nodes[d.Node] && tags[d.VLAN] }
}

// stop answers "capture-stop" with the hops.
func (c *captures) stop(context.Context, json.RawMessage) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return nil, errors.New("capture: none is running in this lab")
	}
	c.end.Stop()
	return c.finish()
}

// finish ends the capture that runs. The caller holds the lock.
func (c *captures) finish() ([]capture.Hop, error) {
	hops, err := c.now.Stop()
	c.now = nil
	return hops, err
}

// nodeCPU is the account in the form that the nodes' commands ask for.
func nodeCPU(a *cputime.Account) func(string) (node.CPUTime, bool) {
	return func(name string) (node.CPUTime, bool) {
		s, whole, ok := a.Node(name)
		if s.SoftIRQ != nil {
			s.System += *s.SoftIRQ
		}
		return node.CPUTime{User: s.User, System: s.System, Processes: !whole}, ok
	}
}

// cpuFile is where a container finds its own CPU time, and where a node does.
const cpuFile = "/sys/fs/cgroup/cpu.stat"

// cpuStat is the text of a node's cpuFile, in the form of the kernel's. It
// cannot be opened where only processes are accounted: it would be too little.
func cpuStat(a *cputime.Account) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		s, whole, ok := a.Node(name)
		if !whole || !ok {
			return nil, unix.ENODATA
		}
		system := s.System + *s.SoftIRQ
		return fmt.Appendf(nil, "usage_usec %d\nuser_usec %d\nsystem_usec %d\n",
			(s.User + system).Microseconds(), s.User.Microseconds(), system.Microseconds()), nil
	}
}
