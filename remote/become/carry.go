package become

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"

	"seaworthy/remote"
	"seaworthy/remote/shellword"
)

// Through is a line that padmin gives to root's shell.
func Through(line string) string { return "echo " + shellword.Quote(line) + gate }

const gate = " | oem_setup_env"

// status is the last line of what root's shell prints.
const status = "seaworthy-status"

var (
	quoted = regexp.MustCompile(`^((?:export LC_ALL=C LANG=C; )?)echo ('(?:[^']|'\\'')*'|\S+) \| oem_setup_env$`)
	ended  = regexp.MustCompile(status + ` (\d+)[ \t\r]*\n?`)
)

// carried runs a line whose commands are joined by &&, one after another, as a
// shell would. A command that goes through oem_setup_env prints a mark before its
// output, since root's login files may print too, and its exit status behind it, which
// is believed instead of that of oem_setup_env.
func carried(ctx context.Context, h remote.Host, c remote.Command) (*remote.Result, error) {
	if !strings.Contains(c.Line, gate) {
		return h.Run(ctx, c)
	}
	if strings.HasPrefix(c.Line, "if ") {
		c.Line = within.ReplaceAllStringFunc(c.Line, checked)
		return h.Run(ctx, c)
	}
	var all *remote.Result
	for _, part := range parts(c.Line) {
		one := c
		one.Line = part
		m := quoted.FindStringSubmatch(part)
		if m != nil {
			inner := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(m[2], "'"), "'"), `'\''`, "'")
			then := "; "
			if strings.Contains(inner, "\n") {
				then = "\n" // the end of a here-document stands alone
			}
			one.Line = m[1] + Through(remote.Marked(inner)+then+"echo "+status+" $?")
		}
		res, err := h.Run(ctx, one)
		if res != nil && m != nil {
			believe(res)
		}
		if all = join(all, res); err != nil || all.Exit != 0 {
			return all, remote.Named(err, c.Line)
		}
	}
	return all, nil
}

// within finds a command that goes through oem_setup_env in a line that must stay
// one, since its host carries it out whatever becomes of the connection.
var within = regexp.MustCompile(`echo '(?:[^']|'\\'')*' \| oem_setup_env`)

// checked makes such a command end as its text says, without its output.
func checked(command string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(command, "echo '"), "'"+gate)
	return "echo '" + inner + "; echo " + status + " $?'" + gate + " | grep -q '" + status + " 0'"
}

// believe takes the exit status out of the text. Without one the shell did not
// come to its end, and a status of 0 cannot be meant.
func believe(res *remote.Result) {
	_, res.Stdout, _ = remote.CutMark(res.Stdout)
	at := ended.FindAllSubmatchIndex(res.Stdout, -1)
	if len(at) == 0 {
		if res.Exit == 0 && !res.Truncated {
			res.Exit = 1
		}
		return
	}
	last := at[len(at)-1]
	res.Exit, _ = strconv.Atoi(string(res.Stdout[last[2]:last[3]])) // digits, by the pattern
	res.Stdout = bytes.Clone(res.Stdout[:last[0]])
}

func join(all, next *remote.Result) *remote.Result {
	if all == nil || next == nil {
		return next
	}
	next.Stdout, next.Stderr = append(all.Stdout, next.Stdout...), append(all.Stderr, next.Stderr...)
	next.Start, next.Duration, next.Printed = all.Start, all.Duration+next.Duration, all.Printed+next.Printed
	return next
}

// parts cuts a line at each && outside quotes.
func parts(line string) []string {
	var out []string
	inside, from := false, 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && !inside:
			i++
		case line[i] == '\'':
			inside = !inside
		case !inside && strings.HasPrefix(line[i:], " && "):
			out = append(out, line[from:i])
			from = i + len(" && ")
		}
	}
	return append(out, line[from:])
}
