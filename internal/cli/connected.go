package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/labs"
	"seaworthy/internal/remote/targets"
)

// options say where host names are looked up.
func (a *app) options() (targets.Options, error) {
	o := targets.Options{SSHConfig: a.sshConfig, Become: become.Method(a.become)}
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
	platforms map[string]model.Platform // as the inventory file has them

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
	c.hosts, err = targets.Open(ctx, names, o)
	return c, err
}

// ofPath are the hosts to open for A B [HOST]..., each once; none with an inventory:
// whoever is on the path is in it.
func (a *app) ofPath(argv []string) (names []string) {
	if a.inventory != "" {
		return nil
	}
	for i, name := range argv {
		if i < 2 {
			name = hostOf(name)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// platforms are those that the inventory file names.
func (a *app) platforms(ctx context.Context) (map[string]model.Platform, error) {
	platforms := map[string]model.Platform{}
	inv, err := a.hostsFile(ctx)
	if err != nil || inv == nil {
		return platforms, err
	}
	for name, e := range inv.Hosts {
		if e.Platform != "" {
			platforms[name] = model.Platform(e.Platform)
		}
	}
	return platforms, nil
}

// hostsFile is the inventory that -i names; nil without one.
func (a *app) hostsFile(ctx context.Context) (*targets.Inventory, error) {
	o, err := a.options()
	if err != nil || o.Inventory == "" {
		return nil, err
	}
	return targets.Load(ctx, o.Inventory)
}

func (c *connected) close() {
	for _, h := range c.hosts {
		h.Close()
	}
}

// leaveHMCs closes those that the inventory calls HMCs: nothing is changed or counted there.
func (c *connected) leaveHMCs() {
	c.keep(func(host string) bool { return c.platforms[host] != collect.PlatformHMC })
}

// keep closes the other hosts.
func (c *connected) keep(wanted func(host string) bool) {
	c.hosts = slices.DeleteFunc(c.hosts, func(h remote.Host) bool {
		unwanted := !wanted(h.Name())
		if unwanted {
			h.Close()
		}
		return unwanted
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

func (c *connected) runner(journals execute.Journals) *execute.Runner {
	byName := c.byName()
	values := &collect.Values{Platforms: c.platforms}
	read := func(ctx context.Context, name string) (*model.Host, error) { return values.Read(ctx, byName[name]) }
	return &execute.Runner{Hosts: byName, Journals: journals, ReadOver: values.Read, Read: read}
}

// hostOf takes the host out of HOST or HOST:ELEMENT.
func hostOf(s string) string {
	host, _, _ := strings.Cut(s, ":")
	return host
}

// reading shows how far the reading of hosts is, until done is called.
func reading(ctx context.Context, doing string, hosts int) (event func(collect.Event), done func()) {
	t := progress.Begin(ctx, doing, "host", hosts)
	parts := map[string]float64{} // of the hosts that are being read
	ended := 0
	return func(e collect.Event) {
		switch {
		case e.Ended:
			delete(parts, e.Host)
			ended++
			t.At(ended, hosts)
		case e.Total > 0:
			parts[e.Host] = float64(e.Done) / float64(e.Total)
		}
		if e.Ended && e.Err != nil {
			t.Failed(e.Host)
		}
		sum := float64(ended)
		for _, p := range parts {
			sum += p
		}
		t.Share(sum / float64(max(hosts, 1)))
		if e.Line != "" {
			t.Now(strings.TrimSpace(e.Host + " $ " + e.Line))
		}
	}, t.End
}
