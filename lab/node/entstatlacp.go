package node

import (
	"fmt"
	"strings"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/lab/effect"
)

// switchSystem is the address by which the lab's Ethernet switch speaks LACP.
// Managed systems count from one in the same byte, so that none has it.
const switchSystem = "32-43-00-00-00-01"

// lacp is the 802.3ad block of a member. A partner that does not answer is all
// zeros, as on AIX.
func (b *statBuilder) lacp(member string, p effect.Port) *entstat.LACP {
	var id int
	fmt.Sscanf(member, "ent%d", &id)
	state := func(in bool) entstat.LACPState {
		s := entstat.LACPState{Activity: "Active", Timeout: "Long", Aggregation: "Aggregatable",
			Synchronization: "OUT_OF_SYNC", Collecting: "Disabled", Distributing: "Disabled", Defaulted: "False", Expired: "False"}
		if b.running("interval") == "short" {
			s.Timeout = "Short"
		}
		if in {
			s.Synchronization, s.Collecting, s.Distributing = "IN_SYNC", "Enabled", "Enabled"
		}
		return s
	}
	actor, partner := state(p.InStep), state(p.InStep)
	actor.SystemPriority, actor.System = "0x8000", strings.ToUpper(strings.ReplaceAll(b.a.MAC, ":", "-"))
	actor.Key, actor.PortPriority, actor.Port = "0xBEEF", "0x0080", fmt.Sprintf("0x%04X", id+1)
	partner.SystemPriority, partner.System = "0x0000", "00-00-00-00-00-00"
	partner.Key, partner.PortPriority, partner.Port = "0x0000", "0x0000", "0x0000"
	if p.Partner {
		partner.System, partner.Key, partner.Port = switchSystem, fmt.Sprintf("0x%04X", p.Key), fmt.Sprintf("0x%04X", p.Number)
	} else {
		actor.Defaulted, partner.Activity, partner.Aggregation = "True", "Passive", "Individual"
	}
	return &entstat.LACP{Actor: actor, Partner: partner}
}
