package assemble

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"seaworthy/lab"
	"seaworthy/lab/capture"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

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
			if a := &n.Adapters[i]; end {
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
