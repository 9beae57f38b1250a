package lab

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/crypto/ssh"
	"golang.org/x/term"

	"seaworthy/internal/remote/shellword"
	"seaworthy/lab/supervisor"
)

// Stdio are the streams of a command on a node.
type Stdio struct {
	In       io.Reader // nil: empty
	Out, Err io.Writer
	// Terminal is the caller's terminal, put into raw mode while the command
	// runs on a terminal of its own; nil: no terminal.
	Terminal *os.File
}

// Exec runs a command line on a node as a login of the user would; an empty
// user is the node's usual login, an empty line an interactive shell. It
// returns the command's exit status; 128 and the signal's number for one that
// was killed. When ctx ends, the command is hung up.
func (l *Lab) Exec(ctx context.Context, node, user, line string, streams Stdio) (exit int, err error) {
	slog.Debug("run on a node", "lab", l.Name, "node", node, "user", user, "line", line)
	user, line = l.console(node, user, line)
	session, closeAll, err := l.session(ctx, node, user)
	if err != nil {
		return 0, err
	}
	defer closeAll()
	session.Stdin = streams.In
	var lost atomic.Pointer[error]
	if streams.Out != nil {
		session.Stdout = &watched{streams.Out, &lost, session}
	}
	if streams.Err != nil {
		session.Stderr = &watched{streams.Err, &lost, session}
	}
	if streams.Terminal != nil {
		back, err := likeTerminal(session, streams.Terminal)
		if err != nil {
			return 0, fmt.Errorf("lab %s: %s: terminal: %w", l.Name, node, err)
		}
		defer back()
	}
	if line == "" {
		if err = session.Shell(); err == nil {
			err = session.Wait()
		}
	} else {
		err = session.Run(line)
	}
	if w := lost.Load(); w != nil {
		return 0, fmt.Errorf("lab %s: %s: %s: %w", l.Name, node, line, *w)
	}
	var ended *ssh.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &ended):
		return ended.ExitStatus(), nil
	case ctx.Err() != nil:
		return 0, fmt.Errorf("lab %s: %s: %s: stopped: %w", l.Name, node, line, context.Cause(ctx))
	}
	return 0, fmt.Errorf("lab %s: %s: %s: %w", l.Name, node, line, err)
}

// Shell runs a line on a node as root and gives what it printed.
func (l *Lab) Shell(ctx context.Context, node, line string) (string, error) {
	var out, errs bytes.Buffer
	exit, err := l.Exec(ctx, node, "root", line, Stdio{Out: &out, Err: &errs})
	if err == nil && exit != 0 {
		err = fmt.Errorf("%s: %s: exit status %d: %.300s", node, line, exit, strings.TrimSpace(errs.String()+out.String()))
	}
	return out.String(), err
}

// watched hangs a command up when its output cannot be written any more: it
// would wait for ever for somebody to read it.
type watched struct {
	io.Writer
	lost    *atomic.Pointer[error]
	session *ssh.Session
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if err != nil {
		err = fmt.Errorf("writing the output: %w", err)
		w.lost.Store(&err)
		w.session.Close()
	}
	return n, err
}

// console is a login and a line for root on a node that root cannot log in to.
func (l *Lab) console(node, user, line string) (login, sent string) {
	at := slices.IndexFunc(l.Nodes, func(n supervisor.NodeInfo) bool { return n.Name == node })
	if user != "root" || at < 0 || slices.Contains(l.Nodes[at].Users, user) {
		return user, line
	}
	if line == "" {
		return l.Nodes[at].Users[0], "exec sudo -n ksh"
	}
	return l.Nodes[at].Users[0], "exec sudo -n sh -c " + shellword.Quote(line)
}

// node checks a node's name and gives its usual login.
func (l *Lab) node(name, user string) (string, error) {
	var names []string
	for _, n := range l.Logins() {
		names = append(names, n.Name)
		if n.Name != name {
			continue
		}
		if user == "" {
			return n.Users[0], nil
		}
		if !slices.Contains(n.Users, user) {
			return "", fmt.Errorf("lab %s: %s has no login %s, expected %s", l.Name, name, user, strings.Join(n.Users, " or "))
		}
		return user, nil
	}
	return "", fmt.Errorf("lab %s has no node %s, expected one of %s", l.Name, name, strings.Join(names, ", "))
}

// session logs in over the node's socket.
func (l *Lab) session(ctx context.Context, node, user string) (*ssh.Session, func(), error) {
	user, err := l.node(node, user)
	if err != nil {
		return nil, nil, err
	}
	fail := func(err error) (*ssh.Session, func(), error) {
		return nil, nil, fmt.Errorf("lab %s: %s: %w", l.Name, node, err)
	}
	pem, err := os.ReadFile(supervisor.KeyFile(l.Dir))
	if err != nil {
		return fail(err)
	}
	key, err := ssh.ParsePrivateKey(pem)
	if err != nil {
		return fail(err)
	}
	s, err := (&net.Dialer{}).DialContext(ctx, "unix", supervisor.SSHSocket(l.Dir, node))
	if err != nil {
		return fail(err)
	}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	conn, channels, requests, err := ssh.NewClientConn(s, node, &ssh.ClientConfig{
		User: user,
		Auth: []ssh.AuthMethod{ssh.PublicKeys(key)},
		// The socket lies in a folder that only the caller can write to.
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		stop()
		s.Close()
		return fail(cmp.Or(context.Cause(ctx), err))
	}
	client := ssh.NewClient(conn, channels, requests)
	closeAll := func() {
		stop()
		client.Close()
	}
	session, err := client.NewSession()
	if err != nil {
		closeAll()
		return fail(cmp.Or(context.Cause(ctx), err))
	}
	return session, closeAll, nil
}

// likeTerminal asks for a terminal like the caller's and follows its size.
func likeTerminal(s *ssh.Session, f *os.File) (back func(), err error) {
	cols, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	if err := s.RequestPty(cmp.Or(os.Getenv("TERM"), "vt100"), rows, cols, ssh.TerminalModes{}); err != nil {
		return nil, err
	}
	cooked, err := term.MakeRaw(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	go func() {
		for range changed {
			if cols, rows, err := term.GetSize(int(f.Fd())); err == nil {
				_ = s.WindowChange(rows, cols)
			}
		}
	}()
	return func() {
		signal.Stop(changed) // nothing is sent after it
		close(changed)
		_ = term.Restore(int(f.Fd()), cooked)
	}, nil
}
