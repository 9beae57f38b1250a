// Package supervisor is the process that is a running lab: the first process
// of the lab's PID namespace, in namespaces of its own for users (unless
// started by root), mounts, network, host name and IPC. Whatever ends it, the
// kernel ends every process of the lab with it and takes back all mounts and
// network namespaces.
//
// It keeps one thread in each node's namespaces; whatever starts on a node is
// forked from that thread, into the node's own PID namespace, whose first process
// shows up as /etc/init. It serves, in the lab's state folder:
//
//	lock           held with flock(2) as long as the lab runs
//	control.sock   info, queries, shutdown
//	n/NODE         SSH of a node
//	ssh_config, known_hosts, id_ed25519, hosts.yaml
//
// and within each node a socket for the served commands (package call).
package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"seaworthy/lab/node"
	"seaworthy/lab/quota"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/sshd"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// Config is the configuration that the starting process hands over.
type Config struct {
	Name     string    `json:"name"`
	Dir      string    `json:"dir"`      // state folder, absolute
	File     string    `json:"file"`     // name of the topology file, for messages
	Topology string    `json:"topology"` // its text
	Program  string    `json:"program"`  // the lab's program, absolute
	Probe    string    `json:"probe"`    // seaworthy-probe, absolute; may be empty
	Started  time.Time `json:"started"`
	Debug    bool      `json:"debug,omitempty"` // log each change of the kernel
	Shell    string    `json:"shell"`           // of logins, absolute
	// Slow is how much longer each command takes that the lab answers.
	Slow time.Duration `json:"slow,omitempty"`
	rootfs.Behaviour

	// Quota are the control groups of capped and weighted nodes; a guard removes them when
	// GuardFD closes. NoQuota says why there are none though some are needed.
	Quota   *quota.Groups `json:"quota,omitempty"`
	NoQuota string        `json:"no_quota,omitempty"`
	// NoBounds says why the lab's memory is not limited.
	NoBounds string `json:"no_bounds,omitempty"`
}

// Backend has the commands of the lab's nodes; the program that starts labs
// chooses it.
type Backend struct {
	// Build sets the nodes up on a finished network and gives the commands
	// they serve. It runs once, in the supervisor, on links that are down.
	Build func(ctx context.Context, s *LabState) (*Served, error)
	// Local are the commands that run in the calling process.
	Local map[string]node.Command
	// Names says where the nodes' shells find the commands that Build gives, those of
	// Local, and those that the shim does without asking the lab. It is a function, since
	// a command on a node does not ask for them and must start quickly.
	Names func() rootfs.Commands
	// Answer is the program that asks the lab on the nodes; nil if there is none that
	// starts faster than the program itself.
	Answer func() []byte
}

// Served is the result of Build.
type Served struct {
	Commands map[string]node.Command
	// Queries answer Lab.Query, e.g. "effects". The result is sent as JSON.
	Queries map[string]func(ctx context.Context, args json.RawMessage) (any, error)
	// HMC starts what a login to the topology's HMC runs, which is on no node.
	HMC sshd.Starter
}

// LabState is the running lab as Build sees it.
type LabState struct {
	Config
	Topology *topology.Topology
	Network  *wire.Network
	nodes    map[string]*nodeThread
	reaper   *reaper
	// Down says why nobody can log in to a node now. Nil: everybody can.
	Down func(name string) error
}

// node is a node's thread.
func (s *LabState) node(name string) (*nodeThread, error) {
	if p := s.nodes[name]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s: no such node in this lab", name)
}

// Info describes a running lab.
type Info struct {
	Name     string     `json:"name"`
	Topology string     `json:"topology"`
	Started  time.Time  `json:"started"`
	Rootless bool       `json:"rootless"`
	PID      int        `json:"pid"` // as the machine sees it
	Nodes    []NodeInfo `json:"nodes"`
	HMC      *NodeInfo  `json:"hmc,omitempty"` // no node: nothing but logins
}

// Logins are all that one can log in to.
func (i Info) Logins() []NodeInfo {
	if i.HMC == nil {
		return i.Nodes
	}
	return append(slices.Clone(i.Nodes), *i.HMC)
}

// Names are those of its nodes.
func (i Info) Names() (names []string) {
	for _, n := range i.Nodes {
		names = append(names, n.Name)
	}
	return names
}

// NodeInfo is one node of a running lab.
type NodeInfo struct {
	Name    string   `json:"name"`
	System  string   `json:"system,omitempty"` // empty: a server of its own
	OS      string   `json:"os,omitempty"`     // linux, or empty
	Role    string   `json:"role"`
	Address string   `json:"address"`
	Users   []string `json:"users"` // the first is the usual login
}

// Files of the state folder.
func LockFile(dir string) string            { return filepath.Join(dir, "lock") }
func SSHSocket(dir, login string) string    { return filepath.Join(dir, "n", login) }
func SSHConfigFile(dir string) string       { return filepath.Join(dir, "ssh_config") }
func KeyFile(dir string) string             { return filepath.Join(dir, "id_ed25519") }
func KnownHostsFile(dir string) string      { return filepath.Join(dir, "known_hosts") }
func LogFile(dir string) string             { return filepath.Join(dir, "supervisor.log") }
func HostKeyAlias(lab, login string) string { return login + "." + lab + ".seaworthy" }

func mountPoint(dir string) string { return filepath.Join(dir, "root") }

// Users that may log in to a node; the first is the usual login.
func Users(n *topology.Node, strict bool) []string {
	switch {
	case n.OS == topology.Linux:
		return []string{"root"}
	case n.Role == topology.VIOS:
		return []string{"padmin", "root"}
	case strict:
		return rootfs.Ordinary
	}
	return append([]string{"root"}, rootfs.Ordinary...)
}

func nodeInfos(t *topology.Topology, strict bool) []NodeInfo {
	var all []NodeInfo
	for s, n := range t.Hosts() {
		i := NodeInfo{Name: n.Name, Role: string(n.Role), OS: n.OS, Users: Users(n, strict)}
		if s != nil {
			i.System = s.Name
		}
		if len(n.Interfaces) > 0 {
			i.Address = n.Interfaces[0].Address.Addr().String()
		}
		all = append(all, i)
	}
	return all
}
