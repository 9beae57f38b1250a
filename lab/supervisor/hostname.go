package supervisor

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Hostname is the running name of a node.
func (s *LabState) Hostname(node string) (name string, err error) {
	err = s.on(node, func() error {
		var u unix.Utsname
		err := unix.Uname(&u)
		name = unix.ByteSliceToString(u.Nodename[:])
		return err
	})
	return name, err
}

// SetHostname gives a node another name, for its kernel alone.
func (s *LabState) SetHostname(node, name string) error {
	return s.on(node, func() error { return unix.Sethostname([]byte(name)) })
}

// on runs f on a node's thread.
func (s *LabState) on(node string, f func() error) error {
	p := s.nodes[node]
	if p == nil {
		return fmt.Errorf("%s: no such node in this lab", node)
	}
	if err := p.do(f); err != nil {
		return fmt.Errorf("%s: host name: %w", node, err)
	}
	return nil
}
