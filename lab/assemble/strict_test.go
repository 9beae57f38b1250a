package assemble_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/lab"
	"seaworthy/lab/rootfs"
)

// Every shell of a strict lab, and every way to start one, has what ksh88 has.
func TestStrict(t *testing.T) {
	for _, shell := range []string{"ksh93", "mksh", "bash"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("%s is not on this machine", shell)
			}
			l := upWith(t, lab.Options{Topology: "two-systems", Shell: shell, Behaviour: rootfs.Behaviour{Strict: true, OEMStatus: "4"}})
			const script = "alias stop rm; umask; echo $# $1 ${0##*/}; false"
			for _, x := range []struct{ name, line, args string }{
				{"a command line", script, "0 ksh"},
				{"sh -c", "sh -c '" + script + "' name one", "1 one name"},
				{"a file", "cd /tmp; echo '" + script + "' >x; sh x one two", "2 one x"},
				{"standard input", "echo '" + script + "' | ksh", "0 ksh"},
				{"sh -s", "echo '" + script + "' | sh -s one", "1 one sh"},
			} {
				out, errs, exit := run(t, l, "lpar1", "svc", x.line)
				said := "lpar1: authorised use only\n"
				if !strings.HasPrefix(out, said) {
					t.Errorf("%s: got %q, want what .kshrc prints first", x.name, out)
				}
				f := strings.Join(strings.Fields(strings.NewReplacer(said, "", "alias ", "", "'", "").Replace(out)), " ")
				if exit != 1 || !strings.HasPrefix(f, "stop=kill -STOP rm=rm -i ") || !strings.HasSuffix(f, " "+x.args) ||
					!strings.Contains(f, " 077 ") && !strings.Contains(f, " 0077 ") {
					t.Errorf("%s: got exit %d, %s %s, want 1, both aliases, umask 077 and %s", x.name, exit, out, errs, x.args)
				}
			}
			if out, _, exit := run(t, l, "vios1", "padmin", "echo id -u | oem_setup_env"); exit != 4 || !strings.HasSuffix(out, "\n0\n") {
				t.Errorf("oem_setup_env: got exit %d, %q, want 4 and root's id", exit, out)
			}
			out, _, _ := run(t, l, "vios1", "padmin", "lsdev -dev ent5 -field status; id; echo x >foo; cat foo")
			if !strings.Contains(out, "Available") || strings.Contains(out, "uid=") {
				t.Errorf("padmin: got %q, want the state of ent5 and no id", out)
			}
			if shell != "mksh" && strings.Contains(out, "\nx\n") {
				t.Errorf("padmin wrote a file: %q", out)
			}
			if users := l.Nodes[0].Users; slices.Contains(users, "root") {
				t.Errorf("logins of an LPAR: got %q, want no root", users)
			}
			if out := must(t, l, "lpar1", "id -u"); !strings.HasSuffix(out, "\n0\n") {
				t.Errorf("root by sudo: got %q", out)
			}
			// A shell that prints at its start does not keep init from its table.
			must(t, l, "lpar1", "mkitab 'mark:2:once:/usr/bin/touch /tmp/entered'")
			run(t, l, "lpar1", "root", "reboot") // ends its own shell too
			must(t, l, "lpar1", "i=0; until [ -f /tmp/entered ] || [ $i -ge 400 ]; do i=$((i+1)); sleep 0.05; done; [ -f /tmp/entered ]")
		})
	}
}

// init runs the entries of its table after a restart, and only then.
func TestInittab(t *testing.T) {
	t.Parallel()
	l := up(t, "dedicated")
	must(t, l, "lpar1", "mkitab 'mark:2:once:/usr/bin/touch /tmp/entered'; telinit q; lsitab mark")
	if out := must(t, l, "lpar1", "ls /tmp"); strings.Contains(out, "entered") {
		t.Errorf("telinit q ran an entry of the action once: %s", out)
	}
	run(t, l, "lpar1", "root", "reboot") // ends its own shell too
	must(t, l, "lpar1", "until [ -f /tmp/entered ]; do sleep 0.05; done; rmitab mark; ! lsitab mark")
}

// The shell that a lab was started with stays, whatever becomes of the machine's.
func TestShellIsHeld(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not on this machine")
	}
	text, err := os.ReadFile(bash)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ksh")
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	l := upWith(t, lab.Options{Topology: "two-systems", Shell: path})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"echo $BASH_VERSION", "ksh -c 'echo $BASH_VERSION'"} {
		if out := must(t, l, "lpar1", line); strings.TrimSpace(out) == "" {
			t.Errorf("%s: got nothing, want bash's version", line)
		}
	}
	if out := must(t, l, "vios1", "echo 'echo $BASH_VERSION' | /usr/ios/cli/oem_setup_env"); strings.TrimSpace(out) == "" {
		t.Error("oem_setup_env: got nothing, want bash's version")
	}
}
