package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"seaworthy/dialect/registry"
	"seaworthy/inventory"
	"seaworthy/inventory/assemble"
	"seaworthy/remote"
)

// Sampler reads one host again and again while somebody watches: whole once,
// later only what counts or measures, in one session. It is not safe for
// concurrent use.
type Sampler struct {
	Host    remote.Host
	Options Options
	Limit   time.Duration // of one later reading; 0: 20 s

	login login
	items []Item
	// unmeasured: Again leaves out what measures for a while.
	unmeasured bool
}

// Reading is what a host printed at one time.
type Reading struct {
	Host     string
	Platform inventory.Platform
	User     string
	At       time.Time // when the last command had ended
	Whole    bool      // everything; else only what counts or measures
	Outputs  []assemble.Output
}

// About is what the model of a host needs beside its outputs.
func (r *Reading) About() assemble.About {
	return assemble.About{Name: r.Host, Platform: r.Platform, User: r.User, Taken: r.At}
}

// Whole reads everything that collect reads, and from it which commands Again
// runs. A host that broke off gives an error.
func (s *Sampler) Whole(ctx context.Context) (*Reading, error) {
	r, err := begin(ctx, s.Host, s.Options, nil, inMemory)
	if err != nil {
		return nil, err
	}
	if err := r.close(ctx); err != nil {
		return nil, err
	}
	if r.login.platform == PlatformHMC {
		return nil, fmt.Errorf("%s: an HMC counts no packets: name the partitions that it manages", s.Host.Name())
	}
	outputs, err := outputs(&Snapshot{Manifest: *r.m, memory: r.store.memory})
	if err != nil {
		return nil, err
	}
	s.login = r.login
	s.items = []Item{}
	if !s.unmeasured { // it goes first: the counters then are of one moment
		s.items = items(r.login.on(), registry.Watched, "")
	}
	for _, rec := range r.m.Commands {
		if counts(rec.ID) && rec.Exit == 0 {
			s.items = append(s.items, Item{ID: rec.ID, Element: rec.Element, Line: rec.Line,
				Root: rec.Via == "oem_setup_env", Refused: rec.Via != "" && r.login.single != nil})
		}
	}
	return s.reading(outputs, true), nil
}

// Again reads what counts or measures. The error is about the host; a command
// that fails is an output with its exit status.
func (s *Sampler) Again(ctx context.Context) (*Reading, error) {
	if s.items == nil {
		return nil, fmt.Errorf("%s: not read whole before", s.Host.Name())
	}
	var out []assemble.Output
	var err error
	if s.login.restricted() && !s.login.elevate {
		out, err = s.singly(ctx)
	} else {
		out, err = s.together(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.reading(out, false), nil
}

func (s *Sampler) reading(outputs []assemble.Output, whole bool) *Reading {
	return &Reading{Host: s.Host.Name(), Platform: s.login.platform, User: userOf(s.Host, s.login), At: time.Now().UTC().Round(0),
		Whole: whole, Outputs: outputs}
}

func (s *Sampler) together(ctx context.Context) ([]assemble.Output, error) {
	list := make([]Item, len(s.items))
	for i, it := range s.items {
		if list[i] = it; it.Refused && s.login.single != nil {
			list[i].Line = s.login.single(it.Line)
		}
	}
	b := newBatch(list)
	sent, _ := s.login.line(Item{Line: b.line(), Root: true})
	res, err := s.run(ctx, sent)
	if err != nil {
		return nil, err
	}
	answers := b.answers(res)
	if len(answers) == 0 {
		why := cmp.Or(firstLine(res.Stderr), "no answer")
		return nil, fmt.Errorf("%s: reading the counters: exit status %d: %s", s.Host.Name(), res.Exit, why)
	}
	out := make([]assemble.Output, len(s.items))
	for i, it := range s.items {
		out[i] = s.output(it, answers[i])
	}
	return out, nil
}

// singly is together for a restricted shell.
func (s *Sampler) singly(ctx context.Context) ([]assemble.Output, error) {
	var out []assemble.Output
	for _, it := range s.items {
		sent, _ := s.login.line(it)
		res, err := s.run(ctx, sent)
		if err != nil {
			return nil, err
		}
		out = append(out, s.output(it, res))
	}
	return out, nil
}

func (s *Sampler) output(it Item, res *remote.Result) assemble.Output {
	o := assemble.Output{ID: it.ID, Element: it.Element, Command: it.Line, Exit: -1, Problem: "no answer"}
	if res != nil {
		o.Text, o.Exit, o.Problem = res.Stdout, res.Exit, ""
	}
	return o
}

func (s *Sampler) run(ctx context.Context, line string) (*remote.Result, error) {
	c := remote.Command{Line: line, Limit: cmp.Or(s.Limit, registry.Quick), MaxOutput: s.Options.MaxOutput}
	res, err := cmp.Or(s.login.host, s.Host).Run(ctx, c)
	var named *remote.Error
	if errors.As(err, &named) && named.Command != "" { // a line of many commands says nothing to a reader
		plain := *named
		plain.Command = "reading the counters"
		err = &plain
	}
	return res, err
}
