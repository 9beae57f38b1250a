package sshd

import (
	"crypto/ed25519"
	"encoding/pem"

	"golang.org/x/crypto/ssh"
)

// NewKey makes a key, for a login or of a host, and the text of its file.
func NewKey(comment string) (ssh.Signer, []byte, error) {
	_, secret, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, nil, err
	}
	block, err := ssh.MarshalPrivateKey(secret, comment)
	if err != nil {
		return nil, nil, err
	}
	signer, err := ssh.NewSignerFromKey(secret)
	return signer, pem.EncodeToMemory(block), err
}
