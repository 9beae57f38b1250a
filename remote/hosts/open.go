package hosts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"seaworthy/remote"
	"seaworthy/remote/local"
	"seaworthy/remote/sshconfig"
	"seaworthy/remote/sshhost"
)

// Local is the name of this machine.
const Local = "local"

// Options say where names are looked up.
type Options struct {
	Inventory string // inventory file; empty: none
	SSHConfig string // as ssh -F; it overrules the inventory's. Empty: the user's own
}

// Open turns names into hosts, in the order given, each once. Nothing is
// connected yet: that happens with the first command. No name at all means
// every host of the inventory. The caller closes the hosts.
func Open(ctx context.Context, names []string, o Options) ([]remote.Host, error) {
	r := resolver{o: o, configs: map[string]*sshconfig.Config{}}
	if o.Inventory != "" {
		var err error
		if r.inventory, err = Load(o.Inventory); err != nil {
			return nil, err
		}
		if len(names) == 0 {
			names = r.inventory.Names()
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no host given")
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
		s, err := r.settings(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, remote.Logged(sshhost.New(name, s)))
	}
	return out, nil
}

type resolver struct {
	o         Options
	inventory *Inventory
	configs   map[string]*sshconfig.Config // by file, each read once
}

func (r *resolver) config(file string) (*sshconfig.Config, error) {
	if r.o.SSHConfig != "" {
		file = r.o.SSHConfig
	}
	if c, ok := r.configs[file]; ok {
		return c, nil
	}
	c, err := sshconfig.Load(file)
	if err != nil {
		return nil, err
	}
	r.configs[file] = c
	return c, nil
}

// settings finds how to reach a name. With an inventory, a bare name that is
// not in it is a mistake, not a name for the resolver: user@host says that a
// host outside the file is meant.
func (r *resolver) settings(ctx context.Context, name string) (*sshconfig.Settings, error) {
	if r.inventory != nil {
		if _, ok := r.inventory.Hosts[name]; ok {
			return r.listed(ctx, name, nil)
		}
		if !strings.ContainsAny(name, "@:") {
			return nil, fmt.Errorf("%s: not in %s, which has: %s", name, r.inventory.File, few(r.inventory.Names()))
		}
	}
	t, err := sshconfig.ParseTarget(name)
	if err != nil {
		return nil, err
	}
	file := ""
	if r.inventory != nil {
		file = r.inventory.SSHConfig
	}
	c, err := r.config(file)
	if err != nil {
		return nil, err
	}
	return c.Resolve(ctx, t)
}

// listed resolves an entry of the inventory and the way to it.
func (r *resolver) listed(ctx context.Context, name string, through []string) (*sshconfig.Settings, error) {
	e := r.inventory.Hosts[name]
	if slices.Contains(through, name) {
		return nil, fmt.Errorf("%s: via goes in a circle: %s", r.inventory.File, strings.Join(append(through, name), " → "))
	}
	file := e.SSHConfig
	if file == "" {
		file = r.inventory.SSHConfig
	}
	c, err := r.config(file)
	if err != nil {
		return nil, err
	}
	t := sshconfig.Target{Alias: name, Address: e.Address, User: e.User, Port: e.Port}
	_, viaListed := r.inventory.Hosts[e.Via]
	switch {
	case viaListed:
		t.ProxyJump = "none"
	case e.Via != "":
		t.ProxyJump = e.Via
	}
	s, err := c.Resolve(ctx, t)
	if err != nil {
		return nil, err
	}
	if viaListed {
		if s.Jump, err = r.listed(ctx, e.Via, append(through, name)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// few lists names without flooding a terminal.
func few(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
