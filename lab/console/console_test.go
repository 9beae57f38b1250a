package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/lab/sshd"
	"seaworthy/lab/topology"
)

func console(t *testing.T) *Console {
	t.Helper()
	top, err := topology.Load(t.Context(), "dual-vios")
	if err != nil {
		t.Fatal(err)
	}
	return &Console{Name: "hmc1", Plan: func() *topology.Topology { return top }, Down: func(node string) error {
		if node == "lpar3" || node == "vios2a" {
			return errors.New(node + " is down")
		}
		return nil
	}, VIOS: func(_ context.Context, node, line string, out, _ io.Writer) int {
		fmt.Fprintln(out, node, line)
		return 4
	}, user: "hscroot"}
}

func TestLines(t *testing.T) {
	c := console(t)
	for _, x := range []struct {
		line, out, errs string // parts
		status          int
	}{
		{"export LC_ALL=C LANG=C; lshmc -V", "Release: 2", "", 0},
		{"lssyscfg -r sys -F name", "cec1\ncec2\n", "", 0},
		{"lssyscfg -r sys -m '9119-MHE*21SEA02' -F name", "cec2\n", "", 0},
		{"false || echo \"a  b\" && echo 'c;d'", "a  b\nc;d\n", "", 0},
		{"false; echo e 1 $?; echo $?", "e 1 1\n0\n", "", 0},
		{"false && echo no; exit", "", "", 1},
		{"exit; echo after", "", "", 0},
		{"lshwres -r virtualio --rsubtype vnic -m cec1", "No results were found.\n", "", 0},
		{"lshwres -r mem --level lpar -m cec1 --filter '\"lpar_ids=1,2\"' -F lpar_name:curr_mem --header", "lpar_name:curr_mem\nvios1a:16384\nvios1b:16384\n", "", 0},
		{"lssyscfg -r lpar -m cec2 --filter lpar_names=lpar3 -F name,state,rmc_state", "lpar3,Error,inactive\n", "", 0},
		{"lssyscfg -r prof -m cec2 --filter lpar_ids=9", "No results were found.\n", "", 0},
		{"lssyscfg -r lpar -m nowhere", "HSCL8018 ", "", 1},
		{"lssyscfg -r lpar", "parameter is -m", "", 1},
		{"lssyscfg -r sys -F nonsense", "The invalid attribute is nonsense.", "", 1},
		{"lssyscfg -r sys --filter states=x", "The invalid filter is states.", "", 1},
		{"lshwres -r hca --level lpar -m cec1", "does not list this", "", 1},
		{"viosvrcmd -m cec1 -p vios1a -c 'lsdev -dev ent4 -attr'", "vios1a ioscli lsdev -dev ent4 -attr\n", "", 4},
		{"viosvrcmd -m cec1 --id 2 -c ioslevel", "vios1b ioscli ioslevel\n", "", 4},
		{"viosvrcmd -m cec1 -p lpar1 -c ioslevel", "missing or invalid parameter is -p", "", 1},
		{"viosvrcmd -m nowhere -p vios1a -c ioslevel", "HSCL8018 ", "", 1},
		{"viosvrcmd -m cec1 -p vios1a -c 'lsdev; reboot'", "missing or invalid parameter is -c", "", 1},
		{"viosvrcmd -m cec2 -p vios2a -c ioslevel", "HSCL2957 ", "", 1},
		{"uname -s", "", "command not found", 127},
		{"/bin/ls", "", "restricted", 127},
		{"cd /", "", "restricted", 1},
		{"PATH=/tmp lshmc -V", "", "readonly variable", 1},
		{"lshmc -V > /tmp/x", "", "cannot redirect output", 2},
		{"lssyscfg -r sys | cat", "", "no pipes", 2},
		{"echo $(lshmc -V)", "", "no variables", 2},
		{"echo 'open", "", "matching", 2},
		{"&& echo", "", "unexpected token", 2},
	} {
		var out, errs bytes.Buffer
		status, _ := c.run(t.Context(), x.line, 0, &out, &errs)
		if status != x.status || !strings.Contains(out.String(), x.out) || !strings.Contains(errs.String(), x.errs) ||
			x.out == "" && out.Len() > 0 || x.errs == "" && errs.Len() > 0 {
			t.Errorf("%s: got %d, %q, %q, want %d, %q, %q", x.line, status, &out, &errs, x.status, x.out, x.errs)
		}
	}
}

// Every list is one that the codec of real lists understands, without a rest.
func TestListsAreAnHMCs(t *testing.T) {
	c := console(t)
	for _, list := range lists.Templates() {
		words := list.Name()
		if !strings.Contains(words, " ") {
			continue // a part of lists
		}
		w := strings.Fields(words)
		line := w[0] + " -r " + w[1] + " -m cec2"
		switch {
		case len(w) > 3:
			line += " --rsubtype " + w[2] + " --level " + w[3]
		case len(w) == 3 && w[2] == "lpar":
			line += " --level lpar"
		case len(w) == 3:
			line += " --rsubtype " + w[2]
		}
		var out, errs bytes.Buffer
		if status, _ := c.run(t.Context(), line, 0, &out, &errs); status != 0 || errs.Len() > 0 {
			t.Errorf("%s: got %d, %s%s", line, status, &out, &errs)
			continue
		}
		l, err := hmc.Read(line, out.Bytes())
		if err != nil || len(l.Unknown) > 0 {
			t.Errorf("%s: got %v, not understood: %+v", line, err, l.Unknown)
		}
		var text bytes.Buffer
		c.run(t.Context(), strings.Replace(line, "cec2", "cec1", 1), 0, &text, io.Discard)
		if bytes.Contains(text.Bytes(), []byte("lpar2")) {
			t.Errorf("%s: lists partitions of the other system", line)
		}
	}
}

// A session takes lines from its input, ends with exit, and ends when it is closed.
func TestSession(t *testing.T) {
	c := console(t)
	p, err := c.Start(t.Context(), sshd.Start{User: "hmcviewer"})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(p.Stdin(), "echo one\nfalse\nexit\necho two\n")
		p.Stdin().Close()
	}()
	go func() { _, _ = io.Copy(io.Discard, p.Stderr()) }()
	out, err := io.ReadAll(p.Stdout())
	if err != nil || string(out) != "one\n" || p.Wait().Exit != 1 {
		t.Errorf("got %q, %v, exit %d", out, err, p.Wait().Exit)
	}
	idle, err := c.Start(t.Context(), sshd.Start{User: "hscroot", Terminal: &sshd.Terminal{Rows: 24, Cols: 80}})
	if err != nil {
		t.Fatal(err)
	}
	prompt := make([]byte, len("hscroot@hmc1:~> "))
	if _, err := io.ReadFull(idle.Stdout(), prompt); err != nil || string(prompt) != "hscroot@hmc1:~> " {
		t.Errorf("got %q, %v", prompt, err)
	}
	idle.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	ended := make(chan sshd.Status, 1)
	go func() { ended <- idle.Wait() }()
	select {
	case <-ended:
	case <-ctx.Done():
		t.Error("a closed session does not end")
	}
}

func FuzzRun(f *testing.F) {
	for _, s := range []string{"lshmc -V", "lssyscfg -r sys -F a,b --header", "echo \"a\\\"b\" && :", "lshwres -r io --rsubtype slot -m cec1 --filter '\"a=b\"'"} {
		f.Add(s)
	}
	top, err := topology.Load(f.Context(), "dual-vios")
	if err != nil {
		f.Fatal(err)
	}
	c := &Console{Name: "hmc1", Plan: func() *topology.Topology { return top }, Down: func(string) error { return nil }}
	f.Fuzz(func(t *testing.T, line string) { c.run(t.Context(), line, 0, io.Discard, io.Discard) })
}
