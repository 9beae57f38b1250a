package commands

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
)

// changes hold what an ifconfig command line does to an interface.
type changes struct {
	set           []odm.Setting // of the interface
	checksums     string        // of the adapter below: yes or no; empty: as they are
	ip            netip.Addr
	bits          int
	mask          string
	alias, remove bool
}

// changesOf reads the words behind the interface.
func changesOf(args []string) (x changes, err error) {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		attr, off := strings.CutPrefix(a, "-")
		value := "on"
		if off {
			value = "off"
		}
		if !off && slices.Contains([]string{"mtu", "tcp_sendspace", "tcp_recvspace", "rfc1323", "tcp_nodelay", "tcp_mssdflt",
			"netmask", "broadcast", "metric"}, a) {
			if len(args) == 0 {
				return x, flags.Usagef("%s needs a value", a)
			}
			value, args = args[0], args[1:]
		}
		switch a {
		case "inet", "broadcast", "metric":
			continue
		case "up", "down", "detach":
			attr, value = "state", a
		case "largesend", "-largesend":
			attr = "mtu_bypass"
		case "thread", "-thread", "monitor", "-monitor", "arp", "-arp":
		case "checksum_offload", "-checksum_offload":
			x.checksums = "yes"
			if off {
				x.checksums = "no"
			}
			continue
		case "mtu", "tcp_sendspace", "tcp_recvspace", "rfc1323", "tcp_nodelay", "tcp_mssdflt":
		case "-tcp_sendspace", "-tcp_recvspace", "-rfc1323", "-tcp_nodelay", "-tcp_mssdflt":
			value = ""
		case "alias":
			x.alias = true
			continue
		case "delete", "-alias":
			x.remove = true
			continue
		case "netmask":
			x.mask = value
			continue
		default:
			if p, err := netip.ParsePrefix(a); err == nil {
				x.ip, x.bits = p.Addr(), p.Bits()
			} else {
				x.ip, _ = netip.ParseAddr(a)
			}
			if !x.ip.Is4() {
				return x, flags.Usagef("%s is neither a parameter nor an IPv4 address", a)
			}
			continue
		}
		x.set = append(x.set, odm.Setting{Attr: attr, Value: value})
	}
	return x, nil
}

// apply makes the changes. Each parameter is one of its own to AIX.
func (x changes) apply(s *odm.Store, d odm.Device) error {
	for i := range x.set {
		if err := s.Change(d.Name, x.set[i:i+1], odm.RunningOnly); err != nil {
			return err
		}
	}
	if x.checksums != "" {
		if err := s.SetRunning(d.On, "chksum_offload", x.checksums); err != nil {
			return err
		}
	}
	have := s.Addresses(d.Name)
	if x.remove {
		if !x.ip.IsValid() && len(have) > 0 {
			x.ip = have[0].Addr()
		}
		left := slices.DeleteFunc(slices.Clone(have), func(p netip.Prefix) bool { return p.Addr() == x.ip })
		if len(left) == len(have) {
			return fmt.Errorf("can't assign requested address: %s has no address %s", d.Name, x.ip)
		}
		return s.SetAddresses(d.Name, left)
	}
	if !x.ip.IsValid() {
		return nil
	}
	p, err := odm.ParseAddress(x.ip, x.mask, x.bits)
	if err != nil {
		return err
	}
	if !x.alias {
		have = nil
	}
	have = slices.DeleteFunc(have, func(q netip.Prefix) bool { return q.Addr() == p.Addr() })
	if err := s.SetAddresses(d.Name, append(have, p)); err != nil {
		return err
	}
	// An address brings the interface up, as SIOCSIFADDR does.
	return s.SetRunning(d.Name, "state", "up")
}
