package lab

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stock runs the system's own ssh client.
func stock(t *testing.T, stdin string, args ...string) (string, string, int) {
	t.Helper()
	path, err := exec.LookPath("ssh")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("no ssh client on this machine")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("ssh %v: %v", args, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestStockSSH(t *testing.T) {
	l := startLab(t, Options{})
	f := l.SSHConfig()
	for _, c := range []struct {
		args  []string
		stdin string
		out   string
		exit  int
	}{
		{[]string{"lpar1", "lsattr -El en0 | grep en0"}, "", "lpar1 root vios=false lsattr -El en0\n", 0},
		{[]string{"vios1", "lsattr"}, "", "vios1 padmin vios=true lsattr\n", 0},
		{[]string{"vios2-root", "lsattr"}, "", "vios2 root vios=false lsattr\n", 0},
		{[]string{"lpar2", "cat; echo e >&2; exit 9"}, "in", "in", 9},
		{[]string{"lpar2", "kill -KILL $$"}, "", "", 255},
		{[]string{"-tt", "lpar1", "test -t 0 && test -t 1 && tty && stty size"}, "", "/dev/pts/0\r\n0 0\r\n", 0},
		{[]string{"-o", "SendEnv=LC_TEST", "-o", "SetEnv=LC_TEST=7", "lpar1", "echo $LC_TEST"}, "", "7\n", 0},
	} {
		out, errs, exit := stock(t, c.stdin, append([]string{"-F", f}, c.args...)...)
		if out != c.out || exit != c.exit {
			t.Errorf("ssh %v: got %q, exit %d (%s); want %q, exit %d", c.args, out, exit, errs, c.out, c.exit)
		}
	}
	// A login shell on a terminal.
	out, errs, exit := stock(t, "lsattr z\nexit 3\n", "-F", f, "-tt", "lpar1")
	if !strings.Contains(out, "lpar1 root vios=false lsattr z") || exit != 3 {
		t.Errorf("a shell: got %q, exit %d (%s)", out, exit, errs)
	}
	if _, errs, exit := stock(t, "", "-F", f, "-o", "User=nobody", "lpar1", "true"); exit != 255 ||
		!strings.Contains(errs, "Permission denied") {
		t.Errorf("an unknown login: got exit %d, %q", exit, errs)
	}
	// Another key is refused, and so is another host key.
	other := filepath.Join(t.TempDir(), "key")
	if b, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v: %s", err, b)
	}
	config, err := os.ReadFile(f)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "config")
	os.WriteFile(changed,
		bytes.ReplaceAll(config, []byte("IdentityFile "+filepath.Join(l.Dir, "id_ed25519")), []byte("IdentityFile "+other)), 0o600)
	if _, errs, exit := stock(t, "", "-F", changed, "lpar1", "true"); exit != 255 || !strings.Contains(errs, "Permission denied") {
		t.Errorf("another key: got exit %d, %q", exit, errs)
	}
	pub, _ := os.ReadFile(other + ".pub")
	known := filepath.Join(t.TempDir(), "known")
	os.WriteFile(known, append([]byte("lpar1."+l.Name+".seaworthy "), pub...), 0o600)
	if _, errs, exit := stock(t, "", "-F", f, "-o", "UserKnownHostsFile="+known, "lpar1", "true"); exit != 255 ||
		!strings.Contains(errs, "verification failed") {
		t.Errorf("another host key: got exit %d, %q", exit, errs)
	}
	for _, name := range []string{"id_ed25519", "ssh_config", "known_hosts", "hosts.yaml"} {
		fi, err := os.Stat(filepath.Join(l.Dir, name))
		if err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v, %v; want mode 0600", name, fi, err)
		}
	}
}
