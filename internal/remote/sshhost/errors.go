package sshhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	stdknown "golang.org/x/crypto/ssh/knownhosts"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
)

// hinted carries what the user can do about an error.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// fail dresses an error for the caller.
func (h *Host) fail(line string, err error) error {
	e := &remote.Error{Host: h.name, Command: strings.TrimSpace(line), Err: err}
	for _, before := range []error{remote.ErrUnreachable, remote.ErrNoAddress, remote.ErrHostKey, remote.ErrAuth} {
		if errors.Is(err, before) {
			e.Command = "" // it was not the command that failed
		}
	}
	if hint, ok := errors.AsType[*hinted](err); ok {
		e.Hint = hint.hint
	}
	if errors.Is(err, syscall.EMFILE) {
		e.Hint = "raise the limit of open files with ulimit -n, or name fewer hosts"
	}
	return e
}

// unreachable explains why there is no byte stream to the host.
func unreachable(ctx context.Context, s *sshconfig.Settings, nc net.Conn, several *addresses, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), remote.ErrUnreachable) {
		return remote.Stopped(ctx)
	}
	where, tried := s.Address(), several.String()
	if ctx.Err() != nil {
		hint := "is the host up, and does a firewall let port " + fmt.Sprint(s.Port) + " through?"
		return &hinted{fmt.Errorf("%w%s", context.Cause(ctx), tried), hint}
	}
	if errors.Is(err, errThisMachine) {
		return fmt.Errorf("%w: %s: %w", remote.ErrUnreachable, where, errThisMachine)
	}
	var dns *net.DNSError
	var refused *ssh.OpenChannelError
	hint := ""
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		err = remote.ErrNoAddress
		if s.HostName != s.Alias {
			err = fmt.Errorf("%w: %s", err, s.HostName)
		}
		return err
	case errors.As(err, &dns):
		err = fmt.Errorf("looking up the name %s: %s", s.HostName, remote.Brief(dns.Err))
	case errors.As(err, &refused):
		err = fmt.Errorf("the jump host cannot reach %s: %s", where, remote.Brief(refused.Message))
	case errors.Is(err, syscall.ECONNREFUSED):
		err = fmt.Errorf("%s: connection refused%s", where, tried)
		hint = "does sshd run there, on this port?"
	default:
		err = fmt.Errorf("%s: %w%s", where, rootCause(err), tried)
	}
	if p, ok := nc.(*proxy); ok && p != nil {
		if w := p.lastWords(); w != "" {
			err = fmt.Errorf("%w; ProxyCommand says: %s", err, w)
		}
	}
	return &hinted{fmt.Errorf("%w: %w", remote.ErrUnreachable, err), hint}
}

// explain turns a failed handshake into a reason the user can act on.
func explain(ctx context.Context, s *sshconfig.Settings, nc net.Conn, k *known, a *auth, err error) error {
	if k.verdict != nil {
		return hostKeyError(s, k)
	}
	text := err.Error()
	if strings.Contains(text, "unable to authenticate") || strings.Contains(text, "no supported methods remain") {
		return authError(s, a)
	}
	if negotiation, ok := errors.AsType[*ssh.AlgorithmNegotiationError](err); ok {
		return &hinted{fmt.Errorf("%w: %s", remote.ErrUnreachable, remote.Brief(text)), oldServer(negotiation)}
	}
	hungUp := func(end error) bool { return errors.Is(err, end) }
	if slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, syscall.ECONNRESET, syscall.EPIPE, os.ErrClosed}, hungUp) {
		if p, ok := nc.(*proxy); ok {
			return unreachable(ctx, s, p, nil, errors.New("the ProxyCommand ended before the connection was made"))
		}
		if len(a.tried) > 0 && k.presented != nil {
			// Servers hang up on a client that offers too many keys.
			offered := strings.Join(a.tried, ", ")
			return &hinted{fmt.Errorf("%w: the server hung up during the login as %s, offered: %s", remote.ErrAuth, s.User, offered),
				"with many keys in the agent set IdentityFile and IdentitiesOnly yes"}
		}
		return &hinted{fmt.Errorf("%w: %s closed the connection during the handshake", remote.ErrUnreachable, s.Address()),
			"is it an SSH server, and does it let this machine in?"}
	}
	return fmt.Errorf("%w: %s: %s", remote.ErrUnreachable, s.Address(), remote.Brief(text))
}

// algorithmOptions are the options of an ssh configuration, by the last word of what
// could not be agreed on.
var algorithmOptions = map[string]string{"exchange": "KexAlgorithms", "key": "HostKeyAlgorithms", "cipher": "Ciphers", "MAC": "MACs"}

// oldServer says what to put into the ssh configuration for a server that has only
// algorithms that are not offered by default, as those of old VIOSes.
func oldServer(e *ssh.AlgorithmNegotiationError) string {
	what := e.What[strings.LastIndexByte(e.What, ' ')+1:] // of "client to server cipher"
	option := algorithmOptions[what]
	has := slices.DeleteFunc(slices.Clone(e.RequestedAlgorithms), func(a string) bool {
		return strings.HasPrefix(a, "kex-strict-") || strings.HasPrefix(a, "ext-info-")
	})
	if option == "" || len(has) == 0 {
		return "see which algorithms the server has: ssh -vv"
	}
	return fmt.Sprintf("for an old server that you trust add %q to its Host in the ssh configuration", option+" +"+remote.Brief(has[0]))
}

func hostKeyError(s *sshconfig.Settings, k *known) error {
	name := knownhosts.Normalize(s.KnownAs())
	shown := short(k.presented.Type()) + " " + ssh.FingerprintSHA256(k.presented)
	var unknown *stdknown.KeyError
	var revoked *stdknown.RevokedError
	switch {
	case errors.As(k.verdict, &revoked):
		return fmt.Errorf("%w: %s shows %s, which is marked as revoked", remote.ErrHostKey, name, shown)
	case errors.As(k.verdict, &unknown) && len(unknown.Want) > 0:
		var want []string
		for _, w := range unknown.Want {
			want = append(want, fmt.Sprintf("%s %s (%s:%d)", short(w.Key.Type()), ssh.FingerprintSHA256(w.Key), k.copies[w.Filename], w.Line))
		}
		known := strings.Join(want, ", ")
		return &hinted{fmt.Errorf("%w: the key of %s has CHANGED: it shows %s, on file is %s", remote.ErrHostKey, name, shown, known),
			"find out why before you go on; if the host was reinstalled: ssh-keygen -R '" + name + "'"}
	case errors.As(k.verdict, &unknown):
		scan := "ssh-keyscan "
		if s.Port != 22 {
			scan += fmt.Sprintf("-p %d ", s.Port)
		}
		return &hinted{fmt.Errorf("%w: the key of %s is unknown: it shows %s", remote.ErrHostKey, name, shown),
			"compare the fingerprint with the host's own, then log in once with ssh, or: " + scan + s.HostName}
	}
	return fmt.Errorf("%w: %s shows %s: %s", remote.ErrHostKey, name, shown, remote.Brief(k.verdict.Error()))
}

func authError(s *sshconfig.Settings, a *auth) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	msg := "no key to offer"
	if len(a.tried) > 0 {
		msg = "tried " + strings.Join(a.tried, ", ")
	}
	if len(a.skipped) > 0 {
		msg += "; not tried: " + strings.Join(a.skipped, ", ")
	}
	hint := "passwords are never asked for: put a public key into the authorized_keys of " + s.User
	if strings.Contains(msg, "is encrypted") {
		hint = "load the key into the agent: ssh-add"
	}
	return &hinted{fmt.Errorf("%w for %s@%s: %s", remote.ErrAuth, s.User, s.HostName, msg), hint}
}
