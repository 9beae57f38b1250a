package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seaworthy/audit/growth"
	"seaworthy/change/execute"
	"seaworthy/cli/command"
	"seaworthy/collect"
	"seaworthy/inventory"
	"seaworthy/remote"
	"seaworthy/remote/become"
	"seaworthy/remote/hosts"
	"seaworthy/remote/labs"
	"seaworthy/report"
	"seaworthy/report/drawing"
)

// fleet is what DIR and HOST arguments gave.
type fleet struct {
	fleet  *inventory.Fleet
	before *inventory.Fleet // of hosts that were there more than once; nil: none
	older  map[string]int   // host → how many of its snapshots are earlier than both
	failed []failedHost
}

// options say where host names are looked up.
func (a *app) options() (hosts.Options, error) {
	o := hosts.Options{SSHConfig: a.sshConfig, Become: become.Method(a.become)}
	if a.run != nil {
		o.Run = a.run()
	}
	if err := o.Become.Check(); err != nil {
		return o, command.Usage("--%w", err)
	}
	switch {
	case a.inventory == "lab" || strings.HasPrefix(a.inventory, "lab:"):
		file, err := labs.Hosts(strings.TrimPrefix(strings.TrimPrefix(a.inventory, "lab"), ":"))
		if err != nil {
			return o, err
		}
		o.Inventory = file
	case a.inventory != "":
		o.Inventory = a.inventory
	}
	return o, nil
}

// journals are the user's runs; one that begins records how its hosts were named.
func (a *app) journals() (execute.Journals, error) {
	j, err := execute.DefaultJournals()
	j.Lookup = execute.Lookup{Inventory: a.inventory, SSHConfig: a.sshConfig}
	if a.inventory == "lab" { // by its name: another may be the only one later
		if file, err := labs.Hosts(""); err == nil {
			j.Lookup.Inventory = "lab:" + filepath.Base(filepath.Dir(file))
		}
	}
	for _, file := range []*string{&j.Lookup.Inventory, &j.Lookup.SSHConfig} {
		if *file == "" || *file == "lab" || strings.HasPrefix(*file, "lab:") {
			continue
		}
		if full, err := filepath.Abs(*file); err == nil {
			*file = full
		}
	}
	return j, err
}

// reaching is a with what a run was begun with, unless -i or -F is given.
func (a *app) reaching(run *execute.Run) *app {
	if a.inventory != "" || a.sshConfig != "" {
		return a
	}
	b := *a
	b.inventory, b.sshConfig = run.Lookup.Inventory, run.Lookup.SSHConfig
	return &b
}

// connected are hosts that can run commands.
type connected struct {
	hosts     []remote.Host
	platforms map[string]inventory.Platform // as the inventory file has them

	roundTrips bool   // between them are measured
	system     string // of an HMC: this one alone
}

// open connects hosts by name; none means all of the inventory. The caller
// closes them.
func (a *app) open(ctx context.Context, names []string) (*connected, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	c := &connected{}
	if c.platforms, err = a.platforms(ctx); err != nil {
		return nil, err
	}
	c.hosts, err = hosts.Open(ctx, names, o)
	return c, err
}

// platforms are those that the inventory file names.
func (a *app) platforms(ctx context.Context) (map[string]inventory.Platform, error) {
	platforms := map[string]inventory.Platform{}
	o, err := a.options()
	if err != nil || o.Inventory == "" {
		return platforms, err
	}
	inv, err := hosts.Load(ctx, o.Inventory)
	if err != nil {
		return nil, err
	}
	for name, e := range inv.Hosts {
		if e.Platform != "" {
			platforms[name] = inventory.Platform(e.Platform)
		}
	}
	return platforms, nil
}

func (c *connected) close() {
	for _, h := range c.hosts {
		h.Close()
	}
}

// leaveHMCs closes those that the inventory calls HMCs: nothing is changed or counted there.
func (c *connected) leaveHMCs() {
	c.hosts = slices.DeleteFunc(c.hosts, func(h remote.Host) bool {
		hmc := c.platforms[h.Name()] == collect.PlatformHMC
		if hmc {
			h.Close()
		}
		return hmc
	})
}

func (c *connected) byName() map[string]remote.Host {
	m := map[string]remote.Host{}
	for _, h := range c.hosts {
		m[h.Name()] = h
	}
	return m
}

func (c *connected) collect(ctx context.Context, dir string, replace bool) ([]collect.Outcome, error) {
	event, done := reading(ctx, "collecting", len(c.hosts))
	defer done()
	o := c.how()
	o.Replace = replace
	return collect.Fleet(ctx, c.hosts, dir, o, event)
}

func (c *connected) how() collect.Options {
	return collect.Options{Platforms: c.platforms, RoundTrips: c.roundTrips, System: c.system}
}

// read reads the hosts without keeping what they say.
func (c *connected) read(ctx context.Context) []collect.Live {
	event, done := reading(ctx, "reading", len(c.hosts))
	defer done()
	return collect.ReadFleet(ctx, c.hosts, c.how(), event)
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
	f := &fleet{fleet: &inventory.Fleet{}, failed: []failedHost{}}
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
	for _, c := range f.fleet.HMCs {
		for _, g := range c.Gaps {
			a.Notice("%s: %s: %s", c.Name, g.What, g.Why)
		}
	}
	f.fleet.MergeHMC()
	return f, nil
}

// saved reads a folder that collect wrote. A host's folder that is broken in
// it does not stop the others.
func (f *fleet) saved(ctx context.Context, dir string) {
	got, err := collect.Inventories(ctx, dir)
	f.take(got, err)
}

// take keeps the hosts that were read, and why others were not. A host that is
// not AIX, VIOS or Linux was not audited, whatever it printed.
func (f *fleet) take(got *inventory.Fleet, err error) {
	f.fleet.Hosts = append(f.fleet.Hosts, got.Hosts...)
	f.fleet.HMCs = append(f.fleet.HMCs, got.HMCs...)
	for _, h := range got.Hosts {
		i := slices.IndexFunc(h.Gaps, func(g inventory.Gap) bool { return g.What == h.Name })
		switch {
		case i >= 0 && !f.hasFailed(h.Name):
			f.failed = append(f.failed, failedHost{h.Name, fmt.Sprintf("%s: not read completely: %s", h.Name, h.Gaps[i].Why)})
		case i < 0 && h.Platform != inventory.AIX && h.Platform != inventory.VIOS && h.Platform != inventory.Linux:
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

// hostOf takes the host out of HOST or HOST:ELEMENT.
func hostOf(s string) string {
	host, _, _ := strings.Cut(s, ":")
	return host
}

func (c *connected) runner(journals execute.Journals) *execute.Runner {
	byName := c.byName()
	values := &collect.Values{Platforms: c.platforms}
	read := func(ctx context.Context, name string) (*inventory.Host, error) { return values.Read(ctx, byName[name]) }
	return &execute.Runner{Hosts: byName, Journals: journals, ReadOver: values.Read, Read: read}
}

// onPath keeps the hosts between the two measured ones, and those, and finds
// the address to measure if it was not given. Hosts that were named with --via
// all stay.
func (c *connected) onPath(ctx context.Context, a *app, f *benchFlags) error {
	if f.target != "" && (len(f.via) > 0 || a.inventory == "") {
		return nil
	}
	out := c.read(ctx)
	from, to := hostOf(f.from), hostOf(f.to)
	for _, o := range out {
		if o.Err != nil && (o.Host == from || o.Host == to || len(f.via) > 0) {
			return o.Err
		}
	}
	fleet, err := collect.Assemble(out)
	if err != nil {
		return err
	}
	p, err := fleet.Between(f.from, f.to)
	if err != nil {
		return fmt.Errorf("path %s to %s: %w", f.from, f.to, err)
	}
	f.fleet, f.between, f.lineRate, f.path = fleet, p, fleet.LineRate(p), drawing.Excerpt(fleet, p)
	if f.target == "" {
		if f.target, err = fleet.Target(p); err != nil {
			return err
		}
	}
	if len(f.via) > 0 {
		return nil
	}
	var keep []remote.Host
	for _, h := range c.hosts {
		on := func(x inventory.Hop) bool { return x.Ref != nil && x.Ref.Host == h.Name() }
		if h.Name() == from || h.Name() == to || slices.ContainsFunc(p.Hops, on) {
			keep = append(keep, h)
			continue
		}
		h.Close()
	}
	c.hosts = keep
	return nil
}

// answerOf prints an answer about hosts; the exit status says if some are missing.
func (a *app) answerOf(got *fleet, data any, text func(p *report.Printer)) error {
	var outcome error
	if len(got.failed) > 0 {
		outcome = command.Exit(command.ExitInconclusive, nil)
	}
	return a.Conclude(outcome, data, text)
}

// noticeNotRoot reports the hosts that were not read as root, those with the same
// reason in one line.
func (a *app) noticeNotRoot(fleet *inventory.Fleet) {
	names := map[string][]string{}
	for _, h := range fleet.Hosts {
		if why := collect.NotRoot(h.Gaps); why != "" {
			names[why] = append(names[why], h.Name)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(names)) {
		who := names[why]
		if more := len(who) - 5; more > 0 {
			who = append(who[:5:5], fmt.Sprintf("and %d more", more))
		}
		a.Notice("%s: %s", strings.Join(who, ", "), why)
	}
}

// inLabHint says which running lab has a host that was not found.
func inLabHint(ctx context.Context, host string) string {
	running, _ := labs.Running(labs.Dir())
	for _, lab := range running {
		inv, err := hosts.Load(ctx, labs.HostsFile(filepath.Join(labs.Dir(), lab)))
		if err == nil && slices.Contains(inv.Names(), host) {
			return "; lab " + lab + " has one: -i lab:" + lab
		}
	}
	return ""
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
		f.before = &inventory.Fleet{Hosts: p.Before}
	}
	return nil
}
