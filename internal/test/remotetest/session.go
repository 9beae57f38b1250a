package remotetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/crypto/ssh"

	"seaworthy/internal/test/await"
)

func (s *Server) serve(c net.Conn) {
	defer c.Close()
	if get(s, &s.mute) {
		_, _ = io.Copy(io.Discard, c) // until either side hangs up
		return
	}
	if tcp, ok := c.(*net.TCPConn); ok && get(s, &s.reset) {
		_ = tcp.SetLinger(0) // its close is a reset then
		return
	}
	if every := get(s, &s.drip); every > 0 {
		for {
			_, err := c.Write([]byte("S"))
			if err != nil {
				return
			}
			await.Pause(every)
		}
	}
	conn, chans, reqs, err := ssh.NewServerConn(c, s.config())
	if err != nil {
		return
	}
	s.mu.Lock()
	s.logins++
	s.mu.Unlock()
	go ssh.DiscardRequests(reqs) // keepalives
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var open atomic.Int32
	for nc := range chans {
		switch nc.ChannelType() {
		case "session":
		case "direct-tcpip": // this host as a jump host
			wait.Go(func() { forward(nc) })
			continue
		default:
			_ = nc.Reject(ssh.UnknownChannelType, "only sessions")
			continue
		}
		if limit := get(s, &s.maxSessions); limit != 0 && int(open.Load()) >= limit {
			_ = nc.Reject(ssh.ConnectionFailed, "open failed")
			continue
		}
		open.Add(1)
		ch, reqs, err := nc.Accept()
		if err != nil {
			return
		}
		wait.Go(func() {
			s.session(ctx, conn.User(), ch, reqs, func() { c.Close() })
			open.Add(-1)
		})
	}
}

// session serves one command line.
func (s *Server) session(ctx context.Context, user string, ch ssh.Channel, reqs <-chan *ssh.Request, cut func()) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	defer wait.Wait()
	started := false
	for r := range reqs {
		switch r.Type {
		case "exec":
			var line struct{ Value string }
			if started || ssh.Unmarshal(r.Payload, &line) != nil {
				_ = r.Reply(false, nil)
				continue
			}
			started = true
			_ = r.Reply(true, nil)
			plain, printed := Unmarked(line.Value)
			s.mu.Lock()
			s.sessions = append(s.sessions, line.Value)
			list, _, _ := split(plain)
			for _, a := range list {
				s.lines = append(s.lines, a.line)
			}
			if list == nil {
				s.lines = append(s.lines, plain)
			}
			h := Together(s.handler)
			printed = s.loginFiles + printed
			s.mu.Unlock()
			call := &Call{Host: s.name, User: user, Line: plain, Command: Bare(plain),
				Stdin: ch, Stdout: ch, Stderr: ch.Stderr(), Cut: cut}
			wait.Go(func() {
				_, _ = io.WriteString(ch, printed)
				exit := h(ctx, call)
				_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{uint32(exit)}))
				ch.Close()
			})
		case "signal":
			cancel()
		case "env":
			_ = r.Reply(true, nil)
		default:
			if r.WantReply {
				_ = r.Reply(false, nil)
			}
		}
	}
	cancel() // the client closed the session, or the connection is gone
}

// forward joins a client to another server, as sshd does for a jump host.
func forward(nc ssh.NewChannel) {
	var to struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}
	if err := ssh.Unmarshal(nc.ExtraData(), &to); err != nil {
		_ = nc.Reject(ssh.ConnectionFailed, err.Error())
		return
	}
	if ip := net.ParseIP(to.Host); ip == nil || !ip.IsLoopback() {
		_ = nc.Reject(ssh.Prohibited, "loopback only")
		return
	}
	out, err := net.Dial("tcp", net.JoinHostPort(to.Host, strconv.Itoa(int(to.Port))))
	if err != nil {
		_ = nc.Reject(ssh.ConnectionFailed, err.Error())
		return
	}
	ch, reqs, err := nc.Accept()
	if err != nil {
		out.Close()
		return
	}
	go ssh.DiscardRequests(reqs)
	var wait sync.WaitGroup
	wait.Go(func() { _, _ = io.Copy(out, ch); out.Close() })
	wait.Go(func() { _, _ = io.Copy(ch, out); ch.Close() })
	wait.Wait()
}

func (s *Server) config() *ssh.ServerConfig {
	s.mu.Lock()
	defer s.mu.Unlock()
	once := sync.OnceFunc(func() { s.refused++ }) // of a connection
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.refuse || !bytes.Equal(key.Marshal(), s.accept) {
				once()
				return nil, errors.New("key not authorized")
			}
			return nil, nil
		},
	}
	config.AddHostKey(s.key)
	return config
}
