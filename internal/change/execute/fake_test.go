package execute_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// box is a host in memory: it answers the command lines that plans hold, and
// can be made to fail. It understands nothing else, so a plan with a line that
// no host would understand fails here too.
type box struct {
	host  *model.Host
	log   []string
	fail  map[string]string // line prefix -> what happens: "exit", "lost", "ignore"
	onRun func(line string)
	// Addresses that answer pings; what size they are, it does not look at.
	passes map[string]bool
}

func (b *box) Name() string { return b.host.Name }

func (b *box) Close() error { return nil }

func (b *box) Start(context.Context, string) (*remote.Session, error) {
	return nil, io.ErrUnexpectedEOF
}

// Run understands the three shapes a step's command line has: a && b, with
// commands to run if that fails, and a list that goes on after a failure.
func (b *box) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	if head, rest, ok := strings.Cut(strings.TrimPrefix(c.Line, "if "), "; then true; else "); ok {
		res, err := b.all(head)
		if err != nil || res.Exit == 0 {
			return res, err
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(rest, "; false; fi"), "; ") {
			if _, err := b.all(line); err != nil {
				return res, err
			}
		}
		return res, nil
	}
	if rest, ok := strings.CutPrefix(c.Line, "failed=0; "); ok {
		res := &remote.Result{}
		for line := range strings.SplitSeq(strings.TrimSuffix(rest, " || failed=1; test $failed = 0"), " || failed=1; ") {
			one, err := b.all(line)
			if err != nil {
				return one, err
			}
			res.Exit = max(res.Exit, one.Exit)
		}
		return res, nil
	}
	return b.all(c.Line)
}

func (b *box) all(all string) (*remote.Result, error) {
	res := &remote.Result{}
	for line := range strings.SplitSeq(all, " && ") {
		b.log = append(b.log, line)
		if b.onRun != nil {
			b.onRun(line)
		}
		for prefix, what := range b.fail {
			if !strings.HasPrefix(line, prefix) {
				continue
			}
			switch what {
			case "lost":
				return res, &remote.Error{Host: b.Name(), Command: line, Err: remote.ErrLost}
			case "exit":
				return &remote.Result{Exit: 1, Stderr: []byte("0514-062 Cannot perform the requested function")}, nil
			case "ignore":
				return res, nil
			}
		}
		out, err := b.one(line)
		res.Stdout = append(res.Stdout, out...)
		if err != nil {
			res.Exit, res.Stderr = 1, []byte(err.Error())
			return res, nil
		}
	}
	return res, nil
}

// words splits as a shell does, single quotes only.
func words(line string) []string {
	var out []string
	var cur strings.Builder
	in, any := false, false
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case ch == '\'':
			in, any = !in, true
		case ch == '\\' && !in && i+1 < len(line):
			i++
			cur.WriteByte(line[i])
		case ch == ' ' && !in:
			if cur.Len() > 0 || any {
				out = append(out, cur.String())
			}
			cur.Reset()
			any = false
		default:
			cur.WriteByte(ch)
		}
	}
	if cur.Len() > 0 || any {
		out = append(out, cur.String())
	}
	return out
}

func (b *box) one(line string) (string, error) {
	w := words(line)
	if w[0] == "ioscli" {
		w = w[1:]
	}
	switch w[0] {
	case "ping":
		if b.passes[w[len(w)-1]] {
			return "2 packets transmitted, 2 packets received, 0% packet loss\n", nil
		}
		return "2 packets transmitted, 0 packets received, 100% packet loss\n", nil
	case "mkdev":
		return "inet0 changed\n", nil
	case "no":
		if len(w) == 3 {
			return w[2] + " = " + *b.host.Tunables[w[2]].Running + "\n", nil
		}
		name, value, _ := strings.Cut(w[3], "=")
		set(b.host.Tunables[name], value, w[1] == "-r")
		return "", nil
	case "lsattr": // -El X -a A -F value
		return value(b.host.Elements[w[2]].Attrs[w[4]]) + "\n", nil
	case "lsdev": // -dev X -attr A
		return "value\n\n" + value(b.host.Elements[w[2]].Attrs[w[4]]) + "\n", nil
	case "chdev":
		el := b.host.Elements[w[2]]
		if el == nil {
			return "", fmt.Errorf("0514-519 device %s not found", w[2])
		}
		pending := w[len(w)-1] == "-P" || w[len(w)-1] == "-perm"
		for _, x := range w[3:] {
			name, v, ok := strings.Cut(x, "=")
			if !ok || name == "state" {
				continue
			}
			if el.Attrs[name] == nil {
				return "", fmt.Errorf("0514-018 attribute %s is not valid", name)
			}
			set(el.Attrs[name], v, pending)
		}
		return w[2] + " changed\n", nil
	}
	return "", fmt.Errorf("%s: not found", w[0])
}

// value returns what lsattr shows: the ODM.
func value(a *model.Attr) string { return *a.NextBoot }

func set(a *model.Attr, v string, pending bool) {
	a.NextBoot = &v
	if !pending {
		a.Running = &v
	}
}

// state is a host's attributes as text, to compare before and after.
func state(h *model.Host) map[string]string {
	m := map[string]string{}
	for n, e := range h.Elements {
		for a, v := range e.Attrs {
			m[n+" "+a] = *v.Running + "/" + *v.NextBoot
		}
	}
	for a, v := range h.Tunables {
		m["no "+a] = *v.Running + "/" + *v.NextBoot
	}
	return m
}

func ids(p *plan.Plan) []string {
	out := []string{}
	for _, s := range p.Steps {
		out = append(out, s.ID)
	}
	return out
}
