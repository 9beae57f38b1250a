package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/needs"
)

// pane is a terminal of 80 columns and 24 lines, with a program on it.
type pane struct {
	b *box
}

func (b *box) pane(line string) *pane {
	b.t.Helper()
	p := &pane{b}
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", line)
	b.t.Cleanup(func() {
		p.tmux("kill-server")
		_ = os.Remove(b.path("tmp", "tmux")) // its socket, which some versions leave
	})
	return p
}

func (p *pane) tmux(args ...string) string {
	p.b.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", p.b.path("tmp", "tmux")}, args...)...)
	cmd.Env, cmd.Dir = append(p.b.env, "TERM=xterm-256color", "SHELL=/bin/sh"), p.b.path("out")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.b.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

func (p *pane) keys(keys ...string) {
	p.b.t.Helper()
	p.tmux(append([]string{"send-keys"}, keys...)...)
}

// see waits until the screen has a line that matches, and gives the screen.
func (p *pane) see(line string) string {
	p.b.t.Helper()
	re := regexp.MustCompile("(?m)" + line)
	end := time.After(patience)
	for {
		text := p.tmux("capture-pane", "-p")
		if re.MatchString(text) {
			return text
		}
		select {
		case <-end:
			p.b.t.Fatalf("no line %s on the screen:\n%s", line, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// top on a terminal: a host that dies is marked, and comes back by itself.
func TestTop(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	needs.Tool(t, "tmux")
	b := newBox(t, false)
	b.lab("t")
	p := b.pane(b.path("bin", "seaworthy") + " top -i lab:t --record rec.jsonl; " +
		`s=$?; stty -a | tr ' ' '\n' | grep -x -e icanon -e echo; echo ended $s; exec cat`)
	p.see(`^ +- lpar1 aix  cores \d`)
	p.see(`^ +ent0 VETH  via vios1:e\S+ +en0 10\.10\.10\.11/24 +[\d.]+ +[\d.]+ +0$`)

	p.keys("/", "lpar2", "Enter")
	if text := p.see(`^seaworthy top .*filter lpar2$`); strings.Contains(text, "lpar1 aix") || !strings.Contains(text, "lpar2 aix") {
		t.Errorf("filter lpar2 shows\n%s", text)
	}
	p.keys("Escape")
	p.see(`lpar1 aix`)

	p.keys("p")
	p.see(`^seaworthy top .*PAUSED$`)
	b.must(command.ExitDone, "lab", "break", "--lab", "t", "lpar1", "crash")
	p.keys(":", "lpar1", "Enter")
	if text := p.see(`^>`); strings.Contains(text, "AWAY") {
		t.Errorf("news while paused:\n%s", text)
	}
	p.keys("p")
	p.see(`lpar1 aix  AWAY since \d\d:\d\d:\d\d, trying again: \S`)
	p.see(`^seaworthy top  4 hosts, 1 away`)
	b.must(command.ExitDone, "lab", "mend", "--lab", "t")
	p.see(`^seaworthy top  4 hosts  `)
	p.see(`lpar1 aix  cores \d.*  retransmits \d`) // which takes two readings

	p.tmux("resize-window", "-x", "100", "-y", "12")
	p.see(`^  per second {67}KB in`)
	p.keys("s")
	p.see(`^saved to `)
	saved, err := filepath.Glob(b.path("out", "seaworthy-top-*.txt"))
	if err != nil || len(saved) != 1 {
		t.Fatalf("saved screens: %v, %v", saved, err)
	}
	if info, err := os.Stat(saved[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v; want it for its owner alone", saved[0], info.Mode(), err)
	}

	// It ends at once, and the terminal is as before.
	p.keys("C-c")
	if text := p.see(`^ended 0$`); strings.Contains(text, "per second") {
		t.Errorf("the screen stays after the end:\n%s", text)
	}
	p.see(`^icanon$`)
	p.see(`^echo$`)
	if r := b.must(command.ExitDone, "top", b.path("out", "rec.jsonl"), "--once"); !strings.Contains(r.out, "lpar1 aix  cores") {
		t.Errorf("%s\nwant the recording's end", r)
	}
}
