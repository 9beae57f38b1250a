package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/test/await"
)

// What a login finds, each in a fresh shell on one lab.
func TestNodeView(t *testing.T) {
	probe := filepath.Join(t.TempDir(), "probe")
	if err := os.WriteFile(probe, []byte("#!/bin/sh\necho probe $1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := startLab(t, Options{Probe: probe})
	for _, c := range []struct{ node, user, line, want string }{
		{"lpar1", "", "hostname; id -un; pwd; echo $HOME $USER", "lpar1\nroot\n/root\n/root root\n"},
		{"vios1", "", "hostname; pwd; echo $USER", "vios1\n/home/padmin\npadmin\n"},
		{"lpar1", "", "lsattr -El en0 | grep -c lpar1", "1\n"},
		{"lpar1", "", "/usr/bin/lsattr -a 'b c'", "lpar1 root vios=false lsattr -a b c\n"},
		{"vios1", "", "/usr/sbin/lsattr", "vios1 padmin vios=true lsattr\n"},
		{"lpar1", "", "/usr/sbin/lsattr", "lpar1 root vios=false lsattr\n"},
		{"vios1", "", "lsattr -x", "vios1 padmin vios=true lsattr -x\n"},
		{"vios1", "", "ioslevel", "3.1.2.21\n"},
		{"vios1", "root", "lsattr", "vios1 root vios=false lsattr\n"},
		{"vios1", "root", "/usr/ios/cli/lsattr q", "vios1 root vios=true lsattr q\n"},
		{"vios1", "", "echo 'lsattr 1; echo $USER' | oem_setup_env", "vios1 root vios=false lsattr 1\nroot\n"},
		{"vios1", "", "echo 'lsattr 1; hostname' | rootshell", "vios1 root vios=false lsattr 1\nvios1\n"},
		{"lpar1", "", "ls -d /usr/ios 2>/dev/null; ioslevel 2>/dev/null; echo $?", "127\n"},
		{"lpar1", "", "echo abc | cat_upper; echo $?", "ABC\n4\n"},
		{"lpar1", "", "printf 'a\\nb\\n' | while read x; do lsattr $x; done", "lpar1 root vios=false lsattr a\nlpar1 root vios=false lsattr b\n"},
		{"lpar1", "", "whereami", "lpar1 root 0\n"},
		{"lpar1", "", "seaworthy-probe x; /usr/bin/seaworthy-probe y", "probe x\nprobe y\n"},
		{"lpar1", "", "echo x > /tmp/f && cat /tmp/f && rm /tmp/f; echo '# x' >> /etc/hosts && tail -1 /etc/hosts", "x\n# x\n"},
		{"lpar2", "", "grep lpar /etc/hosts | tr '\\t' ' '; ls /tmp", "10.10.10.11 lpar1\n10.10.10.12 lpar2\n"},
		{"lpar1", "", "awk 'BEGIN{print 1+1}'; echo aXb | sed s/X/-/; dd if=/dev/zero bs=1k count=4 2>/dev/null | wc -c", "2\na-b\n4096\n"},
		{"lpar1", "", "ls /sys/class/net | tr '\\n' ' '", "en0 lo "},
		{"vios1", "root", "ls /sys/class/net | tr '\\n' ' '", "en0 en4 en5 lo "},
		{"vios1", "", "tr a b </dev/null 2>/dev/null; echo $? $PATH", "127 /usr/ios/cli:/usr/ios/utils:/usr/ios/oem\n"},
		{"lpar1", "", "find /dev -type b | wc -l", "0\n"},
		{"lpar1", "", "exit 7", ""},
	} {
		out, errs, exit := run(t, l, c.node, c.user, c.line)
		if out != c.want {
			t.Errorf("%s %s: %s: got %q (%s), want %q", c.node, c.user, c.line, out, errs, c.want)
		}
		if c.line == "exit 7" && exit != 7 {
			t.Errorf("exit 7: got %d", exit)
		}
	}
}

// Nothing that root of a node does reaches the machine.
func TestMachineIsSafe(t *testing.T) {
	l := startLab(t, Options{})
	for _, line := range []string{
		"touch /usr/bin/x", "touch /.machine/usr/bin/x", "rm /usr/bin/lsattr", "touch /usr/lib/x",
		"echo 1 > /proc/sys/kernel/panic_on_oops", "echo h > /proc/sysrq-trigger", "echo x > /run/seaworthy/seaworthy",
		"mount -o remount,rw /usr", "mount -t tmpfs t /mnt", "umount /usr", "mknod /tmp/b b 8 0 && cat /tmp/b",
		"chroot /proc/1/root true", "ls /proc/1/root/", "kill -9 1 && kill -0 1 && exit 1", "unshare -m true",
	} {
		if out, errs, exit := run(t, l, "lpar1", "", line); exit == 0 {
			t.Errorf("%s: succeeded: %q %q", line, out, errs)
		}
	}
	if out, _, _ := run(t, l, "lpar1", "", "hostname"); out != "lpar1\n" {
		t.Errorf("hostname after all that: got %q", out)
	}
}

// A node with Linux sets its own ports in /sys, and nothing else there.
func TestOwnPorts(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the kernel lets root of the machine set these files only")
	}
	l := startLab(t, Options{Topology: "linux-peer"})
	const timer = "/sys/class/net/eth0/gro_flush_timeout"
	if out, errs, _ := run(t, l, "server1", "", "echo 20000 > "+timer+" && cat "+timer); out != "20000\n" {
		t.Errorf("timer of a port: got %q (%s), want 20000", out, errs)
	}
	if out, _, _ := run(t, l, "linux1", "", "cat "+timer); out != "0\n" {
		t.Errorf("timer of another node's port: got %q, want 0", out)
	}
	for _, file := range []string{"/sys/kernel/rcu_expedited", "/sys/module/tcp_cubic/parameters/beta"} {
		if _, _, exit := run(t, l, "server1", "", "x=$(cat "+file+"); echo $x > "+file); exit == 0 {
			t.Errorf("%s of the machine can be written", file)
		}
	}
}

// The cables carry traffic from LPAR to LPAR, through both VIOSes.
func TestTrafficPasses(t *testing.T) {
	for _, top := range []string{"two-systems", "dedicated"} {
		l := startLab(t, Options{Topology: top})
		// The shell of the machine cannot open sockets everywhere; the kernel
		// answers ARP for anyone who asks, and iperf3 or ping may be missing.
		_, errs, exit := run(t, l, "lpar1", "", "timeout 10 bash -c 'exec 3<>/dev/tcp/10.10.10.12/9'")
		if exit == 0 || !strings.Contains(errs, "refused") {
			t.Errorf("%s: connect to a closed port of lpar2: got exit %d, %q; want that lpar2 refuses", top, exit, errs)
		}
	}
}

func TestSessions(t *testing.T) {
	l := startLab(t, Options{})
	// Many short logins at once.
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var out bytes.Buffer
			nodes := []string{"lpar1", "lpar2", "vios1", "vios2"}
			node := nodes[i%len(nodes)]
			exit, err := l.Exec(t.Context(), node, "", fmt.Sprintf("hostname; exit %d", i), Stdio{Out: &out})
			if err != nil || exit != i || out.String() != node+"\n" {
				t.Errorf("login %d: got %q, exit %d, %v", i, out.String(), exit, err)
			}
		}()
	}
	wg.Wait()
	// Megabytes in both directions.
	var out bytes.Buffer
	in := strings.NewReader(strings.Repeat("0123456789abcdef", 1<<18))
	if exit, err := l.Exec(t.Context(), "lpar1", "", "cat", Stdio{In: in, Out: &out}); err != nil || exit != 0 || out.Len() != 4<<20 {
		t.Errorf("cat: got %d bytes, exit %d, %v; want %d", out.Len(), exit, err, 4<<20)
	}
	// A command whose session goes away is ended, stubborn or not.
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	_, err := l.Exec(ctx, "lpar1", "", "trap '' HUP TERM; sleep 4711; sleep 4711", Stdio{})
	cancel()
	if err == nil {
		t.Error("a cancelled command: got no error")
	}
	await.Until(t, "the processes of a cancelled command are gone", func() bool {
		left, _, _ := run(t, l, "lpar1", "", "ps -ef | grep -c '[s]leep 4711'")
		return left == "0\n"
	})
	// A background process outlives its session.
	run(t, l, "lpar1", "", "sleep 4712 >/dev/null 2>&1 </dev/null &")
	if out, _, _ := run(t, l, "lpar1", "", "ps -ef | grep -c '[s]leep 4712'"); out != "1\n" {
		t.Errorf("a background process after its session: got %q, want 1", out)
	}
	// A restart of the node ends it.
	if _, err := l.Exec(t.Context(), "lpar1", "", "restart", Stdio{}); err != nil && !strings.Contains(err.Error(), "lpar1") {
		t.Errorf("restart: %v", err)
	}
	await.Until(t, "the background process has ended with the restart", func() bool {
		out, _, _ := run(t, l, "lpar1", "", "ps -ef | grep -c '[s]leep 4712'")
		return out == "0\n"
	})
	if _, _, exit := run(t, l, "lpar1", "", "kill -TERM $$"); exit != 143 {
		t.Errorf("a command killed by TERM: got exit %d, want 143", exit)
	}
	if _, err := l.Exec(t.Context(), "lpar9", "", "true", Stdio{}); err == nil || !strings.Contains(err.Error(), "lpar1, vios1") {
		t.Errorf("an unknown node: got %v, want the names of the nodes", err)
	}
	if _, err := l.Exec(t.Context(), "lpar1", "padmin", "true", Stdio{}); err == nil || !strings.Contains(err.Error(), "no login padmin") {
		t.Errorf("padmin on an LPAR: got %v, want a refusal", err)
	}
}

func TestQuery(t *testing.T) {
	l := startLab(t, Options{})
	var got struct {
		Args  string
		Nodes int
	}
	if err := l.Query(t.Context(), "effects", []int{1}, &got); err != nil || got.Args != "[1]" || got.Nodes != 2 {
		t.Errorf("effects: got %+v, %v", got, err)
	}
	// CPU time of the living, the dead, and daemons; never less than before.
	last := time.Duration(-1)
	for _, line := range []string{
		"true", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done",
		"(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done) >/dev/null 2>&1 </dev/null & exit", "sleep 0.5",
	} {
		run(t, l, "lpar1", "", line)
		var used time.Duration
		if err := l.Query(t.Context(), "cpu", nil, &used); err != nil {
			t.Fatal(err)
		}
		if used < last || last > 0 && strings.HasPrefix(line, "i=") && used < last+20*time.Millisecond {
			t.Errorf("CPU time after %q: got %v, before it was %v", line, used, last)
		}
		last = used
	}
	if last < 100*time.Millisecond {
		t.Errorf("CPU time of two loops: got %v in all", last)
	}
	if err := l.Query(t.Context(), "nonsense", nil, nil); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("an unknown query: got %v", err)
	}
}

// brokenPipe is a reader's end that has gone.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// A command whose output nobody takes is hung up, not waited for.
func TestExecOutputGone(t *testing.T) {
	l := startLab(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err := l.Exec(ctx, "lpar1", "", "yes", Stdio{Out: brokenPipe{}})
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("yes to a closed pipe: got %v, want EPIPE", err)
	}
}
