package diagnose

import (
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// hung notes adapters about which a command did not end and that nothing read places on the path: what hangs may be the very
// reading that would. Only hosts of the ends' managed systems can be on it.
func (j *judgement) hung(d *Diagnosis) {
	for _, h := range slices.Backward(j.in.Fleet.Hosts) {
		if !j.besideEnds(h) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(h.Figures)) {
			element, ok := strings.CutSuffix(key, " "+model.HungCommands)
			if !ok || j.on.Of(model.Ref{Host: h.Name, Element: element}) != graph.OffPath {
				continue
			}
			from := h.Figures[key].From
			j.unseen = true
			d.NotSeen = append([]NotSeen{{
				What:  h.Name + " " + element + ": " + from.Command + " did not end (" + from.Text + "): its driver may hang",
				Allow: "errpt (Linux: dmesg) and ps on " + h.Name,
				IDs:   []string{},
			}}, d.NotSeen...)
		}
	}
}

// besideEnds says whether a host is an end of the path, or may be in the managed system of one.
func (j *judgement) besideEnds(h *model.Host) bool {
	for _, end := range []string{j.in.Path.From.Host, j.in.Path.To.Host} {
		e := j.in.Fleet.Host(end)
		if h.Name == end || e != nil && e.MachineID != "" && e.MachineID == h.MachineID {
			return true
		}
	}
	return false
}
