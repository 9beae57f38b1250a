package machinery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"seaworthy/lab/capture"
	"seaworthy/lab/wire"
)

// captureLimit ends a capture that nobody asks for again.
const captureLimit = 2 * time.Minute

// captures runs one capture at a time.
type captures struct {
	mu  sync.Mutex
	net *wire.Network
	now *capture.Capture
	end *time.Timer
}

// start answers "capture-start" with the address and port of a stream.
func (c *captures) start(_ context.Context, args json.RawMessage) (any, error) {
	var to netip.AddrPort
	if err := json.Unmarshal(args, &to); err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now != nil {
		return nil, errors.New("capture: another one is running in this lab")
	}
	k, err := capture.Start(c.net, to)
	if err != nil {
		return nil, err
	}
	c.now = k
	c.end = time.AfterFunc(captureLimit, func() { _, _ = c.stop(context.Background(), nil) })
	return true, nil
}

// stop answers "capture-stop" with the hops.
func (c *captures) stop(context.Context, json.RawMessage) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return nil, errors.New("capture: none is running in this lab")
	}
	c.end.Stop()
	hops, err := c.now.Stop()
	c.now = nil
	return hops, err
}
