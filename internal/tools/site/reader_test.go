package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/test/needs"
)

// reader types what a page shows, in a folder of its own. ssh reaches the hosts that the documentation names, which are nodes of a
// lab; seaworthy lab has another state folder, and knows nothing of that one.
type reader struct {
	t       *testing.T
	dir     string // the working folder
	from    string // what it held at first
	home    string
	labs    string             // XDG_RUNTIME_DIR of the page's own labs
	hosts   string             // XDG_RUNTIME_DIR of the lab that stands in for the hosts
	bin     string             // programs, behind the wrappers in home/bin
	pending *waiting           // apply that waits for its confirmation
	hub     string             // address that the hub of a fleet listens on
	daemons map[string]*daemon // hub and collector
	applied map[string]bool    // plans that the page applied
}

// bounded are lengths of time that a line of a page leaves to its reader, or to hours: as options behind its own.
const bounded = `#!/bin/sh
case "$1 $2" in
*" --help"|*" --schema") ;;
"bench run"|"bench mesh"|"bench matrix") set -- "$@" --seconds 200ms --warmup 50ms --repetitions 2 ;;
"bench compare") case "$*" in
  *--until*) set -- "$@" --seconds 200ms --warmup 50ms --max 10s ;;
  *) set -- "$@" --seconds 200ms --warmup 50ms --repetitions 2 ;;
  esac ;;
"tune "*) case "$*" in *--design*|*--resume*) ;; *) set -- "$@" --budget 4m --seconds 200ms ;; esac ;;
"rehearse "*) set -- "$@" --measure 0s ;;
"diagnose "*) case "$*" in *" --for "*) set -- "$@" --for 5s ;; esac ;;
"serve "*) case "$*" in *--listen*) ;; *) set -- "$@" --listen 127.0.0.1:0 ;; esac ;;
esac
exec %s/seaworthy "$@"
`

// throughLab is ssh with the configuration of the hosts' lab for what a reader's ~/.ssh/config has.
const throughLab = `#!/bin/sh
case ":$1:$2:$3:" in *:-F:*) exec %[1]s "$@" ;; esac
exec %[1]s -F %[2]s "$@"
`

// newReader makes the folders and starts the hosts.
func newReader(t *testing.T, bin string) *reader {
	t.Helper()
	r := &reader{t: t, dir: t.TempDir(), home: t.TempDir(), bin: bin, daemons: map[string]*daemon{}, applied: map[string]bool{}}
	for _, dir := range []*string{&r.labs, &r.hosts} {
		short, err := os.MkdirTemp("", "sw") // for the sockets' paths
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(short) })
		*dir = short
	}
	t.Cleanup(r.leave)
	r.hub = free(r.t)
	topology, err := filepath.Abs("testdata/hosts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r.write("bin/seaworthy", fmt.Sprintf(bounded, bin))
	r.write(".ssh/config", "") // what it would hold stands in the wrapper, for ssh does not look at HOME
	r.onHosts("seaworthy-lab --quiet lab up " + topology + " --name hosts")
	config := filepath.Join(r.hosts, "seaworthy/hosts/ssh_config")
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	r.write("bin/ssh", fmt.Sprintf(throughLab, ssh, config))
	return r
}

// write writes a file of the reader's home, executable.
func (r *reader) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.home, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o700)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// onHosts runs a command of the lab that stands in for the hosts.
func (r *reader) onHosts(line string) {
	r.t.Helper()
	c := r.command(r.t.Context(), line)
	c.Env = append(c.Env, "XDG_RUNTIME_DIR="+r.hosts)
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// command is a command line of the reader's shell.
func (r *reader) command(ctx context.Context, line string) *exec.Cmd {
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "HOME="+r.home, "XDG_STATE_HOME="+r.home+"/state", "XDG_CACHE_HOME="+r.home+"/cache",
		"XDG_RUNTIME_DIR="+r.labs, "PATH="+r.home+"/bin:"+r.bin+":"+os.Getenv("PATH"), "SEAWORTHY_PROGRAMS=", "CI=")
	c.WaitDelay = 5 * time.Second // what it started may hold its streams
	return c
}

// run gives what a line prints, and its exit status: -1 if it does not end in ten minutes.
func (r *reader) run(line string) (out, errs string, exit int) {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), 10*time.Minute)
	defer stop()
	c := r.command(ctx, line)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	exit = r.status(c.Run())
	return stdout.String(), stderr.String(), exit
}

func (r *reader) status(err error) int {
	r.t.Helper()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		r.t.Fatal(err)
	}
	return 0
}

// running are the names of the page's labs.
func (r *reader) running() []string {
	entries, _ := os.ReadDir(filepath.Join(r.labs, "seaworthy")) // absent: none yet
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// takeDown ends the page's labs.
func (r *reader) takeDown() {
	r.t.Helper()
	for _, name := range r.running() {
		out, errs, exit := r.run("seaworthy-lab --quiet lab down " + name)
		if exit != 0 {
			r.t.Errorf("lab down %s: exit status %d\n%s%s", name, exit, out, errs)
		}
	}
}

// leave ends what a page started.
func (r *reader) leave() {
	r.end("collector")
	r.end("hub")
	ctx, stop := context.WithTimeout(context.Background(), time.Minute) // the test's own is over
	defer stop()
	for _, dir := range []string{r.labs, r.hosts} {
		c := r.command(ctx, `for lab in "$XDG_RUNTIME_DIR"/seaworthy/*/; do [ ! -d "$lab" ] || seaworthy-lab --quiet lab down "$(basename "$lab")"; done`)
		c.Env = append(c.Env, "XDG_RUNTIME_DIR="+dir)
		out, err := c.CombinedOutput()
		if err != nil {
			r.t.Errorf("labs of %s: %v\n%s", dir, err, out)
		}
	}
}

// built are the programs that pages call, in a folder.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := needs.Programs(dir, "seaworthy", "seaworthy-lab", "seaworthy-probe")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
