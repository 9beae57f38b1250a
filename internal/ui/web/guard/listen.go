package guard

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Options say where to listen, and who may ask.
type Options struct {
	Address   string // HOST:PORT or unix:PATH
	Cert, Key string // PEM files; empty: no TLS
	Token     string // empty: none is asked for
}

// Errors of listening beyond this machine.
var (
	ErrNeedsTLS   = errors.New("it is reached from other machines: give --tls-cert and --tls-key")
	ErrNamesNone  = errors.New("it names no host (subjectAltName), so browsers refuse it")
	ErrNoPath     = errors.New("name a file: a socket without one has no permissions, so every user of this machine could ask")
	ErrNeedsToken = errors.New("it is reached from other machines: give --token-file, a file with the token that users must have")
)

// Listener is a place where the server listens.
type Listener struct {
	net.Listener
	URL   string // for the user; of a socket its path
	names *names
}

// Listen opens the place.
func Listen(o Options) (*Listener, error) {
	if path, ok := strings.CutPrefix(o.Address, "unix:"); ok {
		return socket(path, o)
	}
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("%s: expected HOST:PORT or unix:PATH", o.Address)
	}
	l := &Listener{names: &names{local: loopback(host), given: strings.ToLower(host)}}
	if !l.names.local {
		switch {
		case o.Cert == "" || o.Key == "":
			return nil, fmt.Errorf("%s: %w", o.Address, ErrNeedsTLS)
		case o.Token == "":
			return nil, fmt.Errorf("%s: %w", o.Address, ErrNeedsToken)
		}
	}
	scheme := "http"
	var config *tls.Config
	if o.Cert != "" || o.Key != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, fmt.Errorf("TLS certificate: %w", err)
		}
		if l.names.cert, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Cert, err)
		}
		scheme, config = "https", &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	inner, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, err
	}
	at := inner.Addr().(*net.TCPAddr)
	l.Listener, l.URL = inner, scheme+"://"+at.String()+"/"
	if config != nil {
		l.Listener = tls.NewListener(inner, config)
	}
	if at.IP.IsUnspecified() { // a browser needs a name
		all := l.names.certified()
		if len(all) == 0 {
			inner.Close()
			return nil, fmt.Errorf("%s: %w", o.Cert, ErrNamesNone)
		}
		l.URL = scheme + "://" + net.JoinHostPort(all[0], strconv.Itoa(at.Port)) + "/"
	}
	return l, nil
}

// Local says whether a place is reached from this machine alone: it needs neither TLS nor a token.
func Local(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return strings.HasPrefix(address, "unix:") || err == nil && loopback(host)
}

// socket listens on a Unix socket that only its owner may use. One that a dead
// server left is replaced.
func socket(path string, o Options) (*Listener, error) {
	if path == "" || path[0] == '@' || path[0] == 0 {
		return nil, fmt.Errorf("unix:%s: %w", path, ErrNoPath)
	}
	if o.Cert != "" || o.Key != "" {
		return nil, errors.New("unix:" + path + ": a socket has no TLS")
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSocket != 0 {
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("unix:%s: another server listens there", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	mask := syscall.Umask(0o177) // from its beginning it is nobody else's
	inner, err := net.Listen("unix", path)
	syscall.Umask(mask)
	if err != nil {
		return nil, err
	}
	return &Listener{Listener: inner, URL: "unix:" + path, names: &names{local: true}}, nil
}

// loopback says whether only this machine reaches a host's name or address.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// names are those that a request may call the server by.
type names struct {
	local bool
	given string
	cert  *x509.Certificate
}

// certified are the names and addresses that the certificate is for.
func (n *names) certified() []string {
	out := slices.Clone(n.cert.DNSNames)
	for _, ip := range n.cert.IPAddresses {
		out = append(out, ip.String())
	}
	return out
}

func (n *names) allow(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	switch {
	case n.local && loopback(host), n.given != "" && host == n.given:
		return true
	case n.cert == nil:
		return false
	}
	return n.cert.VerifyHostname(host) == nil
}
