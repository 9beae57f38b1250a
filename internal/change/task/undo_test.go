package task_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// stubborn stands before every command of a line: call number $FAIL of them fails, before
// or after it did its work.
const stubborn = `#!/bin/sh
n=$(($(cat "$COUNT") + 1))
echo "$n" >"$COUNT"
[ "$n" = "$FAIL" ] && [ "$HOW" = before ] && exit 137
PATH=$REST
"${0##*/}" "$@"
rc=$?
[ "$n" = "$FAIL" ] && exit 137
exit "$rc"
`

// The fakes of a host that do something to its files: a unit that is enabled has a link.
const systemctl = `#!/bin/sh
unit=$3
wants=ROOT/etc/systemd/system/dev.wants
case $2 in
enable) mkdir -p "$wants" && ln -sf "../$unit" "$wants/$unit" ;;
disable) rm -f "$wants/$unit"; rmdir "$wants" 2>/dev/null || : ;;
esac
`

var commands = []string{"cp", "mv", "rm", "awk", "chmod", "mkdir", "rmdir", "tail", "find", "grep", "cmp", "mktemp", "netplan", "systemctl"}

// runFailing is run with the command number fail failing; it says how many there were.
func (d *disk) runFailing(line string, fail int, how string) (calls int, err error) {
	d.t.Helper()
	count := filepath.Join(d.root, "count")
	if err := os.WriteFile(count, []byte("0\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	rest := filepath.Join(d.root, "bin") + ":/usr/bin:/bin"
	set := fmt.Sprintf("COUNT=%s FAIL=%d HOW=%s REST=%s PATH=%s; export COUNT FAIL HOW REST PATH; ", count, fail, how, rest,
		filepath.Join(d.root, "stubborn")+":"+rest)
	_, err = d.run(set + line)
	text, rerr := os.ReadFile(count)
	if rerr != nil {
		d.t.Fatal(rerr)
	}
	fmt.Sscan(string(text), &calls)
	return calls, err
}

// keptPlace is a manager's file with the task that writes it and what may stand there before.
type keptPlace struct {
	task  func(was, to, kept string) task.Task
	file  string
	ours  func(value string) string
	texts []string
}

func keptPlaces() map[string]keptPlace {
	device := func(kind model.Kind, attr string, keep task.Persist) func(was, to, kept string) task.Task {
		return func(was, to, kept string) task.Task {
			keep := keep
			keep.Before = kept
			return linuxTask("eth0.1", kind, attr, was, to, keep)
		}
	}
	marked := func(attr string) func(string) string {
		return func(v string) string { return "# seaworthy eth0.1 " + attr + " " + v + "\nother text\n" }
	}
	const ifcfg = "etc/sysconfig/network-scripts/ifcfg-eth0.1"
	return map[string]keptPlace{
		"sysctl": {func(was, to, kept string) task.Task {
			return linuxTask("sysctl", task.Sysctl, "net.core.rmem_max", was, to, task.Persist{By: "sysctl.d", Before: kept})
		}, "etc/sysctl.d/60-seaworthy.conf", func(v string) string { return "net.core.rmem_max = " + v + "\n" }, []string{"",
			"# ours\nnet.core.wmem_max=7\nnet.core.a = 1\n", "net.core.wmem_max = 5", "net.core.rmem_max=1400\n", "b=1\n-net/core/rmem_max =\t1400",
			"net.core.rmem_max = 3\n\n\nnet.core.rmem_max = 1400\n#end"}},
		"ifcfg": {device(model.VLANDevice, "mtu", task.Persist{By: "ifcfg", Name: "/" + ifcfg}), ifcfg,
			func(v string) string { return "DEVICE=eth0.1\n# seaworthy eth0.1 mtu " + v + "\nMTU=" + v + "\n" },
			[]string{"DEVICE=eth0.1\n", "DEVICE=eth0.1", "", "DEVICE='eth0.1\n", "DEVICE=eth0.1\\", "MTU=9000\n# seaworthy eth0.1 mtu 1400"}},
		"networkd": {device(model.VLANDevice, "mtu", task.Persist{By: "systemd-networkd", Name: "10-lan.network"}),
			"etc/systemd/network/10-lan.network.d/60-seaworthy-mtu.conf", marked("mtu"), []string{"[Link]\nMTUBytes=1\n", ""}},
		"netplan": {device(model.VLANDevice, "mtu", task.Persist{By: "netplan", Name: "vlans/eth0.1"}),
			"etc/netplan/90-seaworthy-eth0.1.yaml", marked("mtu"), []string{"network: {}\n"}},
		"ifupdown": {device(model.VLANDevice, "rings", task.Persist{By: "ifupdown"}), "etc/network/if-up.d/seaworthy-eth0_1-rings",
			marked("rings"), []string{"#!/bin/sh\n", "#!/bin/sh\n# seaworthy eth0_1 rings 5\n"}},
		"unit": {device(model.VLANDevice, "tso", task.Persist{By: "systemd unit"}), "etc/systemd/system/seaworthy-eth0.1-tso.service",
			marked("tso"), []string{"[Unit]\n"}},
	}
}

// generate puts something in the place of a manager's file: nothing, a file of ours, another
// one, a link, a folder; with any mode, another owner, a second name. kept is our value in it.
func (d *disk) generate(r *rand.Rand, p keptPlace) (kept string, says string) {
	d.t.Helper()
	file := filepath.Join(d.root, p.file)
	must := func(err error) {
		d.t.Helper()
		if err != nil {
			d.t.Fatal(err)
		}
	}
	put := func(name, text string) { must(os.WriteFile(name, []byte(text), 0o644)) }
	folder := filepath.Dir(file)
	if r.IntN(2) == 0 || !strings.HasSuffix(folder, ".d") || strings.HasSuffix(folder, "if-up.d") || strings.HasSuffix(folder, "sysctl.d") {
		must(os.MkdirAll(folder, 0o755))
	} else {
		return "", "no folder"
	}
	if r.IntN(3) == 0 { // what an attempt that was killed left, or somebody's link
		put(filepath.Join(d.root, "elsewhere"), "elsewhere\n")
		must(os.Symlink(filepath.Join(d.root, "elsewhere"), file+".new"))
	}
	switch n := r.IntN(8); n {
	case 0:
		return "", "nothing"
	case 1:
		put(filepath.Join(d.root, "etc", "target"), p.ours("1400"))
		must(os.Symlink(filepath.Join(d.root, "etc", "target"), file))
		return "1400", "a link to a file of ours"
	case 2:
		must(os.Symlink("/dev/null", file))
		return "", "masked"
	case 3:
		must(os.Mkdir(file, 0o755))
		return "", "a folder"
	case 4, 5:
		kept, says = "1400", "ours"
		put(file, p.ours("1400"))
	default:
		text := p.texts[r.IntN(len(p.texts))]
		put(file, text)
		says = fmt.Sprintf("%q", text)
		if strings.Contains(text, "1400") {
			kept = "1400"
		}
	}
	switch r.IntN(4) {
	case 0:
		must(os.Chmod(file, 0o640))
		says += ", mode 0640"
	case 1:
		if os.Getuid() == 0 {
			must(os.Lchown(file, 12345, 12345))
			says += ", of another user"
		}
	case 2:
		must(os.Link(file, filepath.Join(d.root, "etc", "second")))
		says += ", with a second name"
	}
	return kept, says
}

// Whatever stands in the place of a file and whichever command fails on the way, at the do
// or at the undo: after the undo the tree is what it was.
func FuzzUndo(f *testing.F) {
	for seed := range uint64(24) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		places := keptPlaces()
		names := []string{"ifcfg", "ifupdown", "netplan", "networkd", "sysctl", "unit"}
		name := names[seed%uint64(len(names))]
		d := newDisk(t, nil)
		fake := strings.ReplaceAll(systemctl, "ROOT", d.root)
		if err := os.WriteFile(filepath.Join(d.root, "bin", "systemctl"), []byte(fake), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(d.root, "stubborn"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, c := range commands {
			if err := os.WriteFile(filepath.Join(d.root, "stubborn", c), []byte(stubborn), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		kept, says := d.generate(r, places[name])
		x := places[name].task("1500", "9000", kept)
		if err := x.Write(); err != nil {
			t.Fatal(err)
		}
		do, undo := x.Do[len(x.Do)-1], x.Undo[len(x.Undo)-1]
		if kept != "" && name == "unit" { // it was enabled then
			if _, err := d.run("systemctl --quiet enable seaworthy-eth0.1-tso.service"); err != nil {
				t.Fatal(err)
			}
		}
		first := d.tree(true)
		how := "before"
		if r.IntN(2) == 1 {
			how = "after"
		}
		calls, err := d.runFailing(do, 0, how)
		if err == nil && strings.Contains(says, "link") {
			t.Errorf("%s, %s: done, want it refused", name, says)
		}
		back := func(when string, fail int) {
			t.Helper()
			if fail > 0 {
				_, _ = d.runFailing(undo, fail, how)
			}
			out, err := d.run(undo)
			changed := cmp.Diff(first, d.tree(true))
			if changed != "" {
				t.Fatalf("%s, %s, %s: tree after the undo (-want +got):\n%s\ndo: %s\nundo: %s\nsaid %v %s",
					name, says, when, changed, do, undo, err, out)
			}
		}
		back("done whole", 0)
		for _, fail := range r.Perm(calls)[:min(2, calls)] {
			_, err := d.runFailing(do, fail+1, how)
			if how == "before" && err == nil {
				got := nextBoot(t, d, x)
				if got != "9000" {
					t.Errorf("%s, %s: command %d failed, the line did not, and %q is kept\n%s", name, says, fail+1, got, do)
				}
			}
			back(fmt.Sprintf("command %d failed %s its work", fail+1, how), r.IntN(8))
		}
	})
}

// nextBoot is the value that the task's own check prints.
func nextBoot(t *testing.T, d *disk, x task.Task) string {
	t.Helper()
	out, err := d.run(kept(x.Verify)[0].Command)
	if err != nil {
		t.Fatal(err, out)
	}
	return out
}
