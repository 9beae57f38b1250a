package lscfg

import (
	"fmt"
	"strings"
)

// labelWidth is that of a label with its dots.
const labelWidth = 28

// Format prints resources as lscfg -vl of AIX 7.2 does.
func Format(resources ...*Resource) []byte {
	var b strings.Builder
	for _, r := range resources {
		fmt.Fprintf(&b, "  %-16s %s  %s\n\n", r.Name, r.Location, r.Description)
		if r.Product != "" {
			b.WriteString("      " + r.Product + ":\n")
		}
		for _, v := range r.VPD {
			b.WriteString("        " + v.Label + strings.Repeat(".", max(2, labelWidth-len(v.Label))) + v.Value + "\n")
		}
		if len(r.VPD) > 0 {
			b.WriteString("\n")
		}
	}
	return []byte(b.String())
}
