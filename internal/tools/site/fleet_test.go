package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/test/shown"
)

// ready is what the processes of a fleet say once they do their work.
var ready = regexp.MustCompile(`hub: listening on|zone \S+: reading its hosts`)

// daemon is a process of a fleet that runs while a page is read.
type daemon struct {
	line string
	c    *exec.Cmd
	errs *os.File    // its stderr
	rest chan string // what it said there once it did its work
}

// fleetOf are the words of a fleet's command, as "serve" or "schedule put"; none of another command.
func fleetOf(l shown.Line) []string {
	i := slices.Index(l.Args, "fleet")
	if i < 0 || i > 2 || strings.Contains(l.Shell, "--help") {
		return nil
	}
	return l.Args[i+1:]
}

// ofFleet types a line about a fleet: a hub and a collector run on until the page ends or another takes their place. What a page takes
// for granted is there: a hub, its zone dmz, the collector of it, a schedule and a sweep.
func (r *reader) ofFleet(l shown.Line, line string) {
	r.t.Helper()
	words := fleetOf(l)
	line = strings.TrimSuffix(strings.TrimSpace(line), "&")
	if words[0] == "serve" {
		if !strings.Contains(line, "--listen") {
			line += " --listen " + r.hub
		}
		r.begin(l, "hub", line)
		return
	}
	hub := r.daemons["hub"]
	if hub == nil || strings.Contains(hub.line, "--local") { // a host is in one zone
		r.begin(l, "hub", "seaworthy fleet serve --pages none --listen "+r.hub)
	}
	if words[0] == "token" {
		r.forget(line)
		r.end("collector") // its token may be refused from now on
	} else {
		r.zone()
	}
	switch words[0] {
	case "join":
		r.begin(l, "collector", line)
		return
	case "sweep", "cancel", "status":
		if r.daemons["collector"] == nil || r.daemons["collector"].line != collecting {
			r.begin(l, "collector", collecting)
		}
	}
	switch words[0] {
	case "cancel", "status":
		r.expect("seaworthy fleet sweep lpar1")
	case "schedule":
		if words[1] == "rm" {
			r.expect("seaworthy fleet schedule put " + words[2] + " @daily")
		}
	case "remove":
		r.end("collector")
	}
	r.ends(l, line)
	if words[0] == "remove" || strings.Contains(line, "--replace") {
		r.forget("-o dmz.token")
	}
}

// collecting is the collector that a page takes for granted.
const collecting = "seaworthy -i zone.yaml fleet join --token dmz.token"

// zone makes the token of zone dmz, unless it is there.
func (r *reader) zone() {
	r.t.Helper()
	_, err := os.Stat(filepath.Join(r.dir, "dmz.token"))
	if err != nil {
		r.expect("seaworthy fleet token dmz -o dmz.token")
	}
}

// tokens is the file of a line that writes a token, and does not write over another.
var tokens = regexp.MustCompile(`-o (\S+\.token)`)

// forget removes a token that a line is to write.
func (r *reader) forget(line string) {
	r.t.Helper()
	m := tokens.FindStringSubmatch(line)
	if m == nil {
		return
	}
	err := os.RemoveAll(filepath.Join(r.dir, m[1]))
	if err != nil {
		r.t.Fatal(err)
	}
}

// expect runs what a page takes for granted.
func (r *reader) expect(line string) {
	r.t.Helper()
	out, errs, exit := r.run(line)
	if exit != 0 {
		r.t.Errorf("%s: exit status %d\n%s%s", line, exit, out, errs)
	}
}

// begin starts a process of a fleet in the place of the one before, and waits until it says that it works.
func (r *reader) begin(l shown.Line, place, line string) {
	r.t.Helper()
	r.end(place)
	c := r.command(context.WithoutCancel(r.t.Context()), "exec "+line) // end ends it, at the end of the test, too
	read, write, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	c.Stderr = write
	err = c.Start()
	if err != nil {
		r.t.Fatal(err)
	}
	_ = write.Close() // the process has its own
	err = read.SetReadDeadline(time.Now().Add(2 * time.Minute))
	if err != nil {
		r.t.Fatal(err)
	}
	d := &daemon{line: line, c: c, errs: read, rest: make(chan string, 1)}
	r.daemons[place] = d
	var errs strings.Builder
	lines := bufio.NewScanner(read)
	for lines.Scan() {
		errs.WriteString(lines.Text() + "\n")
		if ready.MatchString(lines.Text()) {
			_ = read.SetReadDeadline(time.Time{}) // a pipe takes one
			go func() {
				text, _ := io.ReadAll(read) // up to the deadline that end sets
				d.rest <- string(text)
			}()
			return
		}
	}
	d.rest <- ""
	r.t.Errorf("%s:%d: %s: does not begin\n%s", l.File, l.Number, line, errs.String())
}

// end ends a process of a fleet as Ctrl-C does.
func (r *reader) end(place string) {
	r.t.Helper()
	d := r.daemons[place]
	if d == nil {
		return
	}
	delete(r.daemons, place)
	_ = d.c.Process.Signal(syscall.SIGINT) // it may have ended, which its status says
	exit := r.status(d.c.Wait())
	_ = d.errs.SetReadDeadline(time.Now().Add(time.Second)) // a pipe takes one; who else holds it is not waited for
	said := <-d.rest
	_ = d.errs.Close() // only read from
	if exit != 0 {
		r.t.Errorf("%s: exit status %d after Ctrl-C\n%s", d.line, exit, said)
	}
}

// free is an address of this machine on which nothing listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
