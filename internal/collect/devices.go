package collect

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsdev"
)

// devices is what an AIX or VIOS has, as far as it decides what is asked next.
type devices struct {
	adapters   []string // entN that are Available, in the host's order
	interfaces []string // enN that are Available or configured
	virtual    []string // adapters that are virtual Ethernet (l-lan)
	configured map[string]bool
	odd        []string            // names that cannot be devices'
	members    map[string][]string // SEA, EtherChannel, VLAN device → adapters below it
	sea        map[string]bool
	vlan       map[string]bool
	accounted  []string // SEAs that count their clients
	servers    []string // vNIC servers
}

var (
	adapterName   = parse.Lazy(`^ent[0-9]{1,5}$`)
	interfaceName = parse.Lazy(`^en[0-9]{1,5}$`)
	serverName    = parse.Lazy(`^vnicserver[0-9]{1,5}$`)
	// An interface begins a line of ifconfig -a ("en0: flags=") or of netstat
	// ("en0   1500 "); a * after it there marks one that is down.
	interfaceLine = parse.Lazy(`(?m)^(en[0-9]{1,5})[*:]?[ \t]`)
)

// readDevices takes the lists of adapters and interfaces; a text that is not
// such a list adds nothing.
func readDevices(lists [][]byte, configured []byte) *devices {
	d := &devices{configured: map[string]bool{}, members: map[string][]string{}, sea: map[string]bool{}, vlan: map[string]bool{}}
	for _, m := range interfaceLine.Regexp().FindAllSubmatch(configured, -1) {
		d.configured[string(m[1])] = true
	}
	seen := map[string]bool{}
	for _, text := range lists {
		l, err := lsdev.Parse(text)
		if err != nil {
			continue // the gap is noted where the output is used for its values
		}
		for _, dev := range l.Devices {
			name := dev.Name
			if seen[name] {
				continue
			}
			seen[name] = true
			switch {
			case adapterName.MatchString(name) && dev.Status == "Available":
				d.adapters = append(d.adapters, name)
				if virtualEthernet(dev.Description) {
					d.virtual = append(d.virtual, name)
				}
			case interfaceName.MatchString(name) && (dev.Status == "Available" || d.configured[name]):
				d.interfaces = append(d.interfaces, name)
			case serverName.MatchString(name) && dev.Status == "Available":
				d.servers = append(d.servers, name)
			case !device.MatchString(name) && strings.HasPrefix(name, "en"):
				d.odd = append(d.odd, name)
			}
		}
	}
	for _, m := range interfaceLine.Regexp().FindAllSubmatch(configured, -1) {
		if name := string(m[1]); !seen[name] {
			seen[name] = true
			d.interfaces = append(d.interfaces, name)
		}
	}
	return d
}

func virtualEthernet(description string) bool {
	s := strings.ToLower(description)
	return strings.Contains(s, "l-lan") || strings.Contains(s, "virtual i/o ethernet")
}

// structure reads from an adapter's attributes which adapters it is built on.
func (d *devices) structure(adapter string, attributes []byte) {
	l, err := lsattr.Parse(attributes)
	if err != nil {
		return
	}
	if v, _ := l.Value("accounting"); v == "enabled" {
		d.accounted = append(d.accounted, adapter)
	}
	for _, name := range []string{"real_adapter", "virt_adapters", "ctl_chan", "adapter_names", "backup_adapter", "base_adapter"} {
		v, ok := l.Value(name)
		d.sea[adapter] = d.sea[adapter] || ok && name == "real_adapter"
		d.vlan[adapter] = d.vlan[adapter] || ok && name == "base_adapter"
		for _, m := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' }) {
			if adapterName.MatchString(m) && m != adapter && !slices.Contains(d.members[adapter], m) {
				d.members[adapter] = append(d.members[adapter], m)
			}
		}
	}
}

// polled decides which adapters entstat asks, and why each other one is left
// alone. Asking a port that nothing uses opens it, and a port without a cable
// then logs a link error; asking a member of an SEA or EtherChannel as well
// as its owner would count it twice.
func (d *devices) polled() (ask, unused []string) {
	used := map[string]bool{}
	var use func(string)
	use = func(a string) {
		if used[a] {
			return
		}
		used[a] = true
		for _, m := range d.members[a] {
			use(m)
		}
	}
	for _, a := range d.adapters {
		if d.sea[a] || d.configured["en"+strings.TrimPrefix(a, "ent")] {
			use(a)
		}
	}
	covered := map[string]bool{}
	for a := range used {
		if !slices.Contains(d.adapters, a) || d.vlan[a] {
			continue // not asked, or its output does not include what is below
		}
		for _, m := range d.members[a] {
			covered[m] = true
		}
	}
	for _, a := range d.adapters {
		switch {
		case !used[a]:
			unused = append(unused, a)
		case !covered[a]:
			ask = append(ask, a)
		}
	}
	return ask, unused
}

var statisticsOf = parse.Lazy(`STATISTICS \((ent?[0-9]+)\)`)

// left are the members that an owner's entstat did not include after all (an
// older level, or the command failed): they are asked by themselves.
func (d *devices) left(owner string, text []byte) []string {
	shown := map[string]bool{}
	for _, m := range statisticsOf.Regexp().FindAllSubmatch(text, -1) {
		shown["ent"+strings.TrimLeft(string(m[1]), "ent")] = true
	}
	var out []string
	var walk func(string)
	walk = func(a string) {
		for _, m := range d.members[a] {
			if !shown[m] && slices.Contains(d.adapters, m) && !slices.Contains(out, m) {
				out = append(out, m)
			}
			walk(m)
		}
	}
	if !d.vlan[owner] {
		walk(owner)
	}
	return out
}
