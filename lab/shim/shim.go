package shim

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
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
	switch name {
	case Grep:
		return grep(args)
	case ID:
		return id(args)
	case Sudo:
		return sudo(args)
	case "sh", "ksh":
		return korn(name, args)
	}
	if slices.Contains(Inittab, name) {
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

// User is who is logged in.
func User() string {
	if user := os.Getenv("LOGNAME"); user != "" {
		return user
	}
	return "root"
}

// oemSetupEnv becomes root's shell: it reads commands from its input, or from
// the terminal.
func oemSetupEnv() int {
	b, err := rootfs.ReadBehaviour()
	if err != nil {
		fmt.Fprintf(os.Stderr, "oem_setup_env: %v\n", err)
		return 1
	}
	argv, env := []string{"ksh"}, rootEnv("HOME=/")
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		argv = b.Arguments("ksh", nil, false)
	}
	if status, fixed := map[string]int{"0": 0, "4": 4}[b.OEMStatus]; fixed {
		c := exec.Cmd{Path: rootfs.Ksh, Args: argv, Env: env, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
		_ = c.Run() // this status says nothing of it
		return status
	}
	err = unix.Exec(rootfs.Ksh, argv, env)
	fmt.Fprintf(os.Stderr, "oem_setup_env: %s: %v\n", rootfs.Ksh, err)
	return 1
}

// korn is a shell as a strict lab has it.
func korn(name string, args []string) int {
	b, err := rootfs.ReadBehaviour()
	if err == nil {
		if len(args) == 0 && term.IsTerminal(int(os.Stdin.Fd())) {
			b.Strict = false
		}
		err = unix.Exec(rootfs.Ksh, b.Arguments(name, args, false), os.Environ())
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	return 1
}

// rootEnv is the environment of one who became root.
func rootEnv(more ...string) []string {
	env := append(more, "USER=root", "LOGNAME=root", "LOGIN=root", "SHELL=/usr/bin/ksh", "PATH="+rootfs.RootPath)
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG=") || strings.HasPrefix(v, "TERM=") || strings.HasPrefix(v, "PS1=") {
			env = append(env, v)
		}
	}
	return env
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
