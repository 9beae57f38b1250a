package local

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Strays are processes that a command started, or those that they started, and that left its process group: a signal to the
// group does not reach them. A process whose parent has ended is not found: a daemon, such as the shared connection of ssh
// (ControlPersist), is meant to outlive the command.
type Strays struct{ handles []int }

// mostStrays bounds the processes below a command that are looked at.
const mostStrays = 1000

// StraysOf finds those of a command that still runs, whose process leads its group: once its parents have ended, nothing
// tells whose a process was.
func StraysOf(pid int) *Strays {
	s := &Strays{}
	below := []int{pid}
	for at := 0; at < len(below) && len(below) < mostStrays; at++ {
		for _, child := range childrenOf(below[at]) {
			handle, err := unix.PidfdOpen(child, 0)
			if err != nil {
				continue // it has ended
			}
			parent, group := parentAndGroup(child)
			if parent != below[at] { // the number was given to another process meanwhile
				unix.Close(handle)
				continue
			}
			below = append(below, child)
			if group == pid {
				unix.Close(handle)
				continue
			}
			s.handles = append(s.handles, handle)
		}
	}
	return s
}

// childrenOf are the processes that a process started and that run; none where the kernel does not tell.
func childrenOf(pid int) (children []int) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	for _, task := range tasks {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			continue
		}
		for word := range bytes.FieldsSeq(text) {
			if child, err := strconv.Atoi(string(word)); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// parentAndGroup are those of a process; zero once it has ended.
func parentAndGroup(pid int) (parent, group int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	name := bytes.LastIndexByte(text, ')') // it may hold blanks
	var state string
	if _, err := fmt.Sscan(string(text[name+1:]), &state, &parent, &group); err != nil {
		return 0, 0
	}
	return parent, group
}

// End ends them, politely, then not, and forgets them.
func (s *Strays) End() {
	for _, signal := range []unix.Signal{unix.SIGTERM, unix.SIGKILL} {
		end := time.Now().Add(grace)
		for _, handle := range s.handles {
			_ = unix.PidfdSendSignal(handle, signal, nil, 0) // it may have ended
		}
		if s.ended(end) {
			break
		}
	}
	for _, handle := range s.handles {
		unix.Close(handle)
	}
	s.handles = nil
}

// ended waits until all have ended, and reports whether they have in time.
func (s *Strays) ended(end time.Time) bool {
	for _, handle := range s.handles {
		left := max(0, time.Until(end))
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(handle), Events: unix.POLLIN}}, int(left.Milliseconds()))
		if err == nil && n == 0 {
			return false
		}
	}
	return true
}
