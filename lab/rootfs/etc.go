package rootfs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// etcFiles are the node's own files in /etc, by name.
//
// All logins are user 0: a user namespace made without help from the system
// maps a single user. What others than root may do is the business of the commands.
func etcFiles(n Node) map[string]string {
	var hosts strings.Builder
	hosts.WriteString("127.0.0.1\tlocalhost loopback\n")
	for _, h := range n.Hosts {
		fmt.Fprintf(&hosts, "%s\t%s\n", h.Address, h.Name)
	}
	f := map[string]string{
		"hosts":         hosts.String(),
		"hostname":      n.Name + "\n",
		"passwd":        "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
		"group":         "root:x:0:\nsystem:x:0:\nstaff:x:1:\nnogroup:x:65534:\n",
		"nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n",
		"resolv.conf":   "",
		"profile":       "# a login finds its PATH and prompt set\n",
		"inittab":       "init:2:initdefault:\n",
	}
	if n.Linux {
		delete(f, "inittab")
		f["passwd"] = strings.Replace(f["passwd"], "/bin/sh", LinuxShell(), 1)
		return f
	}
	if n.VIOS {
		f["passwd"] += "padmin:x:0:1:VIOS administrator:/home/padmin:/bin/sh\n"
	}
	for i, user := range Ordinary {
		if !n.VIOS {
			f["passwd"] += fmt.Sprintf("%s:x:0:1:user %d to the commands:/tmp:/bin/sh\n", user, FirstUID+i)
		}
	}
	return f
}

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
