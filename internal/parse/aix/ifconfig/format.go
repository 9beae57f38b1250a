package ifconfig

import (
	"strings"
	"text/template"

	"seaworthy/internal/parse"
)

// Format prints a Config as AIX 7.2 does: addresses behind a TAB, options
// behind a TAB and a blank.
func Format(c *Config) []byte { return printed(c) }

var printed = parse.Layout(`{{if .Names}}
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
