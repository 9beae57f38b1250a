package main_test

import (
	"strings"
	"testing"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/needs"
)

// The first connection after lab up, and after an interface came back, is not
// kept waiting: no SYN and no ARP request of it is lost.
func TestFirstConnection(t *testing.T) {
	t.Parallel()
	needs.Tool(t, "iperf")
	each(t, func(t *testing.T, ordinary bool) {
		b := newBox(t, ordinary)
		for range rounds(1) {
			b.lab("f")
			connect := func(when string) {
				t.Helper()
				r := b.on("f", "lpar1", `iperf -c lpar2 -n 1K >/dev/null && awk '/^TcpExt/ {if (!n) {n=split($0,h)} else for(i=2;i<=n;i++) if (h[i]=="TCPSynRetrans") {split($0,v); print v[i]}}' /proc/net/netstat`)
				if r.exit != 0 || strings.TrimSpace(r.out) != "0" {
					t.Errorf("%s: %s\nwant no SYN sent again", when, r)
				}
			}
			if r := b.on("f", "lpar2", "iperf -s >/dev/null 2>&1 </dev/null & for i in $(seq 500); do grep -qs :1389 /proc/net/tcp /proc/net/tcp6 && break; sleep 0.01; done"); r.exit != 0 {
				t.Fatal(r)
			}
			connect("after up")
			for _, line := range []string{
				"chdev -l en0 -a state=down; chdev -l en0 -a state=up",
				"chdev -l en0 -a state=detach; chdev -l en0 -a mtu=1400; chdev -l en0 -a state=up",
			} {
				if r := b.on("f", "lpar1", line); r.exit != 0 {
					t.Fatal(r)
				}
				connect("after " + line)
			}
			b.must(command.ExitDone, "lab", "down", "f")
		}
	})
}

// ping needs no privilege of the machine.
func TestPing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, ordinary bool) {
		b := newBox(t, ordinary)
		b.lab("p")
		for _, line := range []string{"ping -c 1 lpar2", "/usr/sbin/ping -c 1 lpar2", "/etc/ping -c 1 -s 8000 10.10.10.12"} {
			r := b.on("p", "lpar1", line)
			if r.exit != 0 || !strings.Contains(r.out, "1 packets transmitted, 1 packets received, 0% packet loss") {
				t.Errorf("%s: %s", line, r)
			}
		}
		if r := b.on("p", "lpar1", "ping -c 1 -w 1 10.10.10.99"); r.exit == 0 {
			t.Errorf("ping of nobody: %s", r)
		}
	})
}
