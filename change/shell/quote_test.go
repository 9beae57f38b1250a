package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// What a shell makes of a quoted string is that string.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "it's", `"$(reboot)"`, "a\nb", "`x`", `\0047; reboot; \0047`, "-n", "~", "*", "\xff", "'; :"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !Sayable(s) {
			t.Skip()
		}
		out, err := exec.Command("/bin/sh", "-c", "printf '%s|' "+Quote(s)).Output()
		if err != nil || string(out) != s+"|" {
			t.Errorf("%q: the shell sees %q, %v", s, out, err)
		}
	})
}

func FuzzComment(f *testing.F) {
	f.Add("host\nreboot")
	f.Add("a\u2028b\x1b[0m\r")
	f.Fuzz(func(t *testing.T, s string) {
		if c := Comment(s); strings.ContainsAny(c, "\n\r\x00\x1b\u2028\u0085") {
			t.Errorf("%q: got %q, which ends a line", s, c)
		}
	})
}

func TestFunctionsOfAnEmptyTask(t *testing.T) {
	script := Prelude + Task{Name: "x\nreboot"}.Functions(1) + "before_1 && do_1 && after_1 && undo_1 && undone_1 && echo good\n"
	if out, err := exec.Command("/bin/sh", "-c", script).CombinedOutput(); err != nil || string(out) != "good\n" {
		t.Errorf("got %q, %v, want that nothing to do goes well", out, err)
	}
}
