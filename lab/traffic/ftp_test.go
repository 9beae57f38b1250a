package traffic_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seaworthy/lab/node"
)

// A session as an administrator types it: a command's output goes over the
// wire whole, and a file comes back as it went.
func TestFTP(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // no .netrc yet
	port := fmt.Sprint(freePort(t))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	var errs output
	go func() {
		done <- commands["ftpd"](ctx,
			&node.Call{Argv: []string{"ftpd", "-D", "-p", port}, Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs})
	}()
	defer func() {
		cancel()
		if exit := <-done; exit != 0 {
			t.Errorf("ftpd: got exit %d, %q", exit, errs.String())
		}
	}()
	for range 500 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			break
		}
	}
	dir := t.TempDir()
	there, back := filepath.Join(dir, "there"), filepath.Join(dir, "back")
	script := "open 127.0.0.1 " + port + "\nroot\nsecret\nput \"| dd if=/dev/zero bs=100000 count=30\" /dev/null\n" +
		"binary\nput \"| printf abc\" " + there + "\nget " + there + " " + back + "\nstatus\nput /nosuchfile /x\nbye\n"
	var out, complaints bytes.Buffer
	exit := commands["ftp"](t.Context(),
		&node.Call{User: "root", Argv: []string{"ftp"}, Stdin: strings.NewReader(script), Stdout: &out, Stderr: &complaints})
	for _, want := range []string{`Connected to 127\.0\.0\.1\.`, `220 .*Version 4\.2`,
		`Name \(127\.0\.0\.1:root\): `, "331 ", "Password:", "230 User root logged in", "200 PORT command successful",
		"150 Opening data connection for /dev/null", "226 Transfer complete", `3000000 bytes sent in [0-9.e-]+ seconds \([0-9.e+]+ Kbytes/s\)`,
		`local: \| dd if=/dev/zero bs=100000 count=30 remote: /dev/null`, "3 bytes received", "/nosuchfile", `221 Goodbye\.`} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "secret") {
		t.Error("the password was printed")
	}
	if exit != 1 || !strings.Contains(complaints.String(), "30+0 records") {
		t.Errorf("got exit %d (one file was not there: want 1), %q", exit, complaints.String())
	}
	if text, err := os.ReadFile(back); err != nil || string(text) != "abc" {
		t.Errorf("the file came back as %q, %v", text, err)
	}
	for script, want := range map[string]string{
		"open 127.0.0.1 1\n": "connect to 127.0.0.1",
		"put a b\n":          "not connected",
		"open 127.0.0.1 " + port + "\nnobody\nx\nput \"| echo\" /dev/null\n":  "530",
		"open 127.0.0.1 " + port + "\nroot\nx\nquote PORT 10,0,0,1,4,4\n":     "501",
		"open 127.0.0.1 " + port + "\nroot\nx\nquote STOR /dev/null\n":        "503",
		"open 127.0.0.1 " + port + "\nroot\nx\nput \"| echo a\" /proc/nope\n": "553",
		"put \"a b\n": "quote",
	} {
		var out, complaints bytes.Buffer
		exit := commands["ftp"](t.Context(),
			&node.Call{User: "root", Argv: []string{"ftp"}, Stdin: strings.NewReader(script), Stdout: &out, Stderr: &complaints})
		if got := out.String() + complaints.String(); exit == 0 || !strings.Contains(got, want) {
			t.Errorf("%q: got exit %d, %q, want %q", script, exit, got, want)
		}
	}
}
