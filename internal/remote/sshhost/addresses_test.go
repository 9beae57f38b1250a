package sshhost_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/sshconfig"
	"seaworthy/internal/remote/sshhost"
	"seaworthy/internal/test/remotetest"
)

// resolver looks every name up to these IPv4 addresses, over a pipe.
func resolver(t *testing.T, addresses []netip.Addr) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			var size [2]byte
			if _, err := io.ReadFull(theirs, size[:]); err != nil {
				return // nobody asked
			}
			query := make([]byte, binary.BigEndian.Uint16(size[:]))
			var m dnsmessage.Message
			if _, err := io.ReadFull(theirs, query); err != nil || m.Unpack(query) != nil {
				t.Errorf("not a query: %q, %v", query, err)
				return
			}
			m.Response, m.Additionals = true, nil
			for _, a := range addresses {
				if m.Questions[0].Type == dnsmessage.TypeA {
					head := dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET}
					m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: a.As4()}})
				}
			}
			answer, err := m.Pack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = theirs.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)) // anyone who asked may have gone
		}()
		return ours, nil
	}}
}

// silent makes an address take no connection and refuse none: its queue is full.
func silent(t *testing.T, at netip.AddrPort) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: at.Addr().As4(), Port: int(at.Port())}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", at.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
}

// A name may have hundreds of addresses, dead and silent ones among them: whatever
// they are, a login takes no longer than one, and a refusal is one.
func TestManyAddresses(t *testing.T) {
	t.Parallel()
	addresses := func(first string, n int) (list []netip.Addr) {
		for a := netip.MustParseAddr(first); len(list) < n; a = a.Next() {
			list = append(list, a)
		}
		return list
	}
	dead, hangs := addresses("127.0.1.1", 300), addresses("127.0.3.1", 2)
	live := addresses("127.0.0.1", 1)
	for _, x := range []struct {
		name      string
		addresses [][]netip.Addr
		refuse    bool
		err       error
		says      []string
		logins    int
	}{
		{"the last of few", [][]netip.Addr{dead[:10], live}, false, nil, nil, 1},
		{"behind one that is silent", [][]netip.Addr{hangs[:1], live}, false, nil, nil, 1},
		{"all dead", [][]netip.Addr{dead}, false, remote.ErrUnreachable,
			[]string{"db1:", "connection refused", "127.0.1.1, ", " and 12 more", "; 284 more not tried"}, 0},
		{"all silent", [][]netip.Addr{hangs}, false, remote.ErrUnreachable,
			[]string{"no answer from db1:", "127.0.3.1, 127.0.3.2"}, 0},
		{"the same host 100 times, refused", [][]netip.Addr{live, live, live, live, live, live, live, live, live, live}, true,
			remote.ErrAuth, nil, 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": remotetest.Shell})
			server := f.Server("lpar1")
			at := netip.MustParseAddrPort(server.Address())
			for _, a := range hangs {
				silent(t, netip.AddrPortFrom(a, at.Port()))
			}
			var all []netip.Addr
			for _, list := range x.addresses {
				all = append(all, list...)
			}
			server.RefuseLogins(x.refuse)
			logins := sshhost.NewLogins(0)
			logins.SetResolver(resolver(t, all))
			s := &sshconfig.Settings{
				Alias: "db1", HostName: "db1", Port: int(at.Port()), User: remotetest.User, PublicKeyAuth: true, IdentitiesOnly: true,
				IdentityFiles: []sshconfig.Identity{{File: f.Identity}}, UserKnown: []string{filepath.Join(t.TempDir(), "known_hosts")},
				LearnHostKey: true, ConnectTimeout: 3 * time.Second,
			}
			h := sshhost.New("db1", func() (*sshconfig.Settings, error) { return s, nil }, logins)
			defer h.Close()
			began := time.Now()
			_, err := run(h, "true")
			if took := time.Since(began); took > 13*time.Second { // 3 s, and what a busy machine takes
				t.Errorf("took %s", took)
			}
			if x.err == nil && err != nil {
				t.Error(err)
			} else if x.err != nil {
				expect(t, err, x.err, x.says...)
			}
			if n := server.Logins() + server.Refused(); n != x.logins {
				t.Errorf("%d logins, want %d", n, x.logins)
			}
		})
	}
}
