package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"seaworthy/internal/test/shown"
)

var (
	hint    = regexp.MustCompile(`seaworthy confirm \S+(?: -i \S+)?`)
	serving = regexp.MustCompile(`^(?:http://\S+|unix:\S+)`)
)

// types types a line, and looks whether it does something: it neither fails nor is wrong to ask.
func (r *reader) types(l shown.Line, line string, confirmed bool) {
	r.t.Helper()
	switch {
	case fleetOf(l) != nil:
		r.ofFleet(l, strings.NewReplacer("0.0.0.0:4443", r.hub, "hub.example.com:4443", r.hub, "127.0.0.1:4443", r.hub).Replace(line))
	case l.Args[0] == "serve":
		r.serves(l, line)
	case l.Args[0] == "top" && !slices.Contains(l.Args, "--once"):
		r.watches(l, line)
	case l.Args[0] == "apply" && strings.Contains(line, "--confirm-within") && !strings.Contains(line, "&&"):
		r.applies(l, line, confirmed)
	default:
		r.ends(l, line)
	}
}

// failed says how a line went, unless it did what it is shown for. A monitoring plugin has exit statuses of its own.
func (r *reader) failed(l shown.Line, line, out, errs string, exit int) bool {
	r.t.Helper()
	bad := exit == 1 || exit >= 4 || exit < 0
	if strings.Contains(line, "--require-rehearsal") && strings.Contains(errs, "did not go as planned") {
		bad = false // on a machine that does other work: apply refused, which the option is for
	}
	if slices.Contains(l.Args, "--nagios") {
		bad = exit < 0 || exit > 2
	}
	silent := strings.TrimSpace(out) == "" && !strings.ContainsAny(line, ">") && !slices.Contains(l.Args, "-o")
	if silent && strings.TrimSpace(errs) == "" && !strings.HasPrefix(line, "seaworthy lab shell") || bad {
		r.t.Errorf("%s:%d: %s: exit status %d\n%s%s", l.File, l.Number, line, exit, out, errs)
		return true
	}
	return false
}

// ends is a line that ends by itself.
func (r *reader) ends(l shown.Line, line string) {
	r.t.Helper()
	out, errs, exit := r.run(line)
	r.failed(l, line, out, errs, exit)
}

// waiting is an apply that waits for its confirmation.
type waiting struct {
	line string
	of   shown.Line
	end  func() (out, errs string, exit int)
}

// applies starts an apply and waits until its hosts wait; it is confirmed as it says, unless the page does that.
func (r *reader) applies(l shown.Line, line string, later bool) {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), 3*time.Minute)
	c := r.command(ctx, line)
	var stdout bytes.Buffer
	var errs strings.Builder
	c.Stdout = &stdout
	pipe, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		stop()
		r.t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	said := ""
	for said == "" && lines.Scan() {
		errs.WriteString(lines.Text() + "\n")
		said = hint.FindString(lines.Text())
	}
	end := func() (string, string, int) {
		defer stop()
		for lines.Scan() {
			errs.WriteString(lines.Text() + "\n")
		}
		exit := r.status(c.Wait())
		return stdout.String(), errs.String(), exit
	}
	r.pending = &waiting{line: line, of: l, end: end}
	switch {
	case said == "" || strings.Contains(line, "--health-check"):
		r.confirmed()
	case !later:
		r.ends(l, said)
		r.confirmed()
	}
}

// confirmed waits for the end of an apply whose hosts were told to keep the values.
func (r *reader) confirmed() {
	r.t.Helper()
	w := r.pending
	r.pending = nil
	if w == nil {
		return
	}
	out, errs, exit := w.end()
	r.failed(w.of, w.line, out, errs, exit)
}

// serves asks a server that a line starts for its first page, and ends it as Ctrl-C does.
func (r *reader) serves(l shown.Line, line string) {
	r.t.Helper()
	c := r.command(r.t.Context(), "exec "+line)
	var errs bytes.Buffer
	c.Stderr = &errs
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	said, _ := bufio.NewReader(pipe).ReadString('\n') // empty: it says so below
	address := serving.FindString(said)
	if address == "" {
		_ = c.Process.Kill() // it may have ended
		r.t.Errorf("%s:%d: %s: no address: %s%s", l.File, l.Number, line, said, errs.String())
	} else {
		r.asks(l, address)
		_ = c.Process.Signal(syscall.SIGINT)
	}
	_, _ = io.Copy(io.Discard, pipe)
	exit := r.status(c.Wait())
	if address != "" && exit != 0 {
		r.t.Errorf("%s:%d: %s: exit status %d after Ctrl-C\n%s", l.File, l.Number, line, exit, errs.String())
	}
}

// asks gets the first page of a server.
func (r *reader) asks(l shown.Line, address string) {
	r.t.Helper()
	client := &http.Client{Timeout: time.Minute}
	socket, isSocket := strings.CutPrefix(address, "unix:")
	if isSocket {
		client.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		}}
		address = "http://localhost/"
	}
	answer, err := client.Get(address)
	if err != nil {
		r.t.Errorf("%s:%d: %s: %v", l.File, l.Number, l.Shell, err)
		return
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		r.t.Errorf("%s:%d: %s: %s", l.File, l.Number, l.Shell, answer.Status)
	}
}

// watches looks at a screen on a terminal until it shows a tree, then types q.
func (r *reader) watches(l shown.Line, line string) {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), time.Minute)
	defer stop()
	c := r.command(ctx, "")
	c.Args = []string{"script", "-qec", "stty rows 40 cols 120; exec " + line, "/dev/null"}
	path, err := exec.LookPath("script")
	if err != nil {
		r.t.Fatal(err)
	}
	c.Path = path
	keys, err := c.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	screen, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	var seen strings.Builder
	typed := false
	buffer := make([]byte, 64<<10)
	for {
		n, err := screen.Read(buffer)
		seen.Write(buffer[:n])
		if !typed && strings.Contains(seen.String(), "9119-MHE") {
			typed = true
			_, _ = keys.Write([]byte("q")) // an error: it has ended
		}
		if err != nil {
			break
		}
	}
	exit := r.status(c.Wait())
	if exit != 0 || !typed {
		r.t.Errorf("%s:%d: %s: exit status %d, a tree was shown: %t\n%s", l.File, l.Number, line, exit, typed, seen.String())
	}
}
