package rootfs

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// LinuxShell is the shell of root's login on a node with Linux.
func LinuxShell() string { return shell([]string{"/bin/bash", "/usr/bin/bash"}) }

// managerFile says that the processes are in a container, and of whom:
// https://systemd.io/CONTAINER_INTERFACE
const managerFile = "run/host/container-manager"

// linux is what only a node with Linux has.
func (b *Base) linux(s *steps, root string) {
	for _, dir := range []string{"etc/sysctl.d", "var/lib", "var/log", "run/host"} {
		s.mkdir(filepath.Join(root, dir))
	}
	s.do(func() error { return os.WriteFile(filepath.Join(root, managerFile), []byte("seaworthy-lab\n"), 0o444) })
	if b.spec.Probe != "" {
		s.link("/.machine/seaworthy-probe", filepath.Join(root, Tools, "seaworthy-probe"))
	}
	s.link("../usr/lib/os-release", filepath.Join(root, "etc/os-release"))
}

// writable opens what of a closed folder belongs to the calling process's network
// namespace alone.
func (s *steps) writable(path string) {
	s.bind(path, path)
	s.do(func() error {
		return unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
	})
}
