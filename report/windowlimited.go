package report

import (
	"fmt"
	"strings"

	"seaworthy/bench"
)

// windowLimited prints which streams a window limited, and how large it would
// have to be.
func windowLimited(p *Printer, r *bench.Result) {
	all := bench.WindowLimited(r)
	for _, h := range all {
		var by []string
		if h.Peer > 0.005 {
			by = append(by, fmt.Sprintf("the receiver's window for %.0f %%", 100*h.Peer))
		}
		if h.Buffer > 0.005 {
			by = append(by, fmt.Sprintf("the send buffer for %.0f %%", 100*h.Buffer))
		}
		each := ""
		if h.Streams > 1 {
			each = fmt.Sprintf(" for each of %d streams", h.Streams)
		}
		p.Prose("window", fmt.Sprintf("%s: the sender was limited by %s of the time. A round trip takes %.2f ms: "+
			"1 Gbit/s needs %s bytes of window%s (bandwidth-delay product)",
			strings.TrimSpace(h.Workload+" "+h.Variant), strings.Join(by, ", by "), h.RoundMS, number(h.Needs(1e9), 0), each))
	}
	if len(all) > 0 {
		p.Prose("", fmt.Sprintf("seaworthy audit with --fact \"HOST:enN rtt_ms=%.3g\" --fact \"HOST:enN line_mbit=RATE\" "+
			"says what to set (R070)", all[0].RoundMS))
	}
}
