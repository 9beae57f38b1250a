package task_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/inventory/netmanager"
)

// disk is a root folder with a host's files, on which a task's lines run.
type disk struct {
	t    *testing.T
	root string
}

// The commands that set what runs are not this test's: they only say that they
// were called.
func newDisk(t *testing.T, files map[string]string) *disk {
	t.Helper()
	d := &disk{t, t.TempDir()}
	for _, dir := range []string{"bin", "etc/sysctl.d", "etc/network/if-up.d", "etc/netplan", "etc/systemd/system", "etc/systemd/network",
		"etc/sysconfig/network-scripts"} {
		if err := os.MkdirAll(filepath.Join(d.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(d.root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range []string{"ip", "ethtool", "sysctl", "systemctl", "netplan"} {
		script := "#!/bin/sh\necho " + tool + ` "$@" >>` + filepath.Join(d.root, "calls") + "\n"
		if err := os.WriteFile(filepath.Join(d.root, "bin", tool), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func (d *disk) run(line string) (string, error) {
	c := exec.Command("/bin/sh", "-c", "umask 077; "+d.below(line))
	c.Env = []string{"PATH=" + filepath.Join(d.root, "bin") + ":/usr/bin:/bin"}
	out, err := c.CombinedOutput()
	return task.Printed(string(out)), err
}

// absolute are the folders of a host in a line; those of a temporary folder ("$t"/etc) are
// no host's.
var absolute = regexp.MustCompile(`([\s=>'(])(/(?:etc|run|lib|usr/lib|usr/local/lib)/(?:sysctl|systemd|network|netplan|sysconfig))`)

// below puts a line's files below the folder.
func (d *disk) below(line string) string {
	return absolute.ReplaceAllString(line, "${1}"+d.root+"${2}")
}

// tree is all below etc: a folder's mode, a link's target, a file's mode, owner, names and text.
// Copies that a kept value needs for its undo are left out if saved is false.
func (d *disk) tree(saved bool) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(d.root, "etc"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !saved && strings.HasPrefix(e.Name(), ".seaworthy-") {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(d.root, path)
		out[name] = info.Mode().String()
		switch info.Mode().Type() {
		case fs.ModeSymlink:
			out[name], err = os.Readlink(path)
		case 0:
			var text []byte
			text, err = os.ReadFile(path)
			is := info.Sys().(*syscall.Stat_t)
			if is.Uid != uint32(os.Getuid()) || is.Nlink != 1 {
				out[name] += fmt.Sprintf(" uid %d, %d names", is.Uid, is.Nlink)
			}
			out[name] += "\n" + string(text)
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

// kept are the checks of what is kept.
func kept(checks []task.Check) (out []task.Check) {
	for _, c := range checks {
		if strings.HasSuffix(c.Attr, " at next boot") {
			out = append(out, c)
		}
	}
	return out
}

func linuxTask(element string, kind model.Kind, attr, was, to string, keep task.Persist) task.Task {
	before := ""
	t := task.Task{ID: "l:" + element, Host: "l", Element: element, Kind: kind, Login: task.Login{Platform: model.Linux, User: "root"},
		Changes: []task.Change{{Attr: attr, Before: task.Values{Running: &was, NextBoot: &before},
			After: task.Values{Running: &to, NextBoot: &to}, Persist: &keep}}}
	return t
}

// Each manager's file is written whole, is read back, and leaves nothing behind
// when it is taken back: the files are as they were, to the byte.
func TestKeptAndTakenBack(t *testing.T) {
	script := "-rwxr-xr-x\n#!/bin/sh\n# seaworthy eth0.100 rings 4096\nenv | grep -qxF IFACE=eth0.100 || exit 0\n" +
		"ethtool -G eth0.100 rx 4096\nexit 0\n"
	unit := "-rw-r--r--\n# seaworthy br-lan tso on\n[Unit]\nDescription=tso on of br-lan\n" +
		`BindsTo=sys-subsystem-net-devices-br\x2dlan.device` + "\n" + `After=sys-subsystem-net-devices-br\x2dlan.device network.target` +
		"\nBefore=multi-user.target\n[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sh -c \"ethtool -K br-lan tso on\"\n[Install]\n" +
		`WantedBy=sys-subsystem-net-devices-br\x2dlan.device` + "\n"
	const scripts = "etc/sysconfig/network-scripts/"
	for name, c := range map[string]struct {
		files     map[string]string
		task      task.Task
		file      string
		want      string
		mustFail  bool
		systemctl int
	}{
		"sysctl, no file": {task: linuxTask("sysctl", task.Sysctl, "net.ipv4.tcp_rmem", "4096 131072 6291456", "4096 131072 67108864",
			task.Persist{By: "sysctl.d", Name: "/etc/sysctl.d/60-seaworthy.conf"}),
			file: "etc/sysctl.d/60-seaworthy.conf", want: "-rw-r--r--\nnet.ipv4.tcp_rmem = 4096 131072 67108864\n"},
		"sysctl, others kept": {files: map[string]string{"etc/sysctl.d/60-seaworthy.conf": "net.core.rmem_max = 1\nnet.ipv4.tcp_sack = 1\n"},
			task: linuxTask("sysctl", task.Sysctl, "net.core.wmem_max", "212992", "4194304", task.Persist{By: "sysctl.d"}),
			file: "etc/sysctl.d/60-seaworthy.conf",
			want: "-rw-r--r--\nnet.core.rmem_max = 1\nnet.ipv4.tcp_sack = 1\nnet.core.wmem_max = 4194304\n"},
		"sysctl, kept before": {files: map[string]string{"etc/sysctl.d/60-seaworthy.conf": "net.core.rmem_max = 1\n"},
			task: linuxTask("sysctl", task.Sysctl, "net.core.rmem_max", "1", "4194304", task.Persist{By: "sysctl.d", Before: "1"}),
			file: "etc/sysctl.d/60-seaworthy.conf", want: "-rw-r--r--\nnet.core.rmem_max = 4194304\n"},
		"networkd": {task: linuxTask("eth0", model.Virtual, "mtu", "1500", "9000",
			task.Persist{By: "systemd-networkd", Name: "10-lan.network"}),
			file: "etc/systemd/network/10-lan.network.d/60-seaworthy-mtu.conf",
			want: "-rw-r--r--\n# seaworthy eth0 mtu 9000\n[Link]\nMTUBytes=9000\n"},
		"netplan": {task: linuxTask("bond0", model.EtherChannel, "mtu", "1500", "9000",
			task.Persist{By: "netplan", Name: "bonds/bond0"}), file: "etc/netplan/90-seaworthy-bond0.yaml",
			want: "-rw-------\n# seaworthy bond0 mtu 9000\nnetwork:\n  version: 2\n  bonds:\n    \"bond0\":\n      mtu: 9000\n"},
		"ifupdown": {task: linuxTask("eth0.100", model.VLANDevice, "rings", "512", "4096", task.Persist{By: "ifupdown"}),
			file: "etc/network/if-up.d/seaworthy-eth0_100-rings", want: script},
		"unit": {task: linuxTask("br-lan", model.Interface, "tso", "off", "on", task.Persist{By: "systemd unit"}),
			file: "etc/systemd/system/seaworthy-br-lan-tso.service", want: unit, systemctl: 3},
		"ifcfg": {files: map[string]string{scripts + "ifcfg-eth0": "DEVICE=eth0\nMTU=1500\n"},
			task: linuxTask("eth0", model.Physical, "mtu", "1500", "9000",
				task.Persist{By: "ifcfg", Name: "/" + scripts + "ifcfg-eth0"}),
			file: scripts + "ifcfg-eth0", want: "-rw-r--r--\nDEVICE=eth0\nMTU=1500\n# seaworthy eth0 mtu 9000\nMTU=9000\n"},
		"ifcfg, kept before": {files: map[string]string{scripts + "ifcfg-eth0": "DEVICE=eth0\n# seaworthy eth0 mtu 1400\nMTU=1400\n"},
			task: linuxTask("eth0", model.Physical, "mtu", "1500", "9000",
				task.Persist{By: "ifcfg", Name: "/" + scripts + "ifcfg-eth0", Before: "1400"}),
			file: scripts + "ifcfg-eth0", want: "-rw-r--r--\nDEVICE=eth0\n# seaworthy eth0 mtu 9000\nMTU=9000\n"},
		"ifcfg without a last line end": {files: map[string]string{scripts + "ifcfg-eth0": "DEVICE=eth0"},
			task: linuxTask("eth0", model.Physical, "mtu", "1500", "9000",
				task.Persist{By: "ifcfg", Name: "/" + scripts + "ifcfg-eth0"}),
			file: scripts + "ifcfg-eth0", want: "-rw-r--r--\nDEVICE=eth0\n# seaworthy eth0 mtu 9000\nMTU=9000\n"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDisk(t, c.files)
			if err := c.task.Write(); err != nil {
				t.Fatal(err)
			}
			check := func(when string, checks []task.Check) {
				t.Helper()
				for _, k := range kept(checks) {
					if got, err := d.run(k.Command); err != nil || got != k.Want {
						t.Errorf("%s: %s: got %q, %v; want %q", when, k.Command, got, err, k.Want)
					}
				}
			}
			if len(kept(c.task.Before)) != 1 || len(kept(c.task.Verify)) != 1 {
				t.Fatalf("got checks %v and %v, want one each of what is kept", c.task.Before, c.task.Verify)
			}
			first := d.tree(true)
			check("before", c.task.Before)
			out, err := d.run(c.task.Forward().String())
			if c.mustFail {
				if diff := cmp.Diff(first, d.tree(true)); err == nil || diff != "" {
					t.Errorf("got %v, files (-want +got):\n%s\nwant a failure that changes nothing", err, diff)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v: %s", c.task.Forward().String(), err, out)
			}
			check("after", c.task.Verify)
			if diff := cmp.Diff(c.want, d.tree(true)[c.file]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.file, diff)
			}
			for name := range d.tree(false) {
				if _, was := first[name]; !was && !strings.HasPrefix(c.file, name) {
					t.Errorf("got %s, want no other file", name)
				}
			}
			for range 2 { // an undo may come again
				if out, err := d.run(c.task.Back().String()); err != nil {
					t.Fatalf("%s: %v: %s", c.task.Back().String(), err, out)
				}
			}
			check("undone", c.task.Before)
			if diff := cmp.Diff(first, d.tree(true)); diff != "" {
				t.Errorf("files after the undo (-want +got):\n%s", diff)
			}
			calls, _ := os.ReadFile(filepath.Join(d.root, "calls"))
			if n := strings.Count(string(calls), "systemctl "); n != c.systemctl {
				t.Errorf("got calls\n%s\nwant %d of systemctl", calls, c.systemctl)
			}
		})
	}
}

func TestNetworkManagerLines(t *testing.T) {
	const uuid = "0c2b8b1c-5a9e-4c43-8d36-0d3f6a1f1c11"
	for _, c := range []struct{ attr, was, to, before, do, undo string }{
		{"mtu", "1500", "9000", "", "802-3-ethernet.mtu 9000", "802-3-ethernet.mtu 0"},
		{"mtu", "1500", "9000", "1400", "802-3-ethernet.mtu 9000", "802-3-ethernet.mtu 1400"},
		{"tso", "off", "on", "", "ethtool.feature-tso on", "ethtool.feature-tso ''"},
		{"rings", "512", "4096", "512", "ethtool.ring-rx 4096", "ethtool.ring-rx 512"},
		{"miimon", "0", "100", "", "+bond.options miimon=100", "-bond.options miimon"},
	} {
		x := linuxTask("eth0", model.Physical, c.attr, c.was, c.to, task.Persist{By: "NetworkManager", Name: uuid, Before: c.before})
		if err := x.Write(); err != nil {
			t.Fatal(err)
		}
		modify := "nmcli connection modify uuid " + uuid + " "
		if got := x.Do[len(x.Do)-1]; got != modify+c.do {
			t.Errorf("%s: do: got %q, want %q", c.attr, got, modify+c.do)
		}
		if got := x.Undo[len(x.Undo)-1]; got != modify+c.undo {
			t.Errorf("%s: undo: got %q, want %q", c.attr, got, modify+c.undo)
		}
	}
}

// A plan file cannot name another file, nor a value that a file would take for
// its own syntax.
func TestManagerRefused(t *testing.T) {
	for name, x := range map[string]task.Task{
		"path":       linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "ifcfg", Name: "/etc/passwd"}),
		"networkd":   linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "systemd-networkd", Name: "../x"}),
		"connection": linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "NetworkManager", Name: "x;reboot"}),
		"netplan":    linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "netplan", Name: "vrfs/eth0"}),
		"no place":   linuxTask("eth0", model.Physical, "rings", "1", "2", task.Persist{By: "systemd-networkd", Name: "a.network"}),
		"unknown":    linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "cron"}),
		"value":      linuxTask("eth0", model.Physical, "mtu", "1500", "9000\"; reboot; \"", task.Persist{By: "systemd unit"}),
		"kept": linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "systemd unit",
			Before: "1\nExecStart=/bin/sh"}),
		"sysctl": linuxTask("eth0", model.Physical, "mtu", "1500", "9000", task.Persist{By: "sysctl.d"}),
	} {
		if err := x.Write(); err == nil {
			t.Errorf("%s: got %v, want a refusal", name, x.Do)
		}
	}
}

// What inventory says can be kept has a command that sets it at boot.
func TestPersistentAttributes(t *testing.T) {
	for _, attr := range netmanager.Attributes() {
		value := "1"
		if attr == "pause" {
			value = "on"
		}
		x := linuxTask("eth0", model.Physical, attr, value, value, task.Persist{By: "systemd unit"})
		if err := x.Write(); err != nil {
			t.Errorf("%s: %v", attr, err)
		}
	}
}

// A script of ifupdown's acts for its own device alone.
func TestIfupdownScript(t *testing.T) {
	d := newDisk(t, nil)
	x := linuxTask("eth0.100", model.VLANDevice, "rings", "512", "4096", task.Persist{By: "ifupdown"})
	if err := x.Write(); err != nil {
		t.Fatal(err)
	}
	if out, err := d.run(x.Do[len(x.Do)-1]); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct{ iface, want string }{{"eth0", ""}, {"eth0x100", ""}, {"eth0.100", "ethtool -G eth0.100 rx 4096\n"}} {
		if out, err := d.run("IFACE=" + c.iface + " /etc/network/if-up.d/seaworthy-eth0_100-rings"); err != nil {
			t.Errorf("%s: %v: %s", c.iface, err, out)
		}
		if got, _ := os.ReadFile(filepath.Join(d.root, "calls")); string(got) != c.want {
			t.Errorf("%s: got calls %q, want %q", c.iface, got, c.want)
		}
	}
}
