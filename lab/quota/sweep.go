package quota

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// groupForm is the name of a lab's group: seaworthy-PID-LAB-NUMBER, with the process that made it.
var groupForm = regexp.MustCompile(`^(seaworthy-([1-9][0-9]*)-.+)-[0-9]+$`)

// labGroups are the groups that one process made for one lab.
type labGroups struct {
	pid   string
	bound []string // hold all processes of the lab
	cpu   []string
}

// Sweep removes the groups of labs that have ended and whose guard was killed before it could remove them. The kernel
// keeps a group as long as a process is in it, so a lab that runs loses none; a lab that has no group for all its
// processes is left alone.
func Sweep() {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return
	}
	for name, g := range groupsOf(text) {
		_, err := os.Stat("/proc/" + g.pid)
		if err == nil || len(g.bound) == 0 {
			continue // it may be about to fill them
		}
		if !removeAll(g.bound) {
			continue
		}
		removeAll(g.cpu)
		slog.Debug("control groups of a lab that has ended are removed", "groups", name)
	}
}

// groupsOf finds the groups of all labs, by their name without the number.
func groupsOf(mountinfo []byte) map[string]*labGroups {
	found := map[string]*labGroups{}
	seen := map[string]bool{}
	for _, c := range []string{"memory", "pids", "cpu"} {
		at, _, err := controller(mountinfo, c)
		if err != nil {
			continue
		}
		dirs, _ := filepath.Glob(filepath.Join(at, "seaworthy-*")) // the pattern is well formed
		for _, d := range dirs {
			m := groupForm.FindStringSubmatch(filepath.Base(d))
			if m == nil || seen[d] {
				continue
			}
			seen[d] = true
			if found[m[1]] == nil {
				found[m[1]] = &labGroups{pid: m[2]}
			}
			if c == "cpu" || len(below(d)) > 1 { // of cgroup v2, where one folder has all controllers
				found[m[1]].cpu = append(found[m[1]].cpu, d)
				continue
			}
			found[m[1]].bound = append(found[m[1]].bound, d)
		}
	}
	return found
}

// removeAll removes groups with those in them; false: one of them is in use.
func removeAll(dirs []string) bool {
	for _, d := range dirs {
		for _, g := range slices.Backward(below(d)) {
			err := os.Remove(g)
			if err != nil && !os.IsNotExist(err) {
				return false
			}
		}
	}
	return true
}

// below are a group and those in it, each before what is in it.
func below(dir string) (groups []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			groups = append(groups, path)
		}
		return nil
	})
	return groups
}
