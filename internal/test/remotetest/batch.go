package remotetest

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"seaworthy/internal/remote/shellword"
)

// asked is one command of a line that has several, with the marks around it.
type asked struct {
	line, mark string
	number     int
	loud       bool // marks stand on standard error too
}

var (
	// A line of collect: a function that says a mark on both streams, then commands
	// between marks; a restricted shell has them on standard output alone.
	several    = regexp.MustCompile(`(?s)^((?:export [^;]*; *)*)(seaworthy[0-9a-f]{32})\(\) \{ echo \S+ \$\*; echo \S+ \$\* >&2; \}; (.*)$`)
	restricted = regexp.MustCompile(`(?s)^((?:export [^;]*; *)*)echo (seaworthy[0-9a-f]{32}) b 0; .*$`)
	throughOEM = regexp.MustCompile(`(?s)^((?:export [^;]*; *)*)echo ('.*') \| oem_setup_env$`)
)

// split gives the commands of a line, each as it would be sent alone, and what stands
// before and behind them in the output; no commands if the line is not such a one.
func split(line string) (out []asked, first, last string) {
	if m := throughOEM.FindStringSubmatch(line); m != nil {
		inner, printed := Unmarked(strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(m[2], "'"), "'"), `'\''`, "'"))
		if plain, ok := strings.CutSuffix(inner, "; echo seaworthy-status $?"); ok {
			inner, last = plain, "seaworthy-status 0\n"
		}
		out, _, _ = split(inner)
		for i := range out {
			out[i].line = m[1] + "echo " + shellword.Quote(out[i].line) + " | oem_setup_env"
		}
		return out, printed, last
	}
	before, rest := "", ""
	begin, after := "%s b %d; { ", "; } </dev/null; %s e %d $?"
	m := several.FindStringSubmatch(line)
	loud := m != nil
	if loud {
		before, rest = m[1], m[3]
	} else {
		m = restricted.FindStringSubmatch(line)
		if m == nil {
			return nil, "", ""
		}
		before, rest = m[1], line[len(m[1]):]
		begin, after = "echo %s b %d; ", "; echo %s e %d $?"
	}
	for rest != "" {
		text, ok := strings.CutPrefix(rest, fmt.Sprintf(begin, m[2], len(out)))
		command, next, ended := strings.Cut(text, fmt.Sprintf(after, m[2], len(out)))
		if !ok || !ended {
			return nil, "", ""
		}
		out = append(out, asked{before + command, m[2], len(out), loud})
		rest = strings.TrimPrefix(next, "; ")
	}
	return out, "", ""
}

// Together answers a line of several commands as a shell does, each by the handler.
func Together(h Handler) Handler {
	return func(ctx context.Context, c *Call) int {
		list, first, last := split(c.Line)
		if list == nil {
			return h(ctx, c)
		}
		fmt.Fprint(c.Stdout, first)
		defer func() { fmt.Fprint(c.Stdout, last) }()
		for _, a := range list {
			one := *c
			one.Stdin = strings.NewReader("")
			say := func(format string, args ...any) {
				fmt.Fprintf(c.Stdout, format, args...)
				if a.loud {
					fmt.Fprintf(c.Stderr, format, args...)
				}
			}
			say("%s b %d\n", a.mark, a.number)
			exit := 0
			for alternative := range strings.SplitSeq(a.line, " || /usr/ios/cli/") {
				one.Line = alternative
				if alternative != a.line && !strings.HasPrefix(a.line, alternative) {
					one.Line = "/usr/ios/cli/" + alternative
				}
				one.Command = Bare(one.Line)
				exit = h(ctx, &one)
				if exit == 0 {
					break
				}
			}
			if ctx.Err() != nil {
				return exit
			}
			say("%s e %d %d\n", a.mark, a.number, exit)
		}
		return 0
	}
}
