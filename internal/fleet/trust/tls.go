package trust

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
)

// ErrPin is when what answers is not the hub that a token is for.
var ErrPin = errors.New("what answers there is not the hub of this token")

// Server is how a hub takes connections: TLS 1.3 alone.
func (h *Hub) Server() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{h.Certificate}}
}

// Client is how a token's owner connects: the chain that the hub shows must hold the
// pinned key, be sound up to it, and be for one of the token's hubs.
func (t *Token) Client() *tls.Config {
	config := &tls.Config{
		MinVersion:             tls.VersionTLS13,
		InsecureSkipVerify:     true, //nolint:gosec // verified below, by the pinned key instead of the system's roots
		SessionTicketsDisabled: true, // each connection is verified
		VerifyConnection:       func(s tls.ConnectionState) error { return t.verify(s.PeerCertificates) },
	}
	if t.OwnCA {
		config.ServerName = HubName
	}
	return config
}

// errMember is when what answers is of another CA than this member of a cluster.
var errMember = errors.New("its certificate is of another CA: give all members the folder certificates of one")

// Members is how the members of a cluster connect to each other, at both ends: each shows a
// certificate of the CA that all have, for one of the addresses (HOST:PORT) of members.
func (h *Hub) Members(members []string) *tls.Config {
	config := h.Server()
	peer := &Token{Pin: h.Pin, OwnCA: h.Own, Hubs: members}
	config.ClientAuth = tls.RequireAnyClientCert
	config.InsecureSkipVerify = true //nolint:gosec // verified below, by the pinned key instead of the system's roots
	config.SessionTicketsDisabled = true
	config.VerifyConnection = func(s tls.ConnectionState) error {
		err := peer.verify(s.PeerCertificates)
		if errors.Is(err, ErrPin) {
			return errMember
		}
		return err
	}
	return config
}

// names are those that the hub's certificate may be for.
func (t *Token) names() (out []string) {
	if t.OwnCA {
		return []string{HubName}
	}
	for _, hub := range t.Hubs {
		host, _, err := net.SplitHostPort(hub)
		if err == nil {
			out = append(out, host)
		}
	}
	return out
}

// verify checks a chain of certificates.
func (t *Token) verify(chain []*x509.Certificate) error {
	err := t.verifyChain(chain)
	switch {
	case errors.Is(err, ErrPin):
		return err
	case expired(err):
		return fmt.Errorf("the hub's certificate: %w: restart fleet serve, which makes a new one of its own, or give it one that is valid; "+
			"or set the clock", err)
	case err != nil:
		return fmt.Errorf("the hub's certificate: %w: give fleet serve a certificate with its whole chain", err)
	}
	err = t.verifyName(chain[0])
	if err != nil {
		return fmt.Errorf("the hub's certificate: %w: reach the hub by a name in it (fleet serve --address), "+
			"or give fleet serve one for this name", err)
	}
	return nil
}

// expired reports whether a chain does not hold as it is too late, or too early.
func expired(err error) bool {
	var invalid x509.CertificateInvalidError
	return errors.As(err, &invalid) && invalid.Reason == x509.Expired
}

// verifyChain checks that a chain is sound up to the pinned key.
func (t *Token) verifyChain(chain []*x509.Certificate) error {
	if len(chain) == 0 {
		return fmt.Errorf("%w: it shows no certificate: reach the right address", ErrPin)
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	pinned := false
	for _, c := range chain {
		if pinKey(c) == t.Pin {
			roots.AddCert(c)
			pinned = true
			continue
		}
		between.AddCert(c)
	}
	if !pinned {
		return fmt.Errorf("%w: its certificate is of another key (%s, want %s): reach the right address, or get a new token with "+
			"seaworthy fleet token", ErrPin, pinKey(chain[len(chain)-1]), t.Pin)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
	return err
}

// verifyName checks that a certificate is for one of the token's hubs.
func (t *Token) verifyName(c *x509.Certificate) (err error) {
	for _, name := range t.names() {
		err = c.VerifyHostname(name)
		if err == nil {
			return nil
		}
	}
	return err
}
