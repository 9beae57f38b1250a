package queue

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/trust"
)

// Waits of connections.
const (
	dialWait      = 10 * time.Second
	reconnectWait = 2 * time.Second
)

// Dial logs in to the hub of a token. It stays logged in, also after the link was cut.
func Dial(t *trust.Token, options ...nats.Option) (*nats.Conn, error) {
	key, err := t.Public()
	if err != nil {
		return nil, err
	}
	options = append([]nats.Option{
		nats.Nkey(key, t.Sign), nats.CustomInboxPrefix(message.Inbox(t.User)), nats.Name(t.User), nats.TLSHandshakeFirst(),
		nats.Timeout(dialWait), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.PingInterval(pingEvery),
		nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1), nats.IgnoreDiscoveredServers(), nats.IgnoreAuthErrorAbort(),
	}, options...)
	hubs := "tls://" + strings.Join(t.Hubs, ",tls://")
	nc, err := nats.Connect(hubs, append(options, nats.Secure(t.Client()))...)
	if err != nil {
		return nil, fmt.Errorf("hub %s: %w", strings.Join(t.Hubs, ", "), Plain(t, err))
	}
	return nc, nil
}

// Plain says what a failed login or link means, and what to do.
func Plain(t *trust.Token, err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), strings.Contains(strings.ToLower(text), "authorization"):
		return fmt.Errorf("the hub refuses the token of %s: it was replaced or removed: get a new one with seaworthy fleet token", t.User)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("no connection: is the hub running there, and does a firewall let its port through? (%w)", err)
	case errors.As(err, new(tls.RecordHeaderError)):
		return fmt.Errorf("what answers there does not speak TLS: is this the port of fleet serve --listen? (%w)", err)
	case strings.HasPrefix(text, tlsPrefix):
		return &plainError{strings.TrimPrefix(text, tlsPrefix), err}
	}
	return err
}

// tlsPrefix begins what nats says of a handshake that failed.
const tlsPrefix = "nats: tls error: "

// plainError is an error in other words.
type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.err }
