package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/cli/command"
)

// labProgram has the lab and the demo.
const labProgram = "seaworthy-lab"

// newLab are the subcommands that it carries out.
func newLab(a *commandLine) []*cobra.Command {
	var all []*cobra.Command
	for _, c := range []struct{ name, short string }{
		{"lab", "A PowerVM network on this machine: LPARs, VIOSes, SEAs, switches"},
		{"demo", "Run the whole cycle in a lab: find, change, verify, measure before and after"},
		{"rehearse", "Try a plan in a copy of the network before it is applied to production"},
	} {
		all = append(all, &cobra.Command{
			Use: c.name, Short: c.short, DisableFlagParsing: true,
			Long: "Runs " + labProgram + ", which has these commands: " + c.name + " --help lists them.",
			RunE: func(*cobra.Command, []string) error { return runLab(a.args) },
		})
	}
	return all
}

// aboutLab recognises help and completion of the lab's commands.
func aboutLab(args []string) bool {
	return len(args) > 1 && slices.Contains([]string{"help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, args[0]) &&
		slices.Contains([]string{"lab", "demo", "rehearse"}, args[1])
}

// runLab turns this process into the lab's program, with the same arguments.
// It returns only if that fails.
func runLab(args []string) error {
	if runtime.GOOS != "linux" {
		return errors.New("the lab is made of Linux network namespaces: run it on a Linux machine")
	}
	path, err := findLab()
	if err != nil {
		return err
	}
	env := append(os.Environ(), command.CallerEnv+"="+command.Built().ID())
	err = syscall.Exec(path, append([]string{path}, args...), env)
	return fmt.Errorf("run %s: %w", path, err)
}

// findLab looks beside this program, then on PATH.
func findLab() (string, error) {
	self, err := os.Executable()
	if err == nil {
		path := filepath.Join(filepath.Dir(self), labProgram)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	path, err := exec.LookPath(labProgram)
	if err != nil {
		return "", fmt.Errorf("the lab and the demo need %s, which is neither beside seaworthy nor on PATH: "+
			"build it with make, or copy it from the same release", labProgram)
	}
	return path, nil
}

// faultsEvery is the least time between two questions to a lab.
const faultsEvery = 2 * time.Second

// labFaults asks a running lab what is broken in it; an empty name means the
// only one that runs. Only the lab's program knows.
func labFaults(name string) func(context.Context) ([]string, error) {
	var asked time.Time
	var last []string
	var failed error
	return func(ctx context.Context) ([]string, error) {
		if time.Since(asked) >= faultsEvery {
			last, failed = askFaults(ctx, name)
			asked = time.Now()
		}
		return last, failed
	}
}

func askFaults(ctx context.Context, name string) ([]string, error) {
	path, err := findLab()
	if err != nil {
		return nil, err
	}
	argv := []string{"lab", "break", "-f", "json"}
	if name != "" {
		argv = append(argv, "--lab", name)
	}
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	text, err := exec.CommandContext(ctx, path, argv...).Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("%s %s: %w", labProgram, strings.Join(argv, " "), err)
	}
	var got struct {
		Broken []struct {
			Kind   string `json:"kind"`
			Target string `json:"target"`
			Value  string `json:"value"`
		} `json:"broken"`
	}
	if err := decode.JSON("faults", text, &got, decode.Newer); err != nil {
		return nil, err
	}
	var out []string
	for _, f := range got.Broken {
		out = append(out, strings.TrimSpace(f.Target+" "+f.Kind+" "+f.Value))
	}
	return out, nil
}
