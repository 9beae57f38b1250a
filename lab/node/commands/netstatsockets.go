package commands

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// tcpStates are AIX's names of the kernel's numbers in /proc/net/tcp, from 1.
var tcpStates = [...]string{"", "ESTABLISHED", "SYN_SENT", "SYN_RCVD", "FIN_WAIT_1",
	"FIN_WAIT_2", "TIME_WAIT", "CLOSED", "CLOSE_WAIT", "LAST_ACK", "LISTEN", "CLOSING"}

// socket is a line of /proc/net/tcp or /proc/net/udp.
type socket struct {
	local, remote netip.AddrPort
	state         uint8
	sending       uint64 // bytes
	waiting       uint64 // bytes received and not read
}

// kernelSocket reads one such line; false if it is none.
func kernelSocket(line string) (s socket, ok bool) {
	var local, remote []byte
	var port, farPort uint16
	_, err := fmt.Sscanf(line, " %s %x:%x %x:%x %x %x:%x", new(string), &local, &port, &remote, &farPort, &s.state, &s.sending, &s.waiting)
	near, ok1 := kernelHost(local)
	far, ok2 := kernelHost(remote)
	s.local, s.remote = netip.AddrPortFrom(near, port), netip.AddrPortFrom(far, farPort)
	return s, err == nil && ok1 && ok2
}

// sockets prints the node's sockets; with -a also those that listen.
// Ports are numbers, and with -n hosts too.
func (c netstatCall) sockets() error {
	all := c.Has("a")
	names := map[string]string{}
	if !c.Has("n") {
		for _, n := range c.sim.Plan().Hosts() {
			for _, x := range n.Interfaces {
				names[x.Address.Addr().String()] = n.Name
			}
		}
	}
	at := func(a netip.AddrPort) string {
		host, port := a.Addr().String(), strconv.Itoa(int(a.Port()))
		if a.Addr().IsUnspecified() {
			host = "*"
		}
		if a.Port() == 0 {
			port = "*"
		}
		return cmp.Or(names[host], host) + "." + port
	}
	title := "Active Internet connections"
	if all {
		title += " (including servers)"
	}
	fmt.Fprintf(c.Stdout, "%s\n%-5s %6s %6s  %-22s %-22s %s\n", title, "Proto",
		"Recv-Q", "Send-Q", "Local Address", "Foreign Address", "(state)")
	for _, file := range []string{"tcp", "tcp6", "udp", "udp6"} {
		proto := file[:len("tcp")]
		text, err := c.sim.ReadFile(c.Node, "/proc/net/"+file)
		if errors.Is(err, os.ErrNotExist) && file != proto {
			continue // a kernel without IPv6
		}
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			s, ok := kernelSocket(line)
			state := ""
			if proto == "tcp" && int(s.state) < len(tcpStates) {
				state = tcpStates[s.state]
			}
			listens := state == "LISTEN"
			if !ok || !all && (listens || proto == "udp" && s.remote.Port() == 0) {
				continue
			}
			if listens {
				s.waiting, s.sending = 0, 0 // of a listener the kernel gives lengths of queues there
			}
			family := "4"
			if s.local.Addr().Is6() {
				family = "6"
				if s.local.Addr().IsUnspecified() {
					family = "" // open to both families
				}
			}
			fmt.Fprintf(c.Stdout, "%-5s %6d %6d  %-22s %-22s %s\n", proto+family, s.waiting, s.sending, at(s.local), at(s.remote), state)
		}
	}
	return nil
}
