package report

import (
	"strings"

	"seaworthy/collect"
)

// Sudoers prints what logins must be allowed as lines of a sudoers file, for a
// user named seaworthy.
func Sudoers(p *Printer, list []collect.Privilege) {
	for i, x := range list {
		if i > 0 {
			p.Line("")
		}
		alias := "SEAWORTHY_" + strings.ToUpper([]string{"read", "all"}[min(i, 1)])
		p.Line("# %s", Safe(x.For))
		p.Line("Cmnd_Alias %s = \\", alias)
		for k, c := range x.Commands {
			end := ", \\"
			if k == len(x.Commands)-1 {
				end = ""
			}
			p.Line("    %s%s", Safe(escaped.Replace(c)), end)
		}
		p.Line("seaworthy ALL = (root) NOPASSWD: %s", alias)
	}
}

// escaped are the characters that mean something in a sudoers file.
var escaped = strings.NewReplacer(`\`, `\\`, ",", `\,`, ":", `\:`, "=", `\=`)
