package iperf2

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Rule is the line around the settings.
var Rule = strings.Repeat("-", 60)

// Heading stands above the first interval.
const Heading = "[ ID] Interval       Transfer     Bandwidth"

// Client is the first line of a client's settings.
func Client(peer string, port int) string {
	return fmt.Sprintf("Client connecting to %s, TCP port %d", peer, port)
}

// Server is the first line of a server's settings.
func Server(port int) string { return fmt.Sprintf("Server listening on TCP port %d", port) }

// Window is the line of the socket buffer in bytes; asked is what the user
// wanted, 0 the system's own.
func Window(size, asked int) string {
	s := "TCP window size: " + WindowSize(size).String()
	switch {
	case asked == 0:
		s += " (default)"
	case asked != size:
		s += " (WARNING: requested " + WindowSize(asked).String() + ")"
	}
	return s
}

// Connection is the line of one connection's ends.
func Connection(id int, local, remote netip.AddrPort) string {
	return fmt.Sprintf("[%3d] local %s port %d connected with %s port %d", id, local.Addr(), local.Port(), remote.Addr(), remote.Port())
}

// String is the interval's line.
func (i *Interval) String() string {
	id := "SUM"
	if !i.Sum {
		id = strconv.Itoa(i.ID)
	}
	return fmt.Sprintf("[%3s] %4.1f-%4.1f sec  %s  %s", id, i.Start, i.End, i.Transfer, i.Bandwidth)
}
