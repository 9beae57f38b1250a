package measure_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"seaworthy/internal/measure"
	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/remote"
)

// inside runs a host's commands in a network namespace.
type inside struct {
	remote.Host
	namespace string
}

func (h inside) wrap(line string) string {
	return "ip netns exec " + h.namespace + " sh -c '" + strings.ReplaceAll(line, "'", `'\''`) + "'"
}

func (h inside) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	c.Line = h.wrap(c.Line)
	return h.Host.Run(ctx, c)
}

func (h inside) Start(ctx context.Context, line string) (*remote.Session, error) {
	return h.Host.Start(ctx, h.wrap(line))
}

// twoNamespaces makes two namespaces joined by a bridge in a third, with a
// 10 Gbit/s token bucket at both ends, and removes them after the test.
func twoNamespaces(b *testing.B) (x, y string) {
	if os.Geteuid() != 0 {
		b.Skip("namespaces need root here")
	}
	base := fmt.Sprintf("swb%d", os.Getpid())
	x, y, m := base+"x", base+"y", base+"m"
	run := func(line string) {
		b.Helper()
		if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	for _, n := range []string{x, y, m} {
		run("ip netns add " + n)
		b.Cleanup(func() { run("ip netns del " + n) })
	}
	run("ip -n " + m + " link add br0 type bridge && ip -n " + m + " link set br0 up")
	for i, n := range []string{x, y} {
		run(fmt.Sprintf("ip link add en0 netns %s type veth peer name p%d netns %s", n, i, m))
		run(fmt.Sprintf("ip -n %s link set p%d master br0 up", m, i))
		run(fmt.Sprintf("ip -n %s addr add 10.77.0.%d/24 dev en0 && ip -n %s link set en0 up && ip -n %s link set lo up", n, i+1, n, n))
		run(fmt.Sprintf("ip netns exec %s tc qdisc add dev en0 root tbf rate 10gbit burst 256k limit 4mb", n))
	}
	return x, y
}

// BenchmarkVersus prints how the built-in load does against the tools of the
// field on a path of 10 Gbit/s:
//
//	go test ./bench -run XXX -bench CrossCheck -benchtime 1x
//
// Wanted: throughput and transactions at least 0.97 of the tool's, CPU per
// Gbit/s at most 1.05 of it.
func BenchmarkVersus(b *testing.B) {
	x, y := twoNamespaces(b)
	dir, err := helperDir()
	if err != nil {
		b.Fatal(err)
	}
	host := func(name, namespace string) remote.Host {
		return inside{Host: newLocal(name, dir), namespace: namespace}
	}
	stream := func(n int) measure.Workload {
		return measure.Workload{Kind: load.Stream, Streams: n, Seconds: 3, Warmup: 1}
	}
	ask := measure.Workload{Kind: load.RequestResponse, Request: 700, NoDelay: true, Seconds: 3, Warmup: 1}
	for _, c := range []struct {
		driver   measure.Driver
		program  string
		workload measure.Workload
	}{
		{measure.Iperf3, "iperf3", stream(1)}, {measure.Iperf3, "iperf3", stream(8)}, {measure.Qperf, "qperf", ask}, {measure.Sockperf, "sockperf", ask},
	} {
		name := fmt.Sprintf("%s/%s%d", c.driver.Name(), c.workload.Kind, max(1, c.workload.Streams))
		b.Run(name, func(b *testing.B) {
			if _, err := exec.LookPath(c.program); err != nil {
				b.Skipf("%s is not installed", c.program)
			}
			for range b.N {
				r, err := measure.CrossCheck(b.Context(), measure.Experiment{
					From: host("from", x), To: host("to", y), Target: "10.77.0.2", Repetitions: 6, Control: -1,
					Workloads: []measure.Workload{c.workload},
				}, c.driver)
				if err != nil {
					b.Fatal(err)
				}
				for _, e := range r.Contrast {
					if e.Low != nil {
						b.Logf("%s: builtin/%s %.3f [%.3f, %.3f] %s", e.Figure, c.driver.Name(), e.Ratio, *e.Low, *e.High, e.Verdict)
					}
					switch e.Figure {
					case measure.Throughput, measure.Transactions, measure.PerGbps, measure.PerTrans:
						b.ReportMetric(e.Ratio, e.Figure+"_ratio")
					}
				}
			}
		})
	}
}
