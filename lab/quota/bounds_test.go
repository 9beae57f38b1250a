package quota

import (
	"os"
	"os/exec"
	"testing"

	"seaworthy/internal/test/await"
)

// What asks for more memory than a lab has is ended, and no process comes on top of
// those it may have.
func TestBound(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		ok   bool
	}{
		"little":             {"head -c 4m /dev/zero | tail -c 2m >/dev/null", true},
		"memory":             {"head -c 200m /dev/zero | tail -c 150m >/dev/null", false},
		"a few processes":    {"for i in 1 2 3; do sleep 1 & done; wait", true},
		"too many processes": {"for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; wait", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			guard, err := StartGuard()
			if err != nil {
				t.Fatal(err)
			}
			dirs, err := Bound(guard, "seaworthy-test-bound", Bounds{Memory: 32 << 20, Processes: 8})
			if err != nil {
				guard.Close()
				t.Skipf("no control groups here: %v", err)
			}
			defer await.Until(t, "the groups are gone", func() bool {
				_, err := os.Stat(dirs[0])
				return os.IsNotExist(err)
			})
			defer guard.Close()
			sh := exec.Command("sh", "-c", "read go; "+c.line) // not before it is in the groups
			in, err := sh.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := sh.Start(); err != nil {
				t.Fatal(err)
			}
			if err := Join(dirs, sh.Process.Pid); err != nil {
				t.Fatal(err)
			}
			in.Close()
			if err := sh.Wait(); (err == nil) != c.ok {
				t.Errorf("got %v, want it to work: %v", err, c.ok)
			}
		})
	}
}
