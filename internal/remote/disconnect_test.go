package remote_test

import (
	"testing"

	"seaworthy/internal/remote"
)

// connected counts how often its connection is ended.
type connected struct {
	remote.Host
	ended int
}

func (c *connected) Disconnect() { c.ended++ }

// A host that is wrapped is let go as one that is not: a fleet's connections would
// stay open to the end.
func TestWrappedHostsAreDisconnected(t *testing.T) {
	c := &connected{}
	for i, h := range []remote.Host{c, remote.Logged(c), remote.Quiet(c), remote.Quiet(remote.Logged(c))} {
		remote.Disconnect(h)
		if c.ended != i+1 {
			t.Fatalf("%T: the connection was not ended", h)
		}
	}
}
