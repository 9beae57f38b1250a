package tour

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program is a seaworthy that writes down what it is asked; where a question has findings it ends with 2.
func program(t *testing.T) (path, log string) {
	t.Helper()
	dir := t.TempDir()
	path, log = filepath.Join(dir, "seaworthy"), filepath.Join(dir, "log")
	script := "#!/bin/sh\necho \"$*\" >>" + log + "\ncase $1 in diagnose|audit|plan) exit 2 ;; esac\n"
	err := os.WriteFile(path, []byte(script), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	return path, log
}

func asked(t *testing.T, log string) []string {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func TestGive(t *testing.T) {
	for _, c := range []struct {
		name  string
		waits bool
		keys  string
		runs  int // commands, but for the one that removes the lab
		ends  string
	}{
		{"nobody sits there", false, "", len(stops), "For hosts of your own"},
		{"Enter at each", true, strings.Repeat("\n", len(stops)), len(stops), "For hosts of your own"},
		{"skip one", true, "\ns\n" + strings.Repeat("\n", len(stops)), len(stops) - 1, "For hosts of your own"},
		{"leave", true, "\n\nq\n", 2, "q: leave > "},
		{"the terminal goes", true, "\n", 1, "q: leave > "},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, log := program(t)
			var out bytes.Buffer
			tour := Tour{Program: path, In: strings.NewReader(c.keys), Out: &out, Waits: c.waits}
			err := tour.Give(t.Context())
			lines := asked(t, log)
			if err != nil || len(lines) != c.runs+1 || !strings.Contains(out.String(), c.ends) {
				t.Errorf("got %v, %d commands, want %d:\n%s", err, len(lines), c.runs+1, out.String())
			}
			if last := lines[len(lines)-1]; last != "lab down tour --quiet" {
				t.Errorf("the lab is left: the last command is %q", last)
			}
		})
	}
}

// A command that ends otherwise than it should ends the tour, with its line; so does Ctrl-C. The lab goes all the same.
func TestGiveFails(t *testing.T) {
	path, log := program(t)
	err := os.WriteFile(path, []byte("#!/bin/sh\necho \"$*\" >>"+log+"\nexit 1\n"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	err = (&Tour{Program: path, In: strings.NewReader(""), Out: io.Discard}).Give(t.Context())
	if err == nil || !strings.Contains(err.Error(), "seaworthy lab up dual-vios") {
		t.Errorf("got %v, want the command that failed", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err = (&Tour{Program: path, In: strings.NewReader(""), Out: io.Discard}).Give(ctx)
	if err == nil {
		t.Error("an interrupted tour ended without an error")
	}
	if lines := asked(t, log); lines[len(lines)-1] != "lab down tour --quiet" {
		t.Errorf("the lab is left: %q", lines)
	}
}
