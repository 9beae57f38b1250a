// Package rootfs gives every lab node its own view of the file system: the
// machine's tools, read-only, with the lab's commands in front of
// them in /usr/bin and /usr/sbin (and /usr/ios/cli on a VIOS), and an /etc,
// /tmp, /dev and home of the node's own.
//
// Prepare builds once per lab what all nodes share; Enter builds one node's
// root around that and moves the calling thread into it:
//
//	/.machine          the machine's /usr, /opt, /lib…, read-only
//	/usr/bin/grep   -> /.machine/usr/bin/grep
//	/usr/bin/lsattr -> /run/seaworthy/answer   (argv[0] says which command)
//	/run/seaworthy     the lab's programs and the node's control socket
//
// Nothing a node does reaches the machine's files: all of them are mounted
// read-only, and no mount propagates back.
package rootfs

import "slices"

// Where things are within a node.
const (
	Dir     = "/run/seaworthy"
	Program = Dir + "/seaworthy" // the lab's program, called by the name of a command
	Answer  = Dir + "/answer"    // the same for commands that only ask the lab; a smaller program where there is one
	IOSCLI  = Dir + "/ioscli"    // the same, called from /usr/ios/cli: the ioscli form is meant
	Control = Dir + "/control.sock"
	Ksh     = Dir + "/ksh" // the shell of logins, held since the lab was started
	CLIDir  = "/usr/ios/cli"
	Tools   = Dir + "/bin" // of a node with Linux: seaworthy-probe

	InittabFile = "/etc/inittab"
)

// Users of an LPAR that are not root, by what sudo lets them run without a password:
// anything, entstat, nothing.
const (
	SudoUser    = "svc"
	EntstatUser = "mon"
	PlainUser   = "oper"
)

// FirstUID is the number of the first of them, as id shows it.
const FirstUID = 204

// Ordinary are these users.
var Ordinary = []string{SudoUser, EntstatUser, PlainUser}

// IsOrdinary says whether a user is one of them.
func IsOrdinary(user string) bool { return slices.Contains(Ordinary, user) }

// PATH of the logins. That of padmin has what IBM gives its shell: everything
// else goes by oem_setup_env.
const (
	LinuxPath  = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:" + Tools
	RootPath   = "/usr/bin:/etc:/usr/sbin:/usr/ucb:/sbin:/opt/freeware/bin"
	PadminPath = CLIDir + ":/usr/ios/utils:/usr/ios/oem"
)

// padminUtils are the tools in /usr/ios/utils, and hostname, a command of the VIOS
// that the lab leaves to the machine.
var padminUtils = []string{
	"hostname",
	"awk", "cat", "chmod", "clear", "cp", "date", "grep", "head", "ls", "man", "more", "mv", "rm", "sed", "stty", "tail", "tee", "vi", "wc",
}
