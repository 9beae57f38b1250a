package sshconfig

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Settings is how one host is reached: every file name is complete, every
// token replaced.
type Settings struct {
	Alias        string
	HostName     string // what is dialled
	Port         int
	User         string
	HostKeyAlias string // name looked up in the known hosts; empty: HostName

	IdentityFiles    []string
	DefaultIdentity  bool // IdentityFiles are ssh's defaults: a missing one is not reported
	CertificateFiles []string
	IdentitiesOnly   bool
	AgentSocket      string // empty: no agent
	PublicKeyAuth    bool

	StrictHostKey  StrictHostKey
	UserKnown      []string
	GlobalKnown    []string
	HashKnownHosts bool

	Jump         *Settings // reached through this host
	ProxyCommand string    // for sh -c, its stdio is the connection

	ConnectTimeout     time.Duration // 0: DefaultConnectTimeout
	ConnectionAttempts int
	AliveInterval      time.Duration // 0: off
	AliveCountMax      int
	AddressFamily      string // any, inet, inet6
	BindAddress        string

	KexAlgorithms     Algorithms
	Ciphers           Algorithms
	MACs              Algorithms
	HostKeyAlgorithms Algorithms
	PubkeyAlgorithms  Algorithms
}

// DefaultConnectTimeout replaces the kernel's own of two minutes.
const DefaultConnectTimeout = 15 * time.Second

// StrictHostKey says what becomes of a host key that is not known. A key that
// differs from the known one is always refused, also with "no" and "off",
// where ssh itself would go on.
type StrictHostKey string

const (
	Refuse    StrictHostKey = "yes"        // also for "ask": nobody is asked here
	AcceptNew StrictHostKey = "accept-new" // learn an unknown key; also for "no" and "off"
)

// Algorithms is a list as ssh writes it: a list replaces the defaults, and a
// leading + appends, - removes, ^ puts first.
type Algorithms struct {
	Op    byte // 0, '+', '-', '^'
	Names []string
}

// Apply gives the list to offer. allowed is everything that is implemented.
func (a Algorithms) Apply(defaults, allowed []string) []string {
	if len(a.Names) == 0 {
		return defaults
	}
	var named []string
	for _, n := range allowed {
		if matchList(a.Names, n) {
			named = append(named, n)
		}
	}
	// The order of the list counts, not ours.
	slices.SortStableFunc(named, func(x, y string) int { return a.rank(x) - a.rank(y) })
	without := func(list, drop []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(n string) bool { return slices.Contains(drop, n) })
	}
	switch a.Op {
	case '+':
		return append(slices.Clone(defaults), without(named, defaults)...)
	case '-':
		return without(defaults, named)
	case '^':
		return append(named, without(defaults, named)...)
	}
	return named
}

func (a Algorithms) rank(name string) int {
	return slices.IndexFunc(a.Names, func(p string) bool { return glob(p, name) })
}

// refused are directives that change how a host is reached in a way that is
// not built here; the value that is harmless is named.
var refused = map[string]string{
	"proxyusefdpass":       "no",
	"canonicalizehostname": "no",
	"bindinterface":        "",
	"knownhostscommand":    "none",
	"revokedhostkeys":      "none",
	"remotecommand":        "none",
	"pkcs11provider":       "none",
}

func (r *resolver) settings() (*Settings, error) {
	for key, harmless := range refused {
		if v := r.values[key]; len(v) > 0 && !strings.EqualFold(v[0].value, harmless) {
			return nil, v[0].errorf("%s %s: not supported for %s; set it aside for this host", v[0].key, v[0].value, r.alias)
		}
	}
	s := &Settings{
		Alias: r.alias, HostName: r.hostName(), User: r.userName(),
		HostKeyAlias: r.first("hostkeyalias", ""), BindAddress: r.first("bindaddress", ""),
		StrictHostKey: Refuse, AddressFamily: strings.ToLower(r.first("addressfamily", "any")),
	}
	for what, v := range map[string]string{"host name": s.HostName, "user": s.User} {
		if v == "" || strings.HasPrefix(v, "-") || strings.ContainsAny(v, " \t\r\n\x00'\"`$;&<>|(){}") {
			return nil, fmt.Errorf("%s: %q is not a %s", r.alias, v, what)
		}
	}
	n := numbers{r: r}
	s.Port = n.get("port", 22, 1, 65535)
	if r.target.Port != 0 {
		s.Port = r.target.Port
	}
	s.ConnectTimeout = n.seconds("connecttimeout", DefaultConnectTimeout)
	s.AliveInterval = n.seconds("serveraliveinterval", 0)
	s.AliveCountMax = n.get("serveralivecountmax", 3, 1, 1<<20)
	s.ConnectionAttempts = n.get("connectionattempts", 1, 1, 100)
	s.IdentitiesOnly = n.yes("identitiesonly", false)
	s.PublicKeyAuth = n.yes("pubkeyauthentication", true)
	s.HashKnownHosts = n.yes("hashknownhosts", false)
	switch v := strings.ToLower(r.first("stricthostkeychecking", "ask")); v {
	case "yes", "ask", "true":
	case "accept-new", "no", "off", "false":
		s.StrictHostKey = AcceptNew
	default:
		n.fail("stricthostkeychecking", "is not yes, ask, accept-new or no")
	}
	s.KexAlgorithms = r.algorithms("kexalgorithms")
	s.Ciphers = r.algorithms("ciphers")
	s.MACs = r.algorithms("macs")
	s.HostKeyAlgorithms = r.algorithms("hostkeyalgorithms")
	s.PubkeyAlgorithms = r.algorithms("pubkeyacceptedalgorithms")
	if n.err != nil {
		return nil, n.err
	}
	if err := r.files(s); err != nil {
		return nil, err
	}
	if v := r.values["proxycommand"]; len(v) > 0 && !strings.EqualFold(v[0].value, "none") {
		var err error
		if s.ProxyCommand, err = expand(v[0].value, r.tokens()); err != nil {
			return nil, v[0].errorf("ProxyCommand: %w", err)
		}
	}
	return s, nil
}

// files fills in every setting that names files.
func (r *resolver) files(s *Settings) error {
	s.DefaultIdentity = len(r.values["identityfile"]) == 0
	var err error
	if s.IdentityFiles, err = r.paths("IdentityFile", "~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ed25519"); err != nil {
		return err
	}
	if s.CertificateFiles, err = r.paths("CertificateFile"); err != nil {
		return err
	}
	if s.UserKnown, err = r.paths("UserKnownHostsFile", "~/.ssh/known_hosts", "~/.ssh/known_hosts2"); err != nil {
		return err
	}
	if s.GlobalKnown, err = r.paths("GlobalKnownHostsFile", "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"); err != nil {
		return err
	}
	switch v := r.first("identityagent", "SSH_AUTH_SOCK"); {
	case strings.EqualFold(v, "none"):
	case v == "SSH_AUTH_SOCK":
		v = "$SSH_AUTH_SOCK"
		fallthrough
	case strings.HasPrefix(v, "$") && !strings.HasPrefix(v, "${"):
		s.AgentSocket = os.Getenv(v[1:])
	default:
		if s.AgentSocket, err = r.path(v); err != nil {
			return r.values["identityagent"][0].errorf("IdentityAgent: %w", err)
		}
	}
	return nil
}

// paths reads a list of files; "none" adds none.
func (r *resolver) paths(directive string, def ...string) ([]string, error) {
	lines := r.values[strings.ToLower(directive)]
	if len(lines) == 0 {
		lines = []line{{words: def}}
	}
	var out []string
	for _, l := range lines {
		for _, w := range l.words {
			if strings.EqualFold(w, "none") {
				continue
			}
			p, err := r.path(w)
			if err != nil {
				return nil, l.errorf("%s: %w", directive, err)
			}
			out = append(out, p)
		}
	}
	return out, nil
}

func (r *resolver) algorithms(key string) Algorithms {
	v := r.first(key, "")
	if v == "" {
		return Algorithms{}
	}
	a := Algorithms{}
	if strings.ContainsRune("+-^", rune(v[0])) {
		a.Op, v = v[0], v[1:]
	}
	a.Names = strings.Split(strings.ToLower(v), ",")
	return a
}

// numbers reads typed values and keeps the first error.
type numbers struct {
	r   *resolver
	err error
}

func (n *numbers) fail(key, why string) {
	if n.err == nil {
		l := n.r.values[key][0]
		n.err = l.errorf("%s %s %s", l.key, l.value, why)
	}
}

func (n *numbers) get(key string, def, low, high int) int {
	v := n.r.first(key, "")
	if v == "" {
		return def
	}
	i, err := strconv.Atoi(v)
	if err != nil || i < low || i > high {
		n.fail(key, fmt.Sprintf("is not a number from %d to %d", low, high))
		return def
	}
	return i
}

// seconds reads 30, 30s, 1m30s, 1h; "none" and 0 give the default.
func (n *numbers) seconds(key string, def time.Duration) time.Duration {
	v := strings.ToLower(n.r.first(key, ""))
	if v == "" || v == "none" || v == "0" {
		return def
	}
	if i, err := strconv.Atoi(v); err == nil && i > 0 && i < 1<<24 {
		return time.Duration(i) * time.Second
	}
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		n.fail(key, "is not a time in seconds")
		return def
	}
	return d
}

func (n *numbers) yes(key string, def bool) bool {
	switch v := strings.ToLower(n.r.first(key, "")); v {
	case "":
		return def
	case "yes", "true":
		return true
	case "no", "false", "unbound", "host-bound":
		return v == "unbound" || v == "host-bound"
	}
	n.fail(key, "is not yes or no")
	return def
}

// Address is HostName and Port as they are dialled.
func (s *Settings) Address() string { return net.JoinHostPort(s.HostName, strconv.Itoa(s.Port)) }

// KnownAs is the name and port that the host's key is filed under.
func (s *Settings) KnownAs() string {
	if s.HostKeyAlias != "" {
		return net.JoinHostPort(s.HostKeyAlias, "22")
	}
	return net.JoinHostPort(strings.ToLower(s.HostName), strconv.Itoa(s.Port))
}
