package printing

import (
	"strings"
	"text/template"

	"seaworthy/internal/parse/aix/ifconfig"
)

// FormatIfconfig prints a Config as AIX 7.2 does: addresses behind a TAB, options
// behind a TAB and a blank.
func FormatIfconfig(c *ifconfig.Config) []byte { return ifconfigLayout(c) }

var ifconfigLayout = newLayout(`{{if .Names}}
{{printf "%s" .Names | trim}}
{{end}}
{{range .Interfaces}}
{{.Name}}: flags={{range $i, $w := .Words}}{{if $i}},{{end}}{{printf "%x" $w}}{{end}}<{{join .Flags}}>
{{range .Addresses}}
	{{.Family}} {{.Address}}{{if .Netmask}} netmask {{.Netmask}}{{end}}{{if .Broadcast}} broadcast {{.Broadcast}}{{end}}
{{end}}
	{{range .Options}} {{.Name}} {{.Value}}{{end}}{{only .Options}}
{{end}}
`, template.FuncMap{
	"join": func(words []string) string { return strings.Join(words, ",") },
	"trim": func(list string) string { return strings.Trim(list, "[]") },
})

// InterfaceState decides the flags AIX 7.2 prints for an Ethernet interface.
type InterfaceState struct {
	Up             bool
	ChecksumActive bool // the adapter's chksum_offload works
	LargeSend      bool // mtu_bypass=on, or ifconfig enN largesend
	Thread         bool // thread=on, or ifconfig enN thread
}

// EthernetInterface is an interface over an Ethernet adapter with the flags AIX 7.2
// prints for that state: flags=1e084863,480<UP,...,CHAIN>. LARGESEND is bit 40
// of the second word, checksum offload bit 10000000 of the first. No output at
// hand shows which bit THREAD is, so none is set for it.
func EthernetInterface(name string, s InterfaceState) *ifconfig.Interface {
	i := &ifconfig.Interface{Name: name, Words: []uint64{0x0e084862, 0x400 | ifconfig.Chain}}
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
		i.Words[1] |= ifconfig.LargeSend
		i.Flags = append(i.Flags, "LARGESEND")
	}
	if s.Thread {
		i.Flags = append(i.Flags, "THREAD")
	}
	i.Flags = append(i.Flags, "CHAIN")
	return i
}

// LoopbackInterface is lo0 as AIX 7.2 prints it.
func LoopbackInterface() *ifconfig.Interface {
	return &ifconfig.Interface{
		Name:  "lo0",
		Words: []uint64{0x0e08084b, 0xc0},
		Flags: []string{"UP", "BROADCAST", "LOOPBACK", "RUNNING", "SIMPLEX", "MULTICAST", "GROUPRT", "64BIT", "LARGESEND", "CHAIN"},
	}
}
