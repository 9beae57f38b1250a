package task_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

func value(s string) task.Values { return task.Values{Running: &s, NextBoot: &s} }

func split(running, next string) task.Values { return task.Values{Running: &running, NextBoot: &next} }

func TestCommands(t *testing.T) {
	aix, padmin := task.Login{Platform: model.AIX, User: "root"}, task.Login{Platform: model.VIOS, User: "padmin"}
	mtu := task.Change{Attr: "mtu", Before: value("1500"), After: value("9000")}
	isno := task.Change{Attr: "use_isno", Before: value("0"), After: value("1"), Restricted: true}
	for _, c := range []struct {
		name     string
		task     task.Task
		do, undo []string
	}{
		{"one attribute", task.Task{Element: "en0", Login: aix, Changes: []task.Change{mtu}},
			[]string{"chdev -l en0 -a mtu=9000"}, []string{"chdev -l en0 -a mtu=1500"}},
		{"running and next boot differed", task.Task{Element: "en0", Login: aix,
			Changes: []task.Change{{Attr: "mtu", Before: split("1400", "1500"), After: value("9000")}}},
			[]string{"chdev -l en0 -a mtu=9000"}, []string{"chdev -l en0 -a mtu=1400", "chdev -l en0 -a mtu=1500 -P"}},
		{"of an adapter and its interface", task.Task{Element: "ent0", Login: aix, Bounce: "en0", Changes: []task.Change{
			{Attr: "chksum_offload", Before: value("no"), After: value("yes")}, {Element: "en0", Attr: "mtu", Before: value("1500"),
				After: value("9000")}}},
			[]string{"chdev -l en0 -a state=down", "chdev -l en0 -a state=detach", "chdev -l ent0 -a chksum_offload=yes", "chdev -l en0 -a mtu=9000",
				"chdev -l en0 -a state=up", "mkdev -l inet0"},
			[]string{"chdev -l en0 -a state=down", "chdev -l en0 -a state=detach", "chdev -l en0 -a mtu=1500", "chdev -l ent0 -a chksum_offload=no",
				"chdev -l en0 -a state=up", "mkdev -l inet0"}},
		// Without an answer no(1) changes nothing, at the undo neither.
		{"a restricted tunable", task.Task{Element: "no", Kind: task.No, Login: aix, Changes: []task.Change{isno}},
			[]string{"echo yes | no -p -o use_isno=1"}, []string{"echo yes | no -p -o use_isno=0"}},
		{"a restricted tunable of padmin's", task.Task{Element: "no", Kind: task.No, Login: padmin, Pending: true, Changes: []task.Change{isno}},
			[]string{"echo 'echo yes | no -r -o use_isno=1' | oem_setup_env"}, []string{"echo 'echo yes | no -r -o use_isno=0' | oem_setup_env"}},
	} {
		if err := c.task.Write(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff([][]string{c.do, c.undo}, [][]string{c.task.Do, c.task.Undo}); d != "" {
			t.Errorf("%s: do and undo (-want +got):\n%s", c.name, d)
		}
		if err := c.task.Check(); err != nil {
			t.Errorf("%s: check: %v", c.name, err)
		}
	}
}

// A zone can be any text.
func TestPingOfAZone(t *testing.T) {
	to := netip.MustParseAddr("fe80::1%$(reboot)")
	if got, want := (task.Login{Platform: model.Linux}).Ping(to, 1500, 2, "-M do").String(), "ping -n -c 2 -W 2 -M do -s 1472 fe80::1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A few packets that nobody answers cost a second, not the ten that ping waits without
// a limit; a burst has its time, and who may send one a second has no limit that ends him.
func TestEcho(t *testing.T) {
	to := netip.MustParseAddr("10.10.10.13")
	for _, tc := range []struct {
		login task.Login
		count int
		want  string
	}{
		{task.Login{Platform: model.AIX, User: "root"}, 20, "ping -n -q -w 1 -f -c 20 -s 56 10.10.10.13"},
		{task.Login{Platform: model.AIX, User: "root"}, 600, "ping -n -q -f -c 600 -s 56 10.10.10.13"},
		{task.Login{Platform: model.AIX, User: "svc"}, 4, "ping -n -q -c 4 -s 56 10.10.10.13"},
		{task.Login{Platform: model.Linux, User: "svc"}, 4, "ping -n -q -W 1 -c 4 -s 56 10.10.10.13"},
	} {
		if got := tc.login.Echo(to, 84, tc.count).String(); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}
