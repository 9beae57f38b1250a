package sshhost

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"seaworthy/remote"
)

// proxy is a ProxyCommand: its stdin and stdout are the connection.
type proxy struct {
	cmd    *exec.Cmd
	in     *os.File // our ends; files, so that deadlines work
	out    *os.File
	stderr *remote.Output
	ended  chan struct{}
	closer sync.Once
}

func startProxy(command string) (*proxy, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		inR.Close()
		inW.Close()
		return nil, err
	}
	p := &proxy{in: inW, out: outR, stderr: remote.NewOutput(4 << 10), ended: make(chan struct{})}
	p.cmd = exec.Command("sh", "-c", "exec "+command)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, p.stderr
	// A group of its own: Ctrl-C on the terminal must not cut the connection
	// while a change is being undone over it.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second
	err = p.cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // its stderr says how it ended
		close(p.ended)
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

func (p *proxy) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *proxy) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close ends the command and everything it started.
func (p *proxy) Close() error {
	p.closer.Do(func() {
		p.in.Close()
		p.out.Close()
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

func (p *proxy) LocalAddr() net.Addr  { return proxyAddr{} }
func (p *proxy) RemoteAddr() net.Addr { return proxyAddr{} }

func (p *proxy) SetDeadline(t time.Time) error {
	if err := p.in.SetWriteDeadline(t); err != nil {
		return err
	}
	return p.out.SetReadDeadline(t)
}
func (p *proxy) SetReadDeadline(t time.Time) error  { return p.out.SetReadDeadline(t) }
func (p *proxy) SetWriteDeadline(t time.Time) error { return p.in.SetWriteDeadline(t) }

// proxyAddr has the form host:port, which the known-hosts check insists on
// even where it then goes by name.
type proxyAddr struct{}

func (proxyAddr) Network() string { return "proxy" }
func (proxyAddr) String() string  { return "0.0.0.0:0" }

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

var _ io.ReadWriteCloser = (*proxy)(nil)
