package sshhost

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
)

// maxAddresses bounds how many addresses of a name are tried: whoever answers for
// the name must not have us knock at hundreds of doors.
const maxAddresses = 16

// maxNamed bounds how many of them an error names.
const maxNamed = 4

// addresses are those that a name was looked up to and that were tried.
type addresses struct {
	mu   sync.Mutex // families are tried side by side
	list []string
	left int // not tried: too many
}

var errTooMany = errors.New("too many addresses")

// note is called before an address is connected to; an error leaves it out.
func (a *addresses) note(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) == maxAddresses {
		a.left++
		return errTooMany
	}
	a.list = append(a.list, host)
	return nil
}

// unanswered is a failure to connect that says which of several addresses were tried.
type unanswered struct {
	error
	tried string // in brackets
}

func (u *unanswered) Unwrap() error { return u.error }

// wrap adds the addresses to an error, if there were several.
func (a *addresses) wrap(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) < 2 {
		return err
	}
	text := strings.Join(a.list[:min(len(a.list), maxNamed)], ", ")
	if n := len(a.list) - maxNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if a.left > 0 {
		text += fmt.Sprintf("; %d more not tried", a.left)
	}
	return &unanswered{err, " (tried " + text + ")"}
}
