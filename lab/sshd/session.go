package sshd

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

// session is one channel: its settings come first, then one exec or shell.
type session struct {
	start Starter
	user  string
	ch    ssh.Channel
	env   []string
	term  *Terminal
	proc  Process
}

// serve handles the channel's requests in order until the client closes it.
func (s *session) serve(ctx context.Context, requests <-chan *ssh.Request) {
	defer s.ch.Close()
	for r := range requests {
		ok := false
		var then func()
		switch r.Type {
		case "env":
			ok = s.setEnv(r.Payload)
		case "pty-req":
			ok = s.setTerminal(r.Payload)
		case "window-change":
			ok = s.resize(r.Payload)
		case "signal":
			ok = s.signal(r.Payload)
		case "exec", "shell":
			ok, then = s.run(ctx, r)
		}
		if r.WantReply {
			_ = r.Reply(ok, nil)
		}
		// Only now: a quick command could end, and close the channel, before the
		// client has its answer.
		if then != nil {
			go then()
		}
	}
	if s.proc != nil {
		s.proc.Close()
	}
}

const maxEnv = 64

// setEnv accepts what a login may carry over: language and terminal colours.
func (s *session) setEnv(b []byte) bool {
	var m struct{ Name, Value string }
	if ssh.Unmarshal(b, &m) != nil || len(s.env) >= maxEnv || strings.ContainsRune(m.Value, 0) {
		return false
	}
	if m.Name != "LANG" && m.Name != "TZ" && m.Name != "NO_COLOR" && m.Name != "COLORTERM" && !strings.HasPrefix(m.Name, "LC_") {
		return false
	}
	if strings.ContainsAny(m.Name, "=\x00") {
		return false
	}
	s.env = append(s.env, m.Name+"="+m.Value)
	return true
}

func (s *session) setTerminal(b []byte) bool {
	var m struct {
		Term                      string
		Cols, Rows, Width, Height uint32
		Modes                     string
	}
	if ssh.Unmarshal(b, &m) != nil || strings.ContainsRune(m.Term, 0) {
		return false
	}
	s.term = &Terminal{Type: m.Term, Rows: uint16(m.Rows), Cols: uint16(m.Cols)}
	return true
}

func (s *session) resize(b []byte) bool {
	var m struct{ Cols, Rows, Width, Height uint32 }
	if ssh.Unmarshal(b, &m) != nil || s.proc == nil || s.term == nil {
		return false
	}
	return s.proc.Resize(uint16(m.Rows), uint16(m.Cols)) == nil
}

func (s *session) signal(b []byte) bool {
	var m struct{ Name string }
	if ssh.Unmarshal(b, &m) != nil || s.proc == nil {
		return false
	}
	sig := unix.SignalNum("SIG" + m.Name)
	if sig != 0 {
		s.proc.Signal(sig)
	}
	return sig != 0
}

// notStarted is the exit status of a command that could not be started, as
// ssh's own for whatever goes wrong on the way.
const notStarted = 255

// run starts the session's one command. What it gives is to be called once the
// client knows that it runs.
func (s *session) run(ctx context.Context, r *ssh.Request) (ok bool, then func()) {
	if s.proc != nil {
		return false, nil
	}
	start := Start{User: s.user, Env: s.env, Terminal: s.term}
	if r.Type == "exec" {
		var m struct{ Line string }
		if ssh.Unmarshal(r.Payload, &m) != nil || strings.ContainsRune(m.Line, 0) {
			return false, nil
		}
		start.Line = m.Line
	}
	p, err := s.start(ctx, start)
	if err != nil {
		return true, func() {
			fmt.Fprintf(s.ch.Stderr(), "%v\n", err)
			_, _ = s.ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{notStarted}))
			s.ch.Close()
		}
	}
	s.proc = p
	return true, func() { s.carry(p) }
}

// carry moves the streams and reports how the command ended.
func (s *session) carry(p Process) {
	status := Carry(p, s.ch, s.ch, s.ch.Stderr())
	_ = s.ch.CloseWrite()
	if status.Signal != "" {
		_, _ = s.ch.SendRequest("exit-signal", false, ssh.Marshal(struct {
			Name  string
			Core  bool
			Error string
			Lang  string
		}{Name: status.Signal}))
	} else {
		_, _ = s.ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{uint32(status.Exit)}))
	}
	s.ch.Close()
}

// Carry moves a command's streams until it has ended, and says how. Output is read to
// its end first, as sshd does: a background process that keeps the stream open
// keeps the session open.
func Carry(p Process, in io.Reader, out, errs io.Writer) Status {
	go func() {
		_, _ = io.Copy(p.Stdin(), in)
		p.Stdin().Close()
	}()
	var moving sync.WaitGroup
	moving.Go(func() { _, _ = io.Copy(out, p.Stdout()) })
	if from := p.Stderr(); from != nil {
		moving.Go(func() { _, _ = io.Copy(errs, from) })
	}
	status := p.Wait()
	moving.Wait()
	return status
}
