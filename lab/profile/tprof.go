package profile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
)

const tprofUsage = `Usage: tprof [-z] [-A] [-s] [-k] [-e] [-u] -x Program [Argument...]`

// Tprof runs a program and writes PROGRAM.prof, .trc and .syms to the working directory.
func Tprof(ctx context.Context, c *node.Call) int {
	argv, err := tprofArgs(c.Argv[1:])
	if err != nil {
		fmt.Fprintf(c.Stderr, "tprof: %v\n%s\n", err, tprofUsage)
		return 2
	}
	return status(c, runTprof(ctx, c, argv))
}

// tprofArgs gives the program's command line. -x takes all that follows it.
func tprofArgs(args []string) ([]string, error) {
	for i, a := range args {
		flags, found := strings.CutPrefix(a, "-")
		if !found || flags == "" {
			return nil, fmt.Errorf("%q is not a flag", a)
		}
		flags, rest, last := strings.Cut(flags, "x")
		if other := strings.Trim(flags, "zAskeu"); other != "" {
			return nil, fmt.Errorf("flag -%c is not supported in the lab", []rune(other)[0])
		}
		if !last {
			continue
		}
		argv := args[i+1:]
		if rest != "" {
			argv = append([]string{rest}, argv...)
		}
		if len(argv) == 1 {
			argv = strings.Fields(argv[0]) // -x "cmd arg", one word to the shell
		}
		if len(argv) == 0 {
			return nil, errors.New("-x needs a program")
		}
		return argv, nil
	}
	return nil, errors.New("-x and a program are required")
}

func runTprof(ctx context.Context, c *node.Call, argv []string) error {
	base := filepath.Base(argv[0])
	trc, err := os.Create(base + ".trc")
	if err != nil {
		return err
	}
	defer trc.Close()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	r, err := record(proc{"/proc"}, trc, nil)
	if err != nil {
		return err
	}
	// Ctrl-C is for the program; what it used so far is still reported.
	keep := make(chan os.Signal, 1)
	signal.Notify(keep, syscall.SIGINT, syscall.SIGQUIT)
	defer signal.Stop(keep)
	fmt.Fprintf(c.Stdout, "Starting Command %s\n", strings.Join(argv, " "))
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", argv[0], err)
	}
	failed := r.follow(cmd.Process.Pid)
	took := time.Since(r.began)
	failed = errors.Join(failed, r.close())
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		return failed
	}
	fmt.Fprintf(c.Stdout, "stopping trace collection.\n%s\n%s\n", time.Now().Format("Mon Jan _2 15:04:05 2006"), machine(c.Node))
	fmt.Fprintf(c.Stdout, "Generating %s.trc\n", base)
	for _, f := range []struct{ name, text string }{{base + ".syms", r.symbols()}, {base + ".prof", r.report(c, base, took)}} {
		fmt.Fprintf(c.Stdout, "Generating %s\n", f.name)
		if err := os.WriteFile(f.name, []byte(f.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// follow takes samples until a program has ended. It does not wait for it: the
// kernel keeps a dead program's ticks until somebody does.
func (r *recorder) follow(pid int) error {
	ended := make(chan error, 1)
	go func() {
		for {
			if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
				ended <- err
				return
			}
		}
	}()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			if err := r.sample(); err != nil {
				return err
			}
		}
	}
}
