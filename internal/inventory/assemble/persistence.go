package assemble

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linewise"
)

// persistenceFeed has what brings settings of Linux back at the next boot.
type persistenceFeed struct{ *builder }

var persistenceRows = []row{
	{"boot-files", feeds(5, persistenceFeed.bootFiles)},
	{"nmcli", feeds(6, persistenceFeed.connections)}, // what NetworkManager has, no file sets
}

// ours is the file of sysctls that seaworthy writes.
const ours = "60-seaworthy.conf"

// inits are the names of first processes that start a whole system; any other
// one is a program's, in a container.
var inits = []string{"systemd", "init", "openrc-init", "runit", "busybox", "linuxrc", "procd", "dinit", "s6-svscan"}

// bootConfig is what the files say that are read when a Linux host boots.
type bootConfig struct {
	o      Output
	init   string              // the first process
	within string              // the container that systemd says it runs in
	script bool                // init runs sysctl
	names  map[string]string   // of devices, by index
	files  map[string][]string // lines, by path
	at     map[string]int      // the first line of each file in the output
	own    map[string]map[string]string
}

func readBoot(o Output, f *linewise.FileLines) *bootConfig {
	c := &bootConfig{o: o, names: map[string]string{}, files: map[string][]string{}, at: map[string]int{},
		own: map[string]map[string]string{}}
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
			c.names[text] = path.Base(path.Dir(l.Path))
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
	managed := c.networkd()
	for name, e := range b.host.Elements {
		p := c.keeper(name, managed[name])
		p.Units, p.Own = c.systemd(), c.own[name]
		if p.By == "" && p.Why == "" && p.Units {
			p.By = model.Unit
		}
		if p.By == "" {
			p.Why = cmp.Or(p.Why, "no NetworkManager, systemd-networkd, netplan, ifcfg or ifupdown has it, and "+
				cmp.Or(c.init, "init")+" takes no units")
		}
		e.Persistence = p
		b.nextBoot(e, p, c.configured(p, name))
	}
}

// nextBoot sets what devices' attributes will be.
func (b persistenceFeed) nextBoot(e *model.Element, p *model.Persistence, configured model.Origin) {
	for _, name := range model.Persistent {
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

// keeper is what sets a device up.
func (c *bootConfig) keeper(name, network string) *model.Persistence {
	if why := c.nothing(); why != "" {
		return &model.Persistence{Why: why}
	}
	if id, ok := strings.CutPrefix(network, "10-netplan-"); ok {
		id = strings.TrimSuffix(id, ".network")
		return &model.Persistence{By: model.Netplan, Name: id, Label: fmt.Sprintf("netplan's definition %q", id)}
	}
	if network != "" {
		p := &model.Persistence{By: model.Networkd, Name: network, Label: "systemd-networkd's " + network}
		if !c.alone(network) {
			p.Lacks = map[string]string{"mtu": network + " is for several devices"}
		}
		return p
	}
	for _, file := range slices.Sorted(maps.Keys(c.files)) {
		switch {
		case strings.HasPrefix(file, "/etc/network/interfaces") && len(c.stanza(file, name)) > 0:
			return &model.Persistence{By: model.Ifupdown, Name: file, Label: "ifupdown's " + file}
		case strings.HasPrefix(file, "/etc/sysconfig/") && path.Base(file) == "ifcfg-"+name:
			return &model.Persistence{By: model.Ifcfg, Name: file, Label: file}
		}
	}
	return &model.Persistence{}
}

// networkd are the .network files of the devices that it manages, by device.
func (c *bootConfig) networkd() map[string]string {
	out := map[string]string{}
	for file, lines := range c.files {
		index, ok := strings.CutPrefix(file, "/run/systemd/netif/links/")
		state, network := last(lines, "ADMIN_STATE="), last(lines, "NETWORK_FILE=")
		if ok && network != "" && state != "unmanaged" && c.names[index] != "" {
			out[c.names[index]] = path.Base(network)
		}
	}
	return out
}

// networkFile gives the lines of the .network file that is in force of those
// with a name: what is in /etc wins.
func (c *bootConfig) networkFile(name string) (string, []string) {
	for _, dir := range []string{"/etc", "/run", "/usr/lib"} {
		if file := dir + "/systemd/network/" + name; c.files[file] != nil {
			return file, c.files[file]
		}
	}
	return "", nil
}

// alone says whether a .network file is for one device only.
func (c *bootConfig) alone(network string) bool {
	_, lines := c.networkFile(network)
	one := func(s string) bool { return s != "" && !strings.ContainsAny(s, "*?[! \t") }
	return one(last(lines, "Name=")) || one(last(lines, "MACAddress=")) || one(last(lines, "PermanentMACAddress="))
}

// configured is the line that sets a device's MTU, of the distribution's own configuration.
func (c *bootConfig) configured(p *model.Persistence, name string) model.Origin {
	file, key, of := p.Name, "MTU=", c.files[p.Name]
	switch p.By {
	case model.Networkd:
		key = "MTUBytes="
		file, of = c.networkFile(p.Name)
		for _, drop := range slices.Sorted(maps.Keys(c.files)) { // a drop-in comes after its file
			if strings.HasPrefix(drop, "/etc/systemd/network/"+p.Name+".d/") && last(c.files[drop], key) != "" {
				file, of = drop, c.files[drop]
			}
		}
	case model.Ifupdown:
		key, of = "mtu ", c.stanza(p.Name, name)
	case model.Ifcfg:
	default:
		return model.Origin{}
	}
	value := strings.Trim(last(of, key), `"' `)
	if !whole10(value) {
		return model.Origin{}
	}
	return model.Origin{Command: c.o.Command, Line: c.at[file], Text: file + ": " + key + value}
}

// stanza are the lines of a device's stanzas in a file of ifupdown.
func (c *bootConfig) stanza(file, name string) (out []string) {
	inside := false
	for _, l := range c.files[file] {
		if w := strings.Fields(l); len(w) > 1 && w[0] == "iface" {
			inside = w[1] == name
		}
		if inside {
			out = append(out, strings.Join(strings.Fields(l), " "))
		}
	}
	return out
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
	p := &model.Persistence{By: model.SysctlD, Name: "/etc/sysctl.d/" + ours, Label: "/etc/sysctl.d/" + ours,
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
			} else if by != file && last || by == file && path.Base(file) > ours {
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

// connections reads NetworkManager's, which win over files where it manages a device.
func (b persistenceFeed) connections(o Output, c *linewise.ConnectionList) {
	for _, x := range c.Connections {
		e := b.host.Elements[x.Device()]
		if e == nil || x.UUID() == "" || e.Persistence != nil && e.Persistence.By == "" {
			continue
		}
		p := &model.Persistence{Own: map[string]string{}, Lacks: map[string]string{}}
		if files := e.Persistence; files != nil {
			p.Units = files.Units
			maps.Copy(p.Own, files.Own)
		}
		if id, ok := strings.CutPrefix(x.ID(), "netplan-"); ok {
			p.By, p.Name, p.Label = model.Netplan, id, fmt.Sprintf("netplan's definition %q", id)
		} else {
			p.By, p.Name, p.Label = model.NetworkManager, x.UUID(), fmt.Sprintf("NetworkManager connection %q", x.ID())
			connection(p, x, c.Version)
		}
		e.Persistence = p
		b.nextBoot(e, p, model.Origin{})
	}
}

// connection takes the properties of one, as attributes have them.
func connection(p *model.Persistence, x *linewise.Connection, version string) {
	var major, minor int
	_, err := fmt.Sscanf(version, "%d.%d", &major, &minor)
	for attr, property := range model.Properties {
		if property.Since != [2]int{} && err != nil || major < property.Since[0] || major == property.Since[0] && minor < property.Since[1] {
			p.Lacks[attr] = fmt.Sprintf("NetworkManager has %s from %d.%d on", property.Name, property.Since[0], property.Since[1])
			continue
		}
		delete(p.Own, attr)
		of, option, inside := strings.Cut(property.Name, " ")
		value := x.Properties[of]
		if inside {
			value = last(strings.Split(value, ","), option+"=")
		}
		if value != "" && value != "auto" && value != "ignore" && value != "--" && (attr != "mtu" || value != "0") {
			p.Own[attr] = value
		}
	}
}
