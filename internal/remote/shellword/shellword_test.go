package shellword

import (
	"os/exec"
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
