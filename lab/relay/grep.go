package relay

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Grep is the name of a command that the lab need not be asked for.
const Grep = "grep"

// machineGrep are the places of the machine's own grep, as nodes see them.
var machineGrep = []string{"/.machine/usr/bin/grep", "/.machine/bin/grep"}

// grep is the machine's, which lacks AIX's -p: whole paragraphs of the lines
// that match.
func grep(args []string) int {
	at := machineGrep[0]
	for _, p := range machineGrep {
		if _, err := os.Stat(p); err == nil {
			at = p
			break
		}
	}
	p, err := parseGrep(args)
	if p == nil && err == nil {
		err = unix.Exec(at, append([]string{"grep"}, args...), os.Environ())
	}
	found := false
	if err == nil {
		found, err = p.run(at, os.Stdin, os.Stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "grep: %v\n", err)
		return 2
	case !found:
		return 1
	}
	return 0
}

// paragraphs is a grep -p.
type paragraphs struct {
	separator string   // expression of the lines between paragraphs; empty: blank lines
	invert    bool     // -v
	match     []string // the machine's grep finds the lines by these
	files     []string
}

// parseGrep gives nil if there is no -p.
func parseGrep(args []string) (*paragraphs, error) {
	p := &paragraphs{}
	with, pattern, ended := false, false, false
	for i := 0; i < len(args); i++ {
		a := args[i]
		if ended || len(a) < 2 || a[0] != '-' {
			if pattern {
				p.files = append(p.files, a)
			} else {
				p.match, pattern = append(p.match, "-e", a), true
			}
			continue
		}
		if strings.HasPrefix(a, "--") {
			if ended = a == "--"; !ended && !with {
				return nil, nil // the machine's way
			}
			continue
		}
	cluster:
		for j := 1; j < len(a); j++ {
			switch f := a[j]; f {
			case 'p':
				with, p.separator = true, a[j+1:]
				break cluster
			case 'v':
				p.invert = true
			case 'e', 'f':
				v := a[j+1:]
				if i++; v == "" && i >= len(args) {
					return nil, nil // an error, in the machine's words
				} else if v == "" {
					v = args[i]
				} else {
					i--
				}
				p.match, pattern = append(p.match, "-"+string(f), v), true
				break cluster
			case 'i', 'y', 'w', 'x', 'E', 'F':
				p.match = append(p.match, "-"+string(f))
			case 'h', 'n', 's':
			default:
				if hasParagraphs(args) {
					return nil, fmt.Errorf("-%c does not go with -p in this lab", f)
				}
				return nil, nil
			}
		}
	}
	if !with || !pattern {
		return nil, nil
	}
	return p, nil
}

// hasParagraphs says whether a cluster of flags has a p, and so is AIX's.
func hasParagraphs(args []string) bool {
	for _, a := range args {
		if a == "--" || len(a) < 2 || a[0] != '-' {
			return false
		}
		if flags, _, _ := strings.Cut(a[1:], "p"); flags != a[1:] && !strings.HasPrefix(a, "--") && strings.Trim(flags, "clqivwxEFhnsyo") == "" {
			return true
		}
	}
	return false
}

// most is what is read of an input: more than any command here prints.
const most = 64 << 20

func (p *paragraphs) run(grep string, in io.Reader, out io.Writer) (found bool, err error) {
	one := func(r io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(r, most))
		if err != nil {
			return err
		}
		some, err := p.print(grep, text, out)
		found = found || some
		return err
	}
	if len(p.files) == 0 {
		err = one(in)
	}
	for _, name := range p.files {
		f, e := os.Open(name)
		if e != nil {
			return found, e
		}
		e = one(f)
		f.Close()
		if e != nil {
			return found, fmt.Errorf("%s: %w", name, e)
		}
	}
	return found, err
}

// print prints the paragraphs of a text that are wanted.
func (p *paragraphs) print(grep string, text []byte, out io.Writer) (found bool, err error) {
	hits, err := lines(grep, text, p.match...)
	if err != nil {
		return false, err
	}
	between := map[int]bool{}
	if p.separator != "" {
		if between, err = lines(grep, text, "-e", p.separator); err != nil {
			return false, err
		}
	}
	var now []string
	hit := false
	end := func() {
		if len(now) > 0 && hit != p.invert && err == nil {
			found = true
			_, err = io.WriteString(out, strings.Join(now, ""))
		}
		now, hit = nil, false
	}
	n := 0
	for l := range strings.Lines(string(text)) {
		n++
		if between[n] || p.separator == "" && strings.TrimSpace(l) == "" {
			end()
			continue
		}
		now, hit = append(now, l), hit || hits[n]
	}
	end()
	return found, err
}

// lines are the numbers of those that match.
func lines(grep string, text []byte, args ...string) (map[int]bool, error) {
	cmd := exec.Command(grep, append([]string{"-a", "-n"}, args...)...)
	var says bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), &says
	out, err := cmd.Output()
	if x, ok := err.(*exec.ExitError); ok && x.ExitCode() == 1 {
		err = nil // none
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(says.String()))
	}
	of := map[int]bool{}
	for l := range strings.Lines(string(out)) {
		number, _, _ := strings.Cut(l, ":")
		if n, err := strconv.Atoi(number); err == nil {
			of[n] = true
		}
	}
	return of, nil
}
