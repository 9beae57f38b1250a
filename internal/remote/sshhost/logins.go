package sshhost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
)

// DefaultMaxAuthFailures is below what directories lock an account after.
const DefaultMaxAuthFailures = 5

// Logins holds what the logins of one run share, so that it does not lock accounts.
// A host is tried once: anyone who waits for that, or comes after a refusal, gets its
// error. Refusals of one user in a row slow the next logins down, and too many of
// them end the logins of that user. It is safe for concurrent use.
type Logins struct {
	most  int // refusals in a row; 0: no limit
	pause time.Duration

	resolver *net.Resolver // nil: the system's
	notice   func(text string)
	known    knownCache

	first singleflight.Group // tries of hosts whose first login is not through

	mu    sync.Mutex
	users map[string]*user
	doors map[string]error // by login to a host: its refusal; nil: it worked once
}

// NewLogins stops a user's logins after so many refusals in a row; 0 never does.
func NewLogins(most int) *Logins {
	return &Logins{most: most, pause: 250 * time.Millisecond, users: map[string]*user{}, doors: map[string]error{}}
}

// OnNotice has what a user should know beside errors told: that a new host key was filed.
// It is called before the first login.
func (l *Logins) OnNotice(tell func(text string)) { l.notice = tell }

// user is one account, which a directory may share among hosts.
type user struct {
	refused int // in a row
	trying  int
	next    time.Time     // not before
	changed chan struct{} // closed at the end of a login
}

// through dials one host. Until a login worked there is one try at a time, and
// those who wait share its error; a refusal holds for the rest of the run.
func (l *Logins) through(s *sshconfig.Settings, dial func() (*conn, error)) (*conn, error) {
	name := strings.Join([]string{s.User, s.KnownAs(), s.Address(), s.ProxyCommand}, "\n")
	var own *conn
	_, err, _ := l.first.Do(name, func() (any, error) {
		l.mu.Lock()
		err, known := l.doors[name]
		l.mu.Unlock()
		if known {
			return nil, err
		}
		own, err = dial()
		if err == nil || errors.Is(err, remote.ErrAuth) || errors.Is(err, remote.ErrHostKey) { // another try would not change it
			l.mu.Lock()
			defer l.mu.Unlock()
			l.doors[name] = err
		}
		return nil, err
	})
	if err != nil || own != nil {
		return own, err
	}
	return dial()
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
