package main_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
)

// writeHost saves a host with n interfaces as collect does.
func writeHost(t *testing.T, dir, name string, address, n, window int) {
	t.Helper()
	dir = filepath.Join(dir, name)
	var adapters, config strings.Builder
	for i := range n {
		fmt.Fprintf(&adapters, "ent%d Available 00-00 Virtual I/O Ethernet Adapter (l-lan)\n", i)
		fmt.Fprintf(&config, "en%d: flags=1e084863,480<UP,BROADCAST,NOTRAILERS,RUNNING,SIMPLEX,MULTICAST,GROUPRT,64BIT>\n"+
			"\tinet 10.%d.%d.%d netmask 0xff000000 broadcast 10.255.255.255\n\t tcp_sendspace %d tcp_recvspace 262144 rfc1323 1\n",
			i, (address+i)>>16, (address+i)>>8&255, (address+i)&255, window+i)
	}
	for name, text := range map[string]string{
		"lsdev-Cc-adapter.txt": adapters.String(), "ifconfig-a.txt": config.String(),
		"manifest.json": `{"schema": "seaworthy.snapshot/1", "host": "` + name + `", "platform": "aix", "commands": [
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
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, false)
	dir, later := b.path("out", "today"), b.path("out", "tomorrow")
	writeHost(t, dir, "lpar1", 0, 20_000, 1)
	writeHost(t, later, "lpar1", 0, 20_000, 2)
	random := moments(t)
	for _, args := range [][]string{{"audit", dir}, {"audit", dir, "-f", "json"}, {"plan", dir}, {"diff", dir, later}, {"show", "tree", dir},
		{"show", "map", dir}, {"attributes", "show", "mtu", dir}, {"audit", later, "--since", dir}} {
		for range rounds(2) {
			b.start(args...).endsSoon(time.Duration(random.IntN(600)) * time.Millisecond)
		}
	}
}

// endsSoon interrupts a run that has taken so much processor time.
func (r *running) endsSoon(after time.Duration) {
	r.t.Helper()
	spent := time.Duration(0)
	await.Until(r.t, "it ends or works on", func() bool {
		select {
		case <-r.ended:
			spent = r.ProcessState.UserTime() + r.ProcessState.SystemTime()
			return true
		default:
		}
		spent = used(r.Process.Pid)
		return spent >= after
	})
	_ = r.Process.Signal(syscall.SIGINT) // it may have ended by itself
	got := r.end()
	spent = r.ProcessState.UserTime() + r.ProcessState.SystemTime() - spent
	if spent > time.Second {
		r.t.Errorf("Ctrl-C after %s: %s worked for %s on", after, strings.Join(got.args, " "), spent)
	}
	if got.exit == command.ExitFailed { // and did not die before it listened
		got.says(r.t, "interrupt")
	}
}

// Nor do many hosts keep diagnose or serve, whether it reads them, audits them or
// answers.
func TestInterruptedOverManyHosts(t *testing.T) {
	t.Parallel()
	b := newBox(t, false)
	dir := b.path("out", "fleet")
	for i := range 200 {
		writeHost(t, dir, fmt.Sprintf("lpar%d", i), 40*i, 40, 1)
	}
	random := moments(t)
	for range rounds(1) {
		b.start("diagnose", "lpar1", "lpar2", dir).endsSoon(time.Duration(random.IntN(1500)) * time.Millisecond)
		r, url := b.serving(dir)
		asked := make(chan struct{})
		go func() {
			defer close(asked)
			if page, err := http.Get(url + "map"); err == nil { // it may come too late
				page.Body.Close()
			}
		}()
		r.endsSoon(time.Duration(random.IntN(1500)) * time.Millisecond)
		<-asked
	}
}
