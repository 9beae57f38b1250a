package replay

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/bench"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/probe/meter"
)

// Figures of ftp under tprof. Ticks are of 10 ms.
const (
	ftpTicks       = "ftp_ticks"
	ftpKernelTicks = "ftp_kernel_ticks"
	ftpUserTicks   = "ftp_user_ticks" // with shared libraries
	ticksPerGB     = "ticks_per_gb"   // of ftp, per 10^9 bytes
	kernelPerGB    = "kernel_ticks_per_gb"
	ftpShare       = "ftp_share" // of the time of the transfer that ftp had a processor
	largesendBytes = "largesend_bytes"
	largesendMost  = "largesend_biggest" // bytes of one large send
)

// dd's block, in bytes, and how many of them are sent.
const (
	ftpBlock   = 3350000
	ftpCount   = 2000
	ftpQuickly = 300
)

// ftp sends zeroes by ftp's put under tprof, in every variant, in turns.
func ftp(ctx context.Context, r *runner, e *Experiment, out *Outcome, s *samples) error {
	count := ftpCount
	if r.Quick {
		count = ftpQuickly
	}
	return r.turns(ctx, e, out, "ftpd", 4, func(st *stage, address, variant string, block int) error {
		busy, err := meter.Start(0)
		if err != nil {
			return err
		}
		got, err := put(ctx, st, e.From, address, count)
		if err != nil {
			return err
		}
		used, err := busy.End()
		if err != nil {
			return err
		}
		for f, x := range got {
			s.add(variant, f, block, x)
		}
		s.tool(variant, used, got[ftpShare])
		out.Trials++
		return nil
	})
}

// put is one session of ftp under tprof.
func put(ctx context.Context, st *stage, node, address string, count int) (map[string]float64, error) {
	before, err := largesends(ctx, st, node)
	if err != nil {
		return nil, err
	}
	script := fmt.Sprintf(`open %s\nroot\nroot\nput "| dd if=/dev/zero bs=%d count=%d" /dev/null\nbye\n`, address, ftpBlock, count)
	said, err := st.run(ctx, node, "cd /tmp && printf '"+script+"' | tprof -z -Askex ftp; cat ftp.prof")
	if err != nil {
		return nil, err
	}
	after, err := largesends(ctx, st, node)
	if err != nil {
		return nil, err
	}
	return ftpFigures(said, before, after)
}

// ftpFigures are those of what ftp and tprof printed, and of netstat before and
// after.
func ftpFigures(said string, before, after map[string]float64) (map[string]float64, error) {
	bytes, seconds, ok := transfer(said)
	if !ok {
		return nil, fmt.Errorf("ftp did not say how much it sent: %.300s", said)
	}
	ticks, ok := processTicks(said, "ftp")
	if !ok {
		return nil, errors.New("tprof's report has no row of ftp")
	}
	out := map[string]float64{
		ftpTicks: ticks.total, ftpKernelTicks: ticks.kernel, ftpUserTicks: ticks.total - ticks.kernel,
		ticksPerGB: ticks.total / (bytes / 1e9), kernelPerGB: ticks.kernel / (bytes / 1e9),
	}
	if seconds > 0 {
		out[bench.Throughput] = 8 * bytes / seconds
		out[ftpShare] = onProcessor(out)
	}
	if sent, known := after[largesendBytes]; known {
		out[largesendBytes] = sent - before[largesendBytes]
		if biggest, known := after[largesendMost]; known && out[largesendBytes] > 0 {
			out[largesendMost] = biggest
		}
	}
	return out, nil
}

// onProcessor is the share of the time of a transfer that ftp had a processor.
func onProcessor(f map[string]float64) float64 {
	return f[ticksPerGB] / 100 * f[bench.Throughput] / 8e9
}

var sentLine = regexp.MustCompile(`(?m)^(\d+) bytes sent in ([0-9.e+-]+) seconds`)

// transfer reads ftp's line on what it sent.
func transfer(text string) (bytes, seconds float64, ok bool) {
	m := sentLine.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	bytes, err1 := strconv.ParseFloat(m[1], 64)
	seconds, err2 := strconv.ParseFloat(m[2], 64)
	return bytes, seconds, err1 == nil && err2 == nil && bytes > 0
}

// tickRow is a process's row of tprof's report.
type tickRow struct{ total, kernel float64 }

// processTicks finds the row of a program in the table of processes. A program
// that ran more than once has one row.
func processTicks(text, program string) (row tickRow, ok bool) {
	table := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) >= 4 && f[0] == "Process" && f[2] == "Total" && f[3] == "Kernel" {
			table = true
			continue
		}
		if !table || len(f) < 4 || path.Base(f[0]) != program {
			continue
		}
		total, err1 := strconv.ParseFloat(f[2], 64)
		kernel, err2 := strconv.ParseFloat(f[3], 64)
		if err1 != nil || err2 != nil || total < kernel || kernel < 0 {
			return row, false
		}
		return tickRow{total, kernel}, true
	}
	return row, false
}

// largesends are netstat's counters of large sends; none where it prints none.
func largesends(ctx context.Context, st *stage, node string) (map[string]float64, error) {
	text, err := st.run(ctx, node, "netstat -p tcp")
	if err != nil {
		return nil, err
	}
	stat, err := protocols.Parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: netstat -p tcp: %w", node, err)
	}
	out := map[string]float64{}
	for figure, key := range map[string]string{largesendBytes: "bytes_sent_using_largesend", largesendMost: "bytes_is_the_biggest_largesend"} {
		if n, ok := stat.Get("tcp", key); ok {
			out[figure] = float64(n)
		}
	}
	return out, nil
}
