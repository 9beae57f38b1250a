package sshconfig

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
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

	IdentityFiles    []Identity
	CertificateFiles []string
	IdentitiesOnly   bool
	AgentSocket      string // empty: no agent
	PublicKeyAuth    bool

	LearnHostKey   bool // file an unknown key; a key that differs from the known one is always refused
	NeverHere      bool // the name was chosen by others: an address of this machine is refused
	UserKnown      []string
	GlobalKnown    []string
	HashKnownHosts bool

	Jump         *Settings // reached through this host
	ProxyCommand string    // for sh -c, its stdio is the connection

	ConnectTimeout     time.Duration
	ConnectionAttempts int
	AliveInterval      time.Duration // 0: off
	AliveCountMax      int
	AddressFamily      string // any, inet, inet6
	BindAddress        string

	// What may be offered, in order; empty: the implementation's own choice.
	KexAlgorithms, Ciphers, MACs, HostKeyAlgorithms, PubkeyAlgorithms []string

	jumps []string // ProxyJump, as written
}

// Identity is the file of a key.
type Identity struct {
	File    string
	Default bool // looked for without being configured: a missing one is not reported
}

// DefaultConnectTimeout replaces the kernel's own of two minutes.
const DefaultConnectTimeout = 15 * time.Second

// learning are the values of StrictHostKeyChecking with which an unknown key is filed. With
// "ask" it is refused, since nobody is asked here.
var learning = []string{"accept-new", "no", "off", "false"}

// unsupported are directives that change how a host is reached in a way that is
// not built here; the value that is harmless is named.
var unsupported = map[string]string{
	"proxyusefdpass": "no", "bindinterface": "", "knownhostscommand": "none", "revokedhostkeys": "none",
	"remotecommand": "none", "pkcs11provider": "none",
}

// answer holds what ssh -G printed: the values of each directive, in lower case.
type answer map[string][]string

// read makes settings of an answer.
func read(t Target, printed string) (*Settings, error) {
	a := answer{}
	for line := range strings.Lines(printed) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if value != "" && (value != "none" || key == "identityagent") {
			a[key] = append(a[key], value)
		}
	}
	for key, harmless := range unsupported {
		if v := a.first(key); v != "" && v != harmless {
			return nil, fmt.Errorf("%s %s is not supported: set it aside for %s", key, v, t.Alias)
		}
	}
	s := &Settings{
		Alias: t.Alias, HostName: a.first("hostname"), User: a.first("user"), Port: a.number("port"),
		HostKeyAlias: a.first("hostkeyalias"), BindAddress: a.first("bindaddress"), AddressFamily: a.first("addressfamily"),
		LearnHostKey:   slices.Contains(learning, a.first("stricthostkeychecking")),
		IdentitiesOnly: a.first("identitiesonly") == "yes", HashKnownHosts: a.first("hashknownhosts") == "yes",
		PublicKeyAuth: a.first("pubkeyauthentication") != "no" && a.first("pubkeyauthentication") != "false",
		UserKnown:     a.files("userknownhostsfile"), GlobalKnown: a.files("globalknownhostsfile"),
		ConnectTimeout: a.seconds("connecttimeout"), ConnectionAttempts: a.number("connectionattempts"),
		AliveInterval: a.seconds("serveraliveinterval"), AliveCountMax: a.number("serveralivecountmax"),
		KexAlgorithms: a.list("kexalgorithms"), Ciphers: a.list("ciphers"), MACs: a.list("macs"),
		HostKeyAlgorithms: a.list("hostkeyalgorithms"), PubkeyAlgorithms: a.list("pubkeyacceptedalgorithms"),
		jumps: a.list("proxyjump"),
	}
	if s.ConnectTimeout == 0 {
		s.ConnectTimeout = DefaultConnectTimeout
	}
	// Settled only now: HostName and User of the configuration.
	if err := (Target{Alias: t.Alias, Address: s.HostName, User: s.User}).Check(); err != nil {
		return nil, err
	}
	if s.HostName == "" || s.User == "" || s.Port < 1 || s.Port > 65535 {
		return nil, fmt.Errorf("ssh -G %s: no host name, user or port in what it printed", t.Alias)
	}
	return s, s.expand(a)
}

func (a answer) first(key string) string {
	if v := a[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// number is 0 for what is not there; ssh has checked what is.
func (a answer) number(key string) int {
	n, _ := strconv.Atoi(a.first(key))
	return n
}

func (a answer) seconds(key string) time.Duration { return time.Duration(a.number(key)) * time.Second }

func (a answer) list(key string) []string {
	return strings.FieldsFunc(a.first(key), func(r rune) bool { return r == ',' })
}

// files splits a list of files. ssh prints it without quotes, so a word that
// begins no path belongs to the one before it.
func (a answer) files(key string) []string {
	var out []string
	for word := range strings.SplitSeq(a.first(key), " ") {
		switch {
		case a.first(key) == "":
		case len(out) == 0 || filepath.IsAbs(word) || word[:min(2, len(word))] == "~/":
			out = append(out, word)
		default:
			out[len(out)-1] += " " + word
		}
	}
	return out
}

var (
	token       = regexp.MustCompile(`%.?`)
	environment = regexp.MustCompile(`\$\{[^}]*\}`)
	defaultKey  = regexp.MustCompile(`^~/\.ssh/id_[a-z0-9]+(_sk)?$`)
)

// expand completes the values that ssh completes only when it connects.
func (s *Settings) expand(a answer) error {
	var err error
	home, _ := os.UserHomeDir() // empty: no key is found there
	tokens := func(text string) string {
		host, _ := os.Hostname() // only for the tokens %l and %L
		short, _, _ := strings.Cut(host, ".")
		known := cmp.Or(s.HostKeyAlias, s.Alias)
		values := map[string]string{
			"%%": "%", "%d": home, "%h": s.HostName, "%i": strconv.Itoa(os.Getuid()), "%j": strings.Join(s.jumps, ","), "%k": known,
			"%L": short, "%l": host, "%n": s.Alias, "%p": strconv.Itoa(s.Port), "%r": s.User, "%u": os.Getenv("USER"),
		}
		return token.ReplaceAllStringFunc(text, func(t string) string {
			v, ok := values[t]
			if !ok {
				err = fmt.Errorf("%q: token %s is not supported", text, t)
			}
			return v
		})
	}
	path := func(text string) string {
		text = environment.ReplaceAllStringFunc(tokens(text), func(v string) string {
			value, ok := os.LookupEnv(v[2 : len(v)-1])
			if !ok {
				err = fmt.Errorf("%q: the environment has no %s", text, v[2:len(v)-1])
			}
			return value
		})
		if rest, ok := strings.CutPrefix(text, "~/"); ok {
			return filepath.Join(home, rest)
		}
		return text
	}
	for _, f := range a["identityfile"] {
		s.IdentityFiles = append(s.IdentityFiles, Identity{File: path(f), Default: defaultKey.MatchString(f)})
	}
	for _, f := range a["certificatefile"] {
		s.CertificateFiles = append(s.CertificateFiles, path(f))
	}
	s.ProxyCommand = tokens(a.first("proxycommand"))
	switch agent := a.first("identityagent"); {
	case agent == "" || agent == "SSH_AUTH_SOCK":
		s.AgentSocket = os.Getenv("SSH_AUTH_SOCK")
	case strings.HasPrefix(agent, "$"):
		s.AgentSocket = os.Getenv(agent[1:])
	case agent != "none":
		s.AgentSocket = agent
	}
	return err
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
