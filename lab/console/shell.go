package console

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// assignment is one in front of a command, or behind export.
var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*=`)

// lastStatus stands for $? in a word: no line has a NUL byte.
const lastStatus = "\x00"

// part is a command of a line, and what stands between it and the one before: ";", "&&" or "||".
type part struct {
	after string
	argv  []string
}

// run runs a line as the restricted shell does, after one that ended with before; exit says
// that the line ends the shell.
func (c *Console) run(ctx context.Context, line string, before int, out, errs io.Writer) (status int, exit bool) {
	parts, err := parse(line)
	if err != nil {
		fmt.Fprintf(errs, "rbash: %v\n", err)
		return 2, false
	}
	status = before
	for _, p := range parts {
		if ctx.Err() != nil || p.after == "&&" && status != 0 || p.after == "||" && status == 0 {
			continue
		}
		for i, word := range p.argv {
			p.argv[i] = strings.ReplaceAll(word, lastStatus, strconv.Itoa(status))
		}
		if status, exit = c.builtin(ctx, p.argv, out, errs, status); exit {
			break
		}
	}
	return status, exit
}

// builtin runs a command that the shell has itself, or one of the HMC.
func (c *Console) builtin(ctx context.Context, argv []string, out, errs io.Writer, before int) (status int, exit bool) {
	export := argv[0] == "export"
	if export {
		argv = argv[1:]
	}
	for len(argv) > 0 && assignment.MatchString(argv[0]) {
		if name, _, _ := strings.Cut(argv[0], "="); name == "PATH" || name == "SHELL" || name == "ENV" || name == "BASH_ENV" {
			fmt.Fprintf(errs, "rbash: %s: readonly variable\n", name)
			return 1, false
		}
		argv = argv[1:]
	}
	switch {
	case len(argv) == 0 || export:
		return 0, false
	case argv[0] == "exit", argv[0] == "logout":
		return before, true
	case argv[0] == "echo":
		fmt.Fprintln(out, strings.Join(argv[1:], " "))
		return 0, false
	case argv[0] == "true", argv[0] == ":":
		return 0, false
	case argv[0] == "false":
		return 1, false
	case argv[0] == "cd":
		fmt.Fprintln(errs, "rbash: cd: restricted")
		return 1, false
	case strings.Contains(argv[0], "/"):
		fmt.Fprintf(errs, "rbash: %s: restricted: cannot specify `/' in command names\n", argv[0])
		return notFound, false
	}
	return c.command(ctx, argv, out, errs), false
}

// parse takes a line apart. What a shell does beyond quotes and one command after another is
// an error that names it.
func parse(line string) (parts []part, err error) {
	p := part{after: ";"}
	var word strings.Builder
	inWord := false
	end := func() {
		if inWord {
			p.argv = append(p.argv, word.String())
			word.Reset()
			inWord = false
		}
	}
	next := func(after string) error {
		end()
		if len(p.argv) > 0 {
			parts = append(parts, p)
		} else if after != ";" || p.after != ";" {
			return fmt.Errorf("syntax error near unexpected token `%s'", after)
		}
		p = part{after: after}
		return nil
	}
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case ch == '\'' || ch == '"':
			n := strings.IndexByte(line[i+1:], ch)
			if n < 0 {
				return nil, fmt.Errorf("unexpected EOF while looking for matching `%c'", ch)
			}
			inWord = true
			text := line[i+1 : i+1+n]
			i += n + 1
			if ch == '"' {
				if strings.ContainsAny(text, "$`") {
					return nil, fmt.Errorf("%q: the HMC of a lab runs commands alone: no variables, no $( )", text)
				}
				for strings.HasSuffix(text, `\`) { // a quote within
					n = strings.IndexByte(line[i+1:], ch)
					if n < 0 {
						return nil, fmt.Errorf("unexpected EOF while looking for matching `%c'", ch)
					}
					text = text[:len(text)-1] + `"` + line[i+1:i+1+n]
					i += n + 1
				}
			}
			word.WriteString(text)
		case ch == '\\' && i+1 < len(line):
			i++
			inWord = true
			word.WriteByte(line[i])
		case ch == ' ' || ch == '\t':
			end()
		case ch == ';' || ch == '\n':
			err = next(";")
		case strings.HasPrefix(line[i:], "&&") || strings.HasPrefix(line[i:], "||"):
			err = next(line[i : i+2])
			i++
		case strings.HasPrefix(line[i:], "$?"):
			inWord = true
			word.WriteString(lastStatus)
			i++
		case ch == '>':
			return nil, fmt.Errorf("restricted: cannot redirect output")
		case strings.IndexByte("|&<()`$", ch) >= 0:
			return nil, fmt.Errorf("%c: the HMC of a lab runs commands alone: no pipes, no variables, no input from files", ch)
		case ch == '#' && !inWord:
			i = len(line)
		default:
			inWord = true
			word.WriteByte(ch)
		}
		if err != nil {
			return nil, err
		}
	}
	end()
	if len(p.argv) > 0 {
		parts = append(parts, p)
	} else if p.after != ";" {
		return nil, fmt.Errorf("syntax error: unexpected end of file")
	}
	return parts, nil
}
