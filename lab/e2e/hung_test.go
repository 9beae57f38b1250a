package e2e

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/app/diagnosis"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/labtest"
	"seaworthy/lab"
	"seaworthy/lab/rootfs"
)

// hangs makes entstat of an SEA and of its port wait for ever in the shells of root, as in a driver that hangs: no signal
// but SIGKILL ends it. It notes each time that it is begun.
const hangs = `cat >> /.kshrc <<'X'
entstat() {
  case "$*" in
  "-d ent0"|"-d ent5") ( trap "" HUP INT TERM PIPE; echo "begun $2 $(date +%T)" >> /tmp/hung; while :; do sleep 1000; done ) ;;
  *) command entstat "$@" ;;
  esac
}
X`

// Where entstat hangs on a VIOS its reading goes on without it, says so, and no later reading begins another. A diagnosis
// names it as the cause.
func TestDriverHangs(t *testing.T) {
	for _, topology := range draw.Costly(t, 12, 4, []string{"two-systems"}) {
		l := labtest.Up(t, lab.Options{Topology: topology, Behaviour: rootfs.Behaviour{Strict: true, OEMStatus: "0"}})
		on(t, l, hangs)
		list, err := targets.Open(t.Context(), []string{"vios1"}, targets.Options{Inventory: l.HostsFile()})
		if err != nil {
			t.Fatal(err)
		}
		defer list[0].Close()
		readTwice(t, list[0])
		begunOnce(t, l)
		request := diagnosis.Request{From: "lpar1", To: "lpar2", Args: []string{"vios1"}, Watch: time.Second}
		got, err := request.Run(t.Context(), fleet.Access{HostsFile: l.HostsFile()})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Causes) == 0 || got.Causes[0].ID != "driver-hangs" || got.Causes[0].Host != "vios1" {
			t.Errorf("diagnosis: got %+v, want the driver that hangs first", got.Causes)
		}
		begunOnce(t, l)
	}
}

// begunOnce checks that one entstat was begun on each device that hangs since this was last checked, and that one is left at most.
func begunOnce(t *testing.T, l *lab.Lab) {
	t.Helper()
	begun := on(t, l, "cat /tmp/hung; command rm -f /tmp/hung")
	for _, device := range []string{"ent0", "ent5"} {
		if n := strings.Count(begun, "begun "+device); n > 1 {
			t.Errorf("%d entstat were begun on %s, which hangs, want one:\n%s", n, device, begun)
		}
	}
	if !strings.Contains(begun, "begun ent5") {
		t.Errorf("no entstat was begun on the SEA: %q", begun)
	}
	left := strings.TrimSpace(on(t, l, `ps -ef | grep -c "[s]leep 1000"`))
	if lines := strings.Split(left, "\n"); lines[len(lines)-1] != "0" && lines[len(lines)-1] != "1" {
		t.Errorf("commands left on the VIOS: %s, want one at most", left)
	}
}

// readTwice reads a VIOS twice, as a program that watches it does.
func readTwice(t *testing.T, vios remote.Host) {
	t.Helper()
	hung := &remote.Hung{}
	for n := range 2 {
		began := time.Now()
		h, err := collect.Read(t.Context(), vios, collect.Options{Hung: hung})
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 && time.Since(began) > time.Minute {
			t.Errorf("the second reading took %s: it waited again", time.Since(began))
		}
		if f := h.Figures["ent5 "+model.HungCommands]; f.Value != 1 {
			t.Errorf("reading %d: got %v commands about ent5 that did not end, want 1", n+1, f.Value)
		}
		if h.IOSLevel == "" || h.Protocols.Len() == 0 {
			t.Errorf("reading %d: the other commands were not read: level %q", n+1, h.IOSLevel)
		}
	}
}

// on runs a line as root on vios1.
func on(t *testing.T, l *lab.Lab, line string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := l.Exec(t.Context(), "vios1", "root", line, lab.Stdio{Out: &out, Err: &out}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
