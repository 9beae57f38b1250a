package traffic

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
)

func TestParseTcpdump(t *testing.T) {
	for _, c := range []struct {
		line string
		want sniffed
		err  string
	}{
		{line: "", want: sniffed{snap: maxSnap}},
		{line: "-nei en0 -c3 tcp port 5001", want: sniffed{device: "en0", snap: maxSnap, print: []string{"-ne", "-c", "3", "tcp", "port", "5001"}}},
		{line: "-ien0 -s 96 -w /tmp/x -Z root -pv", want: sniffed{device: "en0", snap: 96, write: "/tmp/x", print: []string{"-v"}}},
		{line: "--interface=en0 --direction in -s 0 --number", want: sniffed{device: "en0", snap: maxSnap, way: "in", print: []string{"--number"}}},
		{line: "-r f -n", want: sniffed{snap: maxSnap, read: "f", print: []string{"-n"}}},
		{line: "-D", want: sniffed{snap: maxSnap, tells: true, print: []string{"-D"}}},
		{line: "--version", want: sniffed{snap: maxSnap, tells: true, print: []string{"--version"}}},
		{line: "-i", err: "requires an argument"},
		{line: "-G 5 -w x", err: "without privilege"},
		{line: "-s much", err: "invalid snaplen"},
		{line: "-Q up", err: "direction"},
	} {
		got, err := parseTcpdump(strings.Fields(c.line))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("tcpdump %s: got error %v, want one with %q", c.line, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("tcpdump %s: got error %v, want none", c.line, err)
			continue
		}
		if diff := cmp.Diff(&c.want, got, cmp.AllowUnexported(sniffed{})); diff != "" {
			t.Errorf("tcpdump %s: got +, want -:\n%s", c.line, diff)
		}
	}
}

func FuzzParseTcpdump(f *testing.F) {
	for _, s := range []string{"-nei en0 -c3 tcp", "--interface=en0 -s", "-", "--", "-s99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, err := parseTcpdump(strings.Fields(line))
		if err == nil && (s.snap < 1 || s.snap > maxSnap) {
			t.Errorf("tcpdump %s: got a snapshot length of %d", line, s.snap)
		}
	})
}

const insideSniff = "SEAWORTHY_TEST_SNIFF"

// Where there is one user, tcpdump shows what passes all the same.
func TestSniff(t *testing.T) {
	path, err := exec.LookPath("tcpdump")
	if err != nil {
		t.Skip("this machine has no tcpdump")
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestSniffInside$", "-test.v")
	cmd.Env = append(os.Environ(), insideSniff+"="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if _, ran := err.(*exec.ExitError); err != nil && !ran {
		t.Skipf("no user namespace: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestSniffInside") {
		t.Errorf("in a user namespace: got %v and\n%s", err, out)
	}
}

func TestSniffInside(t *testing.T) {
	tcpdump := os.Getenv(insideSniff)
	if tcpdump == "" {
		t.Skip("runs in the user namespace of TestSniff")
	}
	if one, err := oneUser(); err != nil || !one {
		t.Fatalf("users: got one: %v, %v, want one", one, err)
	}
	lo, err := netlink.LinkByName("lo")
	if err == nil {
		err = netlink.LinkSetUp(lo)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if s, err := net.Dial("udp4", "127.0.0.1:4711"); err == nil {
				_, _ = s.Write([]byte("packet"))
				s.Close()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	run := func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		exit := sniff(ctx, &node.Call{Argv: append([]string{"tcpdump"}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, tcpdump)
		return out.String(), errs.String(), exit
	}
	out, errs, exit := run("-n", "-i", "lo0", "-c", "2", "udp")
	if n := strings.Count(out, "127.0.0.1.4711: UDP, length 6\n"); n != 2 || exit != 0 || !strings.Contains(errs, "listening on lo, ") || strings.Contains(errs, "Warning") {
		t.Errorf("tcpdump -c 2: got exit status %d, %d packets, want 2, in\n%s%s", exit, n, out, errs)
	}
	file := filepath.Join(t.TempDir(), "x.pcap")
	if out, errs, exit := run("-i", "lo", "-w", file, "-c", "3", "-s", "40", "udp"); exit != 0 || out != "" {
		t.Errorf("tcpdump -w: got exit status %d, %q, %s", exit, out, errs)
	}
	if out, errs, exit := run("-n", "-e", "-r", file); exit != 0 || strings.Count(out, ", length 48: ") != 3 || !strings.Contains(out, "[|") {
		t.Errorf("tcpdump -r: got exit status %d, want 3 packets cut short in\n%s%s", exit, out, errs)
	}
	for line, want := range map[string]string{"-i en9": "en9: No such device exists", "-i lo no such filter": "syntax error", "-r /nonexistent": "no such file"} {
		if _, errs, exit := run(strings.Fields(line)...); exit == 0 || !strings.Contains(errs, want) {
			t.Errorf("tcpdump %s: got exit status %d and %q, want %q", line, exit, errs, want)
		}
	}
	if out, errs, exit := run("--version"); exit != 0 || !strings.Contains(out+errs, "tcpdump version") || strings.Contains(errs, "listening") {
		t.Errorf("tcpdump --version: got exit status %d, %q %q", exit, out, errs)
	}
}
