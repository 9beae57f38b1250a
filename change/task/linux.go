package task

import (
	"fmt"
	"strings"

	"seaworthy/remote/shellword"
)

// feature maps the short names that ethtool -K takes to those that -k prints.
var feature = map[string]string{
	"tso":       "tcp-segmentation-offload",
	"gso":       "generic-segmentation-offload",
	"gro":       "generic-receive-offload",
	"lro":       "large-receive-offload",
	"tx":        "tx-checksumming",
	"rx":        "rx-checksumming",
	"sg":        "scatter-gather",
	"rx-gro-hw": "rx-gro-hw",

	"hw-tc-offload": "hw-tc-offload",
}

// finer names the one of several features that a line of ethtool -k stands for which decides.
// Since Linux 6.18 the line may be on for AccECN's alone.
var finer = map[string]string{"tso": "tx-tcp-segmentation"}

// device is how a setting of a Linux device that is not a feature is written and
// read back. {d} stands for the device, {v} for the value.
var device = map[string]struct{ set, read string }{
	"mtu":        {"ip link set dev {d} mtu {v}", "cat /sys/class/net/{d}/mtu"},
	"txqueuelen": {"ip link set dev {d} txqueuelen {v}", "cat /sys/class/net/{d}/tx_queue_len"},
	"threaded":   {"echo {v} > /sys/class/net/{d}/threaded", "cat /sys/class/net/{d}/threaded"},

	"gro_flush_timeout":    {"echo {v} > /sys/class/net/{d}/gro_flush_timeout", "cat /sys/class/net/{d}/gro_flush_timeout"},
	"napi_defer_hard_irqs": {"echo {v} > /sys/class/net/{d}/napi_defer_hard_irqs", "cat /sys/class/net/{d}/napi_defer_hard_irqs"},

	"rings":       {"ethtool -G {d} rx {v}", `ethtool -g {d} | sed -n '/^Current/,$s/^RX:[[:blank:]]*//p'`},
	"coalescing":  {"ethtool -C {d} rx-usecs {v}", `ethtool -c {d} | sed -n 's/^rx-usecs:[[:blank:]]*//p'`},
	"adaptive-rx": {"ethtool -C {d} adaptive-rx {v}", `ethtool -c {d} | sed -n 's/^Adaptive RX:[[:blank:]]*\([a-z]*\).*/\1/p'`},
	"pause":       {"ethtool -A {d} rx {v} tx {v}", `ethtool -a {d} | sed -n 's/^RX:[[:blank:]]*//p'`},

	// The bonding driver takes these two while the bond is in use; its files
	// hold the name and, of some, the number behind it.
	"xmit_hash_policy": {"ip link set dev {d} type bond xmit_hash_policy {v}", "sed 's/ .*//' /sys/class/net/{d}/bonding/xmit_hash_policy"},
	"miimon":           {"ip link set dev {d} type bond miimon {v}", "cat /sys/class/net/{d}/bonding/miimon"},
}

// why some settings of the catalogue are left to the administrator.
var manual = map[string]string{
	"bonding-mode":  "a bond takes another mode only while it has no members: change it in the distribution's network configuration",
	"lacp_rate":     "a bond takes another LACP rate only while it is down: change it in the distribution's network configuration",
	"arp_interval":  "a bond watches its links by ARP only with targets to ask: set both in the distribution's network configuration",
	"primary":       "which port is preferred belongs to the distribution's network configuration",
	"channels":      "whether a driver has transmit channels or combined ones is not known to the plan: see ethtool -l",
	"ibmveth-pools": "one value cannot say which of the five pools it is for: write to /sys/class/net/DEVICE/device/poolN/num",
	"rps_cpus":      "each receive queue has a mask of its own: write to /sys/class/net/DEVICE/queues/rx-N/rps_cpus",
}

// SetBy is the program that sets an attribute of a Linux device; empty: not known.
func SetBy(attr string) string {
	if feature[attr] != "" {
		return "ethtool"
	}
	name, _, _ := strings.Cut(device[attr].set, " ")
	return name
}

// setLinux changes the running value only: where a distribution keeps the
// next-boot value differs, and guessing would be worse than saying so.
func (w writer) setLinux(as []assignment) ([]string, error) {
	var lines []string
	features := ""
	for _, a := range as {
		form, known := device[a.attr]
		switch {
		case w.kind == Sysctl:
			lines = append(lines, "sysctl -w "+a.attr+"="+shellword.Quote(a.value))
		case feature[a.attr] != "":
			features += " " + a.attr + " " + shellword.Quote(a.value)
		case known && a.attr == "pause" && a.value != "on" && a.value != "off":
			return nil, fmt.Errorf("pause is %s: the two directions differ, which this plan could not bring back", a.value)
		case known:
			lines = append(lines, strings.NewReplacer("{d}", shellword.Quote(w.element), "{v}", shellword.Quote(a.value)).Replace(form.set))
		case manual[a.attr] != "":
			return nil, fmt.Errorf("%s is not set by a plan: %s", a.attr, manual[a.attr])
		default:
			return nil, fmt.Errorf("no command is known that sets %s on Linux", a.attr)
		}
	}
	if features != "" {
		// Features depend on each other: the kernel sorts that out within one
		// call, while one after the other the first could be refused.
		lines = append(lines, "ethtool -K "+shellword.Quote(w.element)+features)
	}
	return lines, nil
}

// readLinux is the command that prints a value as the inventory has it.
func (w writer) readLinux(attr string) string {
	switch {
	case w.kind == Sysctl:
		return "sysctl -n " + attr + ` | tr -s '\t' ' '`
	case feature[attr] != "":
		k, line := "ethtool -k "+shellword.Quote(w.element), `s/^`+feature[attr]+`: \([a-z]*\).*/\1/p`
		if one := finer[attr]; one != "" { // it follows that line
			return k + ` | sed -n '` + line + `;s/^[[:blank:]]` + one + `: \([a-z]*\).*/\1/p' | tail -n 1`
		}
		return k + ` | sed -n '` + line + `'`
	}
	return strings.ReplaceAll(device[attr].read, "{d}", shellword.Quote(w.element))
}
