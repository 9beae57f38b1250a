// Package sshhost is a remote.Host over SSH. It follows the settings that
// package sshconfig found, so it goes where the user's own ssh goes: through
// the same jump hosts and proxy commands, with the same keys and agent, and
// believing the same known_hosts files.
//
// One connection carries all sessions of a host. If it breaks, the command in
// flight fails with remote.ErrLost and the next one connects again; a command
// that may have begun is never sent twice.
//
// Nothing is ever asked: no password, no passphrase, no "continue connecting".
package sshhost
