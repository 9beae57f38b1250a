package profile

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"seaworthy/lab/node"
)

// machine is the line that names the node, as uname gives it there.
func machine(name string) string { return "System: AIX Node: " + name }

// report is the .prof file.
func (r *recorder) report(c *node.Call, base string, took time.Duration) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	rows := r.rows()
	idle := uint64(0)
	if r.idle1 > r.idle0 {
		idle = r.idle1 - r.idle0
	}
	total := idle
	for _, x := range rows {
		total += x.User + x.Kernel
	}
	p("Configuration information\n=========================\n%s", machine(c.Node))
	p("Tprof command was:\n%s", strings.Join(c.Argv, " "))
	p("Trace command was:\n/usr/bin/trace -ad -M -T 500000 -j %s -o %s.trc",
		strings.Join([]string{hookOn, hookOff, hookExec, hookTick}, ","), base)
	p("Total Samples = %d", total)
	p("Traced Time = %.2fs (out of a total execution time of %.2fs)", took.Seconds(), took.Seconds())
	p("Ticks are of 10 ms, from the kernel's accounting; wait is the idle time of the whole machine.")
	p("Shared is not separated from User in the lab.")
	p("%s\n", strings.Repeat("<", 80))
	p("%-37s %5s %6s %6s %6s %6s %6s", "Process", "FREQ", "Total", "Kernel", "User", "Shared", "Other")
	p("%-37s %5s %6s %6s %6s %6s %6s", "=======", "====", "=====", "======", "====", "======", "=====")
	lines := append([]row{{Name: "wait", processes: r.cpus, ticks: ticks{Kernel: idle}}}, rows...)
	for _, x := range lines {
		p("%-37s %5d %6d %6d %6d %6s %6s", x.Name, x.processes, x.User+x.Kernel, x.Kernel, x.User, "-", "-")
	}
	return b.String()
}

// symbols is the .syms file: which process ran which program.
func (r *recorder) symbols() string {
	var out []string
	for _, s := range r.seen {
		out = append(out, fmt.Sprintf("%d %s", s.PID, s.Name))
	}
	slices.Sort(out)
	return strings.Join(out, "\n") + "\n"
}

// show is vi, which shows files. On a terminal the machine's own editor does, if it has one.
func show(_ context.Context, c *node.Call) int {
	if len(c.Argv) < 2 {
		fmt.Fprintln(c.Stderr, "Usage: vi File...")
		return 1
	}
	for _, name := range c.Argv[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			return status(c, err)
		}
		_, _ = c.Stdout.Write(text)
	}
	return 0
}
