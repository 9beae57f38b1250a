package task_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// netplanFake refuses what the real generator refuses: a tunnel under ethernets.
const netplanFake = `#!/bin/sh
[ "$1 $2" = "generate --root-dir" ] || exit 2
! grep -q ethernets: "$3"/etc/netplan/90-seaworthy-vx0.yaml
`

// A file that netplan's generator refuses never comes into its place: the next boot would
// leave every device without configuration. A real netplan on PATH is asked, too.
func TestNetplanIsAsked(t *testing.T) {
	const site = "network:\n  version: 2\n  tunnels:\n    vx0: {mode: gre, local: 10.0.0.1, remote: 10.0.0.2}\n"
	generators := map[string]string{"a fake": netplanFake}
	if path, err := exec.LookPath("netplan"); err == nil {
		generators[path] = "#!/bin/sh\nexec " + path + ` "$@"` + "\n"
	}
	for generator, program := range generators {
		for kind, good := range map[string]bool{"ethernets": false, "tunnels": true} {
			d := newDisk(t, map[string]string{"etc/netplan/01.yaml": site})
			if err := os.Chmod(filepath.Join(d.root, "etc/netplan/01.yaml"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(d.root, "bin", "netplan"), []byte(program), 0o700); err != nil {
				t.Fatal(err)
			}
			x := linuxTask("vx0", model.Interface, "mtu", "1500", "1400", task.Persist{By: "netplan", Name: kind + "/vx0"})
			if err := x.Write(); err != nil {
				t.Fatal(err)
			}
			first := d.tree(true)
			out, err := d.run(x.Do[len(x.Do)-1])
			diff := cmp.Diff(first, d.tree(true))
			if good != (err == nil) || good == (diff == "") {
				t.Errorf("%s, by %s: got %v, %s; files (-before +after):\n%s", kind, generator, err, out, diff)
			}
			if err != nil {
				continue
			}
			check := kept(x.Verify)[0]
			if got, err := d.run(check.Command); err != nil || got != check.Want {
				t.Errorf("%s: verified as %q, %v; want %q", kind, got, err, check.Want)
			}
			// A file that breaks the generator later does not verify.
			file := filepath.Join(d.root, "etc/netplan/90-seaworthy-vx0.yaml")
			bad := "# seaworthy vx0 mtu 1400\nnetwork: {version: 2, ethernets: {vx0: {mtu: 1400}}}\n"
			if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := d.run(check.Command); err == nil && got == check.Want {
				t.Errorf("%s: a file that the generator refuses verifies as %q", kind, got)
			}
		}
	}
}

// A file of sysctls that is read after ours takes the value back: it is named.
func TestSysctlsReadLater(t *testing.T) {
	x := linuxTask("sysctl", task.Sysctl, "net.core.rmem_max", "1", "9", task.Persist{By: "sysctl.d"})
	if err := x.Write(); err != nil {
		t.Fatal(err)
	}
	check := kept(x.Verify)[0].Command
	const ours = "net.core.rmem_max = 9\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"alone":       {map[string]string{"60-seaworthy.conf": ours}, "9"},
		"not there":   {map[string]string{"10-a.conf": "net.core.rmem_max=1\n"}, ""},
		"before ours": {map[string]string{"60-seaworthy.conf": ours, "10-a.conf": "net.core.rmem_max=1\n"}, "9"},
		"after ours": {map[string]string{"60-seaworthy.conf": ours, "90-a.conf": "-net/core/rmem_max=1\n"},
			"9 until /etc/sysctl.d/90-a.conf is read"},
		"a comment":      {map[string]string{"60-seaworthy.conf": ours, "90-a.conf": "#net.core.rmem_max=1\n"}, "9"},
		"another name":   {map[string]string{"60-seaworthy.conf": ours, "90-a.conf": "net.core.rmem_maxx=1\n"}, "9"},
		"twice in ours":  {map[string]string{"60-seaworthy.conf": "net.core.rmem_max = 9\nnet.core.rmem_max=5\n"}, "5"},
		"other spelling": {map[string]string{"60-seaworthy.conf": "net/core/rmem_max=9"}, "9"},
	} {
		d := newDisk(t, nil)
		for file, text := range c.files {
			if err := os.WriteFile(filepath.Join(d.root, "etc/sysctl.d", file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := d.below(c.want)
		if got, err := d.run(check); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
	}
}

// Devices whose names differ in a dot and an underscore have scripts of their own.
func TestIfupdownNames(t *testing.T) {
	write := func(device string) (string, error) {
		x := linuxTask(device, model.VLANDevice, "rings", "512", "4096", task.Persist{By: "ifupdown"})
		err := x.Write()
		if err != nil {
			return "", err
		}
		return x.Do[len(x.Do)-1], nil
	}
	seen := map[string]string{}
	for _, device := range []string{"eth0.1", "eth0_1", "eth0__1", "eth0_1.2", "eth0.1_2"} {
		d := newDisk(t, nil)
		line, err := write(device)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := d.run(line); err != nil {
			t.Fatal(err, out)
		}
		scripts, _ := filepath.Glob(filepath.Join(d.root, "etc/network/if-up.d/seaworthy-*"))
		if len(scripts) != 1 || seen[filepath.Base(scripts[0])] != "" {
			t.Errorf("%s: got scripts %v, want one that no other device has: %v", device, scripts, seen)
			continue
		}
		seen[filepath.Base(scripts[0])] = device
	}
	for _, device := range []string{"eth0..1", "eth0._1", "eth0_.1"} {
		if line, err := write(device); err == nil {
			t.Errorf("%s: got %s, want it refused", device, line)
		}
	}
}
