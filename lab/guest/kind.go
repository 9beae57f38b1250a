package guest

import "slices"

// Kind is a sort of guest: its packages and its machine.
type Kind struct {
	Name      string
	About     string
	Interface string // the port that may join a lab, as the guest names it

	release  string // of Debian
	arch     string // Debian's name
	kernel   string // package that depends on the kernel's
	packages []string
	machine  []string // QEMU and its arguments
	port     string   // QEMU's device of Interface
	// boot are the kernel's parameters.
	boot string
	// interpreter runs the guest's programs on this machine during the build; empty:
	// the processor does.
	interpreter string
}

// Releases of Debian: 12, and 13, the first that has bpftune.
const (
	bookworm = "bookworm"
	trixie   = "trixie"
)

// base is what every guest has: what seaworthy calls on hosts, and SSH.
var base = []string{"busybox-static", "dbus", "ethtool", "iproute2", "iputils-ping", "kmod", "openssh-server", "systemd-sysv", "udev"}

var pc = Kind{
	Interface: "ens4", release: bookworm, arch: "amd64", kernel: "linux-image-cloud-amd64",
	// Emulated, the cycle counter is measured wrong on a busy machine, and time then runs up to
	// 40 times too fast; so are loops that wait, which then last minutes.
	boot:    "console=ttyS0 notsc lpj=1000000",
	machine: []string{"qemu-system-x86_64", "-M", "pc", "-cpu", "max"},
	port:    "virtio-net-pci,addr=4,rx_queue_size=1024,romfile=",
}

func (k Kind) of(release string) Kind {
	k.release = release
	return k
}

// with is the kind with another kernel, another port and more devices.
func (k Kind) with(kernel, port string, devices ...string) Kind {
	k.kernel, k.port, k.machine = kernel, port, slices.Concat(k.machine, devices)
	return k
}

func (k Kind) as(name, about string, packages ...string) Kind {
	k.Name, k.About, k.packages = name, about, slices.Concat(base, packages)
	return k
}

var kinds = []Kind{
	Kind{
		Interface: "ibmveth2", release: bookworm, arch: "ppc64el", kernel: "linux-image-powerpc64le", boot: "console=hvc0",
		machine: []string{"qemu-system-ppc64", "-M", "pseries,cap-htm=off", "-cpu", "power9", "-vga", "none",
			"-netdev", "user,id=pci,restrict=on", "-device", "e1000e,netdev=pci,mac=52:54:00:00:00:03,romfile="},
		port:        "spapr-vlan",
		interpreter: "qemu-ppc64le-static",
	}.as("pseries", "POWER9 partition with a virtual Ethernet port (ibmveth), and e1000e, ifupdown", "ifupdown"),
	pc.as("ifupdown", "x86 server with a virtio port, ifupdown", "ifupdown"),
	pc.as("networkd", "x86 server with a virtio port, systemd-networkd"),
	pc.as("networkmanager", "x86 server with a virtio port, NetworkManager", "network-manager"),
	pc.with("linux-image-amd64", "e1000e,addr=4,romfile=",
		"-netdev", "user,id=slow,restrict=on", "-device", "rtl8139,netdev=slow,addr=5,romfile=",
		"-netdev", "user,id=joins,restrict=on", "-device", "vmxnet3,netdev=joins,addr=6,romfile=",
	).as("server", "x86 server with PCI ports: e1000e, and unused RTL8139 and vmxnet3, ifupdown", "ifupdown"),
	pc.of(trixie).as("tuners", "x86 server with a virtio port, systemd-networkd, tuned and bpftune (not enabled)", "tuned", "bpftune"),
}

// Kinds are all of them.
func Kinds() []Kind { return slices.Clone(kinds) }

// ByName finds a kind.
func ByName(name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}
