//go:build linux

package cli_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/cli"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/namespaced"
	"seaworthy/internal/test/remotetest"
)

// bare makes namespaces of this machine a host without some programs, with a port that
// leads nowhere. It is their first process, so its name is that of the host's init.
const bare = `set -e
mount --make-rprivate /
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmp /var/tmp
chmod 1777 /var/tmp
for tool in $HIDE; do
	while at=$(command -v "$tool"); do
		dir=$(cd "${at%/*}" && pwd -P)
		over=/var/tmp/over$(ls /var/tmp | wc -l)
		mkdir -p "$over/upper" "$over/work"
		mount -t overlay over -o "lowerdir=$dir,upperdir=$over/upper,workdir=$over/work" "$dir"
		rm "$dir/$tool"
		hash -r
	done
done
echo ready
read -r line
`

// bareHost starts one, whose init has that name, and says how a command line runs there.
func bareHost(t *testing.T, init, hide string) (enter func(line string) string) {
	t.Helper()
	sh, err := exec.LookPath("dash")
	if err != nil {
		sh = "/bin/sh"
	}
	program, err := os.ReadFile(sh)
	if err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(t.TempDir(), init)
	if err := os.WriteFile(first, program, 0o755); err != nil {
		t.Fatal(err)
	}
	// The host has its port before the program that makes it is hidden.
	port := "ip link add lan type veth peer name far\nip addr add 192.0.2.1/24 dev lan\nip link set lan up\nip link set far up\n"
	c := exec.Command(first, "-c", port+bare)
	c.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HIDE=" + hide}
	var errs bytes.Buffer
	c.Stderr = &errs
	_, out := namespaced.Start(t, c)
	if line, err := out.ReadString('\n'); err != nil || line != "ready\n" {
		t.Skipf("this machine permits no such host: %s", errs.String())
	}
	return func(line string) string {
		return "exec nsenter -t " + strconv.Itoa(c.Process.Pid) + " -m -n -p -w " + line
	}
}

// A Linux host without this and that: what is missing is named, and nothing fails.
func TestBareLinuxHost(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to make hosts out of namespaces")
	}
	type host struct {
		name, init, hide, user string
		gaps                   []string // of collect
		note                   string   // of the plan
		apply                  string   // why it changes nothing; empty: it does
	}
	for _, c := range draw.OneIn(t, 8, []host{
		{"without ethtool", "init", "ethtool", "root", []string{"ethtool: not installed"}, "init takes no units", ""},
		{"without systemd", "init", "systemctl", "root", nil, "init takes no units", ""},
		{"in a container", "entry", "ethtool systemctl nmcli", "root", []string{"ethtool: not installed"},
			"its first process is entry, not an init: a container is set up from outside", ""},
		{"without root", "init", "ethtool", "nobody", []string{"ethtool: not installed"}, "init takes no units", "a change needs root"},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			enter := bareHost(t, c.init, c.hide)
			as := ""
			if c.user != "root" {
				as = "setpriv --reuid=65534 --regid=65534 --clear-groups "
			}
			fleet := remotetest.Start(t, map[string]remotetest.Handler{c.user + "@bare": func(ctx context.Context, call *remotetest.Call) int {
				inside := *call
				inside.Line = enter(as + "sh -c " + shellword.Quote(call.Line))
				return remotetest.Shell(ctx, &inside)
			}})
			dir := t.TempDir()
			run := func(args ...string) (int, string) {
				var out bytes.Buffer
				exit := cli.Main(t.Context(), append(args, "-F", fleet.Config), strings.NewReader(""), &out, &out)
				t.Logf("seaworthy %s: exit %d\n%s", strings.Join(args, " "), exit, out.String())
				return exit, out.String()
			}
			exit, said := run("collect", "bare", "-o", filepath.Join(dir, "snap"), "--no-ping")
			if exit != 0 {
				t.Errorf("collect: exit %d, want 0: %s", exit, said)
			}
			_, said = run("show", "host", filepath.Join(dir, "snap"))
			for _, gap := range c.gaps {
				if !strings.Contains(said, gap) {
					t.Errorf("gaps: got %q, want %q", said, gap)
				}
			}
			exit, _ = run("audit", "bare", "--no-ping", "--fail-on", "never")
			if exit != 0 {
				t.Errorf("audit: exit %d, want 0", exit)
			}
			file := filepath.Join(dir, "plan.json")
			exit, said = run("plan", "bare", "--set", "bare:lan:mtu=1400", "-o", file)
			if exit != 2 || !strings.Contains(strings.Join(strings.Fields(said), " "), c.note) {
				t.Fatalf("plan: exit %d, %q, want 2 and %q", exit, said, c.note)
			}
			exit, said = run("apply", file, "--confirm-within", "30s", "--auto-confirm")
			mtu, _ := exec.Command("sh", "-c", enter("cat /sys/class/net/lan/mtu")).Output()
			want := "1400\n"
			if c.apply != "" {
				want = "1500\n"
			}
			if (exit == 0) != (c.apply == "") || !strings.Contains(said, c.apply) || string(mtu) != want {
				t.Errorf("apply: exit %d, %q; MTU %q, want %q and %q", exit, said, mtu, want, c.apply)
			}
		})
	}
}
