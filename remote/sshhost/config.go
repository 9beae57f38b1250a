package sshhost

import (
	"golang.org/x/crypto/ssh"

	"seaworthy/remote/sshconfig"
)

// version is what the server's log shows; sshd matches some clients by it.
const version = "SSH-2.0-seaworthy"

func clientConfig(s *sshconfig.Settings, k *known, a *auth) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		// The library leaves out names that it does not implement.
		Config:            ssh.Config{KeyExchanges: s.KexAlgorithms, Ciphers: s.Ciphers, MACs: s.MACs},
		User:              s.User,
		Auth:              []ssh.AuthMethod{ssh.PublicKeysCallback(a.signers)},
		HostKeyCallback:   k.verify,
		HostKeyAlgorithms: k.algorithms(),
		ClientVersion:     version,
	}
}
