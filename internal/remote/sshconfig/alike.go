package sshconfig

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// likeness tells which targets one answer of ssh -G serves: where a configuration tells hosts
// apart by the patterns of its Host lines alone, hosts that match the same patterns have the
// same settings but for their names, addresses and ports. To ask for each of a fleet costs
// more than to log in there.
type likeness struct {
	patterns []string // of all Host lines
	off      bool     // more than patterns decides: each target is asked for

	mu      sync.Mutex
	classes map[class]*sample
}

// class is what targets have in common that are answered alike.
type class struct {
	matches    string // a digit for each pattern
	user, jump string
	address    bool // it is given
	port       bool
}

// sample is what ssh -G printed for one target of a class.
type sample struct {
	mu      sync.Mutex
	target  Target
	printed string
	read    *Settings // what printed says
	trusted bool      // a second one was asked for, and is as the first one says
	unlike  bool      // it is another one: each is asked for
}

// alike reads a configuration: the one of ssh -F, or without one those that ssh reads.
func (c *Config) alike() *likeness {
	l := &likeness{classes: map[class]*sample{}}
	switch {
	case c.text != nil:
		l.read(c.text, "", 0)
	case c.file == "none":
	case c.file != "":
		l.readFile(c.file, userFolder(), 0)
	default:
		l.readFile(filepath.Join(userFolder(), "config"), userFolder(), 0)
		l.readFile("/etc/ssh/ssh_config", "/etc/ssh", 0)
	}
	return l
}

func userFolder() string {
	home, _ := os.UserHomeDir() // empty: there is no configuration either
	return filepath.Join(home, ".ssh")
}

// maxIncludes bounds how deep files include each other, as ssh does.
const maxIncludes = 16

func (l *likeness) readFile(file, folder string, depth int) {
	text, err := os.ReadFile(file)
	switch {
	case os.IsNotExist(err):
	case err != nil || depth > maxIncludes:
		l.off = true
	default:
		l.read(text, folder, depth)
	}
}

// read notes the patterns of a text. What is not plain, or depends on more than a name, has each
// target asked for.
func (l *likeness) read(text []byte, folder string, depth int) {
	for line := range strings.Lines(string(text)) {
		if l.off {
			return
		}
		line = strings.TrimSpace(line)
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t=", r) })
		if line == "" || line[0] == '#' || len(words) == 0 {
			continue
		}
		plain := !strings.ContainsAny(line, "\"'\\#$%[/")
		switch strings.ToLower(words[0]) {
		case "host":
			l.off = !plain
			for _, pattern := range words[1:] {
				l.patterns = append(l.patterns, strings.TrimPrefix(pattern, "!"))
			}
		case "match":
			l.off = !slices.EqualFunc(words[1:], []string{"all"}, strings.EqualFold)
		case "canonicalizehostname":
			l.off = !slices.Equal(words[1:], []string{"no"})
		case "include":
			l.include(words[1:], folder, depth)
		default:
			l.off = strings.ContainsAny(words[0], "\"'\\")
		}
	}
}

// include reads the files of an Include line.
func (l *likeness) include(names []string, folder string, depth int) {
	for _, name := range names {
		rest, home := strings.CutPrefix(name, "~/")
		switch {
		case strings.ContainsAny(name, "\"'\\#$%[") || folder == "":
			l.off = true
			return
		case home:
			name = filepath.Join(filepath.Dir(userFolder()), rest)
		case !filepath.IsAbs(name):
			name = filepath.Join(folder, name)
		}
		files, err := filepath.Glob(name)
		if err != nil {
			l.off = true
			return
		}
		for _, file := range files {
			l.readFile(file, folder, depth+1)
		}
	}
}

// of gives the class of a target; false: it is asked for by itself.
func (l *likeness) of(t Target) (class, bool) {
	if l.off || strings.Contains(t.Alias, "/") || t.Alias != strings.ToLower(t.Alias) {
		return class{}, false
	}
	var matches strings.Builder
	for _, pattern := range l.patterns {
		ok, err := path.Match(pattern, t.Alias)
		if err != nil {
			return class{}, false
		}
		if ok {
			matches.WriteByte('1')
		} else {
			matches.WriteByte('0')
		}
	}
	return class{matches: matches.String(), user: t.User, jump: t.ProxyJump, address: t.Address != "", port: t.Port != 0}, true
}

// answered gives the settings of a target by those of another one of its class, or asks.
func (l *likeness) answered(t Target, ask func() (string, error)) (*Settings, error) {
	asked := func() (*Settings, string, error) {
		printed, err := ask()
		if err != nil {
			return nil, "", err
		}
		s, err := read(t, printed)
		return s, printed, err
	}
	c, ok := l.of(t)
	if !ok {
		s, _, err := asked()
		return s, err
	}
	l.mu.Lock()
	x := l.classes[c]
	if x == nil {
		x = &sample{}
		l.classes[c] = x
	}
	l.mu.Unlock()
	x.mu.Lock()
	if x.trusted {
		x.mu.Unlock()
		s, err := read(t, x.as(t))
		if err == nil {
			s.share(x.read)
		}
		return s, err
	}
	if x.unlike {
		x.mu.Unlock()
		s, _, err := asked()
		return s, err
	}
	defer x.mu.Unlock()
	s, printed, err := asked()
	switch {
	case err != nil:
	case x.printed == "" || x.target.Alias == t.Alias:
		x.target, x.printed, x.read = t, printed, s
	default:
		derived, bad := read(t, x.as(t))
		x.trusted = bad == nil && reflect.DeepEqual(derived, s)
		x.unlike = !x.trusted
	}
	return s, err
}

// share takes the lists that are the same from other settings, and lets go of the text of its own: a collector keeps the
// settings of each host.
func (s *Settings) share(other *Settings) {
	for _, list := range []struct{ own, its *[]string }{
		{&s.KexAlgorithms, &other.KexAlgorithms}, {&s.Ciphers, &other.Ciphers}, {&s.MACs, &other.MACs},
		{&s.HostKeyAlgorithms, &other.HostKeyAlgorithms}, {&s.PubkeyAlgorithms, &other.PubkeyAlgorithms},
		{&s.UserKnown, &other.UserKnown}, {&s.GlobalKnown, &other.GlobalKnown},
		{&s.CertificateFiles, &other.CertificateFiles}, {&s.jumps, &other.jumps},
	} {
		if slices.Equal(*list.own, *list.its) {
			*list.own = *list.its
		}
	}
	if slices.Equal(s.IdentityFiles, other.IdentityFiles) {
		s.IdentityFiles = other.IdentityFiles
	}
	for _, text := range []*string{&s.HostName, &s.User, &s.HostKeyAlias, &s.AgentSocket, &s.ProxyCommand, &s.AddressFamily, &s.BindAddress} {
		*text = strings.Clone(*text)
	}
}

// as is what ssh -G prints for another target of the class.
func (x *sample) as(t Target) string {
	named := func(t Target) string {
		if t.Address != "" {
			return strings.ToLower(t.Address)
		}
		return t.Alias
	}
	var out strings.Builder
	for line := range strings.Lines(x.printed) {
		switch strings.TrimRight(line, "\r\n") {
		case "hostname " + named(x.target):
			line = "hostname " + named(t) + "\n"
		case "port " + strconv.Itoa(x.target.Port): // of 0, ssh prints the configured one
			line = "port " + strconv.Itoa(t.Port) + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
