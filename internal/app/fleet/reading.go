package fleet

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/base/spelling"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/growth"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/remote"
)

// Reading holds what hosts and folders gave.
type Reading struct {
	Fleet  *model.Fleet   // the newest reading of every host
	Before *model.Fleet   // of hosts that were read more than once, the reading before; nil: none
	Older  map[string]int // host → how many of its snapshots are earlier than both
	Failed []Failure      // never nil: it is printed as []
}

// Failure is a host that was not read, or not to its end.
type Failure struct {
	Host  string `json:"host,omitempty"` // not known if its folder is broken
	Error string `json:"error"`

	Broke error `json:"-"` // what ended the reading of a running host; nil: it answered
}

func newReading() *Reading { return &Reading{Fleet: &model.Fleet{}, Failed: []Failure{}} }

// Complete reports whether every host was read to its end.
func (r *Reading) Complete() bool { return len(r.Failed) == 0 }

// FailedOn returns why a host was not read to its end.
func (r *Reading) FailedOn(host string) (why string, failed bool) {
	i := slices.IndexFunc(r.Failed, func(f Failure) bool { return f.Host == host })
	if i < 0 {
		return "", false
	}
	return r.Failed[i].Error, true
}

// Broken returns the running hosts that did not answer, or not to the end, and why.
func (r *Reading) Broken() map[string]string {
	hosts := map[string]string{}
	for _, f := range r.Failed {
		if f.Broke != nil {
			hosts[f.Host] = f.Broke.Error()
		}
	}
	return hosts
}

// addFolder reads a folder that collect wrote. A host's folder that is broken in
// it does not stop the others.
func (r *Reading) addFolder(ctx context.Context, dir string) {
	r.add(collect.Inventories(ctx, dir))
}

// addAnswers adds what running hosts said.
func (r *Reading) addAnswers(answers []collect.Live) {
	for _, a := range answers {
		if a.Err != nil {
			r.Failed = append(r.Failed, Failure{Host: a.Host, Error: a.Err.Error(), Broke: a.Err})
		}
	}
	r.add(collect.Assemble(answers))
}

// add keeps the hosts that were read, and why others were not. A host that is
// not AIX, VIOS or Linux was not audited, whatever it printed.
func (r *Reading) add(got *model.Fleet, err error) {
	r.Fleet.Hosts = append(r.Fleet.Hosts, got.Hosts...)
	r.Fleet.HMCs = append(r.Fleet.HMCs, got.HMCs...)
	for _, h := range got.Hosts {
		why := unfinished(h)
		_, known := r.FailedOn(h.Name)
		switch {
		case why != "" && !known:
			r.Failed = append(r.Failed, Failure{Host: h.Name, Error: fmt.Sprintf("%s: not read completely: %s", h.Name, why)})
		case why == "" && h.Platform != model.AIX && h.Platform != model.VIOS && h.Platform != model.Linux:
			r.Failed = append(r.Failed, Failure{Host: h.Name, Error: h.Name + ": not audited: " + whyNoPlatform(h)})
		}
	}
	if err != nil {
		for why := range strings.SplitSeq(err.Error(), "\n") {
			r.Failed = append(r.Failed, Failure{Error: why})
		}
	}
}

// whyNoPlatform says why the platform of a host is none that is audited.
func whyNoPlatform(h *model.Host) string {
	for _, g := range h.Gaps {
		if g.What == model.PlatformGap {
			return "its platform is not known: " + g.Why
		}
	}
	return "uname reports neither AIX, VIOS nor Linux (if it is one of them, set its platform in the inventory file)"
}

// unfinished returns why a host was not read to its end; empty if it was.
func unfinished(h *model.Host) string {
	for _, g := range h.Gaps {
		if g.What == h.Name {
			return g.Why
		}
	}
	return ""
}

// Pair makes a Reading of a fleet in which hosts are there once or several
// times: it keeps the newest snapshot of every host, and of those that are there
// more than once the one before it. A snapshot of another host of the same name
// becomes a failure. The error names the hosts that are there twice with the same
// time; the reading is good nevertheless.
func Pair(all *model.Fleet) (*Reading, error) {
	r := newReading()
	r.Fleet = all
	return r, r.pair()
}

func (r *Reading) pair() error {
	p := growth.Pair(r.Fleet.Hosts)
	for _, o := range p.Others {
		r.Failed = append(r.Failed, Failure{Host: o.Host.Name, Error: fmt.Sprintf("%s: two different hosts have this name (%s); "+
			"the snapshot of %s was skipped: read it separately, or save it under another name",
			o.Host.Name, o.Why, o.Host.Taken.Format(time.DateTime))})
	}
	r.Fleet.Hosts, r.Older = p.Newest, p.Older
	if len(p.Before) > 0 {
		r.Before = &model.Fleet{Hosts: p.Before}
	}
	if len(p.Twice) > 0 {
		return app.Usage("host %s is given twice", strings.Join(p.Twice, ", "))
	}
	return nil
}

// Options say what is read beside the settings and counters of hosts.
type Options struct {
	RoundTrips bool // running hosts measure the round trips between them
}

// Read reads folders and running hosts together; no names mean all of the hosts
// file. One host that cannot be read does not stop the others; Read fails only
// if there is none left.
func (a Access) Read(ctx context.Context, args []string, o Options) (*Reading, error) {
	r, names, err := readFolders(ctx, args)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 && a.HostsFile == "" && a.Past == nil {
		return nil, app.Usage("name hosts or a folder that collect wrote, or give an inventory with -i")
	}
	if len(names) > 0 || len(args) == 0 {
		err = a.addRunning(ctx, r, names, o)
		if err != nil {
			return nil, err
		}
	}
	err = r.pair()
	if err != nil {
		return nil, err
	}
	if len(r.Fleet.Hosts) == 0 {
		return nil, r.nothingRead()
	}
	a.noticeGaps(r)
	r.Fleet.MergeHMC()
	return r, nil
}

// ReadNewest is Read for a command that has no use for earlier snapshots: it
// says which are left out.
func (a Access) ReadNewest(ctx context.Context, args []string, o Options) (*Reading, error) {
	r, err := a.Read(ctx, args, o)
	if err != nil || r.Before == nil {
		return r, err
	}
	for _, h := range r.Before.Hosts {
		now := r.Fleet.Host(h.Name)
		a.Notice("%s: using the newest of several snapshots, %s", h.Name, now.Taken.Format(time.DateTime))
	}
	return r, nil
}

// misspelt refuses a name that no saved host has, but one is like.
func misspelt(saved *model.Fleet, names []string) error {
	var there []string
	for _, h := range saved.Hosts {
		there = append(there, h.Name)
	}
	for _, name := range names {
		hint := spelling.DidYouMean(name, there)
		if hint != "" && saved.Host(name) == nil {
			return fmt.Errorf("%s: no host of these folders%s", name, hint)
		}
	}
	return nil
}

// ReadChosen is ReadNewest, where names of hosts that folders beside them have choose these:
// "lpar1 today" is lpar1 as the folder today has it, and not the host as it runs.
func (a Access) ReadChosen(ctx context.Context, args []string) (*Reading, error) {
	r, names, err := readFolders(ctx, args)
	if err != nil {
		return nil, err
	}
	saved := func(name string) bool { return r.Fleet.Host(name) != nil }
	if a.HostsFile == "" {
		err = misspelt(r.Fleet, names)
		if err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(names, saved) {
		return a.ReadNewest(ctx, args, Options{})
	}
	rest := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return slices.Contains(names, arg) && saved(arg) })
	all, err := a.ReadNewest(ctx, rest, Options{})
	if err != nil {
		return nil, err
	}
	all.Fleet.Hosts = slices.DeleteFunc(all.Fleet.Hosts, func(h *model.Host) bool { return !slices.Contains(names, h.Name) })
	all.Failed = slices.DeleteFunc(all.Failed, func(f Failure) bool { return f.Host != "" && !slices.Contains(names, f.Host) })
	return all, nil
}

// readFolders reads the arguments that are folders; names are the others.
func readFolders(ctx context.Context, args []string) (r *Reading, names []string, err error) {
	r = newReading()
	for _, arg := range args {
		switch {
		case IsFolder(arg):
			r.addFolder(ctx, arg)
		case strings.ContainsRune(arg, filepath.Separator):
			return nil, nil, fmt.Errorf("%s: no such folder", arg)
		default:
			names = append(names, arg)
		}
	}
	return r, names, nil
}

// addRunning reads hosts as collect does, without keeping what they say.
func (a Access) addRunning(ctx context.Context, r *Reading, names []string, o Options) error {
	if a.Past != nil {
		hosts, err := a.Past(ctx, names)
		if err == nil {
			r.addAnswers(hosts)
		}
		return err
	}
	c, err := a.Open(ctx, names)
	if err != nil {
		return err
	}
	defer c.Close()
	answers := c.Ask(ctx, collect.Options{RoundTrips: o.RoundTrips})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.addAnswers(answers)
	for i := range r.Failed {
		f := &r.Failed[i]
		if errors.Is(f.Broke, remote.ErrNoAddress) && slices.Contains(names, f.Host) {
			f.Error += ", and no such folder" + labHint(ctx, f.Host)
		}
	}
	return nil
}

// nothingRead says why no host was read.
func (r *Reading) nothingRead() error {
	if r.Complete() {
		return errors.New("no host was read" + r.onlyHMCs())
	}
	var err error
	for _, f := range r.Failed {
		err = errors.Join(err, errors.New(f.Error))
	}
	return err
}

// onlyHMCs says what was read where that is lists of HMCs; empty if there are none.
func (r *Reading) onlyHMCs() string {
	var names []string
	for _, h := range r.Fleet.HMCs {
		names = append(names, h.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(": there are only lists of an HMC (%s), which say more of hosts that were read. Collect or import a partition or a "+
		"VIOS of its systems, and name both folders", strings.Join(names, ", "))
}

// noticeGaps tells which hosts were not read, and what the others did not say.
func (a Access) noticeGaps(r *Reading) {
	for _, f := range r.Failed {
		a.Notice("%s", f.Error)
	}
	a.NoticeNotRoot(r.Fleet)
	for _, h := range r.Fleet.Hosts {
		for _, g := range h.Lacks() {
			a.Notice("%s: %s is %s", h.Name, g.What, g.Why)
		}
		lines := unrecognised(h)
		switch len(lines) {
		case 0:
		case 1:
			a.Notice("%s: 1 output not recognised: %s (show host lists them)", h.Name, lines[0])
		default:
			a.Notice("%s: %d outputs not recognised: %s (show host lists them)", h.Name, len(lines), lines[0])
		}
	}
	for _, c := range r.Fleet.HMCs {
		for _, g := range c.Gaps {
			a.Notice("%s: %s: %s", c.Name, g.What, g.Why)
		}
	}
}

// unrecognised are the commands of a host whose outputs are not what these commands print.
func unrecognised(h *model.Host) (lines []string) {
	for _, g := range h.Gaps {
		if strings.HasSuffix(g.Why, parse.ErrNotRecognised.Error()) {
			lines = append(lines, g.What)
		}
	}
	return lines
}
