package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
)

// strangers are so many hosts that answer at once and are asked for little.
func strangers(t *testing.T, n int) (fleet *remotetest.Fleet, names []string) {
	t.Helper()
	handlers := map[string]remotetest.Handler{}
	answers := remotetest.Table{"uname -s": {Stdout: "HP-UX\n"}, "uname -a": {Stdout: "HP-UX h B.11.31\n"}, "id -u": {Stdout: "0\n"}}
	for i := range n {
		name := fmt.Sprintf("h%d", i)
		names = append(names, name)
		handlers[name] = answers.Serve
	}
	return remotetest.Start(t, handlers), names
}

// limited is the program under a limit of open files.
func limited(ctx context.Context, files int, args ...string) (*exec.Cmd, *bytes.Buffer) {
	script := fmt.Sprintf(`ulimit -n %d && exec seaworthy "$@"`, files)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", script, "sh"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// More hosts than files may be open are read all the same: few at a time, and each is
// let go when it is read. Where not even one can be, it is said what to do.
func TestFewDescriptors(t *testing.T) {
	type few struct{ hosts, files, read int }
	for _, c := range []few{{20, 10, 0}, {12, 32, 12}, {20, 64, 20}, {400, 128, 400}} {
		t.Run(fmt.Sprintf("%d hosts, %d files", c.hosts, c.files), func(t *testing.T) {
			draw.Rarely(t, 2+c.hosts/10)
			fleet, names := strangers(t, c.hosts)
			folder := filepath.Join(t.TempDir(), "out")
			cmd, out := limited(t.Context(), c.files, append([]string{"collect", "-o", folder, "--ssh-config", fleet.Config}, names...)...)
			_ = cmd.Run() // hosts that are neither AIX, VIOS nor Linux are not read completely
			saved, _ := filepath.Glob(filepath.Join(folder, "h*", "manifest.json"))
			if len(saved) != c.read {
				t.Errorf("%d hosts were read, want %d:\n%s", len(saved), c.read, out)
			}
			if c.read == 0 && !strings.Contains(out.String(), "too many open files (raise the limit of open files with ulimit -n") {
				t.Errorf("it is not said what to do:\n%s", out)
			}
		})
	}
}

// More hosts than files may be open are watched: each is named, and where the limit is the reason, it is said what to do.
func TestWatchWithFewDescriptors(t *testing.T) {
	draw.Rarely(t, 4)
	fleet, names := strangers(t, 40)
	cmd, out := limited(t.Context(), 24, append([]string{"top", "--once", "--ssh-config", fleet.Config}, names...)...)
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
		t.Errorf("exit status: got %v, want 1: no host gave rates", err)
	}
	for _, name := range names {
		if !strings.Contains(out.String(), "  "+name+" ") {
			t.Errorf("%s is not named", name)
		}
	}
	if !strings.Contains(out.String(), "too many open files (raise the limit of open files with ulimit -n") {
		t.Errorf("it is not said what to do:\n%s", out)
	}
}

// Ctrl-C ends a collection of 2,000 hosts that hang, at once and in a few lines.
func TestInterruptedAmongManyHosts(t *testing.T) {
	fleet, _ := strangers(t, 1)
	server := fleet.Server("h0")
	server.Mute(true)
	address, port, _ := strings.Cut(server.Address(), ":")
	config := filepath.Join(t.TempDir(), "ssh_config")
	text := fmt.Sprintf("Host *\n\tHostName %s\n\tPort %s\n", address, port) +
		fmt.Sprintf("\tUserKnownHostsFile %s\n\tGlobalKnownHostsFile none\n", fleet.KnownHosts)
	args := []string{"collect", "-o", filepath.Join(t.TempDir(), "out"), "--ssh-config", config}
	for i := range 2000 {
		args = append(args, fmt.Sprintf("h%d", i))
		text += fmt.Sprintf("Host h%d\n\tHostKeyAlias h%[1]d\n", i) // what is one host shares a try
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, out := limited(t.Context(), 1024, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "all places are taken by hosts that hang", func() bool { return server.Open() == 16 })
	interrupted := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its status says that it was interrupted
	took := time.Since(interrupted)
	t.Logf("ended %s after the interrupt", took)
	if took > 5*time.Second { // 0.1 s where nothing else runs; the hosts that hang have 10 s
		t.Errorf("ended %s after the interrupt", took)
	}
	if !strings.Contains(out.String(), "interrupted before the turn of 1984 hosts") {
		t.Errorf("not said:\n%s", out)
	}
	if lines := strings.Count(out.String(), "not begun"); lines > 1 {
		t.Errorf("%d lines about hosts that were not begun", lines)
	}
}
