package quota

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Groups are the control groups of a lab.
type Groups struct {
	V2   bool              `json:"v2,omitempty"` // else v1
	Dirs map[string]string `json:"dirs"`         // by node
	Root string            `json:"root"`         // holds them
}

// period over which a share is kept, in µs: the kernel's default.
const period = 100_000

// Part is a partition's share of the machine's processors.
type Part struct {
	Cores  float64 // at most; 0: no limit
	Weight int     // against the others, 0 to 255, as PowerVM counts it; 0 is the least there is
}

// NormalWeight is that of a partition whose weight nobody has set.
const NormalWeight = 128

// Make makes a control group for every name in parts, below one whose name begins with
// name. The guard may be nil; it hears of each group before there is one.
func Make(guard *Guard, name string, parts map[string]Part) (*Groups, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	at, v2, err := controller(text, "cpu")
	if err != nil {
		return nil, err
	}
	g := &Groups{V2: v2, Dirs: map[string]string{}}
	g.Root, err = mkdir(guard, filepath.Join(at, name))
	if err != nil {
		return nil, fmt.Errorf("control group: %w", err)
	}
	err = g.fill(guard, parts)
	if err != nil {
		g.Remove()
		return nil, fmt.Errorf("control group: %w", err)
	}
	return g, nil
}

// mkdir makes a group with a name that no other has, nor had: the guard of one that is
// gone may remove it still.
func mkdir(guard *Guard, path string) (string, error) {
	for {
		at := fmt.Sprintf("%s-%d", path, rand.Uint32())
		err := guard.group(at)
		if err != nil {
			return "", err
		}
		err = os.Mkdir(at, 0o755)
		if !errors.Is(err, fs.ErrExist) {
			return at, err
		}
	}
}

func (g *Groups) fill(guard *Guard, parts map[string]Part) error {
	if g.V2 {
		if err := write(g.Root, "cgroup.subtree_control", "+cpu"); err != nil {
			return notEnabled("cpu", err)
		}
	}
	all := 0
	for _, p := range parts {
		all += p.Weight
	}
	// Against the machine's other processes all of them count as many as they are.
	if err := g.set(g.Root, Part{Weight: all}); err != nil {
		return err
	}
	for node, p := range parts {
		dir := filepath.Join(g.Root, node)
		if err := errors.Join(guard.group(dir), os.Mkdir(dir, 0o755)); err != nil {
			return err
		}
		g.Dirs[node] = dir
		if err := g.set(dir, p); err != nil {
			return err
		}
	}
	return nil
}

func notEnabled(controller string, err error) error {
	return fmt.Errorf("the %s controller is not enabled in the cgroup.subtree_control above: %w", controller, err)
}

// set writes a group's part. The kernel's usual weight, 1024 in v1 and 100 in
// v2, is that of NormalWeight; the bounds are the kernel's.
func (g *Groups) set(dir string, p Part) error {
	quota := max(1000, int(p.Cores*period))
	file, weight := "cpu.shares", min(max(2, p.Weight*1024/NormalWeight), 1<<18)
	limit, value := "cpu.cfs_quota_us", fmt.Sprint(quota)
	if g.V2 {
		file, weight = "cpu.weight", min(max(1, (p.Weight*100+NormalWeight/2)/NormalWeight), 10_000)
		limit, value = "cpu.max", fmt.Sprintf("%d %d", quota, period)
	}
	if err := write(dir, file, fmt.Sprint(weight)); err != nil || p.Cores == 0 {
		return err
	}
	return write(dir, limit, value)
}

func write(dir, file, value string) error {
	return os.WriteFile(filepath.Join(dir, file), []byte(value), 0o644)
}

// Remove removes groups in which nothing runs.
func (g *Groups) Remove() { remove(g.All()) }

// All are the folders of the groups, those in another first.
func (g *Groups) All() []string {
	return append(slices.Collect(maps.Values(g.Dirs)), g.Root)
}

func remove(dirs []string) {
	for _, d := range dirs {
		_ = os.Remove(d)
	}
}

// controller finds where a mountinfo has a controller.
func controller(mountinfo []byte, name string) (dir string, v2 bool, err error) {
	for line := range strings.Lines(string(mountinfo)) {
		before, after, ok := strings.Cut(line, " - ")
		f, kind := strings.Fields(before), strings.Fields(after)
		if !ok || len(f) < 5 || len(kind) < 3 {
			continue
		}
		switch kind[0] {
		case "cgroup":
			if slices.Contains(strings.Split(kind[2], ","), name) {
				return f[4], false, nil
			}
		case "cgroup2":
			list, err := os.ReadFile(filepath.Join(f[4], "cgroup.controllers"))
			if err == nil && slices.Contains(strings.Fields(string(list)), name) {
				dir, v2 = f[4], true
			}
		}
	}
	if dir == "" {
		return "", false, fmt.Errorf("this machine has no control groups mounted that limit %s", name)
	}
	return dir, v2, nil
}

// Enter opens what makes a process a member of a node's group. On v1 tasks is
// a file to which a thread writes 0: what it starts then is a member. On v2,
// whose groups do not hold single threads, dir is for clone3(2). Both are nil
// for a node without a group.
func (g *Groups) Enter(node string) (tasks, dir *os.File, err error) {
	at, ok := g.Dirs[node]
	switch {
	case !ok:
	case g.V2:
		dir, err = os.Open(at)
	default:
		tasks, err = os.OpenFile(filepath.Join(at, "tasks"), os.O_WRONLY, 0)
	}
	return tasks, dir, err
}
