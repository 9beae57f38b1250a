package rootfs

import (
	"encoding/json"
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
	Linux bool   // the machine's tools as they are, none of the lab's commands
	Hosts []Host // every node of the lab, for /etc/hosts
}

// Host is a line of /etc/hosts.
type Host struct{ Address, Name string }

// devices are all a node can open; none of them reaches the machine's disks.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// kshrc is a .kshrc as sites have it: it prints, also without a terminal.
const kshrc = `set -o vi
echo "$(hostname): authorised use only"
alias rm='rm -i' cp='cp -i' mv='mv -i' ls='ls -F'
`

// Enter builds the node's root and makes it the root of the calling thread,
// which must have a mount namespace of its own (a copy of the one Prepare
// worked in) and be in the node's network and UTS namespaces.
func (b *Base) Enter(n Node) error {
	root := b.path("root")
	s := &steps{}
	s.mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=512m")
	in := func(p string) string { return filepath.Join(root, p) }
	for _, d := range []struct {
		path string
		mode uint32
	}{
		{"/etc", 0o755}, {"/root", 0o700}, {"/home/padmin", 0o755}, {"/tmp", 0o1777}, {"/var/tmp", 0o1777},
		{"/var/adm", 0o755}, {"/run", 0o755}, {Dir, 0o755}, {"/dev/pts", 0o755}, {"/dev/shm", 0o1777}, {"/sys", 0o755}, {"/.old", 0o700},
	} {
		s.mkdir(in(d.path))
		s.do(func() error { return unix.Chmod(in(d.path), d.mode) })
	}
	s.bind(b.path("machine"), in("/.machine"))
	s.bind(b.path(n.usr()), in("/usr"))
	s.bind(b.path("proc"), in("/proc"))
	s.bind(b.path("machine/seaworthy"), in(Program))
	s.bind(b.path("machine/answer"), in(Answer))
	s.bind(b.path("machine/ksh"), in(Ksh))
	s.do(func() error {
		text, err := json.Marshal(b.spec.Behaviour)
		if err != nil {
			return err
		}
		return os.WriteFile(in(behaviourFile), text, 0o644)
	})
	if b.spec.Strict {
		for _, home := range []string{"/", "/root", "/home/padmin", "/tmp"} {
			s.do(func() error { return os.WriteFile(in(home+"/.kshrc"), []byte(kshrc), 0o644) })
		}
	}
	if n.VIOS {
		s.bind(b.path("machine/answer"), in(IOSCLI))
	}
	if n.Linux {
		b.linux(s, root)
	}
	for _, d := range devices {
		s.bind("/dev/"+d, in("/dev/"+d))
	}
	b.links(s, root, n.Linux)
	s.do(func() error { return kernelFiles(root, n.Linux) })
	for name, text := range etcFiles(n) {
		s.do(func() error { return os.WriteFile(in("/etc/"+name), []byte(text), 0o644) })
	}
	s.mount("devpts", in("/dev/pts"), "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
	s.do(func() error { return os.NewSyscallError("pivot_root", unix.PivotRoot(root, in("/.old"))) })
	s.do(func() error { return unix.Chdir("/") })
	s.do(func() error {
		return os.NewSyscallError("let go of the machine's root", unix.Unmount("/.old", unix.MNT_DETACH))
	})
	s.do(func() error { return os.Remove("/.old") })
	return s.err
}

// usr is the node's /usr within the shared part.
func (n Node) usr() string {
	switch {
	case n.Linux:
		return "machine/usr"
	case n.VIOS:
		return "usr-vios"
	}
	return "usr-lpar"
}

// links are the parts of the root that stand for something elsewhere.
func (b *Base) links(s *steps, root string, linux bool) {
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
		if exists(b.path("machine", name)) {
			links["/"+name] = "/.machine/" + name
		}
	}
	for _, name := range etcShared {
		if exists(b.path("machine/etc", name)) {
			links["/etc/"+name] = "/.machine/etc/" + name
		}
	}
	if !linux {
		links["/etc/ping"] = b.at("ping")
	}
	for _, e := range s.list(b.path("machine/opt")) {
		links["/opt/"+e.Name()] = "/.machine/opt/" + e.Name()
	}
	for at, to := range links {
		s.link(to, filepath.Join(root, at))
	}
}

// kernelFiles mounts the sysfs of the thread's network namespace: /sys/class/net
// lists the node's adapters; the files of a node with Linux it may write, where
// the kernel allows that to who runs the lab. A machine that forbids it leaves /sys empty.
func kernelFiles(root string, linux bool) error {
	at, flags := filepath.Join(root, "sys"), uintptr(unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC)
	if linux && unix.Mount("sysfs", at, "sysfs", flags, "") == nil {
		s := &steps{}
		s.close(at)
		s.writable(filepath.Join(at, "devices/virtual/net"))
		return s.err
	}
	err := unix.Mount("sysfs", at, "sysfs", flags|unix.MS_RDONLY, "")
	if err != nil && err != unix.EPERM && err != unix.EACCES {
		return fmt.Errorf("mount sysfs: %w", err)
	}
	return nil
}

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

// linux sets up the parts that only a node with Linux has.
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
