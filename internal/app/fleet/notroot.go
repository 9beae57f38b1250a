package fleet

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
)

// mostNamed is how many hosts a notice names.
const mostNamed = 5

// NoticeNotRoot names the hosts that were not read as root, those with the same
// reason in one line.
func (a Access) NoticeNotRoot(fleet *model.Fleet) {
	names := map[string][]string{}
	for _, h := range fleet.Hosts {
		why := collect.NotRoot(h.Gaps)
		if why != "" {
			names[why] = append(names[why], h.Name)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(names)) {
		hosts := names[why]
		more := len(hosts) - mostNamed
		if more > 0 {
			hosts = append(hosts[:mostNamed:mostNamed], fmt.Sprintf("and %d more", more))
		}
		a.Notice("%s: %s", strings.Join(hosts, ", "), why)
	}
}
