package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"seaworthy/bench"
	"seaworthy/bench/stats"
)

// demo runs the whole demo once and keeps its result.
func (s *suite) demo(ctx context.Context) error {
	args := []string{"demo", "-f", "json"}
	if s.quick {
		args = append(args, "--blocks", "2", "--control", "-1")
	}
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Env = s.environment()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	peak := watch(ctx, cmd)
	err := cmd.Wait()
	took := time.Since(begin)
	if err != nil {
		return fmt.Errorf("demo: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	if err := os.WriteFile(filepath.Join(s.out, "demo.json"), out.Bytes(), 0o644); err != nil {
		return err
	}
	var r struct {
		Bench *bench.Result `json:"bench"`
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return fmt.Errorf("demo: its JSON: %w", err)
	}
	s.page.say("\n## Demo\n")
	s.page.say("mtu_bypass off → on at both LPARs of two-systems: 1 TCP stream and 8, 10 and 50 request/response sessions of 700 bytes.")
	s.page.say("Wall time %s. Memory of all its processes together, at most (sum of proportional set sizes, sampled every 0.1 s): %.0f MB.",
		duration(took.Seconds()), float64(<-peak)/1e6)
	s.page.say("Random seed: %d.", r.Bench.Options.Seed)
	s.effects(r.Bench)
	return nil
}

// effects writes a comparison's effects.
func (s *suite) effects(r *bench.Result) {
	a, b := r.Options.Variants[0], r.Options.Variants[1]
	s.page.table("workload", "figure", a, b, "effect", "95 % interval", "verdict", "blocks")
	for _, c := range r.Contrast {
		switch c.Figure {
		case bench.Throughput, bench.Transactions, bench.Cores, bench.PerGbps, bench.PerTrans:
			s.page.row(c.Workload, c.Figure, middle(r, c.Workload, a, c.Figure), middle(r, c.Workload, b, c.Figure),
				fmt.Sprintf("× %.3f", c.Ratio), between(&c.Effect), string(c.Verdict), fmt.Sprint(c.Blocks))
		}
	}
}

func between(e *stats.Effect) string {
	if e.Low == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f to %.3f", *e.Low, *e.High)
}

func middle(r *bench.Result, workload, variant, figure string) string {
	for _, f := range r.Figures {
		if f.Workload == workload && f.Variant == variant && f.Figure == figure && f.Host == "" {
			return strconv.FormatFloat(f.Median, 'g', 4, 64)
		}
	}
	return "-"
}

// watch samples the memory of a process and of all below it until it ends.
func watch(ctx context.Context, cmd *exec.Cmd) <-chan int64 {
	peak := make(chan int64, 1)
	go func() {
		var most int64
		for ctx.Err() == nil {
			now := int64(0)
			for _, pid := range family(cmd.Process.Pid) {
				now += proportional(pid)
			}
			if now == 0 {
				break
			}
			most = max(most, now)
			time.Sleep(100 * time.Millisecond)
		}
		peak <- most
	}()
	return peak
}

// family is a process with all its descendants.
func family(root int) []int {
	parent := map[int]int{}
	procs, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, p := range procs {
		text, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		// The name in parentheses may hold anything; the state and the parent follow it.
		_, rest, ok := strings.Cut(string(text[bytes.LastIndexByte(text, ')')+1:]), " ")
		fields := strings.Fields(rest)
		pid, perr := strconv.Atoi(filepath.Base(filepath.Dir(p)))
		if !ok || len(fields) < 2 || perr != nil {
			continue
		}
		parent[pid], _ = strconv.Atoi(fields[1])
	}
	var out []int
	for pid := range parent {
		for up := pid; up != 0; up = parent[up] {
			if up == root {
				out = append(out, pid)
				break
			}
		}
	}
	return out
}

// proportional is a process's memory in bytes, shared pages divided by who
// shares them; 0 if it is gone.
func proportional(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for l := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(l, "Pss:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}
