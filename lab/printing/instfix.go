package printing

import (
	"fmt"
	"strings"

	"seaworthy/internal/parse/aix/instfix"
)

// FormatInstfix prints what instfix -ik says of fixes.
func FormatInstfix(l *instfix.List) []byte {
	var b strings.Builder
	for _, f := range l.Fixes {
		switch f.State {
		case instfix.All:
			fmt.Fprintf(&b, "    All filesets for %s were found.\n", f.Name)
		case instfix.Some:
			fmt.Fprintf(&b, "    Not all filesets for %s were found.\n", f.Name)
		case instfix.Unknown:
			fmt.Fprintf(&b, "    There was no data for %s in the fix database.\n", f.Name)
		}
	}
	return []byte(b.String())
}
