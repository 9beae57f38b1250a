package traffic_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/load/netperf"
	"seaworthy/internal/test/await"
	"seaworthy/lab/node"
	"seaworthy/lab/traffic"
)

// commands are those of the package, by name: servers start themselves again in the background.
var commands = map[string]node.Command{
	"ftp": traffic.FTP, "ftpd": traffic.FTPD, "netperf": traffic.Netperf, "netserver": traffic.Netserver,
	"ping": traffic.Ping, "tcpdump": traffic.TCPDump,
}

// TestMain is also the program that netserver starts in the background.
func TestMain(m *testing.M) {
	if cmd := commands[filepath.Base(os.Args[0])]; cmd != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // no test's server stays
		defer cancel()
		os.Exit(cmd(ctx, &node.Call{Argv: os.Args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}))
	}
	os.Exit(m.Run())
}

// output is a buffer that several goroutines may use.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func run(ctx context.Context, line string) (stdout, stderr string, exit int) {
	var out, errs output
	argv := strings.Fields(line)
	exit = commands[argv[0]](ctx,
		&node.Call{Node: "lpar1", User: "root", Argv: argv, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	return out.String(), errs.String(), exit
}

// serve runs a server command until the test ends, or until stop is called.
func serve(t *testing.T, line string) (out *output, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out = &output{}
	done := make(chan struct{})
	argv := strings.Fields(line)
	go func() {
		defer close(done)
		if exit := commands[argv[0]](ctx, &node.Call{Argv: argv, Stdin: strings.NewReader(""), Stdout: out, Stderr: out}); exit != 0 {
			t.Errorf("%s: got exit status %d: %s", line, exit, out)
		}
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	t.Cleanup(stop)
	return out, stop
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func TestNetperf(t *testing.T) {
	port := freePort(t)
	_, stop := serve(t, "netserver -D -p "+port)
	defer stop()
	dialable(t, port)
	out, stderr, exit := run(t.Context(), "netperf -H 127.0.0.1 -p "+port+" -l 0.5 -- -s 131072 -S 65536 -m 32768")
	if exit != 0 {
		t.Fatalf("stream: got exit status %d, %s", exit, stderr)
	}
	o, err := netperf.Parse([]byte(out))
	if err != nil || len(o.Unknown) > 0 {
		t.Fatalf("stream: got %v, unknown %v in %q", err, o.Unknown, out)
	}
	if bps, ok := o.BitsPerSecond(); !ok || bps <= 0 || !strings.Contains(out, " 32768 ") {
		t.Errorf("stream: got %v bit/s in %q, want some, with messages of 32768", bps, out)
	}
	// What was asked for, as AIX shows it, not twice that, as Linux does.
	if r := o.Result; r == nil || r.Local.Send != 131072 || r.Remote.Receive != 65536 {
		t.Errorf("stream: got %+v, want sockets of 131072 and 65536 bytes", r)
	}
	out, stderr, exit = run(t.Context(), "netperf -H 127.0.0.1 -p "+port+" -l0.5 -v10 -t TCP_RR -- -r 700 -D")
	if exit != 0 {
		t.Fatalf("rr: got exit status %d, %s", exit, stderr)
	}
	if o, err = netperf.Parse([]byte(out)); err != nil || len(o.Unknown) > 0 {
		t.Fatalf("rr: got %v, unknown %v in %q", err, o.Unknown, out)
	}
	if tps, ok := o.Transactions(); !ok || tps <= 0 || !strings.Contains(out, "nodelay") {
		t.Errorf("rr: got %v transactions/s in %q", tps, out)
	}
}

func dialable(t *testing.T, port string) {
	t.Helper()
	await.Until(t, "port "+port+" listens", func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

func TestNetserverInBackground(t *testing.T) {
	port := freePort(t)
	out, stderr, exit := run(t.Context(), "netserver -p "+port)
	if exit != 0 || !strings.Contains(out, "'"+port+"'") {
		t.Fatalf("got exit status %d, %q, %q; want a server", exit, out, stderr)
	}
	if _, stderr, exit := run(t.Context(), "netperf -H 127.0.0.1 -l 0.2 -p "+port); exit != 0 {
		t.Errorf("netperf: got exit status %d, %s", exit, stderr)
	}
	if _, stderr, exit := run(t.Context(), "netserver -p "+port); exit != 1 || !strings.Contains(stderr, "in use") {
		t.Errorf("second server: got exit status %d, %q; want 1 and that the port is in use", exit, stderr)
	}
}

// Whatever comes on the control connection, the server answers or hangs up,
// and serves the next client.
func TestNetserverGarbage(t *testing.T) {
	port := freePort(t)
	_, stop := serve(t, "netserver -D -p "+port)
	defer stop()
	dialable(t, port)
	for _, garbage := range []string{"\x00\x01\x02", "{}\n",
		`{"netperf":1,"load":{"kind":"stream","connections":5000}}`, strings.Repeat("[", 100000)} {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(garbage)) // the server may hang up first
		_ = c.(*net.TCPConn).CloseWrite()
		answer := make([]byte, 4096)
		n, _ := c.Read(answer)
		if n > 0 && !strings.Contains(string(answer[:n]), "error") {
			t.Errorf("%.20q: got %q, want an error or nothing", garbage, answer[:n])
		}
		c.Close()
	}
	if _, stderr, exit := run(t.Context(), "netperf -H 127.0.0.1 -l 0.2 -p "+port); exit != 0 {
		t.Errorf("afterwards: got exit status %d, %s", exit, stderr)
	}
}

func TestNetperfFailures(t *testing.T) {
	for line, want := range map[string]string{
		"netperf -H 127.0.0.1 -p " + freePort(t):          "netserver listening",
		"netperf -t UDP_RR":                               "UDP_RR",
		"netperf -f":                                      "needs a value",
		"netperf -l -5":                                   "-l",
		"netperf -H 127.0.0.1 -t TCP_RR -- -r 0":          "-r",
		"netperf -H no-such-host.invalid":                 "no-such-host",
		"netperf -c -H 127.0.0.1":                         "CPU",
		"netperf -H 127.0.0.1 extra":                      "extra",
		"netperf -H 127.0.0.1 -- -m 99999999999999999999": "-m",
	} {
		_, stderr, exit := run(t.Context(), line)
		if exit != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: got exit status %d and %q, want 1 and %q", line, exit, stderr, want)
		}
	}
}

func TestPing(t *testing.T) {
	out, stderr, exit := run(t.Context(), "ping -c 3 -i 0.05 127.0.0.1")
	if strings.Contains(stderr, "not permitted") || strings.Contains(stderr, "denied") {
		t.Skip("no ICMP socket is allowed here: " + stderr)
	}
	want := "PING 127.0.0.1: (127.0.0.1): 56 data bytes\n"
	for n := range 3 {
		want += fmt.Sprintf("64 bytes from 127.0.0.1: icmp_seq=%d ttl=64 time=N ms\n", n)
	}
	want += "\n--- 127.0.0.1 ping statistics ---\n3 packets transmitted, 3 packets received, 0% packet " +
		"loss\nround-trip min/avg/max = N/N/N ms\n"
	got := regexp.MustCompile(`time=\d+`).ReplaceAllString(out, "time=N")
	got = regexp.MustCompile(`\d+/\d+/\d+`).ReplaceAllString(got, "N/N/N")
	if diff := cmp.Diff(want, got); exit != 0 || diff != "" {
		t.Errorf("got exit status %d, %s; differs (-want +got):\n%s", exit, stderr, diff)
	}
	// -D dumps the answers.
	if out, _, exit := run(t.Context(), "ping -D -c 1 -s 65507 127.0.0.1"); exit != 0 ||
		!strings.Contains(out, "\n00000010  ") || strings.Contains(out, "too long") {
		t.Errorf("dump: got exit status %d, %.300q", exit, out)
	}
	if out, _, exit := run(t.Context(), "ping -f -c 50 127.0.0.1 1000"); exit != 0 || !strings.Contains(out, "50 packets received") {
		t.Errorf("flood: got exit status %d, %q", exit, out)
	}
}

func TestPingFailures(t *testing.T) {
	for line, want := range map[string]string{
		"ping":                           "Usage",
		"ping -c x 127.0.0.1":            "-c",
		"ping -c 1 no-such-host.invalid": "0821-062",
		"ping -s 70000 127.0.0.1":        "-s",
		"ping 127.0.0.1 56 1 extra":      "host",
	} {
		_, stderr, exit := run(t.Context(), line)
		if exit != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: got exit status %d and %q, want 1 and %q", line, exit, stderr, want)
		}
	}
}
