package node

import (
	"fmt"
	"net/netip"
	"slices"

	"seaworthy/lab/odm"
)

// step is one thing an ifconfig command line does to the database.
type step func(s *odm.Store) error

// ifconfigSteps reads the words behind the interface.
func ifconfigSteps(d odm.Device, args []string) ([]step, error) {
	var steps []step
	set := func(attr, value string) {
		steps = append(steps, func(s *odm.Store) error {
			return s.Change(d.Name, []odm.Setting{{Attr: attr, Value: value}}, odm.RunningOnly)
		})
	}
	below := func(attr, value string) {
		steps = append(steps, func(s *odm.Store) error { return s.SetRunning(d.On, attr, value) })
	}
	var addr addressing
	for i := 0; i < len(args); i++ {
		a := args[i]
		value := func() (string, error) {
			if i++; i >= len(args) {
				return "", wrong("%s needs a value", a)
			}
			return args[i], nil
		}
		var v string
		var err error
		switch a {
		case "inet":
		case "up", "down", "detach":
			set("state", a)
		case "largesend", "-largesend":
			set("mtu_bypass", onOff(a))
		case "thread", "-thread", "monitor", "-monitor", "arp", "-arp":
			set(bare(a), onOff(a))
		case "checksum_offload", "-checksum_offload":
			below("chksum_offload", map[string]string{"on": "yes", "off": "no"}[onOff(a)])
		case "mtu", "tcp_sendspace", "tcp_recvspace", "rfc1323", "tcp_nodelay", "tcp_mssdflt":
			if v, err = value(); err == nil {
				set(a, v)
			}
		case "-tcp_sendspace", "-tcp_recvspace", "-rfc1323", "-tcp_nodelay", "-tcp_mssdflt":
			set(bare(a), "")
		case "alias":
			addr.alias = true
		case "delete", "-alias":
			addr.remove = true
		case "netmask":
			addr.mask, err = value()
		case "broadcast", "metric":
			_, err = value()
		default:
			ip, bad := netip.ParseAddr(a)
			if p, ok := netip.ParsePrefix(a); ok == nil && p.Addr().Is4() {
				ip, bad, addr.bits = p.Addr(), nil, p.Bits()
			}
			if bad != nil || !ip.Is4() {
				return nil, wrong("%s is neither a parameter nor an IPv4 address", a)
			}
			addr.ip = ip
		}
		if err != nil {
			return nil, err
		}
	}
	if addr.ip.IsValid() || addr.remove {
		steps = append(steps, addr.step(d))
	}
	return steps, nil
}

func bare(a string) string {
	if a[0] == '-' {
		return a[1:]
	}
	return a
}

func onOff(a string) string {
	if a[0] == '-' {
		return "off"
	}
	return "on"
}

// addressing is what a command line does to an interface's addresses.
type addressing struct {
	ip            netip.Addr
	bits          int
	mask          string
	alias, remove bool
}

func (a addressing) step(d odm.Device) step {
	return func(s *odm.Store) error {
		have := s.Addresses(d.Name)
		if a.remove {
			ip := a.ip
			if !ip.IsValid() && len(have) > 0 {
				ip = have[0].Addr()
			}
			left := slices.DeleteFunc(slices.Clone(have), func(p netip.Prefix) bool { return p.Addr() == ip })
			if len(left) == len(have) {
				return fmt.Errorf("can't assign requested address: %s has no address %s", d.Name, ip)
			}
			return s.SetAddresses(d.Name, left)
		}
		p, err := odm.ParseAddress(a.ip, a.mask, a.bits)
		if err != nil {
			return err
		}
		if !a.alias {
			have = have[:min(0, len(have))]
		}
		have = slices.DeleteFunc(have, func(q netip.Prefix) bool { return q.Addr() == p.Addr() })
		if err := s.SetAddresses(d.Name, append(have, p)); err != nil {
			return err
		}
		// An address brings the interface up, as SIOCSIFADDR does.
		if v, _ := s.Running(d.Name, "state"); v != "up" {
			return s.SetRunning(d.Name, "state", "up")
		}
		return nil
	}
}
