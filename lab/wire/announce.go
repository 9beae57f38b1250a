package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"

	"golang.org/x/sys/unix"
)

// Announce sends one frame for every address out of a device, as an adapter
// that took over does: switches on the way learn where the address is now.
// They are reverse ARP requests, which nobody answers.
func (n *Network) Announce(from End, macs []string) error {
	err := n.Run(from.Namespace, func() error {
		fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		iface, err := net.InterfaceByName(from.Device)
		if err != nil {
			return err
		}
		var failed error
		for _, mac := range macs {
			frame, err := announcement(mac)
			if err == nil {
				err = unix.Sendto(fd, frame, 0, &unix.SockaddrLinklayer{Ifindex: iface.Index, Halen: 6})
			}
			// A device that is down has nobody behind it to be announced.
			if !errors.Is(err, unix.ENETDOWN) {
				failed = errors.Join(failed, err)
			}
		}
		return failed
	})
	if err != nil {
		return fmt.Errorf("%s %s: announce addresses: %w", from.Namespace, from.Device, err)
	}
	return nil
}

// announcement is a reverse ARP request from an address to all.
func announcement(mac string) ([]byte, error) {
	hw, err := net.ParseMAC(mac)
	if err != nil || len(hw) != 6 {
		return nil, fmt.Errorf("%q is not a hardware address", mac)
	}
	const (
		reverseARP     = 0x8035
		requestReverse = 3
		ethernet       = 1
		smallest       = 60
	)
	f := append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, hw...)
	for _, v := range []uint16{reverseARP, ethernet, unix.ETH_P_IP, 6<<8 | 4, requestReverse} {
		f = binary.BigEndian.AppendUint16(f, v)
	}
	f = slices.Concat(f, hw, make([]byte, 4), hw) // sender; target: itself
	return append(f, make([]byte, smallest-len(f))...), nil
}
