package history

import (
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"seaworthy/internal/test/draw"
)

// postgresProgram finds a program of PostgreSQL, which Debian keeps outside PATH.
func postgresProgram(t *testing.T, name string) string {
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
func asPostgres(t *testing.T, c *exec.Cmd, dir string) {
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

// postgres starts PostgreSQL on a socket in a folder of its own, and gives URLs of empty
// databases there.
func postgres(t *testing.T) (location func() string) {
	t.Helper()
	draw.Rarely(t, 10)
	initdb, pgctl := postgresProgram(t, "initdb"), postgresProgram(t, "pg_ctl")
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
		run(postgresProgram(t, "psql"), "-h", dir, "-U", "seaworthy", "-d", "postgres", "-q", "-c", "CREATE DATABASE "+name)
		return "postgres:///" + name + "?" + url.Values{"host": {dir}, "user": {"seaworthy"}}.Encode()
	}
}

// eachDatabase runs a test on SQLite and on PostgreSQL.
func eachDatabase(t *testing.T, test func(t *testing.T, location func() string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		test(t, func() string { return "sqlite:" + filepath.Join(t.TempDir(), "h.sqlite") })
	})
	t.Run("PostgreSQL", func(t *testing.T) { test(t, postgres(t)) })
}

// opened opens an empty history.
func opened(t *testing.T, location string) *Store {
	t.Helper()
	var told []string
	s, err := Open(t.Context(), location, func(line string) { told = append(told, line) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if len(told) != 1 || slices.Contains(told, "") {
		t.Errorf("told %q before the tables were made, want one line", told)
	}
	return s
}
