package shell

import (
	"fmt"
	"strings"

	"seaworthy/remote/shellword"
)

// Task is one step on one host.
type Task struct {
	Name   string
	Do     []string // each depends on the one before
	Undo   []string // each is run whatever became of the one before
	Ensure []string // after a Do that failed: what must hold all the same, an interface that is up
	Before []Check  // what the plan was made against
	After  []Check  // what Do leads to
	Undone []Check  // what Undo leads to
}

// Check compares what a command prints with what it should print.
type Check struct {
	What    string // for the message
	Command string
	Want    string
}

// Functions writes a task as five functions: before_N, do_N, after_N, undo_N,
// undone_N. Each returns 0 if all went well; the checks say what differs on
// their standard output. They need Prelude.
func (t Task) Functions(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Step %d: %s\n", n, Comment(t.Name))
	checks := func(name string, list []Check) {
		fmt.Fprintf(&b, "%s_%d() {\n\tdiffers=0\n", name, n)
		for _, c := range list {
			fmt.Fprintf(&b, "\tgot=$(%s) || got=\"the command failed: $got\"\n\tsame %s %s \"$got\" || differs=1\n", c.Command, shellword.Quote(c.What), shellword.Quote(c.Want))
		}
		b.WriteString("\treturn \"$differs\"\n}\n")
	}
	checks("before", t.Before)
	fmt.Fprintf(&b, "do_%d() {\n\tif ", n)
	if len(t.Do) == 0 {
		b.WriteString("true")
	}
	b.WriteString(strings.Join(t.Do, " &&\n\t\t"))
	b.WriteString("; then return 0; fi\n")
	for _, l := range t.Ensure {
		fmt.Fprintf(&b, "\t%s\n", l)
	}
	b.WriteString("\treturn 1\n}\n")
	checks("after", t.After)
	fmt.Fprintf(&b, "undo_%d() {\n\tfailed=0\n", n)
	for _, l := range t.Undo {
		fmt.Fprintf(&b, "\t%s || failed=1\n", l)
	}
	b.WriteString("\treturn \"$failed\"\n}\n")
	checks("undone", t.Undone)
	return b.String()
}

// Prelude is what the functions call. On a VIOS they run as root, while the
// plan's lines are those of padmin: oem_setup_env is a root shell there too.
//
// Aliases go first: Korn shells have some of their own (stop, suspend), which
// win over functions, and a site's $ENV may add any.
const Prelude = `unalias -a 2>/dev/null
unset ENV
LC_ALL=C
PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin:/etc:/usr/ios/cli
export LC_ALL PATH
oem_setup_env() {
	sh
}
# The value in what a command printed: the last line, without "name = ".
value() {
	awk 'NF { l = $0 } END {
		sub(/^[ \t]+/, "", l); sub(/[ \t\r]+$/, "", l)
		i = index(l, " = "); if (i) l = substr(l, i + 3)
		if (l == "value") l = ""
		print l
	}'
}
# same WHAT WANT PRINTED
same() {
	is=$(printf '%s\n' "$3" | value)
	[ "$is" = "$2" ] && return 0
	printf '%s is %s, not %s\n' "$1" "$is" "$2"
	return 1
}
`
