package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"seaworthy/lab/wire"
)

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

// printDrivers is what Drivers starts.
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
