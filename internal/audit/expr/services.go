package expr

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// defaultTimeout and defaultAttempts are those of resolvers, in seconds and rounds.
const (
	defaultTimeout  = 5
	defaultAttempts = 2
)

// nameServers gives the servers that a host asks for names, in order.
func nameServers(s *Session, e *graph.Element) ([]string, error) {
	if e.Of.Resolver == nil || e.Of.Resolver.Servers == nil {
		return nil, e.Missing("name servers", "cat /etc/resolv.conf")
	}
	s.evidence(e, "cat /etc/resolv.conf", "nameserver %s", strings.Join(e.Of.Resolver.Servers, ", "))
	return e.Of.Resolver.Servers, nil
}

// nameWait gives how many seconds a lookup waits for a server that does not answer.
func nameWait(s *Session, e *graph.Element) (int, error) {
	if _, err := nameServers(s, e); err != nil {
		return 0, err
	}
	wait := defaultTimeout
	if t := e.Of.Resolver.Timeout; t != nil {
		wait = *t
	}
	return wait, nil
}

// lookupOrder gives where a host looks for names, in order: local, bind; files, dns. What AIX appends
// for an address family stays: bind4 asks for IPv4 alone.
func lookupOrder(s *Session, e *graph.Element) ([]string, error) {
	if e.Of.Resolver == nil || e.Of.Resolver.Order == nil {
		return nil, e.Missing("order of name lookups", "cat /etc/netsvc.conf /etc/nsswitch.conf")
	}
	s.evidence(e, "cat /etc/netsvc.conf", "hosts: %s", strings.Join(e.Of.Resolver.Order, ", "))
	return e.Of.Resolver.Order, nil
}

// usesIPv6 says whether an interface of the host has an IPv6 address that leads beyond its link.
func usesIPv6(_ *Session, e *graph.Element) (bool, error) {
	for _, x := range e.Of.Elements {
		for _, a := range x.Addrs {
			if a.Addr().Is6() && !a.Addr().IsLinkLocalUnicast() && !a.Addr().IsLoopback() {
				return true, nil
			}
		}
	}
	return false, nil
}

// nfsMounts counts the mounts of other hosts whose option has a value, or with < one below a number.
func nfsMounts(s *Session, e *graph.Element, option, want string) (int, error) {
	if e.Of.NFSMounts == nil {
		return 0, e.Missing("mounts of NFS", "nfsstat -m")
	}
	below, isBelow := strings.CutPrefix(want, "<")
	count := 0
	for _, m := range e.Of.NFSMounts {
		if option == "" { // any
			count++
			continue
		}
		have, ok := m.Options[option]
		if !ok || isBelow && !less(have, below) || !isBelow && have != want {
			continue
		}
		count++
		s.evidence(e, "nfsstat -m", "%s: %s=%s", m.From, option, have)
	}
	return count, nil
}

// less compares two whole numbers; what is none is not less.
func less(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err == nil && err2 == nil && x < y
}

// routesBy counts the default routes of a host and says by which interfaces they lead.
func defaultInterfaces(s *Session, e *graph.Element) ([]string, error) {
	if e.Of.Routes == nil {
		return nil, e.Missing("routes", "netstat -rn")
	}
	var names []string
	for _, r := range e.Of.Routes {
		if r.To.Bits() == 0 && r.To.Addr().Is4() && r.Origin != model.Learnt {
			names = append(names, r.Interface)
			s.evidence(e, "netstat -rn", "default %s %s", r.Gateway, r.Interface)
		}
	}
	return names, nil
}

// unmetGateways are the gateways of default routes for whose address nobody answered.
func unmetGateways(s *Session, e *graph.Element) ([]string, error) {
	if e.Of.Routes == nil {
		return nil, e.Missing("routes", "netstat -rn")
	}
	command := "arp -an"
	if e.Of.Platform == model.Linux {
		command = "ip neigh"
	}
	if e.Of.Unmet == nil {
		return nil, e.Missing("its ARP table", command)
	}
	var gateways []string
	for _, r := range e.Of.Routes {
		if r.To.Bits() == 0 && slices.Contains(e.Of.Unmet, r.Gateway) {
			gateways = append(gateways, r.Gateway.String())
			s.evidence(e, command, "nobody answered for %s, the gateway of the default route", r.Gateway)
		}
	}
	return gateways, nil
}
