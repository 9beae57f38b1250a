package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/test/draw"
)

// advised is a state of a lab in which commands are printed.
type advised struct {
	name, topology, from, to string
	breaks                   []string // command lines that bring the state about
	options                  string   // of diagnose, beside the ends
}

var advice = []advised{
	{"largesend off", "dual-vios", "lpar1", "lpar3", nil, ""},
	{"window", "two-systems", "lpar1", "lpar2", []string{
		"seaworthy lab exec lpar1 -- 'chdev -l en0 -a tcp_sendspace=16384 -a rfc1323=0'", "seaworthy lab exec lpar1 -- 'chdev -l en0 -a mtu_bypass=on'"}, ""},
	{"crash", "dual-vios", "lpar1", "lpar3", []string{"seaworthy lab break vios2b crash"}, ""},
	{"port down", "two-systems", "lpar1", "lpar2", []string{"seaworthy lab break vios1:ent0 port-down"}, ""},
	{"loss", "two-systems", "lpar1", "lpar2", []string{"seaworthy lab break vios2:ent0 loss 3"}, ""},
	{"duplex", "dedicated", "lpar1", "lpar2", []string{"seaworthy lab break lpar1:ent0 duplex 5"}, ""},
	{"no jumbo", "three-hosts", "lpar1", "lpar3", []string{"seaworthy lab break sw1/1 no-jumbo 1400"}, ""},
	{"delay", "etherchannel", "lpar1", "lpar2", []string{"seaworthy lab break sw1/1 delay 5ms"}, ""},
	{"control channel", "dual-vios", "lpar1", "lpar2", []string{"seaworthy lab break cec2 control-channel"}, ""},
	{"netmask", "vlans", "lpar1", "lpar2", []string{"seaworthy lab exec lpar2 -- 'chdev -l en0 -a netmask=255.255.255.252'"}, ""},
	{"clock", "linux-peer", "lpar1", "server1", []string{"seaworthy lab break lpar1 clock-jump 1h"}, ""},
	{"no pings", "dedicated-mixed", "lpar1", "lpar2", nil, "--no-ping"},
	{"no pings, 100 Gbit/s", "direct-100g", "hosta", "hostb", nil, "--no-ping"},
}

// Every command that a diagnosis, an audit or a plan prints does, as printed and in the state in
// which it is printed, what it promises: a plan has steps for the finding that it names, and its
// application cures it; an audit finds something; a diagnosis or a test judges.
func TestPrintedCommands(t *testing.T) {
	needLab(t)
	for _, a := range draw.Costly(t, len(advice), 7, advice) {
		t.Run(a.name, func(t *testing.T) {
			w := newWalk(t)
			w.must("seaworthy lab up " + a.topology)
			defer w.must("seaworthy lab down")
			for _, line := range a.breaks {
				w.must(line)
			}
			ends := a.from + " " + a.to
			printed := w.printedBy("seaworthy diagnose " + ends + " -i lab -f json " + a.options)
			printed = append(printed, w.printedBy("seaworthy audit -i lab -f json")...)
			slices.Sort(printed)
			printed = slices.Compact(printed)
			for _, command := range draw.OneIn(t, 3, printed) {
				w.try(command)
			}
			if len(w.planned) > 0 {
				w.apply(w.planned[0])
			}
			t.Logf("%d commands: %s", len(printed), strings.Join(printed, " | "))
		})
	}
}

// walk runs commands as a user does, in a folder of its own.
type walk struct {
	t       *testing.T
	dir     string
	env     []string
	planned []string // commands that printed a plan with steps
}

func newWalk(t *testing.T) *walk {
	w := &walk{t: t, dir: t.TempDir(), env: os.Environ()}
	state, err := os.MkdirTemp("", "sw") // short, for the sockets' paths
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"HOME", "XDG_STATE_HOME"} {
		w.env = append(w.env, v+"="+w.dir)
	}
	w.env = append(w.env, "XDG_RUNTIME_DIR="+state)
	t.Cleanup(func() {
		nothingLeft(t, filepath.Join(state, "seaworthy"))
		err := os.RemoveAll(state)
		if err != nil {
			t.Error(err)
		}
	})
	return w
}

// command is a command line of a user's shell.
func (w *walk) command(ctx context.Context, line string) *exec.Cmd {
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir, c.Env = w.dir, w.env
	return c
}

// run gives what a command line prints, and its exit status.
func (w *walk) run(line string) (out, errs string, exit int) {
	w.t.Helper()
	c := w.command(w.t.Context(), line)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	exit = status(w.t, c.Run())
	return stdout.String(), stderr.String(), exit
}

// status is the exit status of a command that ran.
func status(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

func (w *walk) must(line string) {
	w.t.Helper()
	out, errs, exit := w.run(line)
	if exit != 0 {
		w.t.Fatalf("%s: exit status %d\n%s%s", line, exit, out, errs)
	}
}

var (
	// command of the program in a text: to the end of the sentence, or to what is said of it.
	printedCommand = regexp.MustCompile(`seaworthy (?:audit|plan|diagnose|probe|bench|top|show|collect|rules|attributes|defects|status)\b[^;()"]*`)
	saidOf         = regexp.MustCompile(`( (shows|names|lists|looks|says)\b.*|, (live|from|with)\b.*|[.:] .*|[.:,]$)`)
	placeholder    = regexp.MustCompile(` (A B|HOSTS?|VIOS1)\b`)
)

// printedBy gives the commands that a command line prints, without those of a template that only the
// user can fill in.
func (w *walk) printedBy(line string) (commands []string) {
	w.t.Helper()
	out, errs, exit := w.run(line)
	var read any
	err := json.Unmarshal([]byte(out), &read)
	if err != nil || exit == 1 || exit == 64 {
		w.t.Fatalf("%s: exit status %d, %v\n%s", line, exit, err, errs)
	}
	var look func(any)
	look = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, y := range x {
				look(y)
			}
		case []any:
			for _, y := range x {
				look(y)
			}
		case string:
			for _, command := range printedCommand.FindAllString(x, -1) {
				command = strings.TrimSpace(saidOf.ReplaceAllString(command, ""))
				diagnosed := strings.HasPrefix(line, "seaworthy diagnose")
				switch {
				case !placeholder.MatchString(command):
					commands = append(commands, command)
				case diagnosed && !strings.Contains(command, "VIOS1"):
					w.t.Errorf("%s prints %q, which cannot be run", line, command)
				}
			}
		}
	}
	look(read)
	return commands
}

// try runs a command that was printed, and checks what it promises.
func (w *walk) try(command string) {
	w.t.Helper()
	out, errs, exit := w.run(command)
	verb := strings.Fields(command)[1]
	found := exit == 2 // the answer is "no", or there is something to do
	switch {
	case exit == 1 || exit == 64:
		w.t.Errorf("%s: exit status %d\n%s", command, exit, errs)
	case verb == "plan" && (!found || !strings.Contains(out, "\n1.  ")):
		w.t.Errorf("%s: exit status %d, want a plan with steps:\n%s%s", command, exit, out, errs)
	case verb == "plan":
		w.planned = append(w.planned, command)
	case verb == "audit" && strings.Contains(out, "No findings"):
		w.t.Errorf("%s finds nothing:\n%s", command, out)
	case strings.TrimSpace(out) == "":
		w.t.Errorf("%s shows nothing", command)
	}
}

var (
	next    = regexp.MustCompile(`then (seaworthy apply plan\.json .*)`)
	confirm = regexp.MustCompile(`seaworthy confirm \S+(?: -i \S+)?`)
)

// apply carries out a plan by the commands that are printed on the way, and looks whether the finding
// is gone.
func (w *walk) apply(planned string) {
	w.t.Helper()
	out, _, _ := w.run(planned)
	said := next.FindStringSubmatch(out)
	if said == nil {
		w.t.Fatalf("%s names no next command:\n%s", planned, out)
	}
	w.run(planned + " -o plan.json")
	ctx, stop := context.WithTimeout(w.t.Context(), 90*time.Second)
	defer stop()
	c := w.command(ctx, said[1])
	stderr, err := c.StderrPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	var stdout bytes.Buffer
	c.Stdout = &stdout
	err = c.Start()
	if err != nil {
		w.t.Fatal(err)
	}
	var errs strings.Builder
	confirmed := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		errs.WriteString(lines.Text() + "\n")
		hint := confirm.FindString(lines.Text())
		if hint != "" && !confirmed {
			confirmed = true
			w.must(hint)
		}
	}
	exit := status(w.t, c.Wait())
	if exit != 0 || !confirmed {
		w.t.Fatalf("%s: exit status %d, confirmed %v\n%s%s", said[1], exit, confirmed, stdout.String(), errs.String())
	}
	again, _, exit := w.run(planned)
	if exit != 0 && strings.Contains(again, "\n1.  ") {
		w.t.Errorf("after %s, %s still has steps:\n%s", said[1], planned, again)
	}
}
