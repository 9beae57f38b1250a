package sshhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"seaworthy/internal/remote/sshconfig"
)

// auth offers the user's keys to a server and remembers which, so that a
// refusal can say what was tried. It names files and fingerprints, never more.
type auth struct {
	settings *sshconfig.Settings
	agent    net.Conn

	enter   func() error // waits for the turn of this login
	entered bool
	barred  error // why it has none

	mu      sync.Mutex
	tried   []string // identities offered
	skipped []string // identities that could not be, and why
}

func newAuth(ctx context.Context, s *sshconfig.Settings) *auth {
	a := &auth{settings: s}
	if s.AgentSocket == "" {
		return a
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", s.AgentSocket)
	if err != nil {
		a.skip("the agent: %v", rootCause(err))
		return a
	}
	a.agent = c
	return a
}

func (a *auth) close() {
	if a.agent != nil {
		a.agent.Close()
	}
}

func (a *auth) skip(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.skipped = append(a.skipped, fmt.Sprintf(format, args...))
}

// identity is one IdentityFile, as far as it could be read.
type identity struct {
	file      string
	public    ssh.PublicKey
	signer    ssh.Signer // nil: encrypted, or only the public part is there
	encrypted bool
}

// signers is the order of ssh: keys of the files that the agent holds, the
// agent's other keys, then the files themselves.
func (a *auth) signers() ([]ssh.Signer, error) {
	if !a.settings.PublicKeyAuth {
		return nil, nil
	}
	if !a.entered {
		a.barred = a.enter()
		if a.barred != nil {
			return nil, a.barred
		}
		a.entered = true
	}
	var agentKeys []ssh.Signer
	if a.agent != nil {
		var err error
		if agentKeys, err = agent.NewClient(a.agent).Signers(); err != nil {
			a.skip("the agent: %v", err)
		}
	}
	var held, files []ssh.Signer
	for _, id := range a.identities() {
		at := slices.IndexFunc(agentKeys, func(k ssh.Signer) bool {
			return id.public != nil && bytes.Equal(k.PublicKey().Marshal(), id.public.Marshal())
		})
		switch {
		case at >= 0:
			held = append(held, a.note(agentKeys[at], id.file+" (agent)"))
			agentKeys = slices.Delete(agentKeys, at, at+1)
		case id.signer != nil:
			files = append(files, a.note(id.signer, id.file))
		case id.encrypted:
			a.skip("%s is encrypted and not in the agent", id.file)
		}
	}
	if !a.settings.IdentitiesOnly {
		for _, k := range agentKeys {
			held = append(held, a.note(k, "agent"))
		}
	}
	return a.withCertificates(append(held, files...)), nil
}

// identities reads the configured files. A default that is missing is not reported.
// IdentityFile may name a public key whose private part is in the agent.
func (a *auth) identities() (out []identity) {
	for _, configured := range a.settings.IdentityFiles {
		f := configured.File
		id := identity{file: f, public: publicKey(f + ".pub")}
		text, err := os.ReadFile(f)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) || !configured.Default && id.public == nil {
				a.skip("%s: %v", f, rootCause(err))
			}
		} else if id.signer, err = ssh.ParsePrivateKey(text); err == nil {
			id.public = id.signer.PublicKey()
		} else if locked, ok := errors.AsType[*ssh.PassphraseMissingError](err); ok {
			id.encrypted = true
			if locked.PublicKey != nil {
				id.public = locked.PublicKey
			}
		} else {
			id.public = publicKey(f)
			if id.public == nil {
				a.skip("%s: not a private key that can be read", f)
				continue
			}
		}
		if id.public != nil || id.encrypted {
			out = append(out, id)
		}
	}
	return out
}

// publicKey is that of a file; nil: it cannot be read, or holds none.
func publicKey(file string) ssh.PublicKey {
	text, _ := os.ReadFile(file) // empty text holds none
	key, _, _, _, _ := ssh.ParseAuthorizedKey(text)
	return key
}

// withCertificates puts a certificate in front of the key it vouches for.
func (a *auth) withCertificates(signers []ssh.Signer) []ssh.Signer {
	files := slices.Clone(a.settings.CertificateFiles)
	for _, f := range a.settings.IdentityFiles {
		files = append(files, f.File+"-cert.pub")
	}
	var certs []ssh.Signer
	for _, f := range files {
		if _, err := os.Stat(f); err != nil {
			continue
		}
		cert, ok := publicKey(f).(*ssh.Certificate)
		if !ok {
			a.skip("%s: not a certificate", f)
			continue
		}
		for _, s := range signers {
			if bytes.Equal(s.PublicKey().Marshal(), cert.Key.Marshal()) {
				if cs, err := ssh.NewCertSigner(cert, s); err == nil {
					certs = append(certs, a.note(cs, f))
				}
			}
		}
	}
	return append(certs, signers...)
}

// note records an identity as one of those offered to the server. Its signing
// algorithms are narrowed to what PubkeyAcceptedAlgorithms allows.
func (a *auth) note(s ssh.Signer, from string) ssh.Signer {
	key := s.PublicKey()
	a.mu.Lock()
	a.tried = append(a.tried, fmt.Sprintf("%s %s %s", from, short(key.Type()), ssh.FingerprintSHA256(key)))
	a.mu.Unlock()
	as, ok := s.(ssh.AlgorithmSigner)
	if key.Type() != ssh.KeyAlgoRSA || !ok {
		return s
	}
	known := []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSA}
	rsa := slices.DeleteFunc(slices.Clone(a.settings.PubkeyAlgorithms), func(n string) bool { return !slices.Contains(known, n) })
	if slices.Contains(rsa, ssh.KeyAlgoRSASHA256) && !slices.Contains(rsa, ssh.KeyAlgoRSA) {
		rsa = append(rsa, ssh.KeyAlgoRSA) // for servers that know nothing newer
	}
	narrowed, err := ssh.NewSignerWithAlgorithms(as, rsa)
	if err != nil { // nothing to sign with: the server will say so
		return s
	}
	return narrowed
}

func short(keyType string) string {
	t, _, _ := strings.Cut(strings.TrimPrefix(keyType, "ssh-"), "-cert-v01@")
	return t
}

func rootCause(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
}
