package sshhost

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	stdknown "golang.org/x/crypto/ssh/knownhosts"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/remote/sshconfig"
)

// known checks a server's key against the known_hosts files of a host.
type known struct {
	*knownFiles
	settings *sshconfig.Settings
	notice   func(text string) // nil: nobody listens

	presented ssh.PublicKey // what the server showed, for messages
	verdict   error
}

// algorithms orders what is offered so that the server shows a key of a type
// on file. ssh-rsa with SHA-1 is offered only for a host whose RSA key is on
// file, or if configured: servers of that age sign with nothing else.
func (k *known) algorithms() []string {
	modern := ssh.SupportedAlgorithms().HostKeys
	allowed := k.settings.HostKeyAlgorithms
	if len(allowed) == 0 {
		allowed = append([]string{ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256}, modern...) // ssh's own preference
	}
	implemented := slices.Concat(modern, ssh.InsecureAlgorithms().HostKeys)
	var list []string
	for _, a := range k.db.HostKeyAlgorithms(k.settings.KnownAs()) {
		if slices.Contains(allowed, a) || (a == ssh.KeyAlgoRSA && slices.Contains(allowed, ssh.KeyAlgoRSASHA256)) {
			list = append(list, a)
		}
	}
	for _, a := range allowed {
		if slices.Contains(implemented, a) && !slices.Contains(list, a) && !strings.Contains(a, "-cert-v01@") {
			list = append(list, a)
		}
	}
	return list
}

// verify is the callback of the handshake.
func (k *known) verify(name string, _ net.Addr, key ssh.PublicKey) error {
	k.presented = key
	// The host uses its name alone; a proxy has no address to give.
	db := k.plain
	if _, certificate := key.(*ssh.Certificate); certificate {
		db = k.db
	}
	k.verdict = db.HostKeyCallback()(name, &net.TCPAddr{}, key)
	if knownhosts.IsHostUnknown(k.verdict) && k.settings.LearnHostKey {
		k.verdict = k.learn(key)
	}
	return k.verdict
}

// learn files an unknown key, as ssh does with accept-new, and says so. A key that cannot be
// filed stays unknown: it would be another one each time.
func (k *known) learn(key ssh.PublicKey) error {
	if _, cert := key.(*ssh.Certificate); cert {
		return k.verdict
	}
	if len(k.settings.UserKnown) == 0 || k.settings.UserKnown[0] == os.DevNull {
		return k.verdict
	}
	file := k.settings.UserKnown[0]
	name := knownhosts.Normalize(k.settings.KnownAs())
	if k.settings.HashKnownHosts {
		name = stdknown.HashHostname(name)
	}
	entry := name + " " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + "\n"
	if _, err := fileio.MkdirAll(filepath.Dir(file)); err != nil {
		return fmt.Errorf("new host key not filed: %w", err)
	}
	f, err := fileio.Open(file, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("new host key not filed: %w", err)
	}
	defer f.Close() // twice does no harm
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
	if err := f.Close(); err != nil {
		return fmt.Errorf("new host key not filed: %w", err)
	}
	if k.notice != nil {
		k.notice(fmt.Sprintf("%s: its host key was unknown and is filed in %s now, as StrictHostKeyChecking asks: %s %s", k.settings.Alias, file,
			short(key.Type()), ssh.FingerprintSHA256(key)))
	}
	return nil
}
