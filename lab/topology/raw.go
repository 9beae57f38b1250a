package topology

import "github.com/goccy/go-yaml/ast"

// The raw form is the file as written, with lines; resolve turns it into a
// Topology.
type (
	rawTopology struct {
		name    text
		sw      rawSwitch
		systems []rawSystem
	}
	rawSwitch struct {
		line                int
		name, gateway, gmtu text
		ports               []rawPort
	}
	rawPort   struct{ name, mtu, rate, lag, delay text }
	rawSystem struct {
		line                         int
		name, model, serial, vswitch text
		nodes                        []rawNode
	}
	rawNode struct {
		line                                                                       int
		name, role, level, ioslevel, number, entitled, vcpus, memory, mode, weight text
		adapters                                                                   []rawAdapter
		interfaces                                                                 []rawInterface
		set                                                                        []rawSet
		tunables                                                                   map[string]string
	}
	rawAdapter struct {
		name, kind, mac, pvid, trunk, priority, rate, port, real, control, backup, base, tag text
		vlans, trunks, members                                                               []text
	}
	rawInterface struct{ name, address, gateway text }
	rawSet       struct {
		device text
		values map[string]string
	}
)

func (r *reader) topology(n ast.Node) (*rawTopology, error) {
	t := &rawTopology{}
	return t, r.mapping(n, "topology", fields{
		"name":   r.scalar("name", &t.name),
		"switch": func(v ast.Node) error { return r.ethernetSwitch(v, &t.sw) },
		"systems": func(v ast.Node) error {
			return r.list(v, "systems", func(v ast.Node) error {
				s, err := r.system(v)
				t.systems = append(t.systems, s)
				return err
			})
		},
	}, "name", "switch", "systems")
}

func (r *reader) ethernetSwitch(n ast.Node, s *rawSwitch) error {
	s.line = line(n)
	return r.mapping(n, "switch", fields{
		"name":        r.scalar("switch name", &s.name),
		"gateway":     r.scalar("switch gateway", &s.gateway),
		"gateway_mtu": r.scalar("switch gateway_mtu", &s.gmtu),
		"ports": func(v ast.Node) error {
			return r.entries(v, "switch ports", func(key text, v ast.Node) error {
				p := rawPort{name: key}
				what := "switch port " + key.s
				err := r.mapping(v, what, fields{
					"mtu":   r.scalar(what+" mtu", &p.mtu),
					"rate":  r.scalar(what+" rate", &p.rate),
					"lag":   r.scalar(what+" lag", &p.lag),
					"delay": r.scalar(what+" delay", &p.delay),
				})
				s.ports = append(s.ports, p)
				return err
			})
		},
	}, "name")
}

func (r *reader) system(n ast.Node) (rawSystem, error) {
	s := rawSystem{line: line(n)}
	return s, r.mapping(n, "system", fields{
		"name":    r.scalar("system name", &s.name),
		"model":   r.scalar("system model", &s.model),
		"serial":  r.scalar("system serial", &s.serial),
		"vswitch": r.scalar("system vswitch", &s.vswitch),
		"nodes": func(v ast.Node) error {
			return r.list(v, "nodes", func(v ast.Node) error {
				n, err := r.node(v)
				s.nodes = append(s.nodes, n)
				return err
			})
		},
	}, "name", "nodes")
}

func (r *reader) node(y ast.Node) (rawNode, error) {
	n := rawNode{line: line(y)}
	return n, r.mapping(y, "node", fields{
		"name":      r.scalar("node name", &n.name),
		"role":      r.scalar("node role", &n.role),
		"level":     r.scalar("node level", &n.level),
		"ioslevel":  r.scalar("node ioslevel", &n.ioslevel),
		"number":    r.scalar("node number", &n.number),
		"entitled":  r.scalar("node entitled", &n.entitled),
		"vcpus":     r.scalar("node vcpus", &n.vcpus),
		"memory_mb": r.scalar("node memory_mb", &n.memory),
		"mode":      r.scalar("node mode", &n.mode),
		"weight":    r.scalar("node weight", &n.weight),
		"tunables":  r.settings("tunables", &n.tunables),
		"adapters": func(v ast.Node) error {
			return r.entries(v, "adapters", func(key text, v ast.Node) error {
				a, err := r.adapter(key, v)
				n.adapters = append(n.adapters, a)
				return err
			})
		},
		"interfaces": func(v ast.Node) error {
			return r.entries(v, "interfaces", func(key text, v ast.Node) error {
				i := rawInterface{name: key}
				err := r.mapping(v, "interface "+key.s, fields{
					"address": r.scalar("interface "+key.s+" address", &i.address),
					"gateway": r.scalar("interface "+key.s+" gateway", &i.gateway),
				}, "address")
				n.interfaces = append(n.interfaces, i)
				return err
			})
		},
		"set": func(v ast.Node) error {
			return r.entries(v, "set", func(key text, v ast.Node) error {
				s := rawSet{device: key}
				err := r.settings("set "+key.s, &s.values)(v)
				n.set = append(n.set, s)
				return err
			})
		},
	}, "name", "role", "adapters")
}

func (r *reader) adapter(key text, n ast.Node) (rawAdapter, error) {
	a := rawAdapter{name: key}
	what := "adapter " + key.s
	return a, r.mapping(n, what, fields{
		"kind":     r.scalar(what+" kind", &a.kind),
		"mac":      r.scalar(what+" mac", &a.mac),
		"pvid":     r.scalar(what+" pvid", &a.pvid),
		"vlans":    r.scalars(what+" vlans", &a.vlans),
		"trunk":    r.scalar(what+" trunk", &a.trunk),
		"priority": r.scalar(what+" priority", &a.priority),
		"rate":     r.scalar(what+" rate", &a.rate),
		"port":     r.scalar(what+" port", &a.port),
		"real":     r.scalar(what+" real", &a.real),
		"trunks":   r.scalars(what+" trunks", &a.trunks),
		"ctl_chan": r.scalar(what+" ctl_chan", &a.control),
		"members":  r.scalars(what+" members", &a.members),
		"backup":   r.scalar(what+" backup", &a.backup),
		"base":     r.scalar(what+" base", &a.base),
		"tag":      r.scalar(what+" tag", &a.tag),
	}, "kind")
}
