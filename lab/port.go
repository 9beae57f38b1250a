package lab

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// SwitchPort is a place at a hypervisor switch.
type SwitchPort struct {
	System string `json:"system"`
	VLAN   int    `json:"vlan"`
}

// Port makes a port of a managed system's hypervisor switch: a tap device, which is
// what QEMU takes. It goes when the file and all copies of it are closed.
func (l *Lab) Port(ctx context.Context, system string, vlan int) (*os.File, error) {
	_, rights, err := l.ask(ctx, "port", SwitchPort{system, vlan})
	if err != nil {
		return nil, err
	}
	var fds []int
	messages, err := unix.ParseSocketControlMessage(rights)
	for i := range messages {
		fds, err = unix.ParseUnixRights(&messages[i])
	}
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("lab %s: port: no file in the answer", l.Name)
	}
	return os.NewFile(uintptr(fds[0]), "port"), nil
}
