package replica

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/lab/topology"
)

// ethernetMTU is that of a device which nothing was set on.
const ethernetMTU = 1500

// linuxSettings adds the settings of a Linux host that a lab's have, and counts the others.
func (b *builder) linuxSettings(h *model.Host, n *nodeFile) {
	var missing []string
	read := 0
	for _, device := range slices.Sorted(maps.Keys(n.Adapters)) {
		e := h.Elements[device]
		for _, name := range slices.Sorted(maps.Keys(e.Attrs)) {
			value := e.Attrs[name].Current()
			switch {
			case !topology.TakesLinux(name, value):
				missing = append(missing, device+" "+name)
				continue
			case value != "on" && value != strconv.Itoa(ethernetMTU):
				n.Set = put(n.Set, device, name, value)
			}
			read++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.Tunables)) {
		value := strings.Join(strings.Fields(h.Tunables[name].Current()), " ")
		if !topology.TakesSysctl(name, value) {
			missing = append(missing, name)
			continue
		}
		if n.Sysctls == nil {
			n.Sysctls = map[string]string{}
		}
		n.Sysctls[name] = value
		read++
	}
	n.settings = read
	if len(missing) > 0 {
		b.add(LeftOut, h.Name, "settings that a Linux host of the lab has as this machine does (%d): %s", len(missing), someOf(missing))
	}
}
