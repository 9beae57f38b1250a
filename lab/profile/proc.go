package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticks is processor time of one process in units of 10 ms.
type ticks struct{ User, Kernel uint64 }

// process is what /proc says of a process.
type process struct {
	PID   int
	Start uint64 // since boot: a process id is used again, with another start
	Name  string // as ps would show the program: /usr/bin/ftp
	Dead  bool   // waits to be collected: only its ticks are left
	ticks
}

// source reads processes and the machine's idle ticks; tests give their own.
type source interface {
	processes() ([]process, error)
	idle() (ticks uint64, processors int, err error)
}

// procfs is the node's /proc. Of its processes only those in the caller's
// network namespace are the node's; the dead have none any more.
type procfs struct{ root string }

func (p procfs) processes() ([]process, error) {
	own, err := os.Stat(filepath.Join(p.root, "self/ns/net"))
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(p.root)
	if err != nil {
		return nil, err
	}
	var out []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join(p.root, e.Name())
		text, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue // it has just ended
		}
		x, err := parseStat(text)
		if err != nil {
			continue
		}
		x.PID = pid
		if x.Dead {
			out = append(out, x)
			continue
		}
		if ns, err := os.Stat(filepath.Join(dir, "ns/net")); err != nil || !os.SameFile(own, ns) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		exe, err := os.Readlink(filepath.Join(dir, "exe"))
		// Just dying, even if its command line could still be read, or the kernel's own.
		x.Dead = errors.Is(err, fs.ErrNotExist) || len(line) == 0 && exe == ""
		x.Name = program(line, exe, x.Name)
		out = append(out, x)
	}
	return out, nil
}

// parseStat reads /proc/PID/stat. The name is in brackets and can hold
// anything; the last bracket ends it.
func parseStat(text []byte) (process, error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return process{}, errors.New("not a line of /proc/PID/stat")
	}
	f := strings.Fields(string(text[end+1:]))
	if len(f) < 20 {
		return process{}, fmt.Errorf("%d fields behind the name in /proc/PID/stat, want 20", len(f))
	}
	x := process{Name: string(text[open+1 : end]), Dead: f[0] == "Z"}
	for at, to := range map[int]*uint64{11: &x.User, 12: &x.Kernel, 19: &x.Start} {
		v, err := strconv.ParseUint(f[at], 10, 64)
		if err != nil {
			return process{}, err
		}
		*to = v
	}
	return x, nil
}

// program names a process after its file; the lab's own commands are one file
// under many names, so the first word of their command line decides.
func program(cmdline []byte, exe, short string) string {
	first, _, _ := bytes.Cut(cmdline, []byte{0})
	exe = strings.TrimPrefix(exe, "/.machine")
	switch {
	case strings.HasPrefix(exe, "/run/seaworthy/") && len(first) > 0:
		return "/usr/bin/" + filepath.Base(string(first))
	case exe != "":
		return exe
	case len(first) > 0:
		return string(first)
	}
	return short
}

func (p procfs) idle() (uint64, int, error) {
	text, err := os.ReadFile(filepath.Join(p.root, "stat"))
	if err != nil {
		return 0, 0, err
	}
	return parseIdle(string(text))
}

// parseIdle reads the idle and waiting time of /proc/stat, and counts the
// processors in it.
func parseIdle(text string) (idle uint64, processors int, err error) {
	found := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) > 5 && f[0] == "cpu":
			found = true
			for _, s := range f[4:6] {
				v, err := strconv.ParseUint(s, 10, 63)
				if err != nil {
					return 0, 0, fmt.Errorf("/proc/stat: %w", err)
				}
				idle += v
			}
		case len(f) > 0 && strings.HasPrefix(f[0], "cpu"):
			processors++
		}
	}
	if !found {
		return 0, 0, errors.New("/proc/stat: no line of all processors")
	}
	return idle, processors, nil
}
