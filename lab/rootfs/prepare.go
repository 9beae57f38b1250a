package rootfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// Commands are the names of the lab's commands.
type Commands struct {
	AIX []string // in /usr/bin and /usr/sbin of every node
	IOS []string // in /usr/ios/cli of a VIOS
}

// Spec is what the nodes of a lab share.
type Spec struct {
	Program  string // path of the lab's program on the machine
	Probe    string // path of seaworthy-probe on the machine; empty: not installed
	Commands Commands
}

// Base is the shared part, in a directory of the calling process's mount
// namespace.
type Base struct {
	dir  string
	spec Spec
}

// etcShared are the parts of the machine's /etc that its tools need to run.
var etcShared = []string{
	"alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime",
	"protocols", "services", "ethertypes", "ssl", "pki", "ca-certificates",
	"terminfo", "iproute2", "crypto-policies", "bash.bashrc", "inputrc",
}

// links of the root directory that are links to /usr on most machines.
var rootLinks = []string{"bin", "sbin", "lib", "lib32", "lib64", "libx32"}

// Prepare builds the shared part in dir, an empty directory. The process must
// be in a mount namespace of its own.
func Prepare(dir string, spec Spec) (*Base, error) {
	b := &Base{dir: dir, spec: spec}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("make mounts private: %w", err)
	}
	if err := mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755"); err != nil {
		return nil, err
	}
	for _, step := range []func() error{b.machine, b.usr, b.proc} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b, os.Mkdir(b.path("root"), 0o755)
}

func (b *Base) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

// machine gathers what is shown of the machine, then closes it for writing.
func (b *Base) machine() error {
	root := b.path("machine")
	for _, name := range append([]string{"usr", "opt", "nix", "gnu"}, rootLinks...) {
		if fi, err := os.Lstat("/" + name); err == nil && fi.IsDir() {
			if err := bind("/"+name, filepath.Join(root, name)); err != nil {
				return err
			}
		}
	}
	for _, name := range etcShared {
		if _, err := os.Stat("/etc/" + name); err == nil {
			if err := bind("/etc/"+name, filepath.Join(root, "etc", name)); err != nil {
				return err
			}
		}
	}
	if err := bind(b.spec.Program, filepath.Join(root, "seaworthy")); err != nil {
		return err
	}
	if b.spec.Probe != "" {
		if err := bind(b.spec.Probe, filepath.Join(root, "seaworthy-probe")); err != nil {
			return err
		}
	}
	if err := bind(root, root); err != nil {
		return err
	}
	return readOnly(root)
}

// usr builds /usr for LPARs and for VIOSes; they differ in /usr/ios.
func (b *Base) usr() error {
	names, err := os.ReadDir("/usr")
	if err != nil {
		return err
	}
	for _, d := range []string{"bin", "sbin"} {
		if err := b.tools(d); err != nil {
			return err
		}
	}
	for _, role := range []string{"lpar", "vios"} {
		root := b.path("usr-" + role)
		for _, d := range []string{"bin", "sbin"} {
			if err := bind(b.path(d), filepath.Join(root, d)); err != nil {
				return err
			}
		}
		for _, e := range names {
			if n := e.Name(); n != "bin" && n != "sbin" && n != "ios" {
				if err := os.Symlink("/.machine/usr/"+n, filepath.Join(root, n)); err != nil {
					return err
				}
			}
		}
		if role == "vios" {
			cli := filepath.Join(root, "ios/cli")
			if err := os.MkdirAll(cli, 0o755); err != nil {
				return err
			}
			for _, n := range b.spec.Commands.IOS {
				if err := os.Symlink(IOSCLI, filepath.Join(cli, n)); err != nil {
					return err
				}
			}
		}
		if err := bind(root, root); err != nil {
			return err
		}
		if err := readOnly(root); err != nil {
			return err
		}
	}
	return nil
}

// tools fills one command directory with links: the lab's commands first, then
// whatever else the machine has there.
func (b *Base) tools(name string) error {
	dir := b.path(name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	made := map[string]bool{}
	link := func(target, n string) error {
		if made[n] {
			return nil
		}
		made[n] = true
		return os.Symlink(target, filepath.Join(dir, n))
	}
	for _, n := range b.spec.Commands.AIX {
		if err := link(Program, n); err != nil {
			return err
		}
	}
	if b.spec.Probe != "" && name == "bin" {
		if err := link("/.machine/seaworthy-probe", "seaworthy-probe"); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir("/usr/" + name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if slices.Contains(b.spec.Commands.IOS, e.Name()) {
			continue // not to be found where AIX does not have it
		}
		if err := link("/.machine/usr/"+name+"/"+e.Name(), e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// proc shows the lab's processes. Where the machine forbids a new /proc (it
// hides parts of its own), the nodes see the machine's.
func (b *Base) proc() error {
	p := b.path("proc")
	if err := os.Mkdir(p, 0o755); err != nil {
		return err
	}
	flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC)
	err := unix.Mount("proc", p, "proc", flags, "")
	if errors.Is(err, unix.EPERM) {
		err = bind("/proc", p)
	} else if err == nil {
		err = unix.Mount("proc", "/proc", "proc", flags, "")
	}
	if err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	for _, name := range []string{"sys", "bus", "irq", "sysrq-trigger", "acpi", "fs"} {
		path := filepath.Join(p, name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if err := bind(path, path); err != nil {
			return err
		}
		if err := readOnly(path); err != nil {
			return err
		}
	}
	for _, name := range []string{"kcore", "kmsg", "keys", "timer_list"} {
		path := filepath.Join(p, name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if err := bind("/dev/null", path); err != nil {
			return err
		}
	}
	return nil
}
