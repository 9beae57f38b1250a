package traffic

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"seaworthy/probe/sock"
)

// noPath is where a node has no(1).
const noPath = "/usr/sbin/no"

// beforeConnect are the socket buffers that a program sees on AIX before a
// socket is connected: those it asked for, else those of no. The interface's
// own come into force only with the connection, when it is known which one
// that takes (IBM-ISNO-NET), so netperf shows the values of no (S002:L1).
// On a machine without no(1) they are the kernel's, which counts what it spends
// on a packet too: half is payload.
func beforeConnect(ctx context.Context, window int, v6 bool) (sock.Buffers, error) {
	b, err := sock.Defaults(sock.Options{Window: window}, v6)
	if err != nil {
		return b, err
	}
	if b.Send == nil || b.Receive == nil {
		return b, errors.New("the size of the socket buffers is not known")
	}
	send, receive := *b.Send/2, *b.Receive/2
	if window == 0 {
		if s, r, ok := noSpaces(ctx); ok {
			send, receive = s, r
		}
	}
	return sock.Buffers{Send: &send, Receive: &receive}, nil
}

// noWait bounds asking no(1).
const noWait = 10 * time.Second

// noSpaces are the node's tcp_sendspace and tcp_recvspace of no; false if this
// is not a node of a lab.
func noSpaces(ctx context.Context) (send, receive int, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, noWait)
	defer cancel()
	out, err := exec.CommandContext(ctx, noPath, "-o", "tcp_sendspace", "-o", "tcp_recvspace").Output()
	if err != nil {
		return 0, 0, false
	}
	_, err = fmt.Sscanf(string(out), "tcp_sendspace = %d\ntcp_recvspace = %d", &send, &receive)
	return send, receive, err == nil && send > 0 && receive > 0
}
