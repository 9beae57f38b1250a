package rootfs

import "os"

// shells of machines, the nearest to that of AIX first: there the shell that
// logs in is a Korn shell, and hands type its [[ ]], typeset and print.
var shells = []string{"/usr/bin/ksh", "/usr/bin/ksh93", "/usr/bin/mksh", "/usr/bin/bash"}

// Shell is the shell of a login on a node. A node has the machine's.
func Shell() string { return shell(shells) }

func shell(of []string) string {
	for _, s := range of {
		if fi, err := os.Stat(s); err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
			return s
		}
	}
	return "/bin/sh"
}
