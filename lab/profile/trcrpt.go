package profile

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"seaworthy/lab/node"
)

// control is trcon, trcoff and trcstop.
func control(sig syscall.Signal) node.Command {
	return func(_ context.Context, c *node.Call) int {
		pid, err := tracing()
		if err == nil {
			err = syscall.Kill(pid, sig)
		}
		if err != nil {
			fmt.Fprintf(c.Stderr, "%s: %v\n", c.Argv[0], err)
			return 1
		}
		for end := time.Now().Add(5 * time.Second); sig == syscall.SIGTERM && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, err := tracing(); err != nil {
				_ = os.Remove(traceNumber)
				break
			}
		}
		return 0
	}
}

// trcrpt prints a recording as columns.
func trcrpt(_ context.Context, c *node.Call) int {
	file := traceFile
	if n := len(c.Argv); n > 1 {
		file = c.Argv[n-1]
	}
	f, err := os.Open(file)
	if err != nil {
		fmt.Fprintf(c.Stderr, "trcrpt: %v\n", err)
		return 1
	}
	defer f.Close()
	fmt.Fprintf(c.Stdout, "%-4s %14s  %-12s %s\n\n", "ID", "ELAPSED_SEC", "EVENT", "DATA")
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		p := strings.SplitN(in.Text(), " ", 3)
		if len(p) != 3 {
			fmt.Fprintf(c.Stderr, "trcrpt: %s:%d: not a recorded event: %q\n", file, n, in.Text())
			return 1
		}
		fmt.Fprintf(c.Stdout, "%-4s %14s  %-12s %s\n", strings.ToUpper(p[1]), p[0], hookNames[p[1]], p[2])
	}
	if err := in.Err(); err != nil {
		fmt.Fprintf(c.Stderr, "trcrpt: %s: %v\n", file, err)
		return 1
	}
	return 0
}

// Local gives the commands by their bare names.
func Local() map[string]node.Command {
	return map[string]node.Command{
		"tprof": tprof, "trace": trace, "trcrpt": trcrpt,
		"trcon": control(syscall.SIGUSR1), "trcoff": control(syscall.SIGUSR2), "trcstop": control(syscall.SIGTERM),
		"vi": func(_ context.Context, c *node.Call) int { return show(c) },
	}
}
