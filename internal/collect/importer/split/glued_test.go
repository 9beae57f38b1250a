package split

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A prompt behind the last line of an output that has no end begins the next command, and the value before it is kept.
func TestGluedPrompts(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // command, line, text
	}{
		"in the middle and at the end": {"root@web7:~# cat /sys/class/net/eth0/mtu\n9000root@web7:~# uname -m\nx86_64root@web7:~# ",
			[]string{"cat /sys/class/net/eth0/mtu 2 9000", "uname -m 3 x86_64"}},
		"brackets, another folder": {"[oper@db1 ~]$ oslevel -s\n7200-05-06-2320[oper@db1 tmp]$ uname -m\n00C8D2E44C00\n",
			[]string{"oslevel -s 2 7200-05-06-2320", "uname -m 3 00C8D2E44C00"}},
		"an address in a command": {"root@web7:~# uname -m\nx86_64\nroot@web7:~# ssh root@web7: uname -m # again\nx86_64\n",
			[]string{"uname -m 2 x86_64", "ssh root@web7: uname -m # again 4 x86_64"}},
	} {
		var got []string
		for _, p := range Text(t.Context(), []byte(c.text), "log.txt").Pieces {
			got = append(got, fmt.Sprint(p.Command, " ", p.Line, " ", strings.TrimSpace(string(p.Text))))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
