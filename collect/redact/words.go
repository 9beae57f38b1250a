package redact

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"seaworthy/dialect"
)

// words.txt holds the words that the commands print of themselves: names of
// attributes, values, counters and states, and the plain English of headings,
// descriptions and messages.
//
//go:embed words.txt
var wordList string

var vocabulary = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(wordList) {
		m[w] = true
	}
	return m
})

// shapes are forms that identify nothing: numbers (of hexadecimal ones those
// below 65,536, and masks) with units, devices, parts of location codes, times,
// levels of firmware and kernels.
var shapes = dialect.Lazy(`^(?:` + strings.Join([]string{
	`\d{1,20}(?:[KMGTkmgt]?(?:i?[Bb](?:ps|ytes|its?)?|bps|Hz)?|[smhdx]|ms|us|ns|days?|st|nd|rd|th|E\d*|(?i:bit)|T\d+Z?)?`,
	`0x0*(?:[0-9A-Fa-f]{1,4}|[Ff]+0*)|[A-Z]\d{0,5}|[A-Za-z]|v\d+`,
	`(?i:ent?|et|lo|rout|alias|netaddr|pcix|eth|bond|sit|fcs|fscsi|hdisk|vhost|vfchost|vscsi|vsa|vty|proc|mem|pci|pcie|sys|inet|sea|vio|cd|` +
		`l|lai|usbhc|vnicserver|vnic|ib|team|ipv|rfc|br|virbr|veth|vnet|macvtap|ibmvnic|ibmveth|cpu|node|queue|q|rx|tx|rxq|txq|prio|tc|up|` +
		`pool|vp|slot|port|fc|sas|sissas|ses|ethernet|ens|enp|eno|ip|step|sfwcomm|sysplanar|vtscsi|lhea|cache|l2cache|hvterm|vlan|os|ppc|tty|` +
		`lv|ibm|sha|link|hba|scsi|cec|pfc|pause|intel|qos|md|crc|net|iscsi|hd|rmt|cdrom|fd|utf|iso)_?\d{1,5}(?:s\d+|f\d+|np\d+|[A-Za-z])*`,
	`U[0-9A-Z]{4}|\d\d[A-Z]|[EM][0-9A-Z]{2}|4C00|[A-Z]{2}\d{3}(?:_\d{2,3})?|FW\d{3,4}|el\d+|V\d+R\d+M\d+|SP\d+|TL\d+|I[VJZY]\d{5}`,
}, "|") + `)$`)

// harmless reports whether a word identifies nobody and nothing.
func harmless(s string) bool {
	if vocabulary()[strings.ToLower(s)] || shapes.MatchString(s) || s == "" {
		return true
	}
	parts := strings.Split(s, "_")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !harmless(p) })
}
