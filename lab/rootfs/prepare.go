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
	Own []string // those of AIX that need the lab's whole program
}

// Spec describes the files that the nodes of a lab share.
type Spec struct {
	Program  string // path of the lab's program on the machine
	Answer   []byte // the program of all commands but Commands.Own; nil: Program
	Probe    string // path of seaworthy-probe on the machine; empty: not installed
	Shell    string // path of the shell of logins on the machine
	Commands Commands
	Behaviour
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
	s := &steps{}
	s.mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755")
	b.machine(s)
	b.tools(s, "bin")
	b.tools(s, "sbin")
	b.usr(s, "lpar", nil)
	b.usr(s, "vios", b.spec.Commands.IOS)
	b.proc(s)
	s.mkdir(b.path("root"))
	return b, s.err
}

func (b *Base) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

// machine gathers what is shown of the machine, then closes it for writing.
func (b *Base) machine(s *steps) {
	root := b.path("machine")
	for _, name := range append([]string{"usr", "opt", "nix", "gnu"}, rootLinks...) {
		if fi, err := os.Lstat("/" + name); err == nil && fi.IsDir() {
			s.bind("/"+name, filepath.Join(root, name))
		}
	}
	for _, name := range etcShared {
		if exists("/etc/" + name) {
			s.bind("/etc/"+name, filepath.Join(root, "etc", name))
		}
	}
	s.bind(b.spec.Program, filepath.Join(root, "seaworthy"))
	answer := filepath.Join(root, "answer")
	if b.spec.Answer == nil {
		s.bind(b.spec.Program, answer)
	} else {
		s.do(func() error { return os.WriteFile(answer, b.spec.Answer, 0o755) })
	}
	s.bind(b.spec.Shell, filepath.Join(root, "ksh")) // stays if the machine's is removed
	if b.spec.Probe != "" {
		s.bind(b.spec.Probe, filepath.Join(root, "seaworthy-probe"))
	}
	s.close(root)
}

// usr builds /usr for LPARs or for VIOSes; a VIOS has commands in /usr/ios/cli.
func (b *Base) usr(s *steps, role string, cli []string) {
	root := b.path("usr-" + role)
	for _, e := range s.list("/usr") {
		switch n := e.Name(); n {
		case "bin", "sbin":
			s.bind(b.path(n), filepath.Join(root, n))
		case "ios":
		default:
			s.link("/.machine/usr/"+n, filepath.Join(root, n))
		}
	}
	for _, n := range cli {
		s.link(IOSCLI, filepath.Join(root, "ios/cli", n))
	}
	if len(cli) > 0 {
		s.mkdir(filepath.Join(root, "ios/oem"))
		for _, n := range padminUtils {
			s.link("/usr/bin/"+n, filepath.Join(root, "ios/utils", n))
		}
	}
	s.close(root)
}

// tools fills one command directory with links: the lab's commands first, then
// whatever else the machine has there.
func (b *Base) tools(s *steps, name string) {
	links := map[string]string{}
	for _, e := range s.list("/usr/" + name) {
		if !slices.Contains(b.spec.Commands.IOS, e.Name()) { // not to be found where AIX does not have it
			links[e.Name()] = "/.machine/usr/" + name + "/" + e.Name()
		}
	}
	if b.spec.Probe != "" && name == "bin" {
		links["seaworthy-probe"] = "/.machine/seaworthy-probe"
	}
	for _, n := range b.spec.Commands.AIX {
		links[n] = b.at(n)
	}
	if name == "sbin" {
		s.mkdir(b.path(name))
		s.do(func() error { return os.WriteFile(b.path(name, "skulker"), []byte(skulker), 0o755) })
		delete(links, "skulker")
	}
	if name == "bin" {
		links["ksh"] = Ksh
		if b.spec.Strict {
			links["ksh"], links["sh"] = Answer, Answer // see package shim
		}
	}
	for n, to := range links {
		s.link(to, b.path(name, n))
	}
}

// skulker is AIX's cleaner as its page describes it: crontab runs it where a site
// wants that.
const skulker = `#!/bin/sh
# Files of /tmp that nobody has used for a day, and editors' copies.
find /tmp -type f -atime +1 -mtime +1 -exec rm -f {} \;
find / -xdev \( -name a.out -o -name '*.bak' -o -name 'ed.hup' \) -type f -mtime +1 -exec rm -f {} \;
`

// at is the program of a lab's command.
func (b *Base) at(command string) string {
	if slices.Contains(b.spec.Commands.Own, command) {
		return Program
	}
	return Answer
}

// proc shows the lab's processes. Where the machine forbids a new /proc (it
// hides parts of its own), the nodes see the machine's.
func (b *Base) proc(s *steps) {
	p := b.path("proc")
	s.mkdir(p)
	flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC)
	if err := unix.Mount("proc", p, "proc", flags, ""); errors.Is(err, unix.EPERM) {
		s.bind("/proc", p)
	} else {
		s.do(func() error { return err })
		s.mount("proc", "/proc", "proc", flags, "")
	}
	s.guardProc(p)
}

// NodeProc mounts a /proc of the calling process's own PID namespace on a node; set is
// what is to be set there before it is closed. A node with Linux sets its sysctls itself.
func NodeProc(set func() error, linux bool) error {
	s := &steps{}
	s.mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	s.do(set)
	s.guardProc("/proc")
	if linux {
		s.writable("/proc/sys/net")
	}
	return s.err
}

// guardProc closes what of a /proc reaches the machine.
func (s *steps) guardProc(p string) {
	for _, name := range []string{"sys", "bus", "irq", "sysrq-trigger", "acpi", "fs"} {
		if path := filepath.Join(p, name); exists(path) {
			s.close(path)
		}
	}
	for _, name := range []string{"kcore", "kmsg", "keys", "timer_list"} {
		if path := filepath.Join(p, name); exists(path) {
			s.bind("/dev/null", path)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
