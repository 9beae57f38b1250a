package console

import (
	"context"
	"errors"
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
		status, exit = c.builtin(ctx, p.argv, out, errs, status)
		if exit {
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
	if len(argv) == 0 || export {
		return 0, false
	}
	switch name := argv[0]; {
	case name == "exit", name == "logout":
		return before, true
	case name == "echo":
		fmt.Fprintln(out, strings.Join(argv[1:], " "))
		return 0, false
	case name == "true", name == ":":
		return 0, false
	case name == "false":
		return 1, false
	case name == "cd":
		fmt.Fprintln(errs, "rbash: cd: restricted")
		return 1, false
	case strings.Contains(name, "/"):
		fmt.Fprintf(errs, "rbash: %s: restricted: cannot specify `/' in command names\n", name)
		return notFound, false
	}
	return c.command(ctx, argv, out, errs), false
}

// tokens of a line: quoted text, an escaped character, blanks, what stands between commands, $?, one character.
var tokens = regexp.MustCompile(`(?s)'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[ \t]+|[;\n]|&&|\|\||\$\?|.`)

// parse takes a line apart. What a shell does beyond quotes and one command after another is
// an error that names it.
func parse(line string) (parts []part, err error) {
	p, word, inWord := part{after: ";"}, "", false
	end := func() {
		if inWord {
			p.argv = append(p.argv, word)
			word, inWord = "", false
		}
	}
	add := func(text string) { word, inWord = word+text, true }
	for _, token := range tokens.FindAllString(line, -1) {
		quote := token[0]
		switch {
		case token == "'" || token == `"`:
			return nil, fmt.Errorf("unexpected EOF while looking for matching `%s'", token)
		case quote == '\'':
			add(token[1 : len(token)-1])
		case quote == '"' && strings.ContainsAny(token, "$`"):
			return nil, fmt.Errorf("%s: the HMC of a lab runs commands alone: no variables, no $( )", token)
		case quote == '"':
			add(strings.ReplaceAll(token[1:len(token)-1], `\"`, `"`))
		case quote == '\\' && len(token) > 1:
			add(token[1:])
		case quote == ' ' || quote == '\t':
			end()
		case token == ";" || token == "\n" || token == "&&" || token == "||":
			end()
			after := strings.Replace(token, "\n", ";", 1)
			if len(p.argv) > 0 {
				parts = append(parts, p)
			} else if after != ";" || p.after != ";" {
				return nil, fmt.Errorf("syntax error near unexpected token `%s'", after)
			}
			p = part{after: after}
		case token == "$?":
			add(lastStatus)
		case token == ">":
			return nil, errors.New("restricted: cannot redirect output")
		case strings.ContainsAny(token, "|&<()`$"):
			return nil, fmt.Errorf("%s: the HMC of a lab runs commands alone: no pipes, no variables, no input from files", token)
		case token == "#" && !inWord:
			return ended(parts, p)
		default:
			add(token)
		}
	}
	end()
	return ended(parts, p)
}

func ended(parts []part, p part) ([]part, error) {
	if len(p.argv) > 0 {
		return append(parts, p), nil
	}
	if p.after != ";" {
		return nil, errors.New("syntax error: unexpected end of file")
	}
	return parts, nil
}
