package collect

import (
	"cmp"
	"context"
	"errors"
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

// Reading holds what a host printed at one time.
type Reading struct {
	Host     string
	Platform model.Platform
	User     string
	At       time.Time // when the last command had ended
	Whole    bool      // everything; else only what counts or measures
	Outputs  []assemble.Output
}

// About returns what the model of a host needs beside its outputs.
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
	if s.Options.Hung == nil {
		s.Options.Hung = &remote.Hung{}
	}
	r, err := begin(ctx, s.Host, s.Options, nil, inMemory, nil)
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
	ask := s.together
	if s.login.restricted() && !s.login.elevate {
		ask = s.oneByOne
	}
	err := ask(ctx, take)
	if err != nil {
		return nil, err
	}
	for i, it := range s.items {
		held := s.Options.Hung.Err(s.Host.Name(), it.Line)
		if held != nil && out[i].Exit < 0 {
			out[i].Problem = held.Error()
		}
	}
	return s.reading(out, false), nil
}

// oneByOne asks each item in a session of its own.
func (s *Sampler) oneByOne(ctx context.Context, take func(i int, res *remote.Result)) error {
	for i, it := range s.items {
		if s.Options.Hung.Err(s.Host.Name(), it.Line) != nil {
			continue
		}
		res, err := s.run(ctx, it)
		switch {
		case s.hangs(it, err):
		case err != nil:
			return err
		default:
			take(i, res)
		}
	}
	return nil
}

// hangs notes an item that reached its limit and is about a device: the others go on
// without it.
func (s *Sampler) hangs(it Item, err error) bool {
	if !errors.Is(err, remote.ErrTimeout) {
		return false
	}
	s.Options.Hung.Note(s.Host.Name(), it.Line)
	return s.Options.Hung.Err(s.Host.Name(), it.Line) != nil
}

// together asks the items in one session, and those behind one that hangs in a further
// one.
func (s *Sampler) together(ctx context.Context, take func(i int, res *remote.Result)) error {
	var left []int // places
	for i, it := range s.items {
		if s.Options.Hung.Err(s.Host.Name(), it.Line) == nil {
			left = append(left, i)
		}
	}
	for len(left) > 0 {
		answered, err := s.batch(ctx, left, take)
		err = remote.Named(err, "reading the counters") // a line of many commands says nothing to a reader
		left = slices.DeleteFunc(left, func(i int) bool { return answered[i] })
		switch {
		case len(left) == 0 || err == nil && len(answered) > 0: // who did not answer then has no end of its own
			return nil
		case err == nil:
			return fmt.Errorf("%s: reading the counters: no answer", s.Host.Name())
		case !s.hangs(s.items[left[0]], err):
			return err
		}
		left = left[1:]
	}
	return nil
}

// batch asks items in one session, and says which of them answered.
func (s *Sampler) batch(ctx context.Context, places []int, take func(i int, res *remote.Result)) (answered map[int]bool, err error) {
	list := make([]Item, len(places))
	for k, i := range places {
		list[k] = s.items[i]
		list[k].Line = s.login.command(s.items[i])
		list[k].Limit = cmp.Or(s.Limit, registry.Quick)
	}
	b := newBatch(list)
	sent, _ := s.login.sent(Item{Line: b.line(), Root: true})
	answered = map[int]bool{}
	_, err = b.ask(ctx, cmp.Or(s.login.host, s.Host), sent.Line, s.Options.MaxOutput, func(k int, res *remote.Result) {
		answered[places[k]] = true
		take(places[k], res)
	})
	return answered, err
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
