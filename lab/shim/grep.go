package shim

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
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
	at, p := machines(Grep), parseGrep(args)
	if p == nil {
		become(Grep, at, append([]string{Grep}, args...), os.Environ())
		return 2
	}
	found, err := p.run(at, os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "grep: %v\n", err)
		return 2
	case !found:
		return 1
	}
	return 0
}

type paragraphs struct {
	separator string   // expression of the lines between paragraphs
	invert    bool     // -v
	match     []string // the machine's grep finds the lines by these
	files     []string
}

// parseGrep gives nil if there is no -p, or if a flag does not go with it: then
// the machine's grep answers, in its own words.
func parseGrep(args []string) *paragraphs {
	p := &paragraphs{}
	pattern := false
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if a == "--" {
			p.files = append(p.files, args...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			p.files = append(p.files, a)
			continue
		}
		for j := 1; j < len(a); j++ {
			switch f := a[j]; {
			case f == 'p':
				p.separator, j = cmp.Or(a[j+1:], "^[[:space:]]*$"), len(a)
			case f == 'v':
				p.invert = true
			case f == 'e':
				v := a[j+1:]
				if v == "" && len(args) > 0 {
					v, args = args[0], args[1:]
				}
				p.match, pattern, j = append(p.match, "-e", v), true, len(a)
			case strings.IndexByte("iywxEF", f) >= 0:
				p.match = append(p.match, "-"+string(f))
			case strings.IndexByte("hns", f) < 0:
				return nil
			}
		}
	}
	if !pattern && len(p.files) > 0 {
		p.match, p.files, pattern = append(p.match, "-e", p.files[0]), p.files[1:], true
	}
	if p.separator == "" || !pattern {
		return nil
	}
	if len(p.files) == 0 {
		p.files = []string{stdin}
	}
	return p
}

// stdin stands for standard input among the files, as grep names it.
const stdin = "(standard input)"

// run prints the paragraphs that are wanted.
func (p *paragraphs) run(grep string, out io.Writer) (found bool, err error) {
	for _, name := range p.files {
		read := os.ReadFile
		if name == stdin {
			read = func(string) ([]byte, error) { return io.ReadAll(os.Stdin) } // a socket cannot be opened by name
		}
		text, err := read(name)
		if err != nil {
			return found, err
		}
		hits, err := lines(grep, text, p.match...)
		if err != nil {
			return found, err
		}
		between, err := lines(grep, text, "-e", p.separator)
		if err != nil {
			return found, err
		}
		var now []byte
		hit := false
		for n, l := range append(slices.Collect(bytes.Lines(text)), nil) {
			if l != nil && !between[n+1] {
				now, hit = append(now, l...), hit || hits[n+1]
				continue
			}
			if len(now) > 0 && hit != p.invert {
				found = true
				if _, err := out.Write(now); err != nil {
					return found, err
				}
			}
			now, hit = nil, false
		}
	}
	return found, nil
}

func lines(grep string, text []byte, args ...string) (map[int]bool, error) {
	cmd := exec.Command(grep, append([]string{"-a", "-n"}, args...)...)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	of := map[int]bool{}
	for l := range strings.Lines(string(out)) {
		number, _, _ := strings.Cut(l, ":")
		if n, err := strconv.Atoi(number); err == nil {
			of[n] = true
		}
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if failed.ExitCode() == 1 {
			return of, nil // none
		}
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(failed.Stderr))
	}
	return of, err
}
