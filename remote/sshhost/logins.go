package sshhost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"seaworthy/remote"
	"seaworthy/remote/sshconfig"
)

// DefaultMaxAuthFailures is below what directories lock an account after.
const DefaultMaxAuthFailures = 5

// Logins is what the logins of one run share, so that it does not lock accounts.
// A host is tried once: whoever waits for that, or comes after a refusal, gets its
// error. Refusals of one user in a row slow the next logins down, and too many of
// them end the logins of that user. It is safe for concurrent use.
type Logins struct {
	most  int // refusals in a row; 0: no limit
	pause time.Duration

	resolver *net.Resolver // nil: the system's

	mu    sync.Mutex
	users map[string]*user
	doors map[string]*door
}

// NewLogins stops a user's logins after so many refusals in a row; 0 never does.
func NewLogins(most int) *Logins {
	return &Logins{most: most, pause: 250 * time.Millisecond, users: map[string]*user{}, doors: map[string]*door{}}
}

// door is one login to one host.
type door struct {
	open   bool          // it worked once
	err    error         // of the first try
	trying chan struct{} // closed when the try ends
}

// user is one account, which a directory may share among hosts.
type user struct {
	refused int // in a row
	trying  int
	next    time.Time     // not before
	changed chan struct{} // closed at the end of a login
}

// final are the errors that another try does not change.
func final(err error) bool {
	return errors.Is(err, remote.ErrAuth) || errors.Is(err, remote.ErrHostKey)
}

// through dials one host. Until a login worked there is one try at a time, and
// those who wait share its error; a refusal holds for the rest of the run.
func (l *Logins) through(ctx context.Context, s *sshconfig.Settings, dial func() (*conn, error)) (*conn, error) {
	name := strings.Join([]string{s.User, s.KnownAs(), s.Address(), s.ProxyCommand}, "\n")
	l.mu.Lock()
	d := l.doors[name]
	if d == nil {
		d = &door{}
		l.doors[name] = d
	}
	switch {
	case d.open:
		l.mu.Unlock()
		return dial()
	case final(d.err):
		defer l.mu.Unlock()
		return nil, d.err
	case d.trying != nil:
		wait := d.trying
		l.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, remote.Stopped(ctx)
		}
		l.mu.Lock()
		open, err := d.open, d.err
		l.mu.Unlock()
		if !open {
			return nil, err
		}
		return dial()
	}
	d.trying = make(chan struct{})
	l.mu.Unlock()
	c, err := dial()
	l.mu.Lock()
	defer l.mu.Unlock()
	close(d.trying)
	d.trying, d.open, d.err = nil, err == nil, err
	return c, err
}

// barred says why a user may not log in any more, if so.
func (l *Logins) barred(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if u := l.users[name]; u != nil && l.most > 0 && u.refused >= l.most {
		return &hinted{fmt.Errorf("%w: not tried: %d logins as %s were refused in a row", remote.ErrAuth, u.refused, name),
			"so that no account is locked; --max-auth-failures sets how many are tried"}
	}
	return nil
}

// enter waits until a user may log in, and leave says how it went.
func (l *Logins) enter(ctx context.Context, name string) error {
	for {
		if err := l.barred(name); err != nil {
			return err
		}
		l.mu.Lock()
		u := l.users[name]
		if u == nil {
			u = &user{changed: make(chan struct{})}
			l.users[name] = u
		}
		wait := time.Until(u.next)
		switch {
		case wait <= 0 && (l.most == 0 || u.refused+u.trying < l.most):
			u.trying++
			l.mu.Unlock()
			return nil
		case wait <= 0:
			wait = time.Hour // until one of those that try is through
		}
		changed := u.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(wait):
		case <-ctx.Done():
			return remote.Stopped(ctx)
		}
	}
}

func (l *Logins) leave(name string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.users[name]
	u.trying--
	switch {
	case err == nil:
		u.refused, u.next = 0, time.Time{}
	case errors.Is(err, remote.ErrAuth):
		u.refused++
		u.next = time.Now().Add(l.pause << min(u.refused-1, 5))
	}
	close(u.changed)
	u.changed = make(chan struct{})
}
