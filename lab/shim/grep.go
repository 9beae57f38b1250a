package shim

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

// machines is where a node sees the machine's own command.
func machines(command string) string {
	for _, dir := range []string{"/.machine/usr/bin/", "/.machine/bin/"} {
		if _, err := os.Stat(dir + command); err == nil {
			return dir + command
		}
	}
	return "/.machine/usr/bin/" + command
}

// grep is the machine's, which lacks AIX's -p: whole paragraphs of the lines
// that match.
func grep(args []string) int {
	at := machines(Grep)
	p := parseGrep(args)
	if p == nil {
		err := unix.Exec(at, append([]string{"grep"}, args...), os.Environ())
		fmt.Fprintf(os.Stderr, "grep: %s: %v\n", at, err)
		return 2
	}
	found, err := p.run(at, os.Stdin, os.Stdout)
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

// parseGrep gives nil if there is no -p, or if a flag does not go with it: then
// the machine's grep answers, in its own words.
func parseGrep(args []string) *paragraphs {
	p := &paragraphs{}
	with, pattern, operands := false, false, false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--" && !operands:
			operands = true
			continue
		case operands || len(a) < 2 || a[0] != '-':
			if pattern {
				p.files = append(p.files, a)
			} else {
				p.match, pattern = append(p.match, "-e", a), true
			}
			continue
		}
		for j := 1; j < len(a); j++ {
			switch f := a[j]; f {
			case 'p':
				with, p.separator, j = true, a[j+1:], len(a)
			case 'v':
				p.invert = true
			case 'i', 'y', 'w', 'x', 'E', 'F':
				p.match = append(p.match, "-"+string(f))
			case 'e':
				v := a[j+1:]
				if v == "" {
					if i++; i == len(args) {
						return nil
					}
					v = args[i]
				}
				p.match, pattern, j = append(p.match, "-e", v), true, len(a)
			case 'h', 'n', 's':
			default:
				return nil
			}
		}
	}
	if !with || !pattern {
		return nil
	}
	return p
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
