package traffic

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/lab/node"
)

const (
	ftpPort = 21
	ftpIdle = 15 * time.Minute // AIX's ftpd ends a session after that
	ftpLine = 4096             // longest command line
)

// FTPD serves files of the node. AIX starts it from inetd; here it is started
// by hand, and leaves a server behind in the background unless -D is given.
// Users of a node have no passwords: root and padmin come in with any.
func FTPD(ctx context.Context, c *node.Call) int {
	host, _ := os.Hostname()
	return server(ctx, c, "Dp:d", ftpPort, "", func(ctx context.Context, conn net.Conn) {
		s := &ftpSession{conn: conn, host: host, in: bufio.NewReaderSize(conn, ftpLine)}
		s.serve(ctx)
	})
}

// ftpSession is one client.
type ftpSession struct {
	conn net.Conn
	in   *bufio.Reader
	host string
	user string
	ok   bool // logged in
	data netip.AddrPort
}

func (s *ftpSession) say(code int, format string, args ...any) {
	fmt.Fprintf(s.conn, "%d %s\r\n", code, fmt.Sprintf(format, args...))
}

func (s *ftpSession) serve(ctx context.Context) {
	s.say(220, "%s FTP server (Version 4.2, lab) ready.", s.host)
	for {
		_ = s.conn.SetReadDeadline(time.Now().Add(ftpIdle))
		line, err := s.in.ReadSlice('\n')
		if err != nil {
			return
		}
		verb, arg, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
		verb = strings.ToUpper(verb)
		if verb == "QUIT" {
			s.say(221, "Goodbye.")
			return
		}
		s.answer(ctx, verb, arg)
	}
}

func (s *ftpSession) answer(ctx context.Context, verb, arg string) {
	if !s.ok && !slices.Contains([]string{"USER", "PASS", "NOOP"}, verb) {
		s.say(530, "Log in with USER and PASS.")
		return
	}
	switch verb {
	case "USER":
		s.user, s.ok = arg, false
		s.say(331, "Password required for %s.", arg)
	case "PASS":
		s.ok = s.user == "root" || s.user == "padmin"
		if s.ok {
			s.say(230, "User %s logged in.", s.user)
		} else {
			s.say(530, "Login incorrect: a node has root, and a VIOS padmin.")
		}
	case "NOOP":
		s.say(200, "NOOP command successful.")
	case "SYST":
		s.say(215, "UNIX Type: L8 Version: BSD-44")
	case "TYPE", "MODE", "STRU":
		s.say(200, "%s set to %s.", verb, arg)
	case "PWD", "XPWD":
		s.say(257, "%q is the current directory.", "/")
	case "PORT":
		at, err := parsePort(arg)
		remote, _ := netip.ParseAddrPort(s.conn.RemoteAddr().String())
		if err == nil && at.Addr() != remote.Addr().Unmap() {
			err = errors.New("only to the client's own address")
		}
		if err != nil {
			s.say(501, "PORT %s: %v.", arg, err)
			return
		}
		s.data = at
		s.say(200, "PORT command successful.")
	case "STOR", "RETR":
		s.transfer(ctx, verb, arg)
	default:
		s.say(502, "%s is not in this lab.", verb)
	}
}

// parsePort reads h1,h2,h3,h4,p1,p2.
func parsePort(arg string) (netip.AddrPort, error) {
	var n [6]byte
	f := strings.Split(arg, ",")
	if len(f) != len(n) {
		return netip.AddrPort{}, errors.New("six numbers are expected")
	}
	for i, x := range f {
		v, err := strconv.ParseUint(strings.TrimSpace(x), 10, 8)
		if err != nil {
			return netip.AddrPort{}, fmt.Errorf("%q is not a number of 0 to 255", x)
		}
		n[i] = byte(v)
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte(n[:4])), uint16(n[4])<<8|uint16(n[5])), nil
}

func (s *ftpSession) transfer(ctx context.Context, verb, path string) {
	if !s.data.IsValid() {
		s.say(503, "%s needs a PORT first.", verb)
		return
	}
	mode := os.O_RDONLY
	if verb == "STOR" {
		mode = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o644)
	if err != nil {
		s.say(553, "%v.", err)
		return
	}
	defer f.Close()
	d := net.Dialer{Timeout: 10 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", s.data.String())
	s.data = netip.AddrPort{}
	if err != nil {
		s.say(425, "No data connection: %v.", err)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	s.say(150, "Opening data connection for %s.", path)
	to, from := io.Writer(conn), io.Reader(f)
	if verb == "STOR" {
		to, from = f, conn
	}
	if _, err = copyPlainly(to, from); err != nil {
		s.say(426, "Transfer ended early: %v.", err)
		return
	}
	conn.Close()
	s.say(226, "Transfer complete.")
}
