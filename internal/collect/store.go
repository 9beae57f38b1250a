package collect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/base/fileio"
)

// ManifestName is the file of a snapshot's folder that says what it holds.
const ManifestName = "manifest.json"

const (
	partial = ".partial"
	maxName = 100 // bytes of a file name made from a host's or an element's
)

// ErrNotSaved is when a host said something that could not be kept here: a
// full disk, a folder that nobody may write to.
var ErrNotSaved = errors.New("not saved")

// store is the folder of a host being read.
type store struct {
	host  string // for messages
	dir   string // ends in .partial
	final string
	// write puts a file on disk; a test's fails like a full disk.
	write func(path string, data []byte) error
	// replace a finished snapshot of the host when this one is complete.
	replace bool

	mu   sync.Mutex
	used map[string]bool

	memory map[string][]byte // the files, of a store without a folder
}

// newStore makes the folder. What an interrupted run left is overwritten, a
// finished snapshot of the host only if it is to be replaced.
func newStore(dir, host string, replace bool) (*store, error) {
	name := folderName(host)
	s := &store{host: host, final: filepath.Join(dir, name), used: map[string]bool{ManifestName: true}, write: fileio.WriteUnsynced}
	s.dir = s.final + partial
	if _, err := os.Stat(filepath.Join(s.final, ManifestName)); replace && err == nil {
		s.replace = true
	} else if _, err := os.Lstat(s.final); err == nil {
		return nil, fmt.Errorf("%s: %s already holds a snapshot of it: choose another folder, or replace it with collect --replace", host, dir)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", host, err)
	}
	if err := s.clear(); err != nil {
		return nil, fmt.Errorf("%s: %w", host, err)
	}
	made, err := fileio.MkdirAll(dir)
	if err == nil {
		if err = fileio.Mkdir(s.dir); err != nil {
			made.Undo()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", host, err)
	}
	return s, nil
}

// clear removes what an interrupted run left, if that is what it is.
func (s *store) clear() error {
	st, err := os.Lstat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !st.IsDir():
		return fmt.Errorf("%s is in the way", s.dir)
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || (e.Name() != ManifestName && ext != ".txt" && ext != ".err" && !fileio.Temporary(e.Name())) {
			return fmt.Errorf("%s holds %q, which is not of a snapshot; move it away", s.dir, e.Name())
		}
	}
	return os.RemoveAll(s.dir)
}

// save saves what a command printed; the record's file names are set here.
func (s *store) save(r *Record, stdout, stderr []byte) (err error) {
	if r.Stdout, err = s.put(r, ".txt", stdout); err == nil {
		r.Stderr, err = s.put(r, ".err", stderr)
	}
	return err
}

// put saves an output under a name made from its record and returns the name;
// an empty output has no file.
func (s *store) put(r *Record, ext string, data []byte) (string, error) {
	if len(data) == 0 {
		return "", nil
	}
	parts := slices.DeleteFunc([]string{r.ID, r.Element, r.Attribute}, func(p string) bool { return p == "" })
	base := safe(strings.Join(parts, "."))
	s.mu.Lock()
	name := base + ext
	for n := 2; s.used[name]; n++ {
		name = fmt.Sprintf("%s~%d%s", base, n, ext)
	}
	s.used[name] = true
	s.mu.Unlock()
	if err := s.write(filepath.Join(s.dir, name), data); err != nil {
		return "", fmt.Errorf("%s: %s: output %w: %w", s.host, r.Line, ErrNotSaved, err)
	}
	return name, nil
}

// manifest saves the manifest as it is.
func (s *store) manifest(m *Manifest) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: manifest: %w", s.host, err)
	}
	if err := s.write(filepath.Join(s.dir, ManifestName), append(text, '\n')); err != nil {
		return fmt.Errorf("%s: manifest %w: %w", s.host, ErrNotSaved, err)
	}
	return nil
}

// finish gives the folder its name.
func (s *store) finish() error {
	if s.memory != nil {
		return nil
	}
	old := s.final + ".replaced" + partial // not read as a host, should this be interrupted
	var err error
	if s.replace {
		err = os.Rename(s.final, old)
	}
	if err == nil {
		err = os.Rename(s.dir, s.final)
	}
	if err == nil {
		s.dir = s.final
		if s.replace {
			err = os.RemoveAll(old)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.host, err)
	}
	return nil
}

// remove drops a folder in which nothing was put.
func (s *store) remove() {
	if s.memory == nil {
		_ = os.RemoveAll(s.dir) // an empty folder left behind does no harm
	}
}

// folderName is the folder of a host. A host that is itself called
// "x.partial" must not look like an interrupted x.
func folderName(host string) string {
	name := safe(host)
	if rest, ok := strings.CutSuffix(name, partial); ok {
		name = rest + "%2E" + partial[1:]
	}
	return name
}

// safe makes a file name of any text: letters, digits and . _ @ - stay, every
// other byte becomes %XX, so that two texts never share a name. A long one is
// cut and made unique by a digest.
func safe(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._@-", c) >= 0
		if plain && !(i == 0 && (c == '.' || c == '-')) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	if name == "" {
		return "%"
	}
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(s))
		name = name[:maxName-17] + "~" + hex.EncodeToString(sum[:8])
	}
	return name
}
