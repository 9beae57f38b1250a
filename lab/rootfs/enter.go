package rootfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Node is one node's own part.
type Node struct {
	Name  string
	VIOS  bool
	Hosts []Host   // every node of the lab, for /etc/hosts
	Also  []string // further places of lab commands, in /etc or /opt
}

// Host is a line of /etc/hosts.
type Host struct{ Address, Name string }

// devices are all a node can open; none of them reaches the machine's disks.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// Enter builds the node's root and makes it the root of the calling thread,
// which must have a mount namespace of its own (a copy of the one Prepare
// worked in) and be in the node's network and UTS namespaces.
func (b *Base) Enter(n Node) error {
	root := b.path("root")
	if err := mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=512m"); err != nil {
		return err
	}
	in := func(p string) string { return filepath.Join(root, p) }
	for _, d := range []struct {
		path string
		mode os.FileMode
	}{
		{"/etc", 0o755}, {"/root", 0o700}, {"/home/padmin", 0o755}, {"/tmp", 0o1777}, {"/var/tmp", 0o1777},
		{"/var/adm", 0o755}, {"/run", 0o755}, {Dir, 0o755}, {"/dev/pts", 0o755}, {"/dev/shm", 0o1777}, {"/sys", 0o755}, {"/.old", 0o700},
	} {
		if err := os.MkdirAll(in(d.path), 0o755); err != nil {
			return err
		}
		if err := os.Chmod(in(d.path), d.mode&0o777|stickyBit(d.mode)); err != nil {
			return err
		}
	}
	role := "lpar"
	if n.VIOS {
		role = "vios"
	}
	binds := [][2]string{
		{b.path("machine"), "/.machine"},
		{b.path("usr-" + role), "/usr"},
		{b.path("proc"), "/proc"},
		{b.path("machine/seaworthy"), Program},
	}
	if n.VIOS {
		binds = append(binds, [2]string{b.path("machine/seaworthy"), IOSCLI})
	}
	for _, d := range devices {
		binds = append(binds, [2]string{"/dev/" + d, "/dev/" + d})
	}
	for _, p := range binds {
		if err := bind(p[0], in(p[1])); err != nil {
			return err
		}
	}
	if err := b.links(root, n.Also); err != nil {
		return err
	}
	if err := kernelFiles(root); err != nil {
		return err
	}
	for name, text := range etcFiles(n) {
		if err := os.WriteFile(in("/etc/"+name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := unix.PivotRoot(root, in("/.old")); err != nil {
		return fmt.Errorf("%s: pivot_root: %w", n.Name, err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	if err := unix.Unmount("/.old", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("%s: let go of the machine's root: %w", n.Name, err)
	}
	return os.Remove("/.old")
}

func stickyBit(m os.FileMode) os.FileMode {
	if m&0o1000 != 0 {
		return os.ModeSticky
	}
	return 0
}

// links are the parts of the root that stand for something elsewhere.
func (b *Base) links(root string, also []string) error {
	links := map[string]string{
		"/dev/ptmx": "pts/ptmx", "/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0",
		"/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2",
		"/var/run": "/run", "/etc/mtab": "/proc/self/mounts",
	}
	for _, name := range rootLinks {
		fi, err := os.Lstat("/" + name)
		if err != nil {
			continue
		}
		if fi.IsDir() {
			links["/"+name] = "/.machine/" + name
		} else if to, err := os.Readlink("/" + name); err == nil {
			links["/"+name] = to
		}
	}
	for _, name := range []string{"nix", "gnu"} {
		if _, err := os.Stat(b.path("machine", name)); err == nil {
			links["/"+name] = "/.machine/" + name
		}
	}
	for _, name := range etcShared {
		if _, err := os.Stat(b.path("machine/etc", name)); err == nil {
			links["/etc/"+name] = "/.machine/etc/" + name
		}
	}
	own := map[string]bool{} // entries of /opt that are the node's
	for _, at := range also {
		at = filepath.Clean(at)
		if rest, ok := strings.CutPrefix(at, "/opt/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			own[first] = true
		} else if filepath.Dir(at) != "/etc" {
			return fmt.Errorf("lab command %s: a command stands in /usr, /etc or /opt", at)
		}
		if links[at] == "" {
			links[at] = Program
		}
	}
	opt, err := os.ReadDir(b.path("machine/opt"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range opt {
		if !own[e.Name()] {
			links["/opt/"+e.Name()] = "/.machine/opt/" + e.Name()
		}
	}
	for at, to := range links {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, at)), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(to, filepath.Join(root, at)); err != nil {
			return err
		}
	}
	return nil
}

// kernelFiles mounts what shows the node's own kernel objects.
func kernelFiles(root string) error {
	if err := mount("devpts", filepath.Join(root, "dev/pts"), "devpts",
		unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		return err
	}
	// sysfs of the thread's network namespace: /sys/class/net lists the node's
	// adapters. A machine that forbids it leaves /sys empty.
	sys := filepath.Join(root, "sys")
	err := unix.Mount("sysfs", sys, "sysfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	if err != nil && err != unix.EPERM && err != unix.EACCES {
		return fmt.Errorf("mount sysfs: %w", err)
	}
	return nil
}
