package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/script"
)

// server is seaworthy serve of a script.
type server struct {
	cmd *exec.Cmd
	url string
}

// serving starts seaworthy serve with arguments, and waits for its address:
// serving ARGS…
func serving(ts *testscript.TestScript, _ bool, args []string) {
	r, w, err := os.Pipe()
	ts.Check(err)
	cmd := start(ts, w, append([]string{"seaworthy", "serve"}, args...))
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		ts.Fatalf("no address: %v: %s", err, ts.ReadFile("errors"))
	}
	of(ts).server = &server{cmd, strings.TrimSpace(line)}
	ts.Defer(func() { _ = cmd.Process.Kill() }) // it may have ended
}

// page gets a page of it into the file page, again as long as it is not there:
// page PATH REGEXP
func page(ts *testscript.TestScript, neg bool, args []string) {
	re := regexp.MustCompile("(?m)" + args[1])
	for { // the test's own time limit ends it
		resp, err := http.Get(of(ts).server.url + strings.TrimPrefix(args[0], "/"))
		ts.Check(err)
		text, err := io.ReadAll(resp.Body)
		ts.Check(err)
		resp.Body.Close()
		switch found := re.Match(text); {
		case found != neg:
			return
		case !bytes.Contains(text, []byte("load delay:1s")): // it does not change any more
			ts.Fatalf("%s: found %v: %s in\n%s", args[0], found, re, text)
		}
	}
}

// ended ends it as Ctrl-C does; its exit status must be N: ended N
func ended(ts *testscript.TestScript, _ bool, args []string) {
	s := of(ts).server
	ts.Check(s.cmd.Process.Signal(syscall.SIGINT))
	script.Check(ts, args[0], s.cmd.Wait())
}

var linked = regexp.MustCompile(`href="(/[^"#]*)`)

// served looks at every page of a folder.
func (h *hostile) served(dir string) {
	h.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	exit := make(chan int)
	go func() {
		exit <- cli.Main(ctx, []string{"serve", dir, "--listen", "127.0.0.1:0"}, strings.NewReader(""), w, io.Discard)
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	h.ran["serve"] = true
	base := strings.TrimSuffix(strings.TrimSpace(line), "/")
	todo, seen := []string{"/"}, map[string]bool{"": true}
	for len(todo) > 0 && len(seen) < 100 {
		path := todo[0]
		todo = todo[1:]
		if seen[path] || strings.HasPrefix(path, "/static/") {
			continue
		}
		resp, err := http.Get(base + path)
		if err != nil {
			h.t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			h.t.Fatal(err)
		}
		if bad := dangerous(text); bad != "" {
			h.t.Errorf("serve %s has %q", path, bad)
		}
		h.spread += bytes.Count(text, []byte("alert(1)"))
		if bytes.Contains(text, []byte("load delay:1s")) {
			todo = append(todo, path) // not whole yet
			continue
		}
		seen[path] = true
		for _, m := range linked.FindAllSubmatch(text, -1) {
			todo = append(todo, html.UnescapeString(string(m[1])))
		}
	}
	stop()
	if got := <-exit; got != 0 || len(seen) < 30 {
		h.t.Errorf("serve: exit status %d after %d pages", got, len(seen))
	}
}
