package sshhost

import (
	"bytes"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"seaworthy/remote"
)

// proxy is a ProxyCommand: its stdin and stdout are the connection.
type proxy struct {
	net.Conn // our end
	cmd      *exec.Cmd
	stderr   *remote.Output
	ended    chan struct{}
	closer   sync.Once
}

func startProxy(command string) (*proxy, error) {
	ours, theirs := net.Pipe()
	p := &proxy{Conn: ours, cmd: exec.Command("sh", "-c", "exec "+command), stderr: remote.NewOutput(4 << 10), ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = theirs, p.stderr
	// A group of its own: Ctrl-C on the terminal must not cut the connection
	// while a change is being undone over it.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_, _ = io.Copy(stdin, theirs) // our end is closed, or the command's is
		stdin.Close()
	}()
	go func() {
		_ = p.cmd.Wait() // its stderr says how it ended
		close(p.ended)
		theirs.Close()
	}()
	return p, nil
}

// lastWords is what the proxy printed last on stderr, once it has ended.
func (p *proxy) lastWords() string {
	select {
	case <-p.ended:
	case <-time.After(time.Second):
	}
	lines := bytes.Split(bytes.TrimSpace(p.stderr.Bytes()), []byte("\n"))
	return clean(string(lines[len(lines)-1]))
}

// Close ends the command and everything it started.
func (p *proxy) Close() error {
	p.closer.Do(func() {
		p.Conn.Close()
		go func() {
			select {
			case <-p.ended: // most end by themselves when their stdin does
			case <-time.After(200 * time.Millisecond):
				_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
			}
			select {
			case <-p.ended:
			case <-time.After(time.Second):
				_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
			}
		}()
	})
	return nil
}

// clean makes foreign text fit for a message: one line, printable, short.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return s
}
