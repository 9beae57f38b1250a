package lab

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"seaworthy/lab/call"
	"seaworthy/lab/node"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/supervisor"
)

// supervisorVerb starts the program as a lab's supervisor.
const supervisorVerb = "lab-supervisor"

// Main does what the program is started for by the lab itself, and must be the
// first thing its main function calls: it is the supervisor, the connection of
// an SSH client to a node ("lab dial SOCKET"), or, on a node, the command that
// its name says. If handled is false the program was started by a user.
func Main(args []string, m supervisor.Machinery) (handled bool, exit int) {
	if exe, err := os.Readlink("/proc/self/exe"); err == nil && filepath.Dir(exe) == rootfs.Dir && len(args) > 0 {
		return true, command(filepath.Base(args[0]), args[1:], exe == rootfs.IOSCLI, m)
	}
	switch {
	case len(args) == 2 && args[1] == supervisorVerb && os.Getpid() == 1:
		return true, supervisor.Run(m)
	case len(args) == 4 && args[1] == "lab" && args[2] == "dial":
		if err := connect(args[3]); err != nil {
			fmt.Fprintf(os.Stderr, "seaworthy: %v\n", err)
			return true, 1
		}
		return true, 0
	}
	return false, 0
}

// command runs a lab command on the node that the process is on.
func command(name string, args []string, ios bool, m supervisor.Machinery) int {
	user := os.Getenv("LOGNAME")
	if user == "" {
		user = "root"
	}
	switch name {
	case "ioscli":
		if len(args) > 0 && args[0] == "oem_setup_env" {
			return oemSetupEnv()
		}
		if !slices.Contains(m.Served, name) {
			if len(args) == 0 {
				fmt.Fprintln(os.Stderr, "usage: ioscli COMMAND [ARGUMENT…]")
				return 1
			}
			name, args, ios = args[0], args[1:], true
		}
	case "oem_setup_env":
		return oemSetupEnv()
	}
	ios = ios || user == "padmin"
	argv := append([]string{name}, args...)
	if local := m.Local[name]; local != nil {
		host, err := os.Hostname()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			return 1
		}
		return local(context.Background(), &node.Call{Node: host, User: user, Argv: argv, VIOS: ios, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
	}
	exit, err := call.Do(rootfs.Control, call.Request{User: user, Argv: argv, VIOS: ios}, os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return exit
}

// oemSetupEnv becomes root's shell: it reads commands from its input, or from
// the terminal.
func oemSetupEnv() int {
	env := []string{"HOME=/", "USER=root", "LOGNAME=root", "LOGIN=root", "SHELL=/bin/sh", "PATH=" + rootfs.RootPath}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG=") || strings.HasPrefix(v, "TERM=") || strings.HasPrefix(v, "PS1=") {
			env = append(env, v)
		}
	}
	err := unix.Exec("/bin/sh", []string{"sh"}, env)
	fmt.Fprintf(os.Stderr, "oem_setup_env: /bin/sh: %v\n", err)
	return 1
}

// connect joins standard input and output to a socket.
func connect(path string) error {
	s, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("the lab does not answer, is it up? %w", err)
	}
	defer s.Close()
	go func() {
		_, _ = io.Copy(s, os.Stdin)
		_ = s.CloseWrite()
	}()
	_, err = io.Copy(os.Stdout, s)
	return err
}
