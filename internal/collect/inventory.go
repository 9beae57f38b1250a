package collect

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// pingID is the registry's name of a ping, which waits for another host.
const pingID = "ping"

// Inventory makes the typed model of a host out of its snapshot. What the
// collector already missed is in its gaps too.
func Inventory(s *Snapshot) (*model.Host, error) {
	m := s.Manifest
	outputs, err := outputs(s)
	if err != nil {
		return nil, err
	}
	h := assemble.Host(about(m), outputs)
	// Of a command that failed the collector has seen more than its output.
	h.Gaps = slices.DeleteFunc(h.Gaps, func(g model.Gap) bool {
		return slices.ContainsFunc(m.Gaps, func(have model.Gap) bool { return have.What == g.What })
	})
	h.Gaps = append(h.Gaps, inOrder(m.Gaps)...)
	if m.Error != "" {
		h.Gaps = append(h.Gaps, model.Gap{What: m.Host, Why: m.Error})
	}
	noteHung(h, m.Commands)
	return h, nil
}

// noteHung counts, by device, the commands that did not end: a driver that hangs keeps what asks it.
func noteHung(h *model.Host, commands []Record) {
	for _, c := range commands {
		if h.Elements[c.Element] == nil || c.ID == pingID || !strings.Contains(c.Error, remote.ErrTimeout.Error()) {
			continue
		}
		if h.Figures == nil {
			h.Figures = map[string]model.Figure{}
		}
		name := c.Element + " " + model.HungCommands
		h.Figures[name] = model.Figure{Value: h.Figures[name].Value + 1, From: model.Origin{Command: c.Line, Text: c.Error}}
	}
}

// hmcOf makes what an HMC said out of its snapshot.
func hmcOf(s *Snapshot) (*model.HMC, error) {
	outputs, err := outputs(s)
	if err != nil {
		return nil, err
	}
	c := assemble.HMC(about(s.Manifest), outputs)
	c.Gaps = append(c.Gaps, inOrder(s.Manifest.Gaps)...)
	return c, nil
}

// inOrder sorts gaps, which a manifest has in the order in which commands ended.
func inOrder(gaps []model.Gap) []model.Gap {
	return slices.SortedStableFunc(slices.Values(gaps), func(a, b model.Gap) int { return strings.Compare(a.What, b.What) })
}

func about(m Manifest) assemble.About {
	return assemble.About{Name: m.Host, Platform: model.Platform(m.Platform), User: m.User, Taken: m.Started}
}

// maxOutputs bounds what the outputs of a snapshot hold together, in bytes: they are
// in memory at once. Sparse files of some KB could claim any size.
const maxOutputs = 256 << 20

// outputs are a snapshot's commands in the order of its manifest.
func outputs(s *Snapshot) ([]assemble.Output, error) {
	out := make([]assemble.Output, len(s.Manifest.Commands))
	text, done, err := s.reader()
	if err != nil {
		return nil, err
	}
	defer done()
	size := 0
	for i := range s.Manifest.Commands {
		r := &s.Manifest.Commands[i]
		o := assemble.Output{ID: r.ID, Element: r.Element, Attribute: r.Attribute, Command: r.Line, Exit: r.Exit, Problem: r.Error}
		o.Text, err = text(r)
		size += len(o.Text)
		if err == nil && size > maxOutputs {
			err = fmt.Errorf("the outputs up to this one have %d bytes, more than the limit of %d", size, maxOutputs)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.Manifest.Host, r.Line, err)
		}
		if r.Truncated {
			o.Problem = strings.TrimSpace(o.Problem + " output cut off: too long")
		}
		out[i] = o
	}
	return out, nil
}

// Inventories makes the typed model of every host in a folder that Fleet
// wrote, in the order of their names, completed by what HMCs said of them. A
// host that cannot be read is in the error; the others are returned all the
// same. What hosts have alike they share: their attributes must not be
// changed.
//
// It returns as soon as ctx ends; an output that is being read then is read to
// its end, and forgotten.
func Inventories(ctx context.Context, dir string) (*model.Fleet, error) {
	return EachInventory(ctx, dir, nil)
}

// Progress is a snapshot that was just read.
type Progress struct {
	Dir  string      // its folder
	Host *model.Host // not yet completed by HMCs, and not to be kept; nil: no host, or not read
	Of   int         // how many folders there are
}

// EachInventory is Inventories that says how far it is: each is called for every
// folder, from several goroutines; nil: it is not.
func EachInventory(ctx context.Context, dir string, each func(Progress)) (*model.Fleet, error) {
	var fleet *model.Fleet
	var err error
	if cut := decode.Within(ctx, func() { fleet, err = inventories(ctx, dir, each) }); cut != nil {
		return &model.Fleet{}, fmt.Errorf("snapshot %s: interrupted: %w", dir, cut)
	}
	return fleet, err
}

func inventories(ctx context.Context, dir string, each func(Progress)) (*model.Fleet, error) {
	found, err := find(dir, dir, 1)
	if err != nil {
		return &model.Fleet{}, err
	}
	all := make([]read, len(found))
	shown := progress.Begin(ctx, "reading snapshots", "host", len(found))
	defer shown.End()
	var shared model.Interner
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, at := range found {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			all[i] = one(at)
			if h := all[i].host; h != nil && len(found) > 1 {
				shared.Host(h)
			}
			shown.Step("")
			if each != nil {
				each(Progress{Dir: at.dir, Host: all[i].host, Of: len(found)})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return &model.Fleet{}, fmt.Errorf("snapshot %s: interrupted: %w", dir, err)
	}
	f, err := fleet(all)
	if len(f.Hosts) == 0 && len(f.HMCs) == 0 && err == nil {
		return f, noHost(dir)
	}
	slices.SortStableFunc(f.Hosts, func(a, b *model.Host) int { return strings.Compare(a.Name, b.Name) })
	return f, err
}

// read holds what a folder held: a host, or what an HMC said; neither if it is
// some other folder.
type read struct {
	host *model.Host
	hmc  *model.HMC
	err  error
}

func one(at candidate) read {
	s, err := at.open()
	if s == nil {
		return read{err: err}
	}
	return modelled(s)
}

func modelled(s *Snapshot) (r read) {
	if s.Manifest.Platform == PlatformHMC {
		r.hmc, r.err = hmcOf(s)
	} else {
		r.host, r.err = Inventory(s)
	}
	return r
}

// fleet puts together what was read; what could not be is in the error.
func fleet(all []read) (*model.Fleet, error) {
	f := &model.Fleet{}
	var errs []error
	for _, r := range all {
		if r.err != nil {
			errs = append(errs, r.err)
		}
		if r.host != nil {
			f.Hosts = append(f.Hosts, r.host)
		}
		if r.hmc != nil {
			f.HMCs = append(f.HMCs, r.hmc)
		}
	}
	f.MergeHMC()
	return f, errors.Join(errs...)
}
