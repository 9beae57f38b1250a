package traffic

import (
	"context"
	"fmt"
	"net"
	"net/netip"

	"seaworthy/lab/node"
)

// Local gives the commands by their bare names.
func Local() map[string]node.Command {
	return map[string]node.Command{
		"ftp":       ftp,
		"ftpd":      ftpd,
		"iperf":     iperf,
		"netperf":   netperf,
		"netserver": netserver,
		"ping":      ping,
	}
}

// resolve turns a host argument into an address: a number, or a name of the
// node's /etc/hosts.
func resolve(ctx context.Context, host string) (netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap(), nil
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, err
	}
	for _, ip := range ips {
		if ip = ip.Unmap(); ip.Is4() {
			return ip, nil
		}
	}
	if len(ips) == 0 {
		return netip.Addr{}, fmt.Errorf("%s has no address", host)
	}
	return ips[0], nil
}
