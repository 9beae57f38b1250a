// Package labs finds the labs that run on this machine, by where they keep
// their state: a folder each, with a control socket that answers as long as the
// lab runs, and the inventory of its hosts. It knows nothing else of labs.
package labs

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Dir is the folder that holds one folder per lab: $XDG_RUNTIME_DIR/seaworthy,
// or seaworthy-UID in the temporary folder.
func Dir() string {
	if d := os.Getenv("XDG_RUNTIME_DIR"); d != "" && filepath.IsAbs(d) {
		return filepath.Join(d, "seaworthy")
	}
	return filepath.Join(os.TempDir(), "seaworthy-"+strconv.Itoa(os.Getuid()))
}

// Files of a lab's folder.
func ControlSocket(dir string) string { return filepath.Join(dir, "control.sock") }
func HostsFile(dir string) string     { return filepath.Join(dir, "hosts.yaml") }

// CheckOwn refuses a folder that somebody else can write to: anyone who can could
// take the place of a lab's hosts.
func CheckOwn(dir string) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("state folder: %w", err)
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || !fi.IsDir() || int(st.Uid) != os.Getuid() || fi.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("state folder %s: it must be a folder that belongs to you and that nobody else can write to", dir)
	}
	return nil
}

// Running names the labs of a folder that answer, in order. A folder that is
// not there holds none.
func Running(dir string) ([]string, error) {
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err := CheckOwn(dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	var names []string
	for _, e := range entries {
		s, err := net.DialTimeout("unix", ControlSocket(filepath.Join(dir, e.Name())), time.Second)
		if err == nil {
			s.Close()
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Hosts is the inventory file of a running lab; an empty name means the only
// one that runs.
func Hosts(name string) (string, error) {
	names, err := Running(Dir())
	if err != nil {
		return "", err
	}
	switch {
	case len(names) == 0 && name == "":
		return "", errors.New("no lab is running: seaworthy lab up starts one")
	case len(names) > 1 && name == "":
		return "", fmt.Errorf("several labs are running: %s: choose one with -i lab:NAME", strings.Join(names, ", "))
	case name == "":
		name = names[0]
	case !slices.Contains(names, name):
		return "", fmt.Errorf("lab %s is not running (seaworthy lab ls lists those that are)", name)
	}
	return HostsFile(filepath.Join(Dir(), name)), nil
}
