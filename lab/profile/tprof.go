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

// tprof runs a program and writes PROGRAM.prof, .trc and .syms where it stands.
func tprof(ctx context.Context, c *node.Call) int {
	argv, err := tprofArgs(c.Argv[1:])
	if err != nil {
		fmt.Fprintf(c.Stderr, "tprof: %v\n%s\n", err, tprofUsage)
		return 2
	}
	if err := runTprof(ctx, c, argv); err != nil {
		fmt.Fprintf(c.Stderr, "tprof: %v\n", err)
		return 1
	}
	return 0
}

// tprofArgs gives the program's command line. -x takes all that follows it.
func tprofArgs(args []string) ([]string, error) {
	for i, a := range args {
		if len(a) < 2 || a[0] != '-' {
			return nil, fmt.Errorf("%q is not a flag", a)
		}
		for j := 1; j < len(a); j++ {
			switch {
			case a[j] == 'x':
				argv := args[i+1:]
				if rest := a[j+1:]; rest != "" {
					argv = append([]string{rest}, argv...)
				}
				if len(argv) == 1 {
					argv = strings.Fields(argv[0]) // -x "cmd arg", one word to the shell
				}
				if len(argv) == 0 {
					return nil, errors.New("the program behind -x is missing")
				}
				return argv, nil
			case !strings.ContainsRune("zAskeu", rune(a[j])):
				return nil, fmt.Errorf("flag -%c is not in this lab", a[j])
			}
		}
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
	r, err := record(procfs{"/proc"}, trc, nil)
	if err != nil {
		return err
	}
	// Ctrl-C is for the program; what it used so far is still reported.
	keep := make(chan os.Signal, 1)
	signal.Notify(keep, syscall.SIGINT, syscall.SIGQUIT)
	defer signal.Stop(keep)
	fmt.Fprintf(c.Stdout, "Starting Command %s\n", strings.Join(argv, " "))
	began := time.Now()
	shared, err := startSampled(cmd)
	if err != nil {
		return fmt.Errorf("start %s: %w", argv[0], err)
	}
	ended := make(chan error, 1)
	go func() {
		// The kernel keeps a dead program's ticks until it is waited for.
		ended <- ignoreEINTR(func() error {
			return unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		})
	}()
	tick := time.NewTicker(interval)
	defer tick.Stop()
wait:
	for {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("wait for %s: %w", argv[0], err)
			}
			break wait
		case <-tick.C:
			shared.drain()
			if err := r.look(); err != nil {
				fmt.Fprintf(c.Stderr, "tprof: %v\n", err)
			}
		}
	}
	took := time.Since(began)
	closed := r.close()
	end := cmd.Wait()
	if closed != nil {
		return closed
	}
	split := shared.stop()
	fmt.Fprintf(c.Stdout, "stopping trace collection.\n%s\n%s\n", time.Now().Format("Mon Jan _2 15:04:05 2006"), machine(c.Node))
	for _, f := range []struct{ name, text string }{
		{"trc", ""}, {"syms", r.symbols()}, {"prof", r.report(c, base, took, split)},
	} {
		fmt.Fprintf(c.Stdout, "Generating %s.%s\n", base, f.name)
		if f.text != "" {
			if err := os.WriteFile(base+"."+f.name, []byte(f.text), 0o644); err != nil {
				return err
			}
		}
	}
	var exit *exec.ExitError
	if end != nil && !errors.As(end, &exit) {
		return end
	}
	return nil
}

func ignoreEINTR(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}
