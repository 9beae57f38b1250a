package traffic

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
)

// machineTcpdump are the places of the machine's own, as nodes see them.
var machineTcpdump = []string{"/.machine/usr/bin/tcpdump", "/.machine/usr/sbin/tcpdump"}

// TCPDump is the machine's own. It would give up root for a user that nodes do
// not have, so it is asked to stay root; in the user namespace of a lab without
// privilege, which has a single user, it cannot even do that.
func TCPDump(_ context.Context, c *node.Call) int {
	i := slices.IndexFunc(machineTcpdump, func(p string) bool {
		_, err := os.Stat(p)
		return err == nil
	})
	if i < 0 {
		fmt.Fprintln(c.Stderr, "tcpdump: not installed on this machine")
		return 127
	}
	if oneUser() {
		fmt.Fprintln(c.Stderr, "tcpdump: needs a lab started by root; 'seaworthy lab prove largesend' shows frame sizes in any lab")
		return 1
	}
	err := unix.Exec(machineTcpdump[i], append([]string{"tcpdump", "-Z", "root"}, c.Argv[1:]...), os.Environ())
	fmt.Fprintf(c.Stderr, "tcpdump: %v\n", err)
	return 126
}

// oneUser says whether the user namespace has a single user.
func oneUser() bool {
	text, _ := os.ReadFile("/proc/self/uid_map")
	f := strings.Fields(string(text))
	return len(f) == 3 && f[2] == "1"
}
