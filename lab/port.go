package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"seaworthy/lab/supervisor"
)

// SwitchPort is a place at a hypervisor switch.
type SwitchPort struct {
	System string `json:"system"`
	VLAN   int    `json:"vlan"`
}

// Port makes a port of a managed system's hypervisor switch: a tap device, which is
// what QEMU takes. It goes when the file and all copies of it are closed.
func (l *Lab) Port(ctx context.Context, system string, vlan int) (*os.File, error) {
	args, err := json.Marshal(SwitchPort{system, vlan})
	if err != nil {
		return nil, err
	}
	f, err := l.open(ctx, supervisor.Request{Op: "port", Args: args})
	if err != nil {
		return nil, fmt.Errorf("lab %s: %w", l.Name, err)
	}
	return f, nil
}

// open asks for what is answered with a file.
func (l *Lab) open(ctx context.Context, r supervisor.Request) (*os.File, error) {
	s, err := dial(l.Dir)
	if err != nil {
		return nil, ErrNotRunning
	}
	defer s.Close()
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := json.NewEncoder(s).Encode(r); err != nil {
		return nil, err
	}
	b, rights := make([]byte, 1<<16), make([]byte, unix.CmsgSpace(4))
	n, nr, _, _, err := s.ReadMsgUnix(b, rights)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	var a supervisor.Answer
	if err := json.Unmarshal(b[:n], &a); err != nil {
		return nil, err
	}
	if a.Error != "" {
		return nil, errors.New(a.Error)
	}
	messages, err := unix.ParseSocketControlMessage(rights[:nr])
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("%s: no file in the answer: %w", r.Op, err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("%s: no file in the answer: %w", r.Op, err)
	}
	unix.CloseOnExec(fds[0])
	return os.NewFile(uintptr(fds[0]), r.Op), nil
}
