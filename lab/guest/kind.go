// Package guest boots real Linux kernels as hosts beside the lab: a POWER
// partition on QEMU's pseries machine, whose own ibmveth driver drives a virtual
// Ethernet port, and x86 guests, one for each way in which Debian configures its
// network. Nothing in them is ours: they are Debian packages, and so the
// independent witness for what the lab's own nodes print and for changes that
// must outlive a reboot.
//
// Build makes the disk image, kernel and initramfs of a kind, once; Start boots
// it. What a guest writes to its disk lives as long as its QEMU: a reboot keeps
// it, the next Start begins from the image again. A guest has two ports: mgmt,
// over which SSH reaches it from this machine alone, and one that may join a
// hypervisor switch of a running lab.
package guest

import (
	"cmp"
	_ "embed"
	"slices"
	"sync"

	"seaworthy/internal/base/decode"
)

// Kind is a sort of guest: its packages and its machine.
type Kind struct {
	Name      string
	About     string
	Interface string // the port that may join a lab, as the guest names it

	Release  string   // of Debian; default: bookworm
	Arch     string   // Debian's name
	Kernel   string   // package that depends on the kernel's
	Packages []string // beside those that every guest has
	Boot     string   // the kernel's parameters
	Machine  []string // QEMU and its arguments
	Port     string   // QEMU's device of Interface
	// Interpreter runs the guest's programs on this machine during the build; empty:
	// the processor does.
	Interpreter string
}

// base holds what every guest has: what seaworthy calls on hosts, and SSH.
var base = []string{"busybox-static", "dbus", "ethtool", "iproute2", "iputils-ping", "kmod", "openssh-server", "systemd-sysv", "udev"}

//go:embed kinds.yaml
var table []byte

// Kinds are all of them. They are not to be changed.
var Kinds = sync.OnceValue(func() (all []Kind) {
	if err := decode.YAML("kinds.yaml", table, &all); err != nil {
		panic(err)
	}
	for i := range all {
		all[i].Release = cmp.Or(all[i].Release, "bookworm")
		all[i].Packages = slices.Concat(base, all[i].Packages)
	}
	return all
})

// ByName finds a kind.
func ByName(name string) (k Kind, ok bool) {
	i := slices.IndexFunc(Kinds(), func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return k, false
	}
	return Kinds()[i], true
}
