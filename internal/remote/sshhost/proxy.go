package sshhost

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"time"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
)

// proxy is a ProxyCommand: its stdin and stdout are the connection.
type proxy struct {
	net.Conn // our end
	session  *remote.Session
	stderr   *remote.Output
	ended    chan struct{}
	closer   sync.Once
}

// startProxy gives the command a process group of its own, as every local command has:
// Ctrl-C on the terminal must not cut the connection while a change is being undone over it.
func startProxy(command string) (*proxy, error) {
	s, err := local.New("ProxyCommand").Start(context.Background(), ended(command))
	if err != nil {
		return nil, err
	}
	ours, theirs := net.Pipe()
	p := &proxy{Conn: ours, session: s, stderr: remote.NewOutput(4 << 10), ended: make(chan struct{})}
	go func() {
		_, _ = io.Copy(s.Stdin, theirs) // our end is closed, or the command's is
		s.Stdin.Close()
	}()
	go func() {
		var said sync.WaitGroup
		said.Go(func() { _, _ = io.Copy(p.stderr, s.Stderr) })
		_, _ = io.Copy(theirs, s.Stdout)
		said.Wait()
		_, _ = s.Wait() // its stderr says how it ended
		close(p.ended)
		theirs.Close()
	}()
	return p, nil
}

// ended is a command line that takes what the command left running with it. The shell
// itself outlives the signal, and a subshell does not inherit that.
func ended(command string) string {
	return "trap : TERM\n(exec " + command + "\n)\nstatus=$?\nkill -TERM 0\nexit $status"
}

// lastWords returns what the proxy printed last on stderr, once it has ended.
func (p *proxy) lastWords() string {
	select {
	case <-p.ended:
	case <-time.After(time.Second):
	}
	lines := bytes.Split(bytes.TrimSpace(p.stderr.Bytes()), []byte("\n"))
	return remote.Brief(string(lines[len(lines)-1]))
}

// Close ends the command and everything it started, and returns when that is gone. What left the command's process group
// stays only if it left its parent too.
func (p *proxy) Close() error {
	p.closer.Do(func() {
		strays := local.StraysOf(p.session.PID) // when the command has ended, nothing tells whose they were
		defer strays.End()
		p.Conn.Close()
		select {
		case <-p.ended: // most end by themselves when their stdin does
		case <-time.After(200 * time.Millisecond):
			p.session.Close()
		}
	})
	return nil
}
