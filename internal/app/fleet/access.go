package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seaworthy/internal/app"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/labs"
	"seaworthy/internal/remote/shellword"
	"seaworthy/internal/remote/targets"
)

// Access is how hosts are found and logged in to.
type Access struct {
	HostsFile string        // -i: a file, "lab" or "lab:NAME"; empty: none
	SSHConfig string        // -F; empty: the user's own
	Become    become.Method // how to become root where the login is not
	Logins    *targets.Run  // shared by all connections of a command line; nil: each counts its own

	// Past gives saved hosts as they were at a time, instead of hosts that run: the named ones,
	// or all; nil: hosts run.
	Past func(ctx context.Context, names []string) ([]collect.Live, error)

	// OnNotice is called at once with each line that a user should see; nil: nobody listens.
	OnNotice func(line string)
}

// Notice passes a line on to OnNotice.
func (a Access) Notice(format string, args ...any) {
	if a.OnNotice != nil {
		a.OnNotice(fmt.Sprintf(format, args...))
	}
}

// Lab returns the name of the lab whose hosts these are, empty for the only
// one that runs; false if they are not those of a lab.
func (a Access) Lab() (name string, ok bool) {
	if a.HostsFile == "lab" {
		return "", true
	}
	return strings.CutPrefix(a.HostsFile, "lab:")
}

// Flags are -i and -F as they were given, each after a space, for a command to copy.
func (a Access) Flags() string {
	text := ""
	if a.HostsFile != "" {
		text += " -i " + shellword.Quote(a.HostsFile)
	}
	if a.SSHConfig != "" {
		text += " -F " + shellword.Quote(a.SSHConfig)
	}
	return text
}

// CommandLine is arguments of a command line, with the flags that find hosts.
func (a Access) CommandLine(args []string) string {
	var words []string
	for _, arg := range args {
		words = append(words, shellword.Quote(arg))
	}
	return strings.TrimSpace(strings.Join(words, " ") + a.Flags())
}

// options returns where host names are looked up.
func (a Access) options() (targets.Options, error) {
	o := targets.Options{Inventory: a.HostsFile, SSHConfig: a.SSHConfig, Become: a.Become, Run: a.Logins}
	err := o.Become.Check()
	if err != nil {
		return o, app.Usage("--%w", err)
	}
	if lab, ok := a.Lab(); ok {
		o.Inventory, err = labs.Hosts(lab)
	}
	return o, err
}

// Targets reads the hosts file; nil without one.
func (a Access) Targets(ctx context.Context) (*targets.Inventory, error) {
	o, err := a.options()
	if err != nil || o.Inventory == "" {
		return nil, err
	}
	return targets.Load(ctx, o.Inventory)
}

// Platforms returns the platforms that the hosts file gives, by host.
func (a Access) Platforms(ctx context.Context) (map[string]model.Platform, error) {
	platforms := map[string]model.Platform{}
	inv, err := a.Targets(ctx)
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

// Open connects hosts by name; none means all of the hosts file. The caller
// closes them.
func (a Access) Open(ctx context.Context, names []string) (*Connection, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	platforms, err := a.Platforms(ctx)
	if err != nil {
		return nil, err
	}
	hosts, err := targets.Open(ctx, names, o)
	if err != nil {
		return nil, err
	}
	return &Connection{Hosts: hosts, Platforms: platforms, Hung: &remote.Hung{}}, nil
}

// Journals are the user's runs; one that begins records how its hosts were named.
func (a Access) Journals() (execute.Journals, error) {
	j, err := execute.DefaultJournals()
	j.Lookup = execute.Lookup{Inventory: a.HostsFile, SSHConfig: a.SSHConfig}
	if a.HostsFile == "lab" { // by its name: another may be the only one later
		file, err := labs.Hosts("")
		if err == nil {
			j.Lookup.Inventory = "lab:" + filepath.Base(filepath.Dir(file))
		}
	}
	if _, ok := a.Lab(); !ok {
		j.Lookup.Inventory = absolute(j.Lookup.Inventory)
	}
	j.Lookup.SSHConfig = absolute(j.Lookup.SSHConfig)
	return j, err
}

// absolute returns a file's full name; an empty one stays empty.
func absolute(file string) string {
	if file == "" {
		return ""
	}
	full, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	return full
}

// Of returns the access that a run was begun with, unless this one names hosts itself.
func (a Access) Of(run *execute.Run) Access {
	if a.HostsFile == "" && a.SSHConfig == "" {
		a.HostsFile, a.SSHConfig = run.Lookup.Inventory, run.Lookup.SSHConfig
	}
	return a
}

// PathHosts are the hosts to open for A B [HOST]..., each once. With a hosts
// file there are none to name: it holds every host on the path.
func (a Access) PathHosts(args []string) (names []string) {
	if a.HostsFile != "" {
		return nil
	}
	for i, name := range args {
		if i < 2 {
			name = HostOf(name)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// HostOf returns the host of HOST or HOST:ELEMENT.
func HostOf(s string) string {
	host, _, _ := strings.Cut(s, ":")
	return host
}

// IsFolder reports whether an argument is a folder of snapshots, and not a host's name.
func IsFolder(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.IsDir()
}

// labHint says which running lab has a host that was not found.
func labHint(ctx context.Context, host string) string {
	running, _ := labs.Running(labs.Dir()) // a hint: without it the error stands alone
	for _, lab := range running {
		inv, err := targets.Load(ctx, labs.HostsFile(filepath.Join(labs.Dir(), lab)))
		if err == nil && slices.Contains(inv.Names(), host) {
			return "; lab " + lab + " has one: -i lab:" + lab
		}
	}
	return ""
}
