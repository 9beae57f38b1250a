package task

import (
	"os/exec"
	"testing"
)

func TestFunctionsOfAnEmptyTask(t *testing.T) {
	script := Prelude + Task{ID: "x\nreboot"}.Functions(1) + "before_1 && do_1 && after_1 && undo_1 && undone_1 && echo good\n"
	if out, err := exec.Command("/bin/sh", "-c", script).CombinedOutput(); err != nil || string(out) != "good\n" {
		t.Errorf("got %q, %v, want that nothing to do goes well", out, err)
	}
}
