package printing

import (
	"fmt"
	"strings"

	"seaworthy/internal/parse/load/netperf"
)

// FormatNetperf prints a run as netperf 2.7 does; quiet leaves out banner and heading.
func FormatNetperf(o *netperf.Output, quiet bool) []byte {
	var b strings.Builder
	r := o.Result
	if !quiet {
		fmt.Fprintf(&b, "MIGRATED %s TEST%s\n", o.Test, o.Rest)
	}
	if o.Test == netperf.RequestResponse {
		if !quiet {
			b.WriteString("Local /Remote\nSocket Size   Request  Resp.   Elapsed  Trans.\nSend   Recv   Size     Size    Time     Rate         \n" +
				"bytes  Bytes  bytes    bytes   secs.    per sec   \n\n")
		}
		fmt.Fprintf(&b, "%-6d %-6d %-6d   %-6d  %-6.2f   %7.2f   \n", r.Local.Send, r.Local.Receive, r.Request, r.Response, r.Seconds, r.Rate)
		fmt.Fprintf(&b, "%-6d %-6d\n", r.Remote.Send, r.Remote.Receive)
		return []byte(b.String())
	}
	if !quiet {
		b.WriteString("Recv   Send    Send                          \nSocket Socket  Message  Elapsed              \n" +
			"Size   Size    Size     Time     Throughput  \nbytes  bytes   bytes    secs.    " + o.Unit + "  \n\n")
	}
	fmt.Fprintf(&b, "%6d %6d %6d    %-6.2f   %7.2f   \n", r.Remote.Receive, r.Local.Send, r.Message, r.Seconds, r.Rate)
	return []byte(b.String())
}
