package ticket_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/plantest"
)

var update = flag.Bool("update", false, "write the golden files again")

func sample(t *testing.T) *plan.Plan {
	t.Helper()
	off, on, old := "off", "1", "1048576"
	l, v := host(model.AIX, "", "lpar1"), host(model.VIOS, "padmin", "vios1")
	l.Elements["en0"].Addrs = plantest.Prefixes(t, "10.0.0.1/24")
	l.Elements["en0"].Attrs["mtu_bypass"] = &model.Attr{Running: &off, NextBoot: &off}
	l.Elements["ent0"].Attrs["bounced"] = &model.Attr{Running: &off, NextBoot: &off}
	v.Elements["ent0"].Attrs["largesend"] = &model.Attr{Running: &off, NextBoot: &off}
	v.Tunables["sb_max"] = &model.Attr{Running: &old, NextBoot: &old}
	set := func(h, e, a, v string) plan.DesiredSetting {
		return plan.DesiredSetting{Setting: finding.Setting{Ref: model.Ref{Host: h, Element: e}, Attr: a, Value: v},
			Finding: "R001/" + h + ":" + e}
	}
	p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{l, v}}, anything{}, []plan.DesiredSetting{
		set("lpar1", "en0", "mtu_bypass", "on"), set("lpar1", "ent0", "bounced", on), set("vios1", "ent0", "largesend", on),
		set("vios1", "no", "sb_max", "2097152"), set("lpar1", "en7", "mtu", "9000"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGolden(t *testing.T) {
	p := sample(t)
	got, err := ticket.Scripts(p, "vios1")
	if err != nil {
		t.Fatal(err)
	}
	text, err := ticket.Ticket(p, nil, ticket.Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	got["CHANGE.md"] = text
	for name, text := range got {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), text); d != "" {
			t.Errorf("%s (-want +got; -update writes it again):\n%s", name, d)
		}
	}
}

// A ticket says when its hosts were read, and names are as people write them.
func TestTicketForPeople(t *testing.T) {
	p := sample(t)
	read := map[string]time.Time{"lpar1": time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	text, err := ticket.Ticket(p, nil, ticket.Evidence{Read: read})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- lpar1: 2026-03-04 05:06 UTC\n", "\n- mtu_bypass: `off` → `on`\n", "\nUndo, only to go back:\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in:\n%s", want, text)
		}
	}
}

// A ticket says how the plan went in its rehearsal, what the copy is not, and loudly what did not go as planned.
func TestTicketOfRehearsal(t *testing.T) {
	r := &ticket.Rehearsal{Ended: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Pairs: 6, Noise: 12 * time.Millisecond,
		Steps: []ticket.RehearsedStep{{On: "lpar1:en0", What: "mtu: 1500 → 9000", Class: "O2", Milliseconds: "210", Lost: 84,
			FeltBy: "lpar1:en0 – lpar2:en0", Result: "yes"}},
		Trials: []ticket.RehearsedTrial{{What: "lost session: taken back", Milliseconds: "400", EndedWith: "old values", Result: "yes"}},
		Limits: []string{"assumed: Ethernet switch: one | switch"}}
	show := func() string {
		text, err := ticket.Ticket(sample(t), nil, ticket.Evidence{Rehearsal: r})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := show()
	for _, want := range []string{"\n## Rehearsed\n\nAll went as planned in a copy of these hosts, 2026-03-04 05:06 UTC",
		"| 1 | lpar1:en0 | mtu: 1500 → 9000 | O2 | 210 | 84 |", "| lost session: taken back | 400 | old values | yes |",
		"- assumed: Ethernet switch: one \\| switch\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in:\n%s", want, text)
		}
	}
	r.Wrong = []string{"s1: lpar9 lost packets"}
	if text := show(); !strings.Contains(text, "**Not as planned**") || !strings.Contains(text, "- s1: lpar9 lost packets\n") || strings.Contains(text, "All went as planned") {
		t.Errorf("one that did not go as planned:\n%s", text)
	}
}

func TestShellcheck(t *testing.T) {
	path, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not on this machine")
	}
	dir := t.TempDir()
	if err := ticket.Write(dir, sample(t), ticket.Evidence{}); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.sh"))
	if len(files) != 6 {
		t.Fatalf("got scripts %v, want three for each of two hosts", files)
	}
	if out, err := exec.Command(path, append([]string{"-s", "sh", "-S", "style"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}

func TestScriptsOfAnotherPlanStop(t *testing.T) {
	dir := t.TempDir()
	p := sample(t)
	if err := ticket.Write(dir, p, ticket.Evidence{}); err != nil {
		t.Fatal(err)
	}
	if err := ticket.Write(dir, p, ticket.Evidence{}); err != nil {
		t.Errorf("the same plan again: %v", err)
	}
	p.Hosts = []string{"lpar1"}
	if err := ticket.Write(dir, p, ticket.Evidence{}); err == nil {
		t.Error("scripts of vios1 are left from another plan, and nobody says so")
	}
}

// Root runs the scripts: nobody else may change one, whatever the umask.
func TestPrivateWhateverTheUmask(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, mask := range []int{0, 0o777, 0o022} { // the second and third find the files of the one before
		old := syscall.Umask(mask)
		err := ticket.Write(dir, sample(t), ticket.Evidence{})
		syscall.Umask(old)
		if mask == 0o777 && os.Geteuid() != 0 {
			continue // such a folder cannot be entered
		}
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			want := os.FileMode(0o600)
			if d.IsDir() || filepath.Ext(path) == ".sh" {
				want = 0o700
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("umask %o: %s: got mode %o, want %o", mask, path, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
