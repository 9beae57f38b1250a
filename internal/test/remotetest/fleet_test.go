package remotetest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/remote"
	"seaworthy/internal/test/remotetest"
)

func TestTable(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"padmin@vios1": remotetest.Table{
		"uname -s":                  {Stdout: "AIX\n"},
		"export A=b; as sent":       {Stdout: "sent"},
		"ioscli mkvdev":             {Stderr: "denied\n", Exit: 4},
		"oem_setup_env":             {},
		"oem_setup_env: uname -s":   {Stdout: "root\n"},
		"lsattr -El ent0 -a 'mtu'?": {Stdout: "quoted\n"},
	}.Serve})
	for _, tc := range []struct{ line, stdin, want string }{
		{"uname -s", "", "AIX\n||0"},
		{"LC_ALL=C LANG=C uname -s", "", "AIX\n||0"},
		{"export LC_ALL=C LANG=C PATH=\"$PATH:/x\"; uname -s", "", "AIX\n||0"},
		{"export A=b; as sent", "", "sent||0"},
		{"ioscli mkvdev", "", "|denied\n|4"},
		{"echo 'uname -s' | oem_setup_env", "", "root\n||0"},
		{"export A=b; echo 'export C=d; lsattr -El ent0 -a '\\''mtu'\\''?' | oem_setup_env", "", "quoted\n||0"},
		{"oem_setup_env", "uname -s\n", "root\n||0"},
		{"nothing like it", "", "|sh: nothing: not found\n|127"},
	} {
		res, err := f.Host("vios1").Run(context.Background(), remote.Command{Line: tc.line, Stdin: strings.NewReader(tc.stdin)})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s|%s|%d", res.Stdout, res.Stderr, res.Exit); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.line, got, tc.want)
		}
	}
}

// The fleet's ssh_config is one that the stock client takes.
func TestStockClient(t *testing.T) {
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("no ssh on this machine")
	}
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	out, err := exec.Command(ssh, "-F", f.Config, "-o", "BatchMode=yes", "lpar1", "echo hello; exit 3").CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 || string(out) != "hello\n" {
		t.Errorf("got %q, %v, want %q and status 3", out, err, "hello\n")
	}
}

func TestSnapshotHandler(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"commands":[{"line":"ioslevel","stdout":"a.txt","exit":2}]}`, "a.txt": "4.1.0.10\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := remotetest.Start(t, map[string]remotetest.Handler{"vios1": remotetest.Snapshot(t, dir)})
	res, err := f.Host("vios1").Run(context.Background(), remote.Command{Line: "ioslevel"})
	if err != nil || string(res.Stdout) != "4.1.0.10\n" || res.Exit != 2 {
		t.Errorf("got %+v, %v", res, err)
	}
}
