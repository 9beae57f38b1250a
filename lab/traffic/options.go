package traffic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab/node/flags"
)

// settings hold what flags with a value do, by letter. A flag that has none here is ignored.
type settings map[string]func(value string) error

// follow does what flags say.
func (s settings) follow(given []flags.Option) error {
	for _, o := range given {
		if set := s[o.Name]; set != nil {
			if err := set(o.Value); err != nil {
				return fmt.Errorf("-%s: %w", o.Name, err)
			}
		}
	}
	return nil
}

// into sets a variable to what a value is read as.
func into[T any](at *T, read func(string) (T, error)) func(string) error {
	return func(value string) (err error) {
		*at, err = read(value)
		return err
	}
}

func on(at *bool) func(string) error {
	return func(string) error { *at = true; return nil }
}

// count reads a whole number within limits.
func count(least, most int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return 0, fmt.Errorf("%q is not a whole number", s)
		}
		if n < least || n > most {
			return 0, fmt.Errorf("%d must be %d to %d", n, least, most)
		}
		return n, nil
	}
}

var port = count(1, 65535)

// size reads bytes, one or more, with an optional suffix: K, M, G are powers of
// 1024, and k, m, g of 1000, as iperf 2 reads them.
func size(s string, most int) (int, error) {
	digits := strings.TrimRight(s, "KMGkmg")
	scales := map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "k": 1e3, "m": 1e6, "g": 1e9}
	scale, known := scales[s[len(digits):]]
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || !known {
		return 0, fmt.Errorf("%q is not a size", s)
	}
	v *= scale
	if !(v >= 1 && v <= float64(most)) {
		return 0, fmt.Errorf("%.0f must be 1 to %d", v, most)
	}
	return int(v), nil
}

// seconds reads a duration in seconds.
func seconds(least, most float64) func(string) (time.Duration, error) {
	return func(s string) (time.Duration, error) {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || v < least || v > most {
			return 0, fmt.Errorf("%q is not a time of %g to %g seconds", s, least, most)
		}
		return time.Duration(v * float64(time.Second)), nil
	}
}

// pair reads sizes "a,b" or "a"; b is then as a, and what is not there stays.
func pair(a, b *int, most int) func(string) error {
	return func(s string) error {
		first, second, both := strings.Cut(s, ",")
		if !both {
			second = first
		}
		if first+second == "" {
			return errors.New("a size is missing")
		}
		for at, text := range map[*int]string{a: first, b: second} {
			if text != "" {
				var err error
				if *at, err = size(text, most); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

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
		ip = ip.Unmap()
		if ip.Is4() {
			return ip, nil
		}
	}
	return ips[0], nil // there is one, or an error
}
