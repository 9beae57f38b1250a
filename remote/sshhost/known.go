package sshhost

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"seaworthy/remote/sshconfig"
)

// known checks a server's key against the known_hosts files of a host.
type known struct {
	settings *sshconfig.Settings
	check    ssh.HostKeyCallback
	types    []string // key types on file for this host
	certs    bool     // some certificate authority vouches for some hosts
	source   func(tmp string) string

	presented ssh.PublicKey // what the server showed, for messages
	verdict   error
}

// readKnown reads the files that exist. Lines in forms that the checker does
// not know (they would make it refuse the whole file) are left out, as ssh
// does: that can only make a host less known.
func readKnown(s *sshconfig.Settings) (*known, error) {
	k := &known{settings: s}
	var files []string
	for _, f := range slices.Concat(s.UserKnown, s.GlobalKnown) {
		st, err := os.Stat(f)
		if err != nil || st.IsDir() {
			continue
		}
		files = append(files, f)
	}
	check, err := knownhosts.New(files...)
	if err != nil {
		if check, err = k.tolerant(files); err != nil {
			return nil, err
		}
	}
	k.check = check
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		k.certs = k.certs || bytes.Contains(text, []byte("@cert-authority"))
	}
	// The checker names the keys it wanted if it is shown one that nobody has.
	var unknown *knownhosts.KeyError
	if err := check(s.KnownAs(), proxyAddr{}, nobody{}); errors.As(err, &unknown) {
		for _, w := range unknown.Want {
			k.types = append(k.types, w.Key.Type())
		}
	}
	return k, nil
}

// tolerant reads copies without the lines that cannot be read.
func (k *known) tolerant(files []string) (ssh.HostKeyCallback, error) {
	dir, err := os.MkdirTemp("", "seaworthy-known")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	names := map[string]string{}
	var copies []string
	for i, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		lines := bytes.Split(text, []byte("\n"))
		for j, l := range lines {
			trimmed := bytes.TrimSpace(l)
			if len(trimmed) == 0 || trimmed[0] == '#' {
				continue
			}
			if _, _, _, _, _, err := ssh.ParseKnownHosts(trimmed); err != nil {
				lines[j] = nil // keeps the numbers of the other lines
			}
		}
		c := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(c, bytes.Join(lines, []byte("\n")), 0o600); err != nil {
			return nil, err
		}
		copies = append(copies, c)
		names[c] = f
	}
	k.source = func(tmp string) string { return names[tmp] }
	return knownhosts.New(copies...)
}

// algorithms orders what is offered so that the server shows a key of a type
// on file. ssh-rsa with SHA-1 is offered only for a host whose RSA key is on
// file: servers of that age sign with nothing else.
func (k *known) algorithms() []string {
	modern := ssh.SupportedAlgorithms().HostKeys
	legacy := ssh.InsecureAlgorithms().HostKeys
	var first []string
	for _, t := range k.types {
		switch t {
		case ssh.KeyAlgoRSA:
			first = append(first, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSA)
		default:
			first = append(first, t)
		}
	}
	var certs, plain []string
	for _, a := range modern {
		if strings.Contains(a, "-cert-v01@") {
			certs = append(certs, a)
		} else {
			plain = append(plain, a)
		}
	}
	if len(k.types) == 0 { // ssh's own preference
		plain = slices.Concat([]string{ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256}, plain)
	}
	list := slices.Concat(first, plain)
	if k.certs {
		list = slices.Concat(certs, list)
	}
	list = k.settings.HostKeyAlgorithms.Apply(list, slices.Concat(modern, legacy))
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(a string) bool {
		defer func() { seen[a] = true }()
		return seen[a]
	})
}

// verify is the callback of the handshake.
func (k *known) verify(name string, remote net.Addr, key ssh.PublicKey) error {
	k.presented = key
	k.verdict = k.check(name, remote, key)
	var unknown *knownhosts.KeyError
	if errors.As(k.verdict, &unknown) && len(unknown.Want) == 0 && k.settings.StrictHostKey == sshconfig.AcceptNew {
		k.verdict = k.learn(key)
	}
	return k.verdict
}

// learn files an unknown key, as ssh does with accept-new.
func (k *known) learn(key ssh.PublicKey) error {
	if _, cert := key.(*ssh.Certificate); cert {
		return k.verdict
	}
	if len(k.settings.UserKnown) == 0 {
		return nil
	}
	file := k.settings.UserKnown[0]
	if file == os.DevNull {
		return nil
	}
	name := knownhosts.Normalize(k.settings.KnownAs())
	if k.settings.HashKnownHosts {
		name = knownhosts.HashHostname(name)
	}
	entry := name + " " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + "\n"
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("new host key not filed: %w", err)
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("new host key not filed: %w", err)
	}
	defer f.Close()
	// A file edited by hand may lack its last line end.
	if st, err := f.Stat(); err == nil && st.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, st.Size()-1); err == nil && last[0] != '\n' {
			entry = "\n" + entry
		}
	}
	if _, err := f.WriteString(entry); err != nil {
		return fmt.Errorf("new host key not filed: %w", err)
	}
	return f.Close()
}

// nobody is a public key that is on no file.
type nobody struct{}

func (nobody) Type() string                            { return "none" }
func (nobody) Marshal() []byte                         { return nil }
func (nobody) Verify(_ []byte, _ *ssh.Signature) error { return errors.New("not a key") }
