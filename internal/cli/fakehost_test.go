package cli_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"seaworthy/internal/test/remotetest"
	"seaworthy/internal/test/transcripts"
)

// fakeHost answers as an LPAR or a VIOS did in a transcript, and keeps what
// chdev sets. Faults come first.
type fakeHost struct {
	*transcripts.Host
	mu      sync.Mutex
	faults  []fault
	watches int // how often its counters were read while it was watched
}

// fault makes matching commands go wrong.
type fault struct {
	command *regexp.Regexp
	handler remotetest.Handler
}

// fakeFleet gives the four hosts of two systems, by user@name.
func fakeFleet(t testing.TB) map[string]*fakeHost {
	t.Helper()
	all := map[string]*fakeHost{}
	for login, host := range transcripts.Hosts(t) {
		h := &fakeHost{Host: host}
		h.Rewrite = h.counted
		all[login] = h
	}
	return all
}

func (h *fakeHost) serve(ctx context.Context, c *remotetest.Call) int {
	h.mu.Lock()
	for _, f := range h.faults {
		if f.command.MatchString(c.Command) {
			h.mu.Unlock()
			return f.handler(ctx, c)
		}
	}
	h.mu.Unlock()
	if strings.HasSuffix(c.Command, "oem_setup_env || sh") { // the host's lock, which is always free here
		_, _ = io.Copy(io.Discard, c.Stdin)
		fmt.Fprint(c.Stdout, "seaworthy run a\nseaworthy watchers 2\nseaworthy state armed\n")
		return 0
	}
	return h.well(ctx, c)
}

// well answers without faults.
func (h *fakeHost) well(ctx context.Context, c *remotetest.Call) int {
	if h.watched(c) {
		return 0
	}
	return h.Serve(ctx, c)
}

// aloneWith starts the fake fleet, with a home and a working folder that are empty but
// for hosts.yaml with these hosts.
func aloneWith(t *testing.T, hosts string) *remotetest.Fleet {
	t.Helper()
	for _, name := range []string{"XDG_STATE_HOME", "HOME"} {
		t.Setenv(name, t.TempDir())
	}
	handlers := map[string]remotetest.Handler{}
	for login, h := range fakeFleet(t) {
		handlers[login] = h.serve
	}
	fleet := remotetest.Start(t, handlers)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("hosts.yaml", []byte("ssh_config: "+fleet.Config+"\nhosts:\n"+hosts), 0o600); err != nil {
		t.Fatal(err)
	}
	return fleet
}
