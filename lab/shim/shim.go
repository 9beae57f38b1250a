package shim

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/term"

	"seaworthy/lab/rootfs"
	"seaworthy/lab/rpc"
)

// OnNode says whether the program runs on a node, and by which path it is there.
func OnNode(args []string) (exe string, ok bool) {
	exe, err := os.Readlink("/proc/self/exe")
	return exe, err == nil && filepath.Dir(exe) == rootfs.Dir && len(args) > 0
}

// Command asks the lab to run a command for the node that the process is on.
func Command(name string, args []string, ios bool) (exit int) {
	if name == "oem_setup_env" || name == "ioscli" && len(args) > 0 && args[0] == "oem_setup_env" {
		return oemSetupEnv()
	}
	switch {
	case name == Grep:
		return grep(args)
	case name == ID:
		return id(args)
	case name == Sudo:
		return sudo(args)
	case name == "sh", name == "ksh":
		return korn(name, args)
	case slices.Contains(Inittab, name):
		return inittab(name, args)
	}
	user := User()
	exit, err := rpc.Do(rootfs.Control, rpc.Request{
		User: user, Argv: append([]string{name}, args...), VIOS: ios || user == "padmin",
	}, os.Stdin, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return exit
}

// korn is a shell as a strict lab has it.
func korn(name string, args []string) int {
	b, err := rootfs.ReadBehaviour()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 1
	}
	b.Strict = b.Strict && (len(args) > 0 || !term.IsTerminal(int(os.Stdin.Fd())))
	return become(name, rootfs.Ksh, b.Arguments(name, args, false), os.Environ())
}

// Dial joins standard input and output to the socket of "lab dial SOCKET".
func Dial(args []string) (handled bool, exit int) {
	if len(args) != 4 || args[1] != "lab" || args[2] != "dial" {
		return false, 0
	}
	if err := connect(args[3]); err != nil {
		fmt.Fprintf(os.Stderr, "seaworthy: %v\n", err)
		return true, 1
	}
	return true, 0
}

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
