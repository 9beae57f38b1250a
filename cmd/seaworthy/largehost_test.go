package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/cli/command"
)

// writeLargeHost saves a host with n interfaces as collect does.
func writeLargeHost(t *testing.T, dir string, n, window int) {
	t.Helper()
	var adapters, config strings.Builder
	for i := range n {
		fmt.Fprintf(&adapters, "ent%d Available 00-00 Virtual I/O Ethernet Adapter (l-lan)\n", i)
		fmt.Fprintf(&config, "en%d: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT>\n"+
			"\tinet 10.%d.%d.%d netmask 0xff000000 broadcast 10.255.255.255\n\t tcp_sendspace %d tcp_recvspace 262144 rfc1323 1\n",
			i, i>>16, i>>8&255, i&255, window+i)
	}
	for name, text := range map[string]string{
		"lsdev-Cc-adapter.txt": adapters.String(), "ifconfig-a.txt": config.String(),
		"manifest.json": `{"schema": "seaworthy.snapshot/1", "host": "lpar1", "platform": "aix", "commands": [
			{"id": "lsdev-Cc-adapter", "line": "lsdev -Cc adapter", "stdout": "lsdev-Cc-adapter.txt", "exit": 0},
			{"id": "ifconfig-a", "line": "ifconfig -a", "stdout": "ifconfig-a.txt", "exit": 0}]}`,
	} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// used is the processor time that a running process has taken.
func used(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if err != nil || len(fields) < 13 {
		return 0 // it has ended
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // ticks of proc(5)
}

// Ctrl-C ends what reads saved hosts at once, wherever it is. Processor time is
// counted, since a busy machine may be slow to give any.
func TestInterruptedOverLargeHost(t *testing.T) {
	t.Parallel()
	b := newBox(t, false)
	dir, later := b.path("out", "today"), b.path("out", "tomorrow")
	writeLargeHost(t, filepath.Join(dir, "lpar1"), 20_000, 1)
	writeLargeHost(t, filepath.Join(later, "lpar1"), 20_000, 2)
	random := moments(t)
	for _, args := range [][]string{{"audit", dir}, {"audit", dir, "-f", "json"}, {"plan", dir}, {"diff", dir, later}, {"show", "tree", dir},
		{"show", "map", dir}, {"attributes", "show", "mtu", dir}, {"audit", later, "--since", dir}} {
		for range rounds(2) {
			after := time.Duration(random.IntN(600)) * time.Millisecond
			r := b.start(args...)
			spent := time.Duration(0)
			select {
			case <-r.ended:
			case <-time.After(after):
				spent = used(r.Process.Pid)
				_ = r.Process.Signal(syscall.SIGINT)
			}
			got := r.end()
			if spent == 0 {
				continue // it ended, or died before it listened
			}
			spent = r.ProcessState.UserTime() + r.ProcessState.SystemTime() - spent
			if spent > time.Second {
				t.Errorf("Ctrl-C after %s: %s worked for %s on", after, strings.Join(args, " "), spent)
			}
			if got.exit == command.ExitFailed {
				got.says(t, "interrupt")
			}
		}
	}
}
