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

// String is the addresses in brackets, for an error; empty if there were not several.
func (a *addresses) String() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) < 2 {
		return ""
	}
	text := strings.Join(a.list[:min(len(a.list), maxNamed)], ", ")
	if n := len(a.list) - maxNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if a.left > 0 {
		text += fmt.Sprintf("; %d more not tried", a.left)
	}
	return " (tried " + text + ")"
}
