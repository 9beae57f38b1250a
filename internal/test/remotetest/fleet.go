package remotetest

import (
	"cmp"
	"encoding/pem"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/sshconfig"
	"seaworthy/internal/remote/sshhost"
)

// Fleet is a set of SSH servers with an ssh_config that leads to them.
type Fleet struct {
	Dir        string // of the files below; gone after the test
	Config     string // ssh_config, for ssh -F or hosts.Options.SSHConfig
	KnownHosts string
	Identity   string // private key that all servers accept

	ConnectTimeout time.Duration   // of Host; 0: 10 seconds
	Logins         *sshhost.Logins // of Host; nil: each host has its own

	t       testing.TB
	users   map[string]string // by host
	servers map[string]*Server
	opened  map[string]remote.Host
}

// User is who the fleet's ssh_config logs in as, unless a name has a user in
// front: "padmin@vios1" in Start's map is host vios1 with user padmin.
const User = "root"

// Start starts one server per name, on loopback.
func Start(t testing.TB, handlers map[string]Handler) *Fleet {
	t.Helper()
	dir := t.TempDir()
	f := &Fleet{
		Dir: dir, Config: filepath.Join(dir, "ssh_config"), KnownHosts: filepath.Join(dir, "known_hosts"),
		Identity: filepath.Join(dir, "id"), t: t, users: map[string]string{}, servers: map[string]*Server{}, opened: map[string]remote.Host{},
	}
	client := f.newIdentity(f.Identity)
	for name, h := range handlers {
		user, host, ok := strings.Cut(name, "@")
		if !ok {
			user, host = User, name
		}
		f.users[host] = user
		s := &Server{name: host, handler: h, accept: client.PublicKey().Marshal()}
		s.NewHostKey()
		if err := s.listen(); err != nil {
			t.Fatalf("remotetest: %v", err)
		}
		f.servers[host] = s
	}
	t.Cleanup(f.stop)
	f.Trust()
	f.write(f.Config, f.config())
	return f
}

// Server gives access to one server's faults.
func (f *Fleet) Server(name string) *Server {
	f.t.Helper()
	s, ok := f.servers[name]
	if !ok {
		f.t.Fatalf("remotetest: no host %q", name)
	}
	return s
}

// Host returns the connection to a host; the same one on every call.
func (f *Fleet) Host(name string) remote.Host {
	f.t.Helper()
	if h, ok := f.opened[name]; ok {
		return h
	}
	host, port, _ := strings.Cut(f.Server(name).Address(), ":")
	number, err := strconv.Atoi(port)
	if err != nil {
		f.t.Fatal(err)
	}
	// What the ssh_config says, without asking ssh.
	s := &sshconfig.Settings{
		Alias: name, HostName: host, Port: number, User: f.users[name], PublicKeyAuth: true, IdentitiesOnly: true,
		IdentityFiles: []sshconfig.Identity{{File: f.Identity}}, UserKnown: []string{f.KnownHosts},
		ConnectTimeout: cmp.Or(f.ConnectTimeout, 10*time.Second),
	}
	logins := f.Logins
	if logins == nil {
		logins = sshhost.NewLogins(0)
	}
	f.opened[name] = become.New(sshhost.New(name, func() (*sshconfig.Settings, error) { return s, nil }, logins), become.Auto)
	return f.opened[name]
}

// Hosts returns the connections to several hosts.
func (f *Fleet) Hosts(names ...string) []remote.Host {
	f.t.Helper()
	var out []remote.Host
	for _, n := range names {
		out = append(out, f.Host(n))
	}
	return out
}

// Trust files the present host keys of all servers in KnownHosts.
func (f *Fleet) Trust() {
	f.t.Helper()
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(f.servers)) {
		s := f.servers[n]
		fmt.Fprintln(&b, knownhosts.Line([]string{s.Address()}, get(s, &s.key).PublicKey()))
	}
	f.write(f.KnownHosts, b.String())
}

func (f *Fleet) config() string {
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(f.servers)) {
		host, port, _ := strings.Cut(f.servers[n].Address(), ":")
		fmt.Fprintf(&b, "Host %s\n\tHostName %s\n\tPort %s\n\tUser %s\n", n, host, port, f.users[n])
	}
	fmt.Fprintf(&b, "Host *\n\tIdentityFile \"%s\"\n\tIdentitiesOnly yes\n\tIdentityAgent none\n", f.Identity)
	fmt.Fprintf(&b, "\tUserKnownHostsFile \"%s\"\n\tGlobalKnownHostsFile none\n", f.KnownHosts)
	fmt.Fprint(&b, "\tStrictHostKeyChecking yes\n\tConnectTimeout 10\n")
	return b.String()
}

func (f *Fleet) newIdentity(file string) ssh.Signer {
	key, signer := newKey()
	block, err := ssh.MarshalPrivateKey(key, "seaworthy test")
	if err != nil {
		f.t.Fatal(err)
	}
	f.write(file, string(pem.EncodeToMemory(block)))
	return signer
}

func (f *Fleet) write(file, text string) {
	f.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f *Fleet) stop() {
	for _, h := range f.opened {
		_ = h.Close() // its connection may be cut already
	}
	for _, s := range f.servers {
		s.stop()
	}
}
