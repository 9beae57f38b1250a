// Package profile holds the node commands that say where processor time goes:
// tprof, and trace with trcon, trcoff, trcstop and trcrpt. They run in the
// calling process, on the node.
//
// Ticks are the kernel's own accounting of a process in user and in kernel
// mode, in the 10 ms that AIX's ticks have, read while the program runs. What
// the kernel does for packets outside of any process belongs to none, and is
// in no row. The ticks of "wait" are the idle time of the whole machine: a
// lab's nodes share its processors.
package profile

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// ticks is processor time of one process in units of 10 ms.
type ticks struct{ User, Kernel uint64 }

// process is a process as /proc shows it.
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

// proc is the node's /proc. Of its processes only those in the caller's
// network namespace are the node's; the dead have none any more.
type proc struct{ root string }

func (r proc) processes() ([]process, error) {
	fs, err := procfs.NewFS(r.root)
	if err != nil {
		return nil, err
	}
	own, err := os.Stat(filepath.Join(r.root, "self/ns/net"))
	if err != nil {
		return nil, err
	}
	all, err := fs.AllProcs()
	var out []process
	for _, p := range all {
		st, err := p.Stat()
		if err != nil {
			continue // it has just ended
		}
		x := process{PID: p.PID, Start: st.Starttime, Name: st.Comm, Dead: st.State == "Z", ticks: ticks{uint64(st.UTime), uint64(st.STime)}}
		if !x.Dead {
			if ns, err := os.Stat(filepath.Join(r.root, strconv.Itoa(p.PID), "ns/net")); err != nil || !os.SameFile(own, ns) {
				continue
			}
			line, _ := p.CmdLine()
			exe, err := p.Executable()
			// Just dying, even if its command line could still be read, or the kernel's own.
			x.Dead = exe == "" && (err == nil || len(line) == 0)
			x.Name = program(append(line, ""), exe, x.Name)
		}
		out = append(out, x)
	}
	return out, err
}

// program names a process after its file; the lab's own commands are one file
// under many names, so the first word of their command line decides.
func program(line []string, exe, short string) string {
	exe = strings.TrimPrefix(exe, "/.machine")
	switch {
	case strings.HasPrefix(exe, "/run/seaworthy/") && line[0] != "":
		return "/usr/bin/" + filepath.Base(line[0])
	case exe != "":
		return exe
	case line[0] != "":
		return line[0]
	}
	return short
}

// idle is the idle and waiting time of all processors.
func (r proc) idle() (uint64, int, error) {
	fs, err := procfs.NewFS(r.root)
	if err != nil {
		return 0, 0, err
	}
	st, err := fs.Stat()
	if err == nil && len(st.CPU) == 0 {
		err = fmt.Errorf("%s/stat names no processor", r.root)
	}
	return uint64(math.Round((st.CPUTotal.Idle + st.CPUTotal.Iowait) * 100)), len(st.CPU), err
}
