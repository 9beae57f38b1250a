package remote_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
	"seaworthy/internal/test/remotetest"
)

// files are the login files of a host that print, in front of every command.
type files struct {
	remote.Host
	print string
	sent  []string
}

func (f *files) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	f.sent = append(f.sent, c.Line)
	c.Line = f.print + c.Line
	return f.Host.Run(ctx, c)
}

func (f *files) Start(ctx context.Context, line string) (*remote.Session, error) {
	f.sent = append(f.sent, line)
	return f.Host.Start(ctx, f.print+line)
}

func TestQuiet(t *testing.T) {
	for _, tc := range []struct {
		name, print string
		marked      int // of two commands
	}{
		{"silent", "", 1},
		{"a line", "echo 'Authorised use only'; ", 2},
		{"no end of line", "printf 'last login: today '; ", 2},
		{"much", "seq 100000; ", 2},
	} {
		for _, streams := range []bool{false, true} {
			t.Run(fmt.Sprint(tc.name, ", streams ", streams), func(t *testing.T) {
				host := &files{Host: local.New("lpar1"), print: tc.print}
				h := remote.Quiet(host)
				for range 2 {
					if got, exit := ask(t, h, streams, "cat; echo; echo end; exit 3", "in"); got != "in\nend\n" || exit != 3 {
						t.Errorf("got %.80q, exit status %d, want the command's own", got, exit)
					}
				}
				marked := 0
				for _, line := range host.sent {
					if plain, _ := remotetest.Unmarked(line); plain != line {
						marked++
					}
				}
				if marked != tc.marked {
					t.Errorf("%d of 2 lines were marked, want %d: %q", marked, tc.marked, host.sent)
				}
			})
		}
	}
}

// ask runs a line by Run, or by Start.
func ask(t *testing.T, h remote.Host, streams bool, line, in string) (string, int) {
	t.Helper()
	if !streams {
		r, err := h.Run(t.Context(), remote.Command{Line: line, Stdin: strings.NewReader(in)})
		if err != nil {
			t.Fatal(err)
		}
		return string(r.Stdout), r.Exit
	}
	s, err := h.Start(t.Context(), line)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	go func() { _, _ = io.Copy(io.Discard, s.Stderr) }()
	go func() {
		_, _ = io.WriteString(s.Stdin, in)
		s.Stdin.Close()
	}()
	text, err := io.ReadAll(s.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	exit, err := s.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return string(text), exit
}

// What is not a shell prints no mark: all is its answer. An error names the command
// as it was given.
func TestQuietWithoutShell(t *testing.T) {
	h := remote.Quiet(&files{Host: local.New("hmc1"), print: "echo 'The command is not valid.'; exit 1; "})
	for _, streams := range []bool{false, true} {
		if got, exit := ask(t, h, streams, "lshmc -V", ""); got != "The command is not valid.\n" || exit != 1 {
			t.Errorf("got %q, %d", got, exit)
		}
	}
	_, err := remote.Quiet(local.New("hmc1")).Run(t.Context(), remote.Command{Line: "sleep 60", Limit: time.Millisecond})
	if err == nil || strings.Contains(err.Error(), "seaworthy-begin") {
		t.Errorf("got %v, want an error of sleep 60 alone", err)
	}
}
