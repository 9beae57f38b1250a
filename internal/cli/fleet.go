package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/remote"
	"seaworthy/internal/ui/report"
)

// fleet is what DIR and HOST arguments gave.
type fleet struct {
	fleet  *model.Fleet
	before *model.Fleet   // of hosts that were there more than once; nil: none
	older  map[string]int // host → how many of its snapshots are earlier than both
	failed []failedHost
}

// isSnapshot says whether an argument is a folder that collect wrote, and not
// a host's name.
func isSnapshot(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.IsDir()
}

// fleet is read, and reports the hosts whose older snapshots are not used.
func (a *app) fleet(ctx context.Context, argv []string) (*fleet, error) {
	f, err := a.read(ctx, argv)
	if err != nil || f.before == nil {
		return f, err
	}
	for _, h := range f.before.Hosts {
		now := f.fleet.Host(h.Name)
		a.Notice("%s: using the newest of several snapshots, %s", h.Name, now.Taken.Format(time.DateTime))
	}
	return f, nil
}

// read reads saved folders and live hosts together. One host that cannot be
// read does not stop the others; it fails only if there is none left.
func (a *app) read(ctx context.Context, argv []string) (*fleet, error) {
	f := &fleet{fleet: &model.Fleet{}, failed: []failedHost{}}
	var names []string
	for _, arg := range argv {
		if !isSnapshot(arg) {
			if strings.ContainsRune(arg, filepath.Separator) {
				return nil, fmt.Errorf("%s: no such folder", arg)
			}
			names = append(names, arg)
			continue
		}
		f.saved(ctx, arg)
	}
	if len(names) > 0 || len(argv) == 0 {
		if len(argv) == 0 && a.inventory == "" {
			return nil, command.Usage("name hosts or a folder that collect wrote, or give an inventory with -i")
		}
		if err := a.live(ctx, names, f); err != nil {
			return nil, err
		}
	}
	if err := f.pair(); err != nil {
		return nil, err
	}
	if len(f.fleet.Hosts) == 0 {
		if len(f.failed) == 0 {
			return nil, errors.New("no host was read")
		}
		var err error
		for _, x := range f.failed {
			err = errors.Join(err, errors.New(x.Error))
		}
		return nil, err
	}
	for _, x := range f.failed {
		a.Notice("%s", x.Error)
	}
	a.noticeNotRoot(f.fleet)
	for _, h := range f.fleet.Hosts {
		for _, g := range h.Lacks() {
			a.Notice("%s: %s is %s", h.Name, g.What, g.Why)
		}
		if lines := unread(h); len(lines) > 0 {
			a.Notice("%s: %s not recognised: %s (show host lists them)", h.Name, report.Plural(len(lines), "output"), lines[0])
		}
	}
	for _, c := range f.fleet.HMCs {
		for _, g := range c.Gaps {
			a.Notice("%s: %s: %s", c.Name, g.What, g.Why)
		}
	}
	f.fleet.MergeHMC()
	return f, nil
}

// unread are the commands of a host whose outputs are not what these commands print.
func unread(h *model.Host) (lines []string) {
	for _, g := range h.Gaps {
		if strings.HasSuffix(g.Why, parse.ErrNotRecognised.Error()) {
			lines = append(lines, g.What)
		}
	}
	return lines
}

// saved reads a folder that collect wrote. A host's folder that is broken in
// it does not stop the others.
func (f *fleet) saved(ctx context.Context, dir string) {
	got, err := collect.Inventories(ctx, dir)
	f.take(got, err)
}

// take keeps the hosts that were read, and why others were not. A host that is
// not AIX, VIOS or Linux was not audited, whatever it printed.
func (f *fleet) take(got *model.Fleet, err error) {
	f.fleet.Hosts = append(f.fleet.Hosts, got.Hosts...)
	f.fleet.HMCs = append(f.fleet.HMCs, got.HMCs...)
	for _, h := range got.Hosts {
		i := slices.IndexFunc(h.Gaps, func(g model.Gap) bool { return g.What == h.Name })
		switch {
		case i >= 0 && !f.hasFailed(h.Name):
			f.failed = append(f.failed, failedHost{h.Name, fmt.Sprintf("%s: not read completely: %s", h.Name, h.Gaps[i].Why)})
		case i < 0 && h.Platform != model.AIX && h.Platform != model.VIOS && h.Platform != model.Linux:
			f.failed = append(f.failed, failedHost{h.Name, h.Name + ": uname reports neither AIX, VIOS nor Linux, so it was not audited " +
				"(if it is one of them, set its platform in the inventory file)"})
		}
	}
	if err != nil {
		for why := range strings.SplitSeq(err.Error(), "\n") {
			f.failed = append(f.failed, failedHost{"", why})
		}
	}
}

func (f *fleet) hasFailed(host string) bool {
	return slices.ContainsFunc(f.failed, func(x failedHost) bool { return x.Host == host })
}

// live reads hosts as collect does, without keeping what they say.
func (a *app) live(ctx context.Context, names []string, f *fleet) error {
	c, err := a.open(ctx, names)
	if err != nil {
		return err
	}
	defer c.close()
	c.roundTrips = a.roundTrips
	out := c.read(ctx)
	for _, o := range out {
		if o.Err == nil {
			continue
		}
		why := o.Err.Error()
		if errors.Is(o.Err, remote.ErrNoAddress) && slices.Contains(names, o.Host) {
			why += ", and no such folder" + inLabHint(ctx, o.Host)
		}
		f.failed = append(f.failed, failedHost{o.Host, why})
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.take(collect.Assemble(out))
	return nil
}

// answerOf prints an answer about hosts; the exit status says if some are missing.
func (a *app) answerOf(got *fleet, data any, text func(p *report.Document)) error {
	var outcome error
	if len(got.failed) > 0 {
		outcome = command.Exit(command.ExitInconclusive, nil)
	}
	return a.Conclude(outcome, data, text)
}

// pair keeps the newest snapshot of every host, and of those that were there
// more than once the one before it.
func (f *fleet) pair() error {
	p := growth.Pair(f.fleet.Hosts)
	for _, o := range p.Others {
		f.failed = append(f.failed, failedHost{o.Host.Name, fmt.Sprintf("%s: two different hosts have this name (%s); "+
			"the snapshot of %s was skipped: read it separately, or save it under another name",
			o.Host.Name, o.Why, o.Host.Taken.Format(time.DateTime))})
	}
	if len(p.Twice) > 0 {
		return command.Usage("host %s is given twice", p.Twice[0])
	}
	f.fleet.Hosts, f.older = p.Newest, p.Older
	if len(p.Before) > 0 {
		f.before = &model.Fleet{Hosts: p.Before}
	}
	return nil
}
