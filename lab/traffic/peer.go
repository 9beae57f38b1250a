package traffic

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// plain is a failed connection in the words of a host: why, without the way
// that this program took.
func plain(err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, unix.ECONNREFUSED):
		return errors.New("the remote host refused the connection")
	case errors.Is(err, unix.EHOSTUNREACH), errors.Is(err, unix.ENETUNREACH):
		return errors.New("no route to the host, or it does not answer")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("the connection timed out")
	}
	return err
}

// resolve turns a host argument into an address: a number, or a name of the
// node's /etc/hosts.
func resolve(ctx context.Context, host string) (netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap(), nil
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("host name %s is not known here", host)
	}
	for _, ip := range ips {
		if ip = ip.Unmap(); ip.Is4() {
			return ip, nil
		}
	}
	return ips[0], nil // there is one, or an error
}
