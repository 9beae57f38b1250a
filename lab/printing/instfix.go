package printing

import (
	"fmt"
	"strings"

	"seaworthy/internal/parse/linewise"
)

// FormatInstfix prints what instfix -ik says of fixes.
func FormatInstfix(l *linewise.FixList) []byte {
	var b strings.Builder
	for _, f := range l.Fixes {
		switch f.State {
		case linewise.FixComplete:
			fmt.Fprintf(&b, "    All filesets for %s were found.\n", f.Name)
		case linewise.FixPartial:
			fmt.Fprintf(&b, "    Not all filesets for %s were found.\n", f.Name)
		case linewise.FixUnknown:
			fmt.Fprintf(&b, "    There was no data for %s in the fix database.\n", f.Name)
		}
	}
	return []byte(b.String())
}
