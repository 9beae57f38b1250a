package sshhost

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/remote/sshconfig"
)

// knownFiles holds the keys of the known_hosts files that a host's settings name.
type knownFiles struct {
	texts  [][]byte // of the files when they were read
	db     *knownhosts.HostKeyDB
	plain  *knownhosts.HostKeyDB // without authorities, whose key is not a host's own
	copies map[string]string     // file that was read → the user's own
}

// knownCache keeps the files that the hosts of a run share. A fleet of thousands has a
// line for each host, and every login would parse them all.
type knownCache struct {
	mu   sync.Mutex
	read map[string]*knownFiles // by the names of the files
}

// files are the keys that a host's settings name, as the files are now.
func (c *knownCache) files(s *sshconfig.Settings) (*knownFiles, error) {
	var names []string
	var texts [][]byte
	for _, f := range slices.Concat(s.UserKnown, s.GlobalKnown) {
		if st, err := os.Stat(f); err != nil || st.IsDir() {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		names, texts = append(names, f), append(texts, text)
	}
	key := strings.Join(names, "\n")
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.read[key]; k != nil && slices.EqualFunc(k.texts, texts, bytes.Equal) {
		return k, nil
	}
	k, err := parseKnown(names, texts)
	if err != nil {
		return nil, err
	}
	if c.read == nil {
		c.read = map[string]*knownFiles{}
	}
	c.read[key] = k
	return k, nil
}

// parseKnown takes the keys out of the texts of files; of one with lines that the library
// cannot read, out of a copy without them.
func parseKnown(names []string, texts [][]byte) (*knownFiles, error) {
	k := &knownFiles{texts: texts, copies: map[string]string{}}
	clean := make([][]byte, len(texts))
	hosts := make([][]byte, len(texts))
	for i, text := range texts {
		clean[i] = readable(text)
		hosts[i] = withoutAuthorities(clean[i])
	}
	var err error
	if k.db, err = k.database(names, clean); err != nil {
		return nil, err
	}
	k.plain = k.db
	if !slices.EqualFunc(clean, hosts, bytes.Equal) {
		k.plain, err = k.database(names, hosts)
	}
	return k, err
}

// database is the library's form of texts. It reads files by name: a text that is not its
// file's is written to a temporary one.
func (k *knownFiles) database(names []string, texts [][]byte) (*knownhosts.HostKeyDB, error) {
	var files []string
	for i, text := range texts {
		file := names[i]
		if !bytes.Equal(text, k.texts[i]) {
			copied, err := temporary(text)
			if err != nil {
				return nil, err
			}
			defer os.Remove(copied)
			file = copied
		}
		k.copies[file] = names[i]
		files = append(files, file)
	}
	return knownhosts.NewDB(files...)
}

// temporary is a new file with a text.
func temporary(text []byte) (string, error) {
	f, err := fileio.Temp("seaworthy-known")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// withoutAuthorities blanks the lines of certificate authorities: their keys sign those
// of hosts, and ssh takes none of them for a host's own.
func withoutAuthorities(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, l := range lines {
		if bytes.HasPrefix(bytes.TrimSpace(l), []byte("@cert-authority")) {
			lines[i] = nil
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// readable blanks the lines that the library cannot read, for which it would
// refuse the whole file. ssh skips them too: that can only make a host less
// known.
func readable(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i, l := range lines {
		l = bytes.TrimSpace(l)
		if len(l) == 0 || l[0] == '#' {
			continue
		}
		if _, _, _, _, _, err := ssh.ParseKnownHosts(l); err != nil {
			lines[i] = nil // keeps the numbers of the other lines
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
