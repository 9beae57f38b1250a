package task

import (
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/remote"
)

// IPConfig is the configuration of an interface at the IP layer. Taking the interface down
// loses all of it; the task itself sets again what the ODM does not have.
type IPConfig struct {
	Addresses []ConfiguredAddress `json:"addresses,omitempty"`
	Routes    []StaticRoute       `json:"routes,omitempty"`   // over a gateway that the interface reaches
	ARP       []StaticNeighbour   `json:"arp,omitempty"`      // permanent entries, which no ODM has
	Hostname  string              `json:"hostname,omitempty"` // what runs, if inet0 has another, which mkdev -l inet0 sets
}

// ConfiguredAddress is an address of the interface, with the length of its network.
type ConfiguredAddress struct {
	Address    netip.Prefix `json:"address"`
	KernelOnly bool         `json:"kernel_only,omitempty"` // not in the ODM
}

// StaticRoute is a static IPv4 route.
type StaticRoute struct {
	To         netip.Prefix `json:"to"` // 0.0.0.0/0: the default route
	Gateway    netip.Addr   `json:"gateway"`
	KernelOnly bool         `json:"kernel_only,omitempty"`
}

// StaticNeighbour is a static entry of the ARP table.
type StaticNeighbour struct {
	Address   netip.Addr `json:"address"`
	MAC       string     `json:"mac"` // aa:bb:cc:dd:ee:ff
	Published bool       `json:"published,omitempty"`
}

// part is one thing that an interface has: in words, the line that sets it, and why a plan
// file cannot ask for it.
type part struct {
	word, line string
	kernelOnly bool
	wrong      error
}

// parts are all, addresses before the routes that need them.
func (k *IPConfig) parts(iface string) (all []part) {
	if k == nil {
		return nil
	}
	for _, a := range k.Addresses {
		addr, bits := a.Address.Addr(), a.Address.Bits()
		x := part{addr.String(), fmt.Sprintf("ifconfig %s inet6 %s/%d alias", iface, addr, bits), a.KernelOnly, nil}
		if addr.Is4() {
			x.line = fmt.Sprintf("ifconfig %s inet %s netmask %s alias", iface, addr, mask(bits))
		}
		if !a.Address.IsValid() {
			x.wrong = fmt.Errorf("%s: not an address with the length of its network", a.Address)
		}
		all = append(all, x)
	}
	for _, r := range k.Routes {
		x := part{fmt.Sprintf("the route to %s by %s", r.To, r.Gateway), "", r.KernelOnly, nil}
		switch {
		case !r.To.IsValid() || !r.To.Addr().Is4() || !r.Gateway.Is4():
			x.wrong = fmt.Errorf("%s by %s: not an IPv4 route", r.To, r.Gateway)
		case r.To.Bits() == 0:
			x.word, x.line = "the default route by "+r.Gateway.String(), "route add default "+r.Gateway.String()
		case r.To.IsSingleIP():
			x.line = fmt.Sprintf("route add -host %s %s", r.To.Addr(), r.Gateway)
		default:
			x.line = fmt.Sprintf("route add -net %s -netmask %s %s", r.To.Masked().Addr(), mask(r.To.Bits()), r.Gateway)
		}
		all = append(all, x)
	}
	for _, n := range k.ARP {
		x := part{fmt.Sprintf("the static ARP entry of %s", n.Address), fmt.Sprintf("arp -s ether %s %s", n.Address, n.MAC), true, nil}
		if n.Published {
			x.line += " pub"
		}
		if mac, err := net.ParseMAC(n.MAC); err != nil || len(mac) != 6 || mac.String() != n.MAC || !n.Address.Is4() {
			x.wrong = fmt.Errorf("%s at %q: not an entry of an ARP table", n.Address, n.MAC)
		}
		all = append(all, x)
	}
	if k.Hostname != "" {
		x := part{"the host name " + k.Hostname, "hostname " + k.Hostname, true, nil}
		if !hostname.MatchString(k.Hostname) {
			x.wrong = fmt.Errorf("%q: not a host name", k.Hostname)
		}
		all = append(all, x)
	}
	return all
}

// words are the parts, all or those that the ODM does not have.
func (k *IPConfig) words(kernelOnly bool) (out []string) {
	for _, x := range k.parts("") {
		if x.kernelOnly || !kernelOnly {
			out = append(out, x.word)
		}
	}
	return out
}

// KernelOnly are, in words, the parts that the ODM does not have.
func (k *IPConfig) KernelOnly() []string { return k.words(true) }

// Missing are, in words, the parts that are not there now.
func (k *IPConfig) Missing(now *IPConfig) []string { return without(k.words(false), now.words(false)) }

// Unknown are the parts that only the kernel has now and that were not known.
func (k *IPConfig) Unknown(now *IPConfig) []string { return without(now.words(true), k.words(true)) }

func without(all, these []string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return slices.Contains(these, s) })
}

var hostname = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func (k *IPConfig) valid() error {
	for _, x := range k.parts("") {
		if x.wrong != nil {
			return x.wrong
		}
	}
	return nil
}

// again sets what the ODM does not have.
func (l Login) again(iface string, k *IPConfig) (lines []remote.Step) {
	for _, x := range k.parts(iface) {
		if x.kernelOnly {
			lines = append(lines, l.root(x.line))
		}
	}
	return lines
}

func mask(bits int) string { return net.IP(net.CIDRMask(bits, 32)).String() }

// kept are the checks that an interface has it all. Each command prints those of
// the wanted ones that are there, so that more of them do not matter.
func (l Login) kept(iface string, k *IPConfig) (checks []reading) {
	if k == nil {
		return nil
	}
	add := func(what, from, prints string, want []string) {
		if len(want) == 0 {
			return
		}
		slices.Sort(want)
		command := fmt.Sprintf("%s | awk '%s' | sort -u | xargs", from, prints)
		checks = append(checks, reading{iface, what, strings.Join(slices.Compact(want), " "), l.root(command)})
	}
	var addresses, routes, tests, neighbours []string
	for _, a := range k.Addresses {
		if addr := a.Address.Addr(); addr.Is4() {
			addresses = append(addresses, addr.String())
		}
	}
	for _, r := range k.Routes {
		label := fmt.Sprintf("%s:%s", r.To, r.Gateway)
		routes = append(routes, label)
		tests = append(tests, fmt.Sprintf(`$2 == "%s" && %s { print "%s" }`, r.Gateway, among("$1", printed(r.To)), label))
	}
	for _, n := range k.ARP {
		neighbours = append(neighbours, fmt.Sprintf("(%s)", n.Address))
	}
	add("addresses", "ifconfig "+iface, `$1 == "inet" && `+among("$2", addresses)+` { print $2 }`, addresses)
	add("routes", "netstat -rn", strings.Join(tests, " "), routes)
	if k.Hostname != "" {
		checks = append(checks, reading{iface, "hostname", k.Hostname, l.root("hostname")})
	}
	add("ARP entries", "arp -an", `/permanent/ && `+among("$2", neighbours)+` { print $2 }`, neighbours)
	return checks
}

// among is awk's test whether a field is one of the words.
func among(field string, words []string) string {
	return fmt.Sprintf(`index(" %s ", " " %s " ")`, strings.Join(words, " "), field)
}

// printed are the forms in which netstat prints a destination: with and without
// the bytes of zero at its end.
func printed(to netip.Prefix) []string {
	if to.Bits() == 0 {
		return []string{"default"}
	}
	text := to.Masked().Addr().String()
	forms := []string{fmt.Sprintf("%s/%d", text, to.Bits())}
	if to.IsSingleIP() {
		return append(forms, text)
	}
	for short := strings.TrimSuffix(text, ".0"); short != text; short = strings.TrimSuffix(text, ".0") {
		text = short
		forms = append(forms, fmt.Sprintf("%s/%d", text, to.Bits()))
	}
	return forms
}
