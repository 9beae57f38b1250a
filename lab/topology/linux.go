package topology

import "regexp"

// deviceForm leaves room for the node's place in front: see package wire.
var deviceForm = regexp.MustCompile(`^[a-z][a-z0-9]{0,9}$`)

// ownedLinux is owned, of a node with Linux.
var ownedLinux = map[AdapterKind][]string{
	Virtual:  {"pvid", "mac"},
	Physical: {"rate", "port", "mac"},
	Bond:     {"members", "mode"},
}

// linux is a partition that runs Linux.
func (r *resolver) linux(system, index int, raw rawNode) Node {
	n := r.partition(index, raw)
	what := "node " + n.Name
	r.os(what, raw.OS)
	n.OS = Linux
	if n.Role != LPAR {
		r.fail(raw.Role.line, "%s: role %q, expected lpar: os: linux is not for a vios", what, n.Role)
	}
	foreign := func(key string, at ...text) {
		if len(at) > 0 && at[0].given() {
			r.fail(at[0].line, "%s: %s belongs to AIX and VIOS: a node with os: linux is set up by its own commands", what, key)
		}
	}
	foreign("level", raw.Level)
	foreign("ioslevel", raw.IOSLevel)
	foreign("tunables", inOrder(raw.Tunables)...)
	foreign("set", inOrder(raw.Set)...)
	r.adapters(system, index, &n, raw)
	r.interfaces(&n, raw.Interfaces)
	return n
}

// server is a Linux host outside the managed systems.
func (r *resolver) server(system, index int, raw rawServer) Node {
	n := r.linux(system, index, rawNode{Name: raw.Name, OS: raw.OS, Role: text{s: string(LPAR)},
		VCPUs: raw.VCPUs, Adapters: raw.Adapters, Interfaces: raw.Interfaces})
	for _, a := range raw.Adapters {
		if a.Kind.s == string(Virtual) {
			r.fail(a.Kind.line, "server %s: a virtual adapter belongs to a partition of a managed system", n.Name)
		}
	}
	n.Role = Server
	return n
}

func (r *resolver) os(what string, os text) {
	if os.given() && os.s != Linux {
		r.fail(os.line, "%s: os %q, expected linux, or no key for AIX and VIOS", what, os.s)
	}
}
