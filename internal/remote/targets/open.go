package targets

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/spelling"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/local"
	"seaworthy/internal/remote/sshconfig"
	"seaworthy/internal/remote/sshhost"
)

// Local is the name of this machine.
const Local = "local"

// Options say where names are looked up.
type Options struct {
	Inventory string        // inventory file; empty: none
	SSHConfig string        // as ssh -F; it overrules the inventory's. Empty: the user's own
	Become    become.Method // for every host; it overrules the inventory's. Auto: as there
	Run       *Run          // what several calls share; nil: this one is alone
}

// Run holds what the hosts of one run share: each SSH configuration, which is asked
// once for a host, and the logins.
type Run struct {
	logins  *sshhost.Logins
	mu      sync.Mutex
	configs map[string]*sshconfig.Config // by file
	others  map[string]bool              // names that somebody else gave
}

// NewRun begins a run that stops the logins of a user after so many refusals in a
// row; 0: never.
func NewRun(maxAuthFailures int) *Run {
	return &Run{logins: sshhost.NewLogins(maxAuthFailures), configs: map[string]*sshconfig.Config{},
		others: map[string]bool{}}
}

// OnNotice has what a user should know beside errors told: that a new host key was filed.
func (r *Run) OnNotice(tell func(text string)) { r.logins.OnNotice(tell) }

// GivenByOthers marks names that an HMC lists: they must not lead to this machine.
func (r *Run) GivenByOthers(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		r.others[name] = true
	}
}

// elsewhere is a way that does not lead to this machine.
func elsewhere(to sshSettings) sshSettings {
	return func() (*sshconfig.Settings, error) {
		s, err := to()
		if err != nil {
			return nil, err
		}
		marked := *s
		marked.NeverHere = true
		return &marked, nil
	}
}

func (r *Run) givenByOthers(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.others[name]
}

// Open turns names into hosts, in the order given, each once. Nothing is
// connected yet: that happens with the first command. No name at all means
// every host of the inventory. The caller closes the hosts.
func Open(ctx context.Context, names []string, o Options) ([]remote.Host, error) {
	if o.Run == nil {
		o.Run = NewRun(sshhost.DefaultMaxAuthFailures)
	}
	r := resolver{o: o}
	if o.Inventory != "" {
		var err error
		if r.inventory, err = Load(ctx, o.Inventory); err != nil {
			return nil, err
		}
		if len(names) == 0 {
			names = r.inventory.Names()
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no host given")
	}
	if r.inventory != nil {
		names = r.inventory.expand(names)
	}
	var out []remote.Host
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		if name == Local {
			out = append(out, remote.Logged(local.New(Local)))
			continue
		}
		settings, err := r.find(name)
		if err != nil {
			return nil, err
		}
		if o.Run.givenByOthers(name) {
			settings = elsewhere(settings)
		}
		out = append(out, become.New(remote.Logged(sshhost.New(name, settings, o.Run.logins)), r.method(name)))
	}
	return out, nil
}

// sshSettings gives how to reach a host. It asks the user's ssh, so it is called only
// when the host is used.
type sshSettings func() (*sshconfig.Settings, error)

type resolver struct {
	o         Options
	inventory *Inventory
}

func (r *resolver) config(file string) (*sshconfig.Config, error) {
	file = cmp.Or(r.o.SSHConfig, file)
	r.o.Run.mu.Lock()
	defer r.o.Run.mu.Unlock()
	if c, ok := r.o.Run.configs[file]; ok {
		return c, nil
	}
	c, err := sshconfig.New(file)
	if err == nil {
		r.o.Run.configs[file] = c
	}
	return c, err
}

// find checks a name. With an inventory, a bare name that is not in it is a
// mistake, not a name for the resolver: user@host says that a host outside the
// file is meant.
func (r *resolver) find(name string) (sshSettings, error) {
	file := ""
	if r.inventory != nil {
		if _, ok := r.inventory.Hosts[name]; ok {
			return r.listed(name, nil)
		}
		if !strings.ContainsAny(name, "@:") {
			names := r.inventory.Names()
			return nil, fmt.Errorf("%s: not in %s%s (it has %s)", name, r.inventory.File, spelling.DidYouMean(name, names), few(names))
		}
		file = r.inventory.SSHConfig
	}
	t, err := sshconfig.ParseTarget(name)
	if err != nil {
		return nil, err
	}
	return r.target(file, t)
}

// method is how a host's login becomes root.
func (r *resolver) method(name string) become.Method {
	switch {
	case r.o.Become != become.Auto || r.inventory == nil:
		return r.o.Become
	case r.inventory.Hosts[name].Become != become.Auto:
		return r.inventory.Hosts[name].Become
	}
	if t, err := sshconfig.ParseTarget(name); err == nil {
		name = t.Alias
	}
	return r.inventory.Become.of(name)
}

func (r *resolver) target(file string, t sshconfig.Target) (sshSettings, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	c, err := r.config(file)
	if err != nil {
		return nil, err
	}
	return func() (*sshconfig.Settings, error) { return c.Resolve(t) }, nil
}

// listed finds an entry of the inventory and the way to it.
func (r *resolver) listed(name string, through []string) (sshSettings, error) {
	e := r.inventory.Hosts[name]
	if slices.Contains(through, name) {
		return nil, fmt.Errorf("%s: via goes in a circle: %s", r.inventory.File, strings.Join(append(through, name), " → "))
	}
	t := sshconfig.Target{Alias: name, Address: e.Address, User: e.User, Port: e.Port, ProxyJump: e.Via}
	_, viaListed := r.inventory.Hosts[e.Via]
	if viaListed {
		t.ProxyJump = "none"
	}
	direct, err := r.target(cmp.Or(e.SSHConfig, r.inventory.SSHConfig), t)
	if err != nil || !viaListed {
		return direct, err
	}
	before, err := r.listed(e.Via, append(through, name))
	if err != nil {
		return nil, err
	}
	return func() (*sshconfig.Settings, error) {
		s, err := direct()
		if err != nil {
			return nil, err
		}
		behind := *s
		behind.Jump, err = before()
		return &behind, err
	}, nil
}

// few lists names without flooding a terminal.
func few(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
