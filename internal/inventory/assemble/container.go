package assemble

import (
	"maps"
	"strings"
)

// within drops what a container shows of the machine that it shares with others, and
// says so: neither are the drops its own, nor can it set the clock. why is empty on a
// host that is none.
func (b *builder) within(why string) {
	before := len(b.protocols) + len(b.host.Tunables)
	if why == "" {
		return
	}
	maps.DeleteFunc(b.protocols, func(name string, _ uint64) bool { return strings.HasPrefix(name, "softnet.") })
	for name := range b.host.Tunables {
		if strings.HasPrefix(name, "cpufreq.") {
			delete(b.host.Tunables, name)
		}
	}
	if len(b.protocols)+len(b.host.Tunables) < before {
		b.gap("/proc/net/softnet_stat, cpufreq", "the machine's, not this host's: "+why)
	}
}
