package measure_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
)

// withTools is this machine with the given programs in front.
func withTools(t *testing.T, name string, scripts map[string]string) remote.Host {
	t.Helper()
	dir := t.TempDir()
	for tool, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	probes, err := helperDir()
	if err != nil {
		t.Fatal(err)
	}
	return local.New(name, "PATH="+dir+":"+probes+":/usr/sbin:/usr/bin:/sbin:/bin")
}

func one(driver measure.Driver, from, to remote.Host, w measure.Workload) measure.Experiment {
	return measure.Experiment{From: from, To: to, Target: "127.0.0.1", Driver: driver, Repetitions: 1, Seed: 1, Workloads: []measure.Workload{w}}
}

func TestInstalledTools(t *testing.T) {
	for _, d := range draw.OneIn(t, 2, []measure.Driver{measure.Iperf3, measure.Iperf2}) {
		t.Run(d.Name(), func(t *testing.T) {
			program := d.Name()
			if program == "iperf2" {
				program = "iperf"
			}
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is not installed", program)
			}
			t.Parallel()
			e := one(d, localHost(t, "a"), localHost(t, "b"), measure.Workload{Kind: load.Stream, Streams: 2, Seconds: 2, Warmup: 0.5})
			r, err := measure.Run(t.Context(), e)
			// A tool that gets no processor for a while prints intervals without a length: then there is no course.
			for again := 0; err == nil && r.Trials[0].Course == nil && again < 4; again++ {
				r, err = measure.Run(t.Context(), e)
			}
			if err != nil {
				t.Fatal(err)
			}
			tr := r.Trials[0]
			if tr.BPS == nil || *tr.BPS <= 0 || tr.Cores == nil || len(tr.Connections) != 2 || len(tr.Commands) != 2 {
				t.Errorf("got %+v, want throughput of two connections, cores and the commands", tr)
			}
			if tr.CourseOf() != measure.Throughput || len(tr.Course.Rates) < 3 {
				t.Fatalf("got course %+v, want what the receiver got by time", tr.Course)
			}
			sum, at := 0.0, 0.0
			for i, until := range tr.Course.Until {
				sum, at = sum+tr.Course.Rates[i]*(until-at), until
			}
			if mean := sum / at; mean < *tr.BPS/2 || mean > 2**tr.BPS {
				t.Errorf("got a course of %.4g bit/s on average, want the throughput or near it, %.4g", mean, *tr.BPS)
			}
		})
	}
}

// netperf is seldom installed: scripts that print as it does stand in for it.
func TestNetperfDriver(t *testing.T) {
	draw.Rarely(t, 3)
	t.Parallel()
	client := `case "$*" in
*TCP_RR*) printf 'TCP REQUEST/RESPONSE TEST to x\n\n16384 87380 700 700 1.00 5000.50\n16384 87380\n' ;;
*) printf 'TCP STREAM TEST to x\nbytes  bytes   bytes    secs.    10^6bits/sec\n\n16384 16384 16384 1.00 2500.00\n' ;;
esac
sleep 1.2`
	host := func(name string) remote.Host {
		return withTools(t, name, map[string]string{"netserver": "exec sleep 60\n", "netperf": client})
	}
	a, b := host("a"), host("b")
	r, err := measure.Run(t.Context(), one(measure.Netperf, a, b, measure.Workload{Kind: load.RequestResponse, Sessions: 3, Request: 700, Seconds: 0.3, Warmup: 0.1}))
	if err != nil {
		t.Fatal(err)
	}
	if tr := r.Trials[0]; tr.TPS == nil || *tr.TPS != 15001.5 || tr.BPS != nil {
		t.Errorf("got tps %v, bps %v; want the sum of three processes, 15001.5", tr.TPS, tr.BPS)
	}
	r, err = measure.Run(t.Context(), one(measure.Netperf, a, b, measure.Workload{Kind: load.Stream, Streams: 2, Seconds: 0.3, Warmup: 0.1}))
	if err != nil {
		t.Fatal(err)
	}
	if tr := r.Trials[0]; tr.BPS == nil || *tr.BPS != 5e9 {
		t.Errorf("got bps %v, want the sum of two processes, 5e9", tr.BPS)
	}
}

func TestToolFailures(t *testing.T) {
	stream := measure.Workload{Kind: load.Stream, Seconds: 0.3, Warmup: 0.1}
	tests := map[string]struct {
		driver         measure.Driver
		server, client map[string]string
		want           []string
	}{
		"no server program": {measure.Iperf3, map[string]string{"iperf3": "echo 'iperf3: not found' >&2; exit 127"}, nil, []string{"b:", "iperf3 -s", "not found"}},
		"refused": {measure.Iperf2, map[string]string{"iperf": "echo listening; exec sleep 60"},
			map[string]string{"iperf": "echo 'connect failed: Connection refused' >&2; exit 1"}, []string{"a:", "iperf -c", "refused"}},
		"garbage": {measure.Iperf3, map[string]string{"iperf3": "echo listening; exec sleep 60"},
			map[string]string{"iperf3": "sleep 0.8; head -c 2000 /dev/urandom"}, []string{"a:", "iperf3 -c", "not recognised"}},
		"rr": {measure.Iperf3, nil, nil, []string{"streams only"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := stream
			if name == "rr" {
				w.Kind = load.RequestResponse
			}
			r, err := measure.Run(t.Context(), one(tt.driver, withTools(t, "a", tt.client), withTools(t, "b", tt.server), w))
			if err == nil {
				t.Fatalf("got %+v, want an error", r.Trials)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want it to hold %q", err, want)
				}
			}
		})
	}
}

// A tool's server must not outlive a trial that was given up.
func TestToolLeavesNothing(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "pid")
	server := withTools(t, "b", map[string]string{"iperf": fmt.Sprintf("echo $$ >%s; echo listening; exec sleep 600", mark)})
	client := withTools(t, "a", map[string]string{"iperf": "exec sleep 600"})
	ctx, cancel := context.WithCancel(t.Context())
	e := one(measure.Iperf2, client, server, measure.Workload{Kind: load.Stream, Seconds: 1, Warmup: 30})
	started := false
	e.Progress = func(measure.Event) {
		if !started {
			started = true
			go func() {
				await.Within(await.Limit, func() bool {
					_, err := os.Stat(mark)
					return err == nil
				})
				cancel()
			}()
		}
	}
	if _, err := measure.Run(ctx, e); err == nil {
		t.Fatal("got no error, want that of the interruption")
	}
	pid, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run(); err == nil {
		t.Errorf("server process %s still runs", pid)
	}
}

// Where no helper can run, a tool that both ends have makes the load, and
// lparstat shows the CPU; without any, the error says what to install.
func TestOldAIX(t *testing.T) {
	host := func(system, tools string) remotetest.Handler {
		return func(_ context.Context, c *remotetest.Call) int {
			switch {
			case strings.Contains(c.Line, "uname"):
				fmt.Fprintln(c.Stdout, system)
			case strings.Contains(c.Line, "command -v"):
				fmt.Fprintln(c.Stdout, tools)
			case strings.Contains(c.Line, "netserver -D"):
				_, _ = io.Copy(io.Discard, c.Stdin)
			case strings.Contains(c.Line, "netperf -H"):
				await.Pause(time.Second) // as long as it would measure
				fmt.Fprintf(c.Stdout, "TCP STREAM TEST to x\nbytes  bytes   bytes    secs.    10^6bits/sec\n\n16384 16384 16384 1.00 2500.00\n")
			case strings.Contains(c.Line, "lparstat"):
				_, _ = io.WriteString(c.Stdout, "%user  %sys  %wait  %idle physc %entc\n----- ----- ------ ------ ----- -----\n 5.0  45.0    0.0   50.0  0.50 125.0\n")
			default:
				t.Errorf("%s was sent %q", c.Host, c.Line)
				return 127
			}
			return 0
		}
	}
	old := func(partition, tools string) remotetest.Handler {
		return host("seaworthy|AIX|00F6ABCD4C00|7.1|"+partition+"|PowerPC_POWER7|", tools)
	}
	f := remotetest.Start(t, map[string]remotetest.Handler{
		"a": old("5 a", "iperf netperf"), "b": old("6 b", "iperf3 netserver"), "c": old("7 c", "iperf3"),
	})
	stream := measure.Workload{Kind: load.Stream, Streams: 2, Seconds: 0.3, Warmup: 0.1}
	r, err := measure.Run(t.Context(), one(nil, f.Host("a"), f.Host("b"), stream))
	if err != nil {
		t.Fatal(err)
	}
	if o := r.Options; o.Driver != "netperf" || !strings.Contains(o.DriverReason, "a and b: this is AIX 7.1: ") {
		t.Errorf("got driver %s because %q, want netperf because of the AIX level", o.Driver, o.DriverReason)
	}
	if tr := r.Trials[0]; tr.BPS == nil || *tr.BPS != 5e9 || tr.Cores == nil || *tr.Cores != 1 {
		t.Errorf("got bps %v, cores %v; want 5e9 by netperf and 1 by lparstat", tr.BPS, tr.Cores)
	}
	_, err = measure.Run(t.Context(), one(nil, f.Host("a"), f.Host("c"), stream))
	if err == nil || !strings.Contains(err.Error(), "install one of iperf3, iperf2, netperf on both a and c") {
		t.Errorf("without a tool on both: got %v, want what to install", err)
	}
	_, err = measure.Run(t.Context(), one(measure.Builtin{}, f.Host("a"), f.Host("b"), stream))
	if err == nil || !strings.Contains(err.Error(), "AIX 7.1") || !strings.Contains(err.Error(), "--driver") {
		t.Errorf("the built-in load asked for: got %v, want an error that names the level and --driver", err)
	}
}

// The ftp that every AIX has sends for as long as a trial takes.
func TestFTPDriver(t *testing.T) {
	draw.Rarely(t, 3)
	said := "150 Opening data connection for /dev/null.\n226 Transfer complete.\n5000000 bytes sent in 0.5 seconds (9766 Kbytes/s)\n"
	host := func(answer string) remote.Host {
		return withTools(t, "a", map[string]string{"ftp": "cat >/dev/null; sleep 1; cat <<'END'\n" + answer + "END\n"})
	}
	w := measure.Workload{Kind: load.Stream, Streams: 2, Seconds: 0.3, Warmup: 0.1}
	r, err := measure.Run(t.Context(), one(measure.FTP, host(said), localHost(t, "b"), w))
	if err != nil {
		t.Fatal(err)
	}
	if tr := r.Trials[0]; tr.BPS == nil || *tr.BPS != 160e6 || len(tr.Commands) != 2 {
		t.Errorf("got bps %v by %q, want the sum of two processes, 160e6", tr.BPS, tr.Commands)
	}
	_, err = measure.Run(t.Context(), one(measure.FTP, host("530 Login incorrect.\n"), localHost(t, "b"), w))
	if err == nil || !strings.Contains(err.Error(), ".netrc") {
		t.Errorf("got %v, want an error that names .netrc", err)
	}
}

// Every driver is found by the name that is listed, the built-in one first.
func TestDriverNames(t *testing.T) {
	names := measure.DriverNames()
	if names[0] != "builtin" {
		t.Errorf("got %q first, want the built-in one", names[0])
	}
	for _, name := range names {
		if d := measure.DriverByName(name); d == nil || d.Name() != name {
			t.Errorf("%s: got %v", name, d)
		}
	}
}
