package collect

import (
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsdev"
)

// devices holds what an AIX or VIOS has, as far as it decides what is asked next.
type devices struct {
	adapters   []string // entN that are Available, in the host's order
	interfaces []string // enN that are Available or configured
	virtual    []string // adapters that are virtual Ethernet (l-lan)
	configured map[string]bool
	odd        []string     // names that cannot be devices'
	host       *model.Host  // with the adapters, as far as it is known what they are built on
	links      *graph.Graph // of host; nil: not linked yet
	accounted  []string     // SEAs that count their clients
	servers    []string     // vNIC servers
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
	d := &devices{configured: map[string]bool{}, host: &model.Host{Elements: map[string]*model.Element{}}}
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
				d.host.Elements[name] = &model.Element{Name: name, Kind: model.Adapter}
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
	e := d.host.Elements[adapter]
	if e == nil {
		return // it is not Available
	}
	d.links = nil
	named := func(attribute string) (adapters []string, ok bool) {
		v, ok := l.Value(attribute)
		for _, m := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' }) {
			if adapterName.MatchString(m) && m != adapter {
				adapters = append(adapters, m)
			}
		}
		return adapters, ok
	}
	first := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return list[0]
	}
	if list, ok := named("real_adapter"); ok {
		e.Kind, e.Real = model.SEA, first(list)
	}
	if list, ok := named("base_adapter"); ok {
		e.Kind, e.On = model.VLANDevice, first(list)
	}
	if list, ok := named("adapter_names"); ok {
		e.Kind, e.Members = model.EtherChannel, list
	}
	if list, _ := named("backup_adapter"); len(list) > 0 {
		e.Attrs = map[string]*model.Attr{"backup_adapter": {Name: "backup_adapter", Running: &list[0]}}
	}
	e.Trunks, _ = named("virt_adapters")
	control, _ := named("ctl_chan")
	e.Control = first(control)
}

// at finds an adapter with those that it is built on, as far as structure was told.
func (d *devices) at(adapter string) *graph.Element {
	if d.links == nil {
		d.links = graph.Of(&model.Fleet{Hosts: []*model.Host{d.host}})
	}
	return d.links.At(model.Ref{Element: adapter})
}

func (d *devices) kind(adapter string) model.Kind {
	if e := d.host.Elements[adapter]; e != nil {
		return e.Kind
	}
	return model.Adapter
}

// isPart reports whether an adapter is not an SEA, EtherChannel or VLAN device.
func (d *devices) isPart(adapter string) bool { return d.kind(adapter) == model.Adapter }

// polled decides which adapters entstat asks, and why each other one is left
// alone. Asking a port that nothing uses opens it, and a port without a cable
// then logs a link error; asking a member of an SEA or EtherChannel as well
// as its owner would count it twice.
func (d *devices) polled() (ask, unused []string) {
	used, covered := map[string]bool{}, map[string]bool{}
	for _, a := range d.adapters {
		if d.kind(a) != model.SEA && !d.configured["en"+strings.TrimPrefix(a, "ent")] {
			continue
		}
		used[a] = true
		for _, x := range d.at(a).Below() {
			used[x.Name] = true
		}
	}
	for _, a := range d.adapters {
		if !used[a] || d.kind(a) == model.VLANDevice {
			continue // not asked, or its output does not include what is below
		}
		for _, x := range d.at(a).Down() {
			covered[x.Ref.Element] = true
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
	e := d.at(owner)
	if e == nil || d.kind(owner) == model.VLANDevice {
		return nil
	}
	var out []string
	for _, x := range e.Below() {
		if !shown[x.Name] {
			out = append(out, x.Name)
		}
	}
	return out
}
