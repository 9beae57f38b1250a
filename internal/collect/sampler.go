package collect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
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
	Platform model.Platform
	User     string
	At       time.Time // when the last command had ended
	Whole    bool      // everything; else only what counts or measures
	Outputs  []assemble.Output
}

// About is what the model of a host needs beside its outputs.
func (r *Reading) About() assemble.About {
	return assemble.About{Name: r.Host, Platform: r.Platform, User: r.User, Taken: r.At}
}

// Reach has the host answer the smallest question there is. One that hangs is found
// so before anybody waits behind it.
func (s *Sampler) Reach(ctx context.Context) error {
	_, err := s.Host.Run(ctx, remote.Command{Line: "echo", Limit: registry.Quick, MaxOutput: 64 << 10})
	return remote.Named(err, "echo")
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
	outputs, err := outputs(r.snapshot())
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
	out := make([]assemble.Output, len(s.items))
	for i, it := range s.items {
		out[i] = assemble.Output{ID: it.ID, Element: it.Element, Command: it.Line, Exit: -1, Problem: "no answer"}
	}
	take := func(i int, res *remote.Result) { out[i].Text, out[i].Exit, out[i].Problem = res.Stdout, res.Exit, "" }
	if s.login.restricted() && !s.login.elevate {
		for i, it := range s.items {
			res, err := s.run(ctx, it)
			if err != nil {
				return nil, err
			}
			take(i, res)
		}
		return s.reading(out, false), nil
	}
	list := slices.Clone(s.items)
	for i := range list {
		list[i].Line = s.login.command(list[i])
	}
	b := newBatch(list)
	res, err := s.run(ctx, Item{Line: b.line(), Root: true})
	if err != nil {
		return nil, err
	}
	answers := b.answers(res)
	if len(answers) == 0 {
		return nil, fmt.Errorf("%s: reading the counters: exit status %d: %s", s.Host.Name(), res.Exit,
			cmp.Or(firstLine(res.Stderr), "no answer"))
	}
	for i, res := range answers {
		take(i, res)
	}
	return s.reading(out, false), nil
}

func (s *Sampler) reading(outputs []assemble.Output, whole bool) *Reading {
	return &Reading{Host: s.Host.Name(), Platform: s.login.platform, User: userOf(s.Host, s.login), At: time.Now().UTC().Round(0),
		Whole: whole, Outputs: outputs}
}

func (s *Sampler) run(ctx context.Context, it Item) (*remote.Result, error) {
	c, _ := s.login.sent(it)
	c.Limit, c.MaxOutput = cmp.Or(s.Limit, registry.Quick), s.Options.MaxOutput
	res, err := cmp.Or(s.login.host, s.Host).Run(ctx, c)
	return res, remote.Named(err, "reading the counters") // a line of many commands says nothing to a reader
}
