package ifconfig

import (
	"fmt"
	"strconv"
	"strings"
)

// Format prints a Config as AIX 7.2 does: addresses behind a TAB, options
// behind a TAB and a blank.
func Format(c *Config) []byte {
	var b strings.Builder
	if c.Names != nil {
		b.WriteString(strings.Join(c.Names, " ") + "\n")
	}
	for _, i := range c.Interfaces {
		words := make([]string, len(i.Words))
		for k, w := range i.Words {
			words[k] = strconv.FormatUint(w, 16)
		}
		fmt.Fprintf(&b, "%s: flags=%s<%s>\n", i.Name, strings.Join(words, ","), strings.Join(i.Flags, ","))
		for _, a := range i.Addresses {
			fmt.Fprintf(&b, "\t%s %s", a.Family, a.Address)
			if a.Netmask != "" {
				b.WriteString(" netmask " + a.Netmask)
			}
			if a.Broadcast != "" {
				b.WriteString(" broadcast " + a.Broadcast)
			}
			b.WriteByte('\n')
		}
		if len(i.Options) > 0 {
			b.WriteByte('\t')
			for _, o := range i.Options {
				fmt.Fprintf(&b, " %s %d", o.Name, o.Value)
			}
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

// State is what decides the flags AIX 7.2 prints for an Ethernet interface.
type State struct {
	Up             bool
	ChecksumActive bool // the adapter's chksum_offload works
	LargeSend      bool // mtu_bypass=on, or ifconfig enN largesend
	Thread         bool // thread=on, or ifconfig enN thread
}

// Ethernet is an interface over an Ethernet adapter with the flags AIX 7.2
// prints for that state: flags=1e084863,480<UP,...,CHAIN>. LARGESEND is bit 40
// of the second word, checksum offload bit 10000000 of the first. No output at
// hand shows which bit THREAD is, so none is set for it.
func Ethernet(name string, s State) *Interface {
	i := &Interface{Name: name, Words: []uint64{0x0e084862, 0x400 | Chain}}
	if s.Up {
		i.Words[0] |= 0x1
		i.Flags = append(i.Flags, "UP")
	}
	i.Flags = append(i.Flags, "BROADCAST", "NOTRAILERS", "RUNNING", "SIMPLEX", "MULTICAST", "GROUPRT", "64BIT")
	if s.ChecksumActive {
		i.Words[0] |= 0x10000000
		i.Flags = append(i.Flags, "CHECKSUM_OFFLOAD(ACTIVE)")
	}
	if s.LargeSend {
		i.Words[1] |= LargeSend
		i.Flags = append(i.Flags, "LARGESEND")
	}
	if s.Thread {
		i.Flags = append(i.Flags, "THREAD")
	}
	i.Flags = append(i.Flags, "CHAIN")
	return i
}

// Loopback is lo0 as AIX 7.2 prints it.
func Loopback() *Interface {
	return &Interface{
		Name:  "lo0",
		Words: []uint64{0x0e08084b, 0xc0},
		Flags: []string{"UP", "BROADCAST", "LOOPBACK", "RUNNING", "SIMPLEX", "MULTICAST", "GROUPRT", "64BIT", "LARGESEND", "CHAIN"},
	}
}
