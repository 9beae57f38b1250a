package sshhost_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/remotetest"
)

const passphrase = "correct horse battery"

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func newKey(t *testing.T) (ed25519.PrivateKey, ssh.PublicKey) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return key, signer.PublicKey()
}

func TestHostKeys(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	s := f.Server("lpar1")
	name := knownhosts.Normalize(s.Address())
	empty := filepath.Join(t.TempDir(), "empty")
	write(t, empty, "")

	_, err := run(open(t, f, "lpar1", "UserKnownHostsFile "+empty), "true")
	expect(t, err, remote.ErrHostKey, "is unknown", "SHA256:", "ssh-keyscan -p ")

	_, err = run(open(t, f, "lpar1", "UserKnownHostsFile "+empty+"\nStrictHostKeyChecking ask"), "true")
	expect(t, err, remote.ErrHostKey, "is unknown")

	// accept-new learns, once, and then insists.
	learnt := filepath.Join(t.TempDir(), "sub", "known")
	accept := "UserKnownHostsFile " + learnt + "\nStrictHostKeyChecking no\nHashKnownHosts yes\n"
	for range 2 {
		if _, err := run(open(t, f, "lpar1", accept), "true"); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(learnt)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 1 || strings.Contains(string(text), "127.0.0.1") {
		t.Errorf("got %d lines learnt (%q), want one, hashed", n, text)
	}

	s.NewHostKey()
	for _, config := range []string{"", accept} {
		_, err = run(open(t, f, "lpar1", config), "true")
		expect(t, err, remote.ErrHostKey, "has CHANGED", "ssh-keygen -R '"+name+"'")
	}
	if lines := s.Lines(); len(lines) != 2 {
		t.Errorf("got %q run, want nothing past the two accepted logins", lines)
	}

	f.Trust()
	known, err := os.ReadFile(f.KnownHosts)
	if err != nil {
		t.Fatal(err)
	}
	// Lines of other ages and makes must not hide the good one.
	mixed := filepath.Join(t.TempDir(), "mixed")
	write(t, mixed, "# comment\nold 1024 35 12345\nnew ssh-future AAAA\nbroken\n"+string(known))
	if _, err = run(open(t, f, "lpar1", "UserKnownHostsFile "+mixed), "true"); err != nil {
		t.Errorf("a file with lines that cannot be read: %v", err)
	}
	revoked := filepath.Join(t.TempDir(), "revoked")
	write(t, revoked, "@revoked "+string(known)+string(known))
	_, err = run(open(t, f, "lpar1", "UserKnownHostsFile "+revoked), "true")
	expect(t, err, remote.ErrHostKey, "revoked")

	// HostKeyAlias is the name on file.
	alias := filepath.Join(t.TempDir(), "alias")
	_, key, _ := strings.Cut(string(known), " ")
	write(t, alias, "lpar1-key "+key)
	if _, err = run(open(t, f, "lpar1", "HostKeyAlias lpar1-key\nUserKnownHostsFile "+alias), "true"); err != nil {
		t.Errorf("HostKeyAlias: %v", err)
	}
}

// The key of a certificate authority signs those of hosts; a host that shows it as its own
// is not known by it.
func TestAuthorityIsNoHostKey(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	f.Trust()
	known, err := os.ReadFile(f.KnownHosts)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "known")
	write(t, file, "@cert-authority "+string(known))
	_, err = run(open(t, f, "lpar1", "UserKnownHostsFile "+file), "true")
	expect(t, err, remote.ErrHostKey, "is unknown")
	write(t, file, "@cert-authority "+string(known)+string(known))
	if _, err := run(open(t, f, "lpar1", "UserKnownHostsFile "+file), "true"); err != nil {
		t.Errorf("the host's own key beside an authority: %v", err)
	}
}

// A key that cannot be filed would be accepted each time, no matter who shows it.
func TestUnknownKeyIsFiledOrRefused(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	for _, value := range []string{"no", "off", "accept-new"} {
		for _, file := range []string{"/dev/null", "none"} {
			_, err := run(open(t, f, "lpar1", "UserKnownHostsFile "+file+"\nGlobalKnownHostsFile none\nStrictHostKeyChecking "+value), "true")
			expect(t, err, remote.ErrHostKey, "is unknown")
		}
		file := filepath.Join(t.TempDir(), "known")
		config := filepath.Join(t.TempDir(), "config")
		base, err := os.ReadFile(f.Config)
		if err != nil {
			t.Fatal(err)
		}
		write(t, config, "UserKnownHostsFile "+file+"\nStrictHostKeyChecking "+value+"\n"+string(base))
		var told []string
		shared := targets.NewRun(1)
		shared.OnNotice(func(text string) { told = append(told, text) })
		for range 2 {
			hosts, err := targets.Open(t.Context(), []string{"lpar1"}, targets.Options{SSHConfig: config, Run: shared})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run(hosts[0], "true"); err != nil {
				t.Errorf("%s: %v", value, err)
			}
			hosts[0].Close()
		}
		if len(told) != 1 || !strings.Contains(told[0], "lpar1: its host key was unknown and is filed in "+file) || !strings.Contains(told[0], "SHA256:") {
			t.Errorf("%s: told %q, want it said once, with file and fingerprint", value, told)
		}
	}
}

// A name that an HMC gave and that leads to this machine is not logged in to.
func TestGivenByOthersIsNotThisMachine(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	f.Trust()
	shared := targets.NewRun(1)
	shared.GivenByOthers([]string{"lpar1"})
	hosts, err := targets.Open(t.Context(), []string{"lpar1"}, targets.Options{SSHConfig: f.Config, Run: shared})
	if err != nil {
		t.Fatal(err)
	}
	defer hosts[0].Close()
	_, err = run(hosts[0], "true")
	expect(t, err, remote.ErrUnreachable, "leads to this machine")
	if lines := f.Server("lpar1").Lines(); len(lines) > 0 {
		t.Errorf("got %q run, want nothing", lines)
	}
}

// legacy signs with SHA-1 only, as old servers do.
type legacy struct{ ssh.AlgorithmSigner }

func (legacy) Algorithms() []string { return []string{ssh.KeyAlgoRSA} }

func TestLegacyRSAHostKey(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"aix53": remotetest.Shell})
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	f.Server("aix53").SetHostKey(legacy{signer.(ssh.AlgorithmSigner)})
	unknown := filepath.Join(t.TempDir(), "none")
	if _, err := run(open(t, f, "aix53", "UserKnownHostsFile "+unknown), "true"); err == nil {
		t.Error("SHA-1 host key of an unknown host: got no error")
	}
	f.Trust()
	if _, err := run(f.Host("aix53"), "true"); err != nil {
		t.Errorf("SHA-1 host key that is on file: %v", err)
	}
}

// A server that has nothing in common with what is offered: the message has the line
// of the ssh configuration that helps.
func TestNoCommonAlgorithm(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"vios22": remotetest.Shell})
	for config, want := range map[string]string{
		"KexAlgorithms diffie-hellman-group1-sha1": `add "KexAlgorithms +`, "Ciphers 3des-cbc": `add "Ciphers +`,
	} {
		_, err := run(open(t, f, "vios22", config), "true")
		expect(t, err, remote.ErrUnreachable, "no common algorithm", "old server that you trust", want)
	}
}

func TestAuth(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	f.Server("lpar1").RefuseLogins(true)
	_, err := run(f.Host("lpar1"), "true")
	expect(t, err, remote.ErrAuth, "root@127.0.0.1", f.Identity+" ed25519 SHA256:", "authorized_keys of root")

	_, err = run(open(t, f, "lpar1", "PubkeyAuthentication no"), "true")
	expect(t, err, remote.ErrAuth, "no key to offer")

	junk := filepath.Join(t.TempDir(), "junk")
	write(t, junk, "-----BEGIN OPENSSH PRIVATE KEY-----\nsecretbytes\n-----END OPENSSH PRIVATE KEY-----\n")
	missing := filepath.Join(t.TempDir(), "missing")
	_, err = run(open(t, f, "lpar1", "IdentityFile "+junk+"\nIdentityFile "+missing), "true")
	expect(t, err, remote.ErrAuth, junk+": not a private key", missing+": no such file")
	if strings.Contains(err.Error(), "secretbytes") {
		t.Errorf("%q shows key material", err)
	}
}

func TestEncryptedIdentityAndAgent(t *testing.T) {
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
	key, pub := newKey(t)
	f.Server("lpar1").Accept(pub)
	file := filepath.Join(t.TempDir(), "locked")
	block, err := ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte(passphrase))
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(pem.EncodeToMemory(block)))

	_, err = run(open(t, f, "lpar1", "IdentityFile "+file), "true")
	expect(t, err, remote.ErrAuth, file+" is encrypted", "ssh-add")

	other, _ := newKey(t)
	socket := startAgent(t, other, key)
	for name, config := range map[string]string{
		"by agent alone":          "IdentitiesOnly no\nIdentityAgent " + socket,
		"IdentitiesOnly, by file": "IdentityFile " + file + "\nIdentityAgent " + socket,
	} {
		if _, err := run(open(t, f, "lpar1", config), "true"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// IdentitiesOnly keeps the agent's other keys away from the server.
	_, err = run(open(t, f, "lpar1", "IdentityAgent "+socket), "true")
	expect(t, err, remote.ErrAuth)
	if strings.Contains(err.Error(), "agent") {
		t.Errorf("%q: a key of the agent was offered in spite of IdentitiesOnly", err)
	}
	t.Setenv("SSH_AUTH_SOCK", socket)
	if _, err := run(open(t, f, "lpar1", "IdentitiesOnly no\nIdentityAgent SSH_AUTH_SOCK"), "true"); err != nil {
		t.Errorf("agent from the environment: %v", err)
	}
	_, err = run(open(t, f, "lpar1", "IdentityAgent "+filepath.Join(t.TempDir(), "gone")), "true")
	expect(t, err, remote.ErrAuth, "the agent: no such file")
}

func startAgent(t *testing.T, keys ...ed25519.PrivateKey) string {
	t.Helper()
	ring := agent.NewKeyring()
	for _, k := range keys {
		if err := ring.Add(agent.AddedKey{PrivateKey: k}); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "agent") // a socket path must be short
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		os.RemoveAll(dir)
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				agent.ServeAgent(ring, c)
			}()
		}
	}()
	return l.Addr().String()
}
