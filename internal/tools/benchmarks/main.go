// Command benchmarks measures the built program on this machine and writes
// what docs/benchmarks.md holds: how long a lab takes to come and go, what the
// demo takes and shows, how the built-in load compares with other tools on the
// same path, how fast hosts are read, audited and changed, and how the published
// experiments come out.
//
// It runs the program as a user would: benchmarks.yaml holds the command lines
// of every section. No figure passes or fails here.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"seaworthy/internal/measure/stats"
)

// suite holds what every measurement needs.
type suite struct {
	program string
	root    string // folder of the sources
	out     string // folder for the page and the results that it shows
	state   string // folder for labs, journals and files, gone at the end
	quick   bool
	page    page
}

func main() {
	var s suite
	only := flag.String("only", "", "comma-separated `sections`; all without it")
	flag.StringVar(&s.program, "program", "bin/seaworthy", "the built program")
	flag.StringVar(&s.out, "o", "out", "folder for the page and the raw results")
	flag.BoolVar(&s.quick, "quick", false, "fewer repetitions, to try the program itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := s.run(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func (s *suite) run(ctx context.Context, only string) (err error) {
	all, err := sections()
	if err != nil {
		return err
	}
	for _, path := range []*string{&s.program, &s.out} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	s.root, err = os.Getwd()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	if s.state, err = os.MkdirTemp("", "seaworthy-benchmarks-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.state)
	s.page.machine(ctx)
	var failed error
	for _, x := range all {
		if only != "" && !slices.Contains(strings.Split(only, ","), x.Name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().Format("15:04:05"), x.Name)
		if err := s.section(ctx, x); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", x.Name, err))
			s.page.say("\n%s was not measured to its end: %v", x.Name, err)
		}
	}
	file := filepath.Join(s.out, "benchmarks.md")
	if err := os.WriteFile(file, []byte(s.page.String()), 0o644); err != nil {
		return err
	}
	fmt.Println(file)
	return failed
}

// page is the text being written.
type page struct{ strings.Builder }

func (p *page) say(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) row(cells ...string) { p.say("| %s |", strings.Join(cells, " | ")) }

// machine says where and when, and with which other load generators.
func (p *page) machine(ctx context.Context) {
	const about = `echo "$(id -un) on $(uname -sr), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
for t in "iperf3 --version" "iperf -v" "qperf --version" "sockperf --version"; do
	echo "- $($t 2>&1 | head -1)"
done`
	text, _ := exec.CommandContext(ctx, "sh", "-c", about).Output()
	p.say("Measured %s with %d CPUs and %s by %s", time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		runtime.NumCPU(), runtime.Version(), text)
}

// summary puts repeated figures into cells: n, median with its interval, most.
// An interval of fewer than five values says little more than that they are few;
// nothing that is measured here is below zero.
func (p *page) summary(what string, values []float64, unit string) []string {
	s := stats.Summarise(values)
	interval := "-"
	if s.Low != nil && s.N >= 5 {
		interval = figured(max(0, *s.Low), unit) + " to " + figured(*s.High, unit)
	}
	return []string{what, fmt.Sprint(s.N), figured(s.Median, unit), interval, figured(slices.Max(values), unit)}
}

// figured is a figure with its unit.
func figured(v float64, unit string) string {
	switch {
	case unit != "s":
		return fmt.Sprintf("%.0f %s", v, unit)
	case v < 1:
		return fmt.Sprintf("%.1f ms", v*1e3)
	}
	return fmt.Sprintf("%.2f s", v)
}

// ran holds what a script cost, and what it printed.
type ran struct {
	text      string
	wall, cpu time.Duration
	memory    int64 // bytes
}

// answers are exit statuses of the program that are no failure: no, and inconclusive.
var answers = []int{2, 3}

// shell runs a script in the folder of the run, with the program first on PATH
// and labs and journals apart from the user's own. QUICK is 2, a number of
// blocks, with -quick; ROOT is the folder of the sources.
func (s *suite) shell(ctx context.Context, script string) (r ran, err error) {
	if script == "" {
		return r, nil
	}
	cmd := exec.CommandContext(ctx, "sh", "-ec", script)
	cmd.Dir = s.state
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+s.state, "XDG_STATE_HOME="+s.state, "OUT="+s.out, "ROOT="+s.root,
		"PATH="+filepath.Dir(s.program)+":"+os.Getenv("PATH"))
	if s.quick {
		cmd.Env = append(cmd.Env, "QUICK=2")
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	begin := time.Now()
	err = cmd.Run()
	r.wall = time.Since(begin)
	r.text = string(bytes.TrimSpace(out.Bytes()))
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && slices.Contains(answers, exit.ExitCode()) {
		err = nil
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w: %s", script, err, bytes.TrimSpace(said.Bytes()))
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.cpu, r.memory = time.Duration(u.Utime.Nano()+u.Stime.Nano()), u.Maxrss<<10
	}
	return r, nil
}
