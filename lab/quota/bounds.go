package quota

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Bounds limits the memory of all processes of a lab together. What they ask beyond it
// they do not get: no new process, and of memory the kernel ends the one that
// holds most.
type Bounds struct {
	Memory    int64 // bytes, files in memory among it
	Processes int
}

// Bound makes control groups whose names begin with name, which keep processes within
// b, and gives their folders, for Join. If one cannot be made there is none. The guard may be
// nil; it hears of each group before there is one.
func Bound(guard *Guard, name string, b Bounds) (dirs []string, err error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			remove(dirs)
			dirs, err = nil, fmt.Errorf("control group: %w", err)
		}
	}()
	made := map[string]string{} // by the controller's folder: v2 has one for all
	for _, k := range []struct {
		controller, v1, v2 string
		value              int64
	}{{"memory", "memory.limit_in_bytes", "memory.max", b.Memory}, {"pids", "pids.max", "pids.max", int64(b.Processes)}} {
		at, v2, err := controller(text, k.controller)
		if err == nil && made[at] == "" {
			if made[at], err = mkdir(guard, filepath.Join(at, name)); err == nil {
				dirs = append(dirs, made[at])
			}
		}
		if err != nil {
			return dirs, err
		}
		file := k.v1
		if v2 {
			file = k.v2
		}
		err = write(made[at], file, strconv.FormatInt(k.value, 10))
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			err = notEnabled(k.controller, err)
		}
		if err != nil {
			return dirs, err
		}
	}
	return dirs, nil
}

// Join puts a process, and all that it starts from now on, into groups.
func Join(dirs []string, pid int) error {
	for _, d := range dirs {
		if err := write(d, "cgroup.procs", strconv.Itoa(pid)); err != nil {
			return fmt.Errorf("control group: %w", err)
		}
	}
	return nil
}
