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

// identity is the adapter by which the plan knows a host, and a shell function that asks for
// its address: host_is_meant. It is empty for a host that showed no address.
func identity(p *plan.Plan, host string) (plan.Identity, string) {
	for _, is := range p.KnownBy {
		mac, err := net.ParseMAC(is.MAC)
		if is.Host != host || err != nil {
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
