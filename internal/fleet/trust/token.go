package trust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nkeys"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
)

// SchemaToken is the format of a token's file.
const SchemaToken = "seaworthy.fleettoken/1"

// Operator is who makes sweeps, as the user of a token.
const Operator = "operator"

// Token lets its owner log in to one hub. It is a secret.
type Token struct {
	Schema string   `json:"schema"`
	User   string   `json:"user"`           // a zone, or "operator"
	Hubs   []string `json:"hubs"`           // HOST:PORT; the first that answers is taken
	Pin    string   `json:"pin"`            // of a certificate's key in the hub's chain
	OwnCA  bool     `json:"own_ca"`         // the hub stands under HubName
	Seed   string   `json:"seed,omitempty"` // of the nkey
}

// NewKey makes an nkey.
func NewKey() (seed, public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", "", fmt.Errorf("nkey: %w", err)
	}
	defer pair.Wipe()
	raw, err := pair.Seed()
	if err == nil {
		public, err = pair.PublicKey()
	}
	if err != nil {
		return "", "", fmt.Errorf("nkey: %w", err)
	}
	return string(raw), public, nil
}

// Public is the public key of the token.
func (t *Token) Public() (string, error) {
	pair, err := nkeys.FromSeed([]byte(t.Seed))
	if err != nil {
		return "", fmt.Errorf("token: its key: %w", err)
	}
	defer pair.Wipe()
	return pair.PublicKey()
}

// Sign signs what a hub sends at a login.
func (t *Token) Sign(nonce []byte) ([]byte, error) {
	pair, err := nkeys.FromSeed([]byte(t.Seed))
	if err != nil {
		return nil, fmt.Errorf("token: its key: %w", err)
	}
	defer pair.Wipe()
	return pair.Sign(nonce)
}

// Write saves a token for its owner alone.
func (t *Token) Write(file string) error {
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	return fileio.Write(file, append(text, '\n'))
}

// String hides the seed.
func (t *Token) String() string { return "token of " + t.User }

// Read reads a token that no other user of this machine may read.
func Read(ctx context.Context, file string) (*Token, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("token %s: no such file: seaworthy fleet token ZONE on the hub makes one", file)
	case err != nil:
		return nil, fmt.Errorf("token %s: %w", file, fileio.Cause(err))
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("token %s: other users may read it: chmod 600", file)
	}
	text, err := decode.Read(ctx, file, 64<<10)
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

var (
	pinForm  = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	userForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
)

// Parse reads the text of a token. Errors never quote it.
func Parse(file string, text []byte) (*Token, error) {
	t := &Token{}
	err := decode.JSON(file, text, t, decode.Newer)
	if err != nil {
		return nil, fmt.Errorf("token %s: not a file that seaworthy fleet token wrote", file)
	}
	err = decode.Format(t.Schema, SchemaToken, "make a new one with seaworthy fleet token")
	if err != nil {
		return nil, fmt.Errorf("token %s: %w", file, err)
	}
	_, keyErr := t.Public()
	switch {
	case !userForm.MatchString(t.User) || !pinForm.MatchString(t.Pin) || keyErr != nil || len(t.Hubs) == 0:
		return nil, fmt.Errorf("token %s: damaged: user, hubs, pin or seed is not one", file)
	}
	for _, hub := range t.Hubs {
		if hub == "" || strings.ContainsAny(hub, " ,/@\n") {
			return nil, fmt.Errorf("token %s: damaged: hubs: expected HOST:PORT", file)
		}
	}
	return t, nil
}
