package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/inventory/netmanager"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// persistenceFeed has what brings settings of Linux back at the next boot.
type persistenceFeed struct{ *hostBuilder }

var persistenceRows = []row{
	{"boot-files", feeds(5, persistenceFeed.bootFiles)},
	{"nmcli", feeds(6, persistenceFeed.connections)}, // what NetworkManager has, no file sets
}

// inits are the names of first processes that start a whole system; any other
// one is a program's, in a container.
var inits = []string{"systemd", "init", "openrc-init", "runit", "busybox", "linuxrc", "procd", "dinit", "s6-svscan"}

// bootConfig holds what the files say that are read when a Linux host boots.
type bootConfig struct {
	o      Output
	init   string              // the first process
	within string              // the container that systemd says it runs in
	script bool                // init runs sysctl
	index  map[string]string   // of devices, by name
	files  map[string][]string // lines, by path
	paths  []string            // of the files, sorted
	at     map[string]int      // the first line of each file in the output
	own    map[string]map[string]string
	parts  map[string]map[string][]string // lines of devices' sections, by path and device
}

func readBoot(o Output, f *linewise.FileLines) *bootConfig {
	c := &bootConfig{o: o, index: map[string]string{}, files: map[string][]string{}, at: map[string]int{},
		own: map[string]map[string]string{}, parts: map[string]map[string][]string{}}
	for _, l := range f.Lines {
		text := strings.TrimSpace(l.Value)
		switch {
		case l.Path == "/proc/1/comm":
			c.init = text
		case l.Path == "/run/systemd/container":
			c.within = text
		case strings.HasPrefix(l.Path, "/etc/init.d/"):
			c.script = c.script || strings.HasPrefix(text, "# Provides:")
		case strings.HasPrefix(l.Path, "/sys/class/net/"):
			c.index[path.Base(path.Dir(l.Path))] = text
		default:
			if c.at[l.Path] == 0 {
				c.at[l.Path] = l.Number
			}
			c.files[l.Path] = append(c.files[l.Path], text)
		}
		if w := strings.SplitN(text, " ", 5); len(w) == 5 && w[0] == "#" && w[1] == "seaworthy" {
			if c.own[w[2]] == nil {
				c.own[w[2]] = map[string]string{}
			}
			c.own[w[2]][w[3]] = w[4]
		}
	}
	c.paths = slices.Sorted(maps.Keys(c.files))
	return c
}

func (c *bootConfig) systemd() bool { return c.init == "systemd" && c.within == "" }

// nothing is why nothing on the host is known to keep a value; empty: something may.
func (c *bootConfig) nothing() string {
	switch {
	case c.within != "":
		return "it is a container (" + c.within + "), which is set up from outside"
	case c.init != "" && !slices.Contains(inits, c.init):
		return "its first process is " + c.init + ", not an init: a container is set up from outside"
	}
	return ""
}

// bootFiles reads what sets a host up when it boots, apart from NetworkManager.
func (b persistenceFeed) bootFiles(o Output, f *linewise.FileLines) {
	c := readBoot(o, f)
	kernelFeed(b).within(c.nothing())
	b.bootSysctls(c)
	for name, e := range b.host.Elements {
		p, configured := c.persistence(name)
		p.Units, p.Own = c.systemd(), c.own[name]
		if p.By == "" && p.Why == "" && p.Units {
			p.By = netmanager.Unit().Name
		}
		if p.By == "" {
			p.Why = cmp.Or(p.Why, fmt.Sprintf("no %s has it, and %s takes no units", netmanager.OfDevices(), cmp.Or(c.init, "init")))
		}
		e.Persistence = p
		b.nextBoot(e, p, configured)
	}
}

// nextBoot sets what devices' attributes will be.
func (b persistenceFeed) nextBoot(e *model.Element, p *model.Persistence, configured model.Origin) {
	for _, name := range netmanager.Attributes() {
		a := e.Attrs[name]
		if a == nil || p.By == "" {
			continue
		}
		value := p.Own[name]
		if name == "mtu" && value == "" && configured.Text != "" {
			value = configured.Text[strings.LastIndexAny(configured.Text, "= \t:")+1:]
			a.From = slices.Insert(a.From, 0, configured)
		}
		a.NextBoot = &value
	}
}

// last is the value of the last line that begins with a key.
func last(lines []string, key string) (value string) {
	for _, l := range lines {
		if v, ok := strings.CutPrefix(l, key); ok {
			value = strings.TrimSpace(v)
		}
	}
	return value
}

// folders of sysctl.d: a file hides those of its name in later ones.
var folders = []string{"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d", "/lib/sysctl.d"}

var assigned = parse.Lazy(`^-?(net[./][A-Za-z0-9_./-]+)\s*=\s*(.*)$`)

// bootSysctls reads what sysctl.d sets.
func (b persistenceFeed) bootSysctls(c *bootConfig) {
	ours := netmanager.SysctlFile()
	p := &model.Persistence{By: ours.Name, Name: ours.Path, Label: ours.Label,
		Units: c.systemd(), Own: map[string]string{}, Later: map[string]string{}}
	if why := c.nothing(); why != "" || !c.systemd() && !c.script {
		p = &model.Persistence{Why: cmp.Or(why, cmp.Or(c.init, "init")+" is not known to read /etc/sysctl.d")}
	}
	b.host.Persistence = p
	if p.By == "" {
		return
	}
	values, from := map[string]string{}, map[string]model.Origin{}
	tuned, last := c.tuned()
	var over []string // sysctls that tuned's profile takes from sysctl.d
	for _, file := range c.inOrder(tuned, last) {
		by := file
		if slices.Contains(tuned, file) {
			by = "tuned's profile " + c.profile()
		}
		for i, l := range c.files[file] {
			m := assigned.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			name, value := strings.ReplaceAll(m[1], "/", "."), strings.Join(strings.Fields(strings.Trim(m[2], `"`)), " ")
			if strings.Contains(value, "${") {
				continue // tuned fills it in
			}
			if was, set := values[name]; set && by != file && last && was != value {
				over = append(over, name)
			}
			values[name], from[name] = value, model.Origin{Command: c.o.Command, Line: c.at[file] + i, Text: file + ":" + l}
			if file == p.Name {
				p.Own[name] = value
			} else if by != file && last || by == file && path.Base(file) > path.Base(ours.Path) {
				p.Later[name] = by
			}
		}
	}
	if profile := c.profile(); profile != "" {
		const active = "/etc/tuned/active_profile"
		at := model.Origin{Command: c.o.Command, Line: c.at[active], Text: active + ":" + profile}
		kernelFeed(b).tunable("tuned.profile", profile, at)
		if len(tuned) > 0 { // otherwise the profile's files were not read
			slices.Sort(over)
			kernelFeed(b).tunable("tuned.overrides", cmp.Or(strings.Join(slices.Compact(over), ","), "none"), at)
		}
	}
	for name, a := range b.host.Tunables {
		if !strings.HasPrefix(name, "net.") {
			continue
		}
		value, set := values[name]
		a.NextBoot = &value
		if set {
			a.From = slices.Insert(a.From, 0, from[name])
		}
	}
	maps.DeleteFunc(p.Later, func(name, _ string) bool { return b.host.Tunables[name] == nil })
}
