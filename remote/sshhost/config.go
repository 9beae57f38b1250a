package sshhost

import (
	"slices"

	"golang.org/x/crypto/ssh"

	"seaworthy/remote/sshconfig"
)

// version is what the server's log shows; sshd matches some clients by it.
const version = "SSH-2.0-seaworthy"

func clientConfig(s *sshconfig.Settings, k *known, a *auth) *ssh.ClientConfig {
	good, old := ssh.SupportedAlgorithms(), ssh.InsecureAlgorithms()
	config := &ssh.ClientConfig{
		User:              s.User,
		Auth:              []ssh.AuthMethod{ssh.PublicKeysCallback(a.signers)},
		HostKeyCallback:   k.verify,
		HostKeyAlgorithms: k.algorithms(),
		ClientVersion:     version,
	}
	config.KeyExchanges = s.KexAlgorithms.Apply(nonNil(s.KexAlgorithms, good.KeyExchanges), slices.Concat(good.KeyExchanges, old.KeyExchanges))
	config.Ciphers = s.Ciphers.Apply(nonNil(s.Ciphers, good.Ciphers), slices.Concat(good.Ciphers, old.Ciphers))
	config.MACs = s.MACs.Apply(nonNil(s.MACs, good.MACs), slices.Concat(good.MACs, old.MACs))
	return config
}

// nonNil is the list that a configured one starts from; without any, the
// library's own defaults hold.
func nonNil(a sshconfig.Algorithms, defaults []string) []string {
	if len(a.Names) == 0 {
		return nil
	}
	return defaults
}
