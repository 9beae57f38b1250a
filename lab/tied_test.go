package lab

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"seaworthy/internal/test/await"
)

// A tied lab ends with the process that started it, killed or not.
func TestTied(t *testing.T) {
	if base := os.Getenv("LAB_TEST_TIED"); base != "" {
		l, err := Up(context.Background(), Options{StateDir: base, Topology: "two-systems", Tied: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(l.PID)
		await.Kill()
		return
	}
	startLab(t, Options{}) // skip here where there can be no lab
	base := stateDir(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestTied$")
	cmd.Env = append(os.Environ(), "LAB_TEST_TIED="+base)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	l, err := Open(base, "two-systems")
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, "lpar1", "", "setsid sleep 1000 >/dev/null 2>&1 </dev/null &")
	spaces := traces(t, l)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	// The kernel ends the lab's processes one after the other, and nobody hears of it.
	await.Until(t, "the lab's processes are gone", func() bool { return len(living(spaces)) == 0 })
	nothingLeft(t, l.Dir, spaces)
}

// Its own way down works too, and does not wait for the process.
func TestTiedDown(t *testing.T) {
	l := startLab(t, Options{Tied: true})
	spaces := traces(t, l)
	if out, _, _ := run(t, l, "lpar2", "", "hostname"); out != "lpar2\n" {
		t.Errorf("hostname in a tied lab: got %q", out)
	}
	if err := l.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, l.Dir, spaces)
}
