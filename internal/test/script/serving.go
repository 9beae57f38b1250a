package script

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	"seaworthy/internal/test/await"
)

// Start starts a command as Exec does. Its streams go to the files "output",
// unless stdout is given, and "errors".
func Start(ts *testscript.TestScript, stdout *os.File, args []string) *exec.Cmd {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, v := range []string{"PATH", "HOME", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
		cmd.Env = append(cmd.Env, v+"="+ts.Getenv(v))
	}
	file := func(name string) *os.File {
		f, err := os.Create(ts.MkAbs(name))
		ts.Check(err)
		ts.Defer(func() { f.Close() })
		return f
	}
	if stdout == nil {
		stdout = file("output")
	}
	cmd.Stdout, cmd.Stderr = stdout, file("errors")
	ts.Check(cmd.Start())
	return cmd
}

// ServerKey is the value of a script's environment that holds its Server.
const ServerKey = "server"

// Server is seaworthy serve of a script.
type Server struct {
	cmd *exec.Cmd
	url string
}

func server(ts *testscript.TestScript) *Server { return ts.Value(ServerKey).(*Server) }

// Serving starts seaworthy serve with arguments, and waits for its address:
// serving ARGS…
func Serving(ts *testscript.TestScript, _ bool, args []string) {
	r, w, err := os.Pipe()
	ts.Check(err)
	cmd := Start(ts, w, append([]string{"seaworthy", "serve"}, args...))
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		ts.Fatalf("no address: %v: %s", err, ts.ReadFile("errors"))
	}
	s := server(ts)
	s.cmd, s.url = cmd, strings.TrimSpace(line)
	ts.Defer(func() { _ = cmd.Process.Kill() }) // it may have ended
}

// hubPages is where a hub says that its pages are.
var hubPages = regexp.MustCompile(`pages and metrics (http\S+)`)

// PagesOf makes the pages of a hub those that page gets, once its address stands in a file
// of what it says: pagesof FILE
func PagesOf(ts *testscript.TestScript, _ bool, args []string) {
	var found []string
	ok := await.Within(await.Limit, func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		found = hubPages.FindStringSubmatch(string(text))
		return err == nil && found != nil
	})
	if !ok {
		ts.Fatalf("%s names no address of pages", args[0])
	}
	server(ts).url = found[1]
}

// Page gets a page of it, again as long as it is not whole: page PATH REGEXP
func Page(ts *testscript.TestScript, neg bool, args []string) {
	s := server(ts)
	re := regexp.MustCompile("(?m)" + args[1])
	for { // the test's own time limit ends it
		resp, err := http.Get(s.url + strings.TrimPrefix(args[0], "/"))
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

// Ended ends it as Ctrl-C does; its exit status must be N: ended N
func Ended(ts *testscript.TestScript, _ bool, args []string) {
	s := server(ts)
	ts.Check(s.cmd.Process.Signal(syscall.SIGINT))
	Check(ts, args[0], s.cmd.Wait())
}
