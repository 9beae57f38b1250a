package store

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"seaworthy/internal/collect"
)

// Output holds what one command of a host printed.
type Output struct {
	Host    string
	Command string
	Taken   time.Time
	Exit    int
	Lines   []string
}

// Commands returns what a host ran, in order, those that printed something.
func (s *State) Commands(host string) ([]Command, error) {
	snapshot, err := s.open(host, time.Time{})
	if err != nil {
		return nil, err
	}
	var out []Command
	seen := map[string]bool{}
	for _, r := range snapshot.Manifest.Commands {
		if r.Stdout == "" || seen[r.Line] {
			continue
		}
		seen[r.Line] = true
		c := Command{Line: r.Line, Title: r.Line}
		if r.ID == "ping" && r.Attribute != "" {
			c.Title = "round trip to " + r.Attribute
		}
		out = append(out, c)
	}
	return out, nil
}

// Command is a command line whose output is kept, and what it is called.
type Command struct{ Line, Title string }

// Output returns what a command of a host printed. Of several of one line it is the
// one that has a text in that line, counted from 1.
func (s *State) Output(host, command string, line int, text string) (*Output, error) {
	snapshot, err := s.open(host, time.Time{})
	if err != nil {
		return nil, err
	}
	s.reads <- struct{}{}
	defer func() { <-s.reads }()
	var got *Output
	for i := range snapshot.Manifest.Commands {
		r := &snapshot.Manifest.Commands[i]
		if r.Line != command && r.Line != forAll(command) {
			continue
		}
		raw, err := snapshot.Text(r)
		if err != nil {
			return nil, err
		}
		out := &Output{Host: host, Command: r.Line, Taken: snapshot.Manifest.Started, Exit: r.Exit,
			Lines: strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")}
		if out.Has(line, text) {
			return out, nil
		}
		if got == nil {
			got = out
		}
	}
	if got == nil {
		got, err = s.printedWith(snapshot, host, command, line, text)
		if err != nil {
			return nil, err
		}
	}
	if got == nil {
		return nil, fmt.Errorf("%s: no output of %q is saved", host, command)
	}
	return got, nil
}

// printedWith looks for an output in which another adapter's is printed: entstat -d of an
// SEA or EtherChannel prints the statistics of each port below it too. Nil: there is none.
func (s *State) printedWith(snapshot *collect.Snapshot, host, command string, line int, text string) (*Output, error) {
	adapter, statistics := strings.CutPrefix(command, "entstat -d ")
	if !statistics {
		return nil, nil
	}
	part := regexp.MustCompile(`(?m)^ETHERNET STATISTICS \(` + regexp.QuoteMeta(adapter) + `\) ?:`)
	for i := range snapshot.Manifest.Commands {
		r := &snapshot.Manifest.Commands[i]
		if !strings.HasPrefix(r.Line, "entstat -d ") {
			continue
		}
		raw, err := snapshot.Text(r)
		if err != nil {
			return nil, err
		}
		if part.Match(raw) {
			return &Output{Host: host, Command: r.Line, Taken: snapshot.Manifest.Started, Exit: r.Exit,
				Lines: strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")}, nil
		}
	}
	return nil, nil
}

// forAll is the command that prints what another one does, and the same of every other
// interface: it is saved in its place.
func forAll(command string) string {
	if strings.HasPrefix(command, "ifconfig ") {
		return "ifconfig -a"
	}
	return command
}

// Has says whether a line, counted from 1, has a text.
func (o *Output) Has(line int, text string) bool {
	return line > 0 && line <= len(o.Lines) && strings.Contains(o.Lines[line-1], strings.TrimSpace(text))
}

func (s *State) open(host string, taken time.Time) (*collect.Snapshot, error) {
	at := s.saved(host, taken)
	if at.dir == "" {
		return nil, fmt.Errorf("%s: no snapshot", host)
	}
	return collect.OpenBelow(at.top, at.dir)
}
