package become_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/local"
)

// host is this machine with programs of its own in front of PATH, as a login that
// is not root.
func host(t *testing.T, programs map[string]string) remote.Host {
	t.Helper()
	dir := t.TempDir()
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return user{local.New("lpar1", "PATH="+dir+":/usr/bin:/bin", "ROOT=")}
}

type user struct{ *local.Host }

func (user) User() string { return "svc" }

// Programs that let svc be root: id answers by the variable.
const (
	id   = `echo "${ROOT:-204}"`
	sudo = `[ "$1" = -n ] || exit 9; shift; ROOT=0 exec "$@"`
)

func run(t *testing.T, h remote.Host, c remote.Command) string {
	t.Helper()
	r, err := h.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s%s%d", r.Stdout, r.Stderr, r.Exit)
}

func TestRoot(t *testing.T) {
	for method, programs := range map[become.Method]map[string]string{
		become.Sudo: {"id": id, "sudo": sudo},
		become.Dzdo: {"id": id, "dzdo": sudo},
		become.Su:   {"id": id, "su": `[ "$1$2" = root-c ] || exit 9; ROOT=0 exec sh -c "$3"`},
	} {
		t.Run(string(method), func(t *testing.T) {
			h := become.New(host(t, programs), method)
			if got := h.User(); got != "svc" {
				t.Errorf("before it is known: got user %q, want svc", got)
			}
			for _, tc := range []struct {
				c    remote.Command
				want string
			}{
				{remote.Command{Line: "id -u; exit 7"}, "0\n7"},
				{remote.Command{Line: `echo 'it'"'"'s' "$(id -u)" '$HOME' | cat`}, "it's 0 $HOME\n0"},
				{remote.Command{Line: "cat; id >&2", Stdin: strings.NewReader("in ")}, "in 0\n0"},
			} {
				if got := run(t, h, tc.c); got != tc.want {
					t.Errorf("%s: got %q, want %q", tc.c.Line, got, tc.want)
				}
			}
			s, err := h.Start(t.Context(), "read x; echo $x; id -u")
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(s.Stdin, "hello")
			if text, err := io.ReadAll(s.Stdout); err != nil || string(text) != "hello\n0\n" {
				t.Errorf("a session: got %q, %v", text, err)
			}
			if h.User() != "root" {
				t.Errorf("got user %q, want root", h.User())
			}
		})
	}
}

// What sudo and su say when they refuse, and what is made of it. Nothing runs, and the
// host is asked once.
func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		method become.Method
		says   string
		want   []string
	}{
		{become.Sudo, "sudo: a password is required", []string{"sudo asks for a password", "doctor --sudoers"}},
		{become.Sudo, "sudo: no tty present and no askpass program specified", []string{"asks for a password"}},
		{become.Sudo, "sudo: sorry, you must have a tty to run sudo", []string{"sudo wants a terminal", "Defaults:svc !requiretty"}},
		{become.Sudo, "Sorry, user svc is not allowed to execute '/usr/bin/sh' as root on lpar1.", []string{"does not let svc run a shell as root", "doctor --sudoers"}},
		{become.Sudo, "svc is not in the sudoers file.  This incident will be reported.", []string{"does not let svc"}},
		{become.Dzdo, "sh: dzdo: not found", []string{"dzdo is not on this host", "/opt/freeware/bin"}},
		{become.Sudo, "ksh: sudo:  not found.", []string{"sudo is not on this host"}},
		{become.Su, "su: Authentication failure", []string{"su asks for a password"}},
		{become.Su, "3004-300 You entered an invalid login name or password.", []string{"su asks for a password"}},
		{become.Sudo, "", []string{"does not give a shell of root", "by hand"}},
	} {
		t.Run(tc.says, func(t *testing.T) {
			count := filepath.Join(t.TempDir(), "count")
			h := become.New(host(t, map[string]string{"id": id, string(tc.method): fmt.Sprintf("echo x >>%s; echo %q >&2; exit 1", count, tc.says)}), tc.method)
			for range 3 {
				_, err := h.Run(t.Context(), remote.Command{Line: "chdev -l en0 -a mtu=9000"})
				var e *remote.Error
				if !errors.Is(err, become.ErrNotRoot) || !errors.As(err, &e) || e.Host != "lpar1" {
					t.Fatalf("got %v, want an error of lpar1 that is ErrNotRoot", err)
				}
				for _, w := range append(tc.want, "svc") {
					if !strings.Contains(err.Error(), w) {
						t.Errorf("got %q, want it to say %q", err, w)
					}
				}
			}
			if _, err := h.Start(t.Context(), "true"); !errors.Is(err, become.ErrNotRoot) {
				t.Errorf("a session: got %v", err)
			}
			if text, err := os.ReadFile(count); err != nil || string(text) != "x\n" {
				t.Errorf("asked %q, %v, want once", text, err)
			}
		})
	}
}

// A sudo that runs the command as the same user is none.
func TestNotRootAfterAll(t *testing.T) {
	h := become.New(host(t, map[string]string{"id": id, "sudo": `shift; exec "$@"`}), become.Sudo)
	if err := h.Ready(t.Context()); !errors.Is(err, become.ErrNotRoot) {
		t.Errorf("got %v, want ErrNotRoot", err)
	}
}

// Login files that print, of the login and of root's shell, are no part of an answer.
func TestLoginFiles(t *testing.T) {
	noisy := "echo 'authorised use only'; "
	oem := become.New(host(t, map[string]string{"id": "echo 0", "oem_setup_env": noisy + "exec sh"}), become.Auto)
	svc := become.New(host(t, map[string]string{"id": id, "sudo": noisy + sudo}), become.Sudo)
	for _, tc := range []struct {
		h remote.Host
		c remote.Command
	}{{oem, work(root("id -u"))}, {oem, work(root("id -u"), own("true"))}, {svc, remote.Command{Line: "id -u"}}} {
		for range 2 {
			if got := run(t, tc.h, tc.c); got != "0\n0" {
				t.Errorf("%s: got %q, want what the command prints", tc.c.Line, got)
			}
		}
	}
}

// The exit status of what goes through oem_setup_env is in its text, whatever
// oem_setup_env ends with.
func TestStatusInText(t *testing.T) {
	for _, ends := range []string{"exit 0", "exit 4", "exit $s"} {
		h := become.New(host(t, map[string]string{"id": "echo 0", "oem_setup_env": "sh; s=$?; " + ends}), become.Auto)
		setup := work(root("echo $LC_ALL; (exit 5)")).Work
		setup.Setup = "export LC_ALL=C LANG=C"
		for _, tc := range []struct {
			c    remote.Command
			want string
		}{
			{work(root("id -u")), "0\n0"},
			{work(root("printf none; exit_here() { return 3; }; exit_here")), "none3"},
			{work(root(`echo "it's"`)), "it's\n0"},
			{work(root("cat <<'E'\nheld\nE")), "held\n0"},
			{work(own("echo first"), root("echo second"), root("echo third; false")), "first\nsecond\nthird\n1"},
			{work(root("false"), root("echo never")), "1"},
			{setup.Command(), "C\n5"},
			{work(own("echo 'a && b' | cat; exit 6")), "a && b\n6"},
			// Text that only looks like root's is the login's.
			{work(own("echo 'echo $((1+1))' | cat"), root("true")), "echo $((1+1))\n0"},
			// One line: the host goes on without us. What root's steps print is left out.
			{remote.Work{Steps: []remote.Step{root("true"), own("echo yes")}, Ensure: []remote.Step{own("echo no")}}.Command(), "yes\n0"},
			{remote.Work{Steps: []remote.Step{root("false"), own("echo yes")}, Ensure: []remote.Step{own("echo no"), root("true")}}.Command(), "no\n1"},
			{remote.Work{Steps: []remote.Step{root("false"), own("echo yes")}, All: true}.Command(), "yes\n1"},
			{remote.Work{Steps: []remote.Step{root("true"), own("echo yes")}, All: true}.Command(), "yes\n0"},
			{remote.Work{Steps: []remote.Step{root("exit 3")}, All: true}.Command(), fmt.Sprint(exitThrough(ends))},
		} {
			if got := run(t, h, tc.c); got != tc.want {
				t.Errorf("%s, %s: got %q, want %q", ends, tc.c.Line, got, tc.want)
			}
		}
		// A shell that came to no end that is known did not do what it was asked to.
		if got := run(t, h, work(root("exit 0"))); got == "0" {
			t.Errorf("%s: no status in the text: got success", ends)
		}
	}
}

// exitThrough is how a shell of root that ended without its status ended.
func exitThrough(ends string) int {
	switch ends {
	case "exit 0":
		return 1
	case "exit 4":
		return 4
	case "exit $s":
		return 3
	}
	return 0
}

func root(line string) remote.Step { return remote.Step{Line: line, Root: true} }
func own(line string) remote.Step  { return remote.Step{Line: line} }

func work(steps ...remote.Step) remote.Command { return remote.Work{Steps: steps}.Command() }

// A method that gives a shell of root has no use for another.
func TestRootStepsInRootsShell(t *testing.T) {
	h := become.New(host(t, map[string]string{"id": id, "sudo": sudo, "oem_setup_env": "echo no; exit 1"}), become.Sudo)
	if got := run(t, h, work(root("id -u"), own("echo also; id -u"))); got != "0\nalso\n0\n0" {
		t.Errorf("got %q, want both by sudo", got)
	}
}

func TestNone(t *testing.T) {
	h := become.New(host(t, map[string]string{"oem_setup_env": "touch /nonexistent/x; echo ran"}), become.None)
	if _, err := h.Run(context.Background(), work(root("id"))); !errors.Is(err, become.ErrNotRoot) {
		t.Errorf("got %v, want ErrNotRoot", err)
	}
	if got := run(t, h, remote.Command{Line: "echo as it is"}); got != "as it is\n0" {
		t.Errorf("got %q", got)
	}
}
