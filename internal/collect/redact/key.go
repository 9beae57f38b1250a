package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seaworthy/internal/base/fileio"
)

// keySize is the length of a key in bytes.
const keySize = 32

// Key makes the replacements.
type Key struct{ secret []byte }

// NewKey makes a key of secret bytes; at least 16 of them.
func NewKey(secret []byte) (Key, error) {
	if len(secret) < 16 {
		return Key{}, fmt.Errorf("redact: a key of %d bytes is too short, at least 16 are needed", len(secret))
	}
	return Key{secret}, nil
}

// LoadKey reads a key file, and makes it with a random key if there is none.
// It must be readable by its owner alone, and must not lie in the folder that
// is to be given away.
func LoadKey(file, folder string) (Key, error) {
	a, err1 := filepath.Abs(file)
	b, err2 := filepath.Abs(folder)
	if rel, err := filepath.Rel(b, a); errors.Join(err, err1, err2) == nil && filepath.IsLocal(rel) {
		return Key{}, fmt.Errorf("redact: key file %s lies in %s, which is to be given away: keep it elsewhere", file, folder)
	}
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		secret := make([]byte, keySize)
		rand.Read(secret)
		err = fileio.Create(file, []byte(hex.EncodeToString(secret)+"\n"))
		if err == nil {
			return Key{secret}, nil
		}
	}
	switch {
	case err != nil:
		return Key{}, fmt.Errorf("redact: key: %w", err)
	case st.Mode().Perm()&0o077 != 0:
		return Key{}, fmt.Errorf("redact: key file %s can be read by others (mode %04o): chmod 600 it", file, st.Mode().Perm())
	}
	var text []byte
	if st.Mode().IsRegular() && st.Size() <= 4096 {
		if text, err = os.ReadFile(file); err != nil {
			return Key{}, fmt.Errorf("redact: key: %w", err)
		}
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) == 0 {
		return Key{}, fmt.Errorf("redact: %s is not a key file: it must hold hexadecimal digits", file)
	}
	return NewKey(secret)
}

// sum is the keyed digest of some parts, for one purpose.
func (k Key) sum(purpose string, parts ...[]byte) [sha256.Size]byte {
	h := hmac.New(sha256.New, k.secret)
	_, _ = h.Write([]byte(purpose)) // never fails
	for _, p := range parts {
		_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		_, _ = h.Write(p)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
