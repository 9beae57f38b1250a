package ticket_test

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/draw"
)

// managers are hosts by what sets them up, with that manager's file that was there before.
var managers = map[string]struct {
	model.Persistence
	file, text string
}{
	"networkd": {model.Persistence{By: "systemd-networkd", Name: "10-lan.network"}, "etc/systemd/network/10-lan.network",
		"[Match]\nName=eth0\n"},
	"netplan":  {model.Persistence{By: "netplan", Name: "lan"}, "etc/netplan/01.yaml", "network: {version: 2}\n"},
	"ifupdown": {model.Persistence{By: "ifupdown"}, "etc/network/if-up.d/other", "#!/bin/sh\n"},
	"ifcfg": {model.Persistence{By: "ifcfg", Name: "/etc/sysconfig/network/ifcfg-eth0"},
		"etc/sysconfig/network/ifcfg-eth0", "BOOTPROTO='dhcp'\nMTU='1500'\n"},
	"unit": {model.Persistence{By: "systemd unit", Units: true}, "etc/systemd/system/other.service", "[Unit]\n"},
}

func linuxPlan(t *testing.T) *plan.Plan {
	t.Helper()
	unset, mtu, size := "", "1500", "212992"
	var hosts []*model.Host
	var want []plan.DesiredSetting
	for name, k := range managers {
		hosts = append(hosts, &model.Host{Name: name, Platform: model.Linux, User: "root",
			Persistence: &model.Persistence{By: "sysctl.d"},
			Tunables:    map[string]*model.Attr{"net.core.rmem_max": {Running: &size, NextBoot: &unset}},
			Elements: map[string]*model.Element{"eth0": {Name: "eth0", Kind: model.Physical, Persistence: &k.Persistence,
				Attrs: map[string]*model.Attr{"mtu": {Running: &mtu, NextBoot: &unset}}}}})
		for element, value := range map[string][2]string{"eth0": {"mtu", "1400"}, "sysctl": {"net.core.rmem_max", "4194304"}} {
			want = append(want, plan.DesiredSetting{Setting: finding.Setting{Ref: model.Ref{Host: name, Element: element},
				Attr: value[0], Value: value[1]}})
		}
	}
	p, err := plan.Build(&model.Fleet{Hosts: hosts}, anything{}, want)
	if err != nil || len(p.Refused) > 0 || len(p.Steps) != 2*len(managers) {
		t.Fatalf("got %v, refused %v, %d steps; want two of each host", err, p.Refused, len(p.Steps))
	}
	return p
}

// absolute are the folders of a host in a script; "$t"/etc is none of them.
var absolute = regexp.MustCompile(`([\s=>'(])(/(?:etc|sys)/)`)

// The scripts of a Linux host set what runs and what the next boot uses, and
// take both back to the byte, in every shell.
func TestLinuxScripts(t *testing.T) {
	dir := t.TempDir()
	if err := ticket.Write(dir, linuxPlan(t), ticket.Evidence{}); err != nil {
		t.Fatal(err)
	}
	if path, err := exec.LookPath("shellcheck"); err == nil {
		files, _ := filepath.Glob(filepath.Join(dir, "*", "*.sh"))
		if out, err := exec.Command(path, append([]string{"-s", "sh", "-S", "style"}, files...)...).CombinedOutput(); err != nil {
			t.Errorf("shellcheck: %v\n%s", err, out)
		}
	}
	for _, name := range draw.OneIn(t, 3, slices.Sorted(maps.Keys(managers))) {
		k := managers[name]
		for _, shell := range shells(t) {
			t.Run(name+" "+strings.Join(shell, " "), func(t *testing.T) {
				b := newBench(t, shell)
				root := t.TempDir()
				put := func(file, text string) {
					t.Helper()
					if err := os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				put(k.file, k.text)
				put("etc/sysctl.d/10-site.conf", "net.core.somaxconn = 512\n")
				put("sys/class/net/eth0/mtu", "1500\n")
				b.put(map[string]string{"sysctl.net.core.rmem_max": "212992"})
				for tool, text := range map[string]string{"ip": `echo "$6" >` + root + "/sys/class/net/eth0/mtu", "systemctl": "", "netplan": ""} {
					if err := os.WriteFile(filepath.Join(b.tools, tool), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				run := func(script, says string, ok bool) {
					t.Helper()
					text, err := os.ReadFile(filepath.Join(dir, name, script))
					if err != nil {
						t.Fatal(err)
					}
					moved := absolute.ReplaceAllString(string(text), "${1}"+root+"${2}")
					at := filepath.Join(t.TempDir(), script)
					if err := os.WriteFile(at, []byte(moved), 0o700); err != nil {
						t.Fatal(err)
					}
					if out, err := b.run(at); (err == nil) != ok || !strings.Contains(out, says) {
						t.Fatalf("%s: got %v, %s, want success %v and %q", script, err, out, ok, says)
					}
				}
				first := files(t, root)
				run("verify.sh", "NOT as planned", false)
				run("implement.sh", ": done", true)
				run("verify.sh", "", true)
				after := files(t, root)
				size, mtu := after["etc/sysctl.d/60-seaworthy.conf"], after["sys/class/net/eth0/mtu"]
				if size != "net.core.rmem_max = 4194304\n" || mtu != "1400\n" {
					t.Errorf("got sysctls %q, MTU %q; want both set", size, mtu)
				}
				kept := func(text string) bool { return strings.Contains(text, "# seaworthy eth0 mtu 1400\n") }
				if !slices.ContainsFunc(slices.Collect(maps.Values(after)), kept) {
					t.Errorf("got %v, want the MTU in a file", after)
				}
				run("backout.sh", ": undone", true)
				if d := cmp.Diff(first, files(t, root)); d != "" {
					t.Errorf("after backout.sh (-want +got):\n%s", d)
				}
			})
		}
	}
}

// files are all below a folder, by name.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
