package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"seaworthy/lab/node"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/shim"
	"seaworthy/lab/supervisor"
	"seaworthy/lab/wire"
)

// What the program is started as in new namespaces: a lab's supervisor, or what looks
// for the kernel's drivers.
const (
	supervisorVerb = "lab-supervisor"
	driversVerb    = "lab-drivers"
)

// Main does what the program is started for by the lab itself, and must be the
// first thing its main function calls: it is the supervisor, what looks for drivers, the first process
// of a node, the connection of an SSH client to a node ("lab dial SOCKET"), or,
// on a node, the command that its name says. If handled is false the program was started by a user.
func Main(args []string, m supervisor.Backend) (handled bool, exit int) {
	if exe, ok := shim.OnNode(args); ok {
		if os.Getpid() == 1 {
			return true, supervisor.Init()
		}
		return true, command(filepath.Base(args[0]), args[1:], exe == rootfs.IOSCLI, m)
	}
	if len(args) == 2 && os.Getpid() == 1 {
		switch args[1] {
		case supervisorVerb:
			return true, supervisor.Run(m)
		case driversVerb:
			return true, printDrivers()
		}
	}
	return shim.Dial(args)
}

// command runs a lab command on the node that the process is on.
func command(name string, args []string, ios bool, m supervisor.Backend) int {
	local := m.Local[name]
	if local == nil {
		return shim.Command(name, args, ios)
	}
	host, err := os.Hostname()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		return 1
	}
	user := shim.User()
	return local(context.Background(), &node.Call{
		Node: host, User: user, Argv: append([]string{name}, args...), VIOS: ios || user == "padmin",
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
}

// Drivers says which kinds of network device this machine's kernel has for Linux nodes.
func Drivers() ([]wire.Driver, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var out, errs bytes.Buffer
	cmd, err := start(func() *exec.Cmd {
		cmd := exec.Command(program)
		cmd.Args = []string{"seaworthy", driversVerb}
		cmd.Stdout, cmd.Stderr = &out, &errs
		return cmd
	})
	if err != nil {
		return nil, err
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("look for the kernel's drivers: %w: %s%s", err, strings.TrimSpace(errs.String()), hint(errs.String()))
	}
	var list []wire.Driver
	return list, json.Unmarshal(out.Bytes(), &list)
}

// printDrivers runs in the process that Drivers starts.
func printDrivers() int {
	list, err := wire.Drivers()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
