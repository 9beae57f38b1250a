package ticket

import (
	"fmt"
	"net"
	"strings"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote/shellword"
)

// ownName refuses a host whose name means the machine on which somebody uses it.
func ownName(p *plan.Plan, host string) error {
	if model.MeansThisMachine(host) {
		return fmt.Errorf("plan %s: the host name %q means the machine on which it is used: give the host a name of its own, "+
			"read it again and make a new plan", p.ID, host)
	}
	return nil
}

// identity is what the plan knows a host by, and a shell function that asks for it:
// host_is_meant. It asks for the address of an adapter, or, where none is known, for the node
// name. It is empty for a host that told neither.
func identity(p *plan.Plan, host string) (plan.Identity, string) {
	for _, is := range p.KnownBy {
		if is.Host != host {
			continue
		}
		mac, err := net.ParseMAC(is.MAC)
		if err != nil && is.Node != "" {
			return is, fmt.Sprintf("host_is_meant() {\n\t[ \"$(hostname 2>/dev/null)\" = %s ]\n}", shellword.Quote(is.Node))
		}
		if err != nil {
			continue
		}
		digits := strings.ReplaceAll(mac.String(), ":", "")
		read := fmt.Sprintf("lscfg -vl %s; entstat %[1]s", shellword.Quote(is.Element))
		if steps, _ := p.Of(host); len(steps) > 0 && steps[0].Platform == model.Linux {
			read = "cat /sys/class/net/" + shellword.Quote(is.Element) + "/address"
		}
		return is, fmt.Sprintf("host_is_meant() {\n\t{ %s; } 2>/dev/null | tr 'A-F' 'a-f' | tr -d ':' | grep %s >/dev/null\n}", read, digits)
	}
	return plan.Identity{}, ""
}
