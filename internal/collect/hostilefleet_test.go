package collect

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshhost"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/remotetest"
)

// Of half the hosts of a fleet some hang, some refuse, some reset and some answer a byte a second: the others are read,
// the time is what ConnectTimeout makes of those that hang, and nothing stays open. With go test -v of 2,000 hosts.
func TestHostileFleet(t *testing.T) {
	const atOnce = 16
	n, timeout, whole := 32, 500*time.Millisecond, false
	if testing.Verbose() {
		n, timeout, whole = 2000, 3*time.Second, true
	}
	handlers := map[string]remotetest.Handler{}
	for i := range n {
		handlers[fmt.Sprintf("h%d", i)] = table{"uname -s": says("HP-UX\n"), "uname -a": says("HP-UX h B.11.31\n"), "id -u": says("0\n")}.Serve
	}
	fleet := remotetest.Start(t, handlers)
	fleet.ConnectTimeout, fleet.Logins = timeout, sshhost.NewLogins(0)
	var hosts []remote.Host
	for i := range n {
		name := fmt.Sprintf("h%d", i)
		hosts = append(hosts, fleet.Host(name))
		switch i % 8 {
		case 1:
			fleet.Server(name).Mute(true)
		case 3:
			fleet.Server(name).Down()
		case 5:
			fleet.Server(name).Reset(true)
		case 7:
			fleet.Server(name).Drip(time.Second)
		}
	}
	began := time.Now()
	outcomes := ReadFleet(t.Context(), hosts, Options{Hosts: atOnce}, nil)
	took := time.Since(began)
	for i, l := range outcomes {
		if (l.Manifest != nil) != (i%2 == 0) {
			t.Errorf("%s: manifest %v, %v", l.Host, l.Manifest != nil, l.Err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	least := time.Duration(n/4/atOnce) * timeout
	t.Logf("%d hosts in %s, %s at least; %d MB of memory, their servers' too", n, took, least, m.Sys>>20)
	if whole && took > least*3/2 {
		t.Errorf("%s, want %s at most", took, least*3/2)
	}
	if m.Sys > 1<<30 {
		t.Errorf("%d MB of memory", m.Sys>>20)
	}
	for _, h := range hosts {
		remote.Disconnect(h)
	}
	await.Until(t, "no connection is open", func() bool {
		for _, h := range hosts {
			if fleet.Server(h.Name()).Open() > 0 {
				return false
			}
		}
		return true
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { ReadFleet(ctx, hosts, Options{Hosts: atOnce}, nil); close(ended) }()
	await.Until(t, "a host that hangs is asked", func() bool { return fleet.Server("h1").Connections() > 1 })
	interrupted := time.Now()
	stop()
	<-ended
	t.Logf("interrupted: ended after %s", time.Since(interrupted))
	if late := time.Since(interrupted); whole && late > time.Second {
		t.Errorf("ended %s after the interrupt, want 1 s at most", late)
	}
}
