package traffic

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/lab/node"
)

// gaveUp is what the one that prints says of having nothing to give up.
const gaveUp = "Warning: setgid/setuid failed !"

// sniff listens itself, and lets the machine's tcpdump print: where a user
// namespace has but one user, tcpdump can neither stay root nor become another.
// The one that prints is in a user namespace of its own, where it is nobody.
func sniff(ctx context.Context, c *node.Call, tcpdump string) int {
	fail := func(err error) int {
		fmt.Fprintf(c.Stderr, "tcpdump: %v\n", err)
		return 1
	}
	s, err := parseTcpdump(c.Argv[1:])
	if err != nil {
		return fail(err)
	}
	args, out := s.print, c.Stdout
	if !s.tells {
		args = append(args, "-r", "-")
	}
	if s.write != "" {
		args = append(args, "-U", "-w", "-")
		if s.write != "-" {
			f, err := os.Create(s.write)
			if err != nil {
				return fail(err)
			}
			defer f.Close()
			out = f
		}
	}
	cmd := exec.Command(tcpdump, args...)
	cmd.Args[0] = "tcpdump"
	cmd.Stdout, cmd.Env = out, os.Environ()
	// Of a group of its own: an interrupt ends the listening, not the printing.
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER, Setpgid: true, Pdeathsig: syscall.SIGTERM}
	says, err := cmd.StderrPipe()
	if err != nil {
		return fail(err)
	}
	var to io.WriteCloser
	var listens *sniffer
	switch {
	case s.tells:
	case s.read == "":
		if listens, err = newSniffer(s); err == nil {
			defer listens.close()
			to, err = cmd.StdinPipe()
		}
	case s.read == "-":
		cmd.Stdin = c.Stdin
	default:
		var f *os.File
		if f, err = os.Open(s.read); err == nil {
			defer f.Close()
			cmd.Stdin = f
		}
	}
	if err != nil {
		return fail(err)
	}
	if err := cmd.Start(); err != nil {
		return fail(fmt.Errorf("start the one that prints: %w", err))
	}
	done := make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(says)
		for lines.Scan() {
			if l := lines.Text(); (s.read != "" || !strings.HasPrefix(l, "reading from file -")) && l != gaveUp {
				fmt.Fprintln(c.Stderr, l)
			}
		}
		done <- cmd.Wait()
	}()
	if listens != nil {
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		fmt.Fprintf(c.Stderr, "listening on %s, link-type EN10MB (Ethernet), snapshot length %d bytes\n", listens.device, s.snap)
		err = listens.copy(ctx, to, done)
		to.Close()
	}
	if e := <-done; err == nil && e != nil {
		var x *exec.ExitError
		if errors.As(e, &x) && x.ExitCode() > 0 {
			return x.ExitCode()
		}
		err = e
	}
	if listens != nil {
		listens.report(c.Stderr)
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

// sniffer copies what passes a device.
type sniffer struct {
	fd     int
	device string
	snap   int
	way    string
	loop   bool
	seen   uint64
}

func newSniffer(s *sniffed) (*sniffer, error) {
	i, err := sniffedDevice(s.device)
	if err != nil {
		return nil, err
	}
	all := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: packet socket: %w", i.Name, err)
	}
	x := &sniffer{fd: fd, device: i.Name, snap: s.snap, way: s.way, loop: i.Flags&net.FlagLoopback != 0}
	// A short wait, to look whether anybody still wants it.
	wait := unix.NsecToTimeval(int64(50 * time.Millisecond))
	const buffer = 16 << 20 // as much of it as the machine allows
	for _, err := range []error{
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, buffer),
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait),
		unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: i.Index}),
	} {
		if err != nil {
			unix.Close(fd)
			return nil, fmt.Errorf("%s: packet socket: %w", i.Name, err)
		}
	}
	return x, nil
}

// sniffedDevice is the interface that was asked for, or the first that is up.
func sniffedDevice(name string) (*net.Interface, error) {
	if name == "lo0" {
		name = "lo"
	}
	if name != "" {
		i, err := net.InterfaceByName(name)
		if err != nil {
			return nil, fmt.Errorf("%s: No such device exists", name)
		}
		return i, nil
	}
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagLoopback == 0 {
			return &i, nil
		}
	}
	return nil, errors.New("no suitable device found")
}

// copy writes frames as a capture file until ctx ends or the printer has: the
// reader of w may have enough before.
func (x *sniffer) copy(ctx context.Context, w io.Writer, done chan error) error {
	ne := binary.NativeEndian
	head := make([]byte, 24)
	ne.PutUint32(head, 0xa1b2c3d4)
	ne.PutUint16(head[4:], 2)
	ne.PutUint16(head[6:], 4)
	ne.PutUint32(head[16:], uint32(x.snap))
	const ethernet = 1
	ne.PutUint32(head[20:], ethernet)
	if _, err := w.Write(head); err != nil {
		return unlessEnough(err)
	}
	const record = 16
	buf, oob := make([]byte, record+maxSnap), make([]byte, 128)
	for ctx.Err() == nil {
		n, on, _, from, err := unix.Recvmsg(x.fd, buf[record:record+x.snap], oob, unix.MSG_TRUNC)
		switch {
		case errors.Is(err, unix.EAGAIN):
			select {
			case e := <-done:
				done <- e
				return nil
			default:
			}
			continue
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return fmt.Errorf("%s: receive: %w", x.device, err)
		}
		ll, ok := from.(*unix.SockaddrLinklayer)
		out := ok && ll.Pkttype == unix.PACKET_OUTGOING
		if out && (x.loop || x.way == "in") || !out && x.way == "out" {
			continue
		}
		x.seen++
		at := arrival(oob[:on])
		kept := min(n, x.snap)
		ne.PutUint32(buf, uint32(at.Unix()))
		ne.PutUint32(buf[4:], uint32(at.Nanosecond()/1000))
		ne.PutUint32(buf[8:], uint32(kept))
		ne.PutUint32(buf[12:], uint32(n))
		if _, err := w.Write(buf[:record+kept]); err != nil {
			return unlessEnough(err)
		}
	}
	return nil
}

// unlessEnough is no error if the reader has gone: it had what it wanted.
func unlessEnough(err error) error {
	if errors.Is(err, unix.EPIPE) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// arrival is the kernel's time of a frame.
func arrival(oob []byte) time.Time {
	msgs, err := unix.ParseSocketControlMessage(oob)
	if err == nil {
		for _, m := range msgs {
			if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SCM_TIMESTAMPNS && len(m.Data) >= 16 {
				return time.Unix(int64(binary.NativeEndian.Uint64(m.Data)), int64(binary.NativeEndian.Uint64(m.Data[8:])))
			}
		}
	}
	return time.Now()
}

// report says how many frames there were, before the expression chose.
func (x *sniffer) report(w io.Writer) {
	fmt.Fprintf(w, "%d packets seen on %s\n", x.seen, x.device)
	if s, err := unix.GetsockoptTpacketStats(x.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS); err == nil {
		fmt.Fprintf(w, "%d packets dropped by kernel\n", s.Drops)
	}
}

func (x *sniffer) close() { unix.Close(x.fd) }
