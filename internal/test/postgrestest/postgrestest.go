// Package postgrestest starts a PostgreSQL of a test's own.
package postgrestest

import (
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// program finds a program of PostgreSQL, which Debian keeps outside PATH.
func program(t testing.TB, name string) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("PostgreSQL's %s is not installed", name)
	}
	t.Skipf("PostgreSQL's %s is not installed: the history is tested on SQLite alone", name)
	return ""
}

// asPostgres has a command run as a user that is not root, whom PostgreSQL refuses.
func asPostgres(t testing.TB, c *exec.Cmd, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	var owner *user.User
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err == nil {
			owner = u
			break
		}
	}
	if owner == nil {
		t.Skip("there is no user but root to run PostgreSQL as")
	}
	uid, err := strconv.Atoi(owner.Uid)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.Atoi(owner.Gid)
	if err != nil {
		t.Fatal(err)
	}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	err = os.Chown(dir, uid, gid)
	if err != nil {
		t.Fatal(err)
	}
}

// Start starts PostgreSQL on a socket in a folder of its own, and gives URLs of empty
// databases there. Without PostgreSQL the test is skipped; in CI it fails.
func Start(t testing.TB) (location func() string) {
	t.Helper()
	initdb, pgctl := program(t, "initdb"), program(t, "pg_ctl")
	dir, err := os.MkdirTemp("/tmp", "pg") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	data := filepath.Join(dir, "data")
	run := func(name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		asPostgres(t, c, dir)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	run(initdb, "-D", data, "-U", "seaworthy", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
	run(pgctl, "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", "-F -c listen_addresses='' -k "+dir, "start")
	t.Cleanup(func() { run(pgctl, "-D", data, "-m", "immediate", "stop") })
	n := 0
	return func() string {
		n++
		name := "h" + strconv.Itoa(n)
		run(program(t, "psql"), "-h", dir, "-U", "seaworthy", "-d", "postgres", "-q", "-c", "CREATE DATABASE "+name)
		return "postgres:///" + name + "?" + url.Values{"host": {dir}, "user": {"seaworthy"}}.Encode()
	}
}
