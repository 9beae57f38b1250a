package local_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
	"seaworthy/internal/test/await"
)

func TestRun(t *testing.T) {
	for _, tc := range []struct {
		name, line, stdin string
		max               int64
		stdout, stderr    string
		exit              int
		truncated         bool
		printed           int64
	}{
		{name: "both streams", line: "echo out; echo err >&2", stdout: "out\n", stderr: "err\n", printed: 8},
		{name: "exit status", line: "exit 7", exit: 7},
		{name: "killed by a signal", line: "kill -9 $$", exit: 137},
		{name: "not found", line: "no-such-command-here 2>/dev/null", exit: 127},
		{name: "stdin", line: "tr a-z A-Z", stdin: "largesend", stdout: "LARGESEND", printed: 9},
		{name: "no stdin", line: "cat", stdout: ""},
		{name: "environment", line: "echo $SEAWORTHY_TEST", stdout: "set\n", printed: 4},
		{name: "beyond the limit", line: "printf 0123456789", max: 4, stdout: "0123", truncated: true, printed: 10},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := local.New("here", "SEAWORTHY_TEST=set")
			c := remote.Command{Line: tc.line, MaxOutput: tc.max}
			if tc.stdin != "" {
				c.Stdin = strings.NewReader(tc.stdin)
			}
			got, err := h.Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			have := fmt.Sprint(string(got.Stdout), "|", string(got.Stderr), "|", got.Exit, got.Truncated, got.Printed)
			want := fmt.Sprint(tc.stdout, "|", tc.stderr, "|", tc.exit, tc.truncated, tc.printed)
			if have != want {
				t.Errorf("got %q, want %q", have, want)
			}
		})
	}
}

// The shell's children die with it: none is left to write to a host later.
func TestRunLimitKillsGroup(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	line := "echo before; sleep 600 & echo $! >" + pidFile + "; wait"
	res, err := local.New("here").Run(context.Background(), remote.Command{Line: line, Limit: 300 * time.Millisecond})
	if !errors.Is(err, remote.ErrTimeout) {
		t.Fatalf("got error %v, want ErrTimeout", err)
	}
	if got := string(res.Stdout); got != "before\n" {
		t.Errorf("partial output: got %q, want %q", got, "before\n")
	}
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	gone := func() bool {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		// A dead child that nobody reaped yet still answers to signal 0.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && strings.Contains(string(stat), ") Z ")
	}
	await.Until(t, fmt.Sprintf("process %d of the command's group ends", pid), gone)
}

func TestRunCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err := local.New("here").Run(ctx, remote.Command{Line: "sleep 600"})
	if !errors.Is(err, remote.ErrTimeout) || !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want ErrTimeout and context.Canceled", err)
	}
}

func TestStart(t *testing.T) {
	s, err := local.New("here").Start(context.Background(), "read x; echo got $x; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(s.Stdin, "it")
	out, err := io.ReadAll(s.Stdout)
	if err != nil || string(out) != "got it\n" {
		t.Errorf("got %q, %v, want %q", out, err, "got it\n")
	}
	if exit, err := s.Wait(); exit != 3 || err != nil {
		t.Errorf("got exit %d, %v, want 3", exit, err)
	}
}

func TestStartClose(t *testing.T) {
	s, err := local.New("here").Start(context.Background(), "while :; do echo y; done")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if exit, _ := s.Wait(); exit == 0 {
		t.Error("a closed session ended with status 0, want a death by signal")
	}
}
