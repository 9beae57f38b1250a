package traffic

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
)

// server answers connections until it is interrupted. Without -D it leaves a
// server behind in the background, prints that it has started, and returns.
func server(ctx context.Context, c *node.Call, letters string, at int, started string, serve func(context.Context, net.Conn)) int {
	fail := func(err error) int {
		fmt.Fprintf(c.Stderr, "%s: %v\n", c.Argv[0], err)
		return 1
	}
	o, err := flags.Letters(letters, c.Argv[1:])
	if err == nil && len(o.Rest) > 0 {
		err = fmt.Errorf("unexpected %q", o.Rest[0])
	}
	if err == nil {
		err = settings{"p": into(&at, port)}.follow(o.List)
	}
	if err != nil {
		return fail(err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(at)))
	if err != nil {
		return fail(err)
	}
	if !o.Has("D") {
		l.Close() // the port is free: a server in the background can have it
		if err := background(c.Argv[0], "-D", "-p", strconv.Itoa(at)); err != nil {
			return fail(err)
		}
		if err := listening(ctx, at); err != nil {
			return fail(err)
		}
		if started != "" {
			fmt.Fprintf(c.Stdout, started, at)
		}
		return 0
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	var running sync.WaitGroup
	defer running.Wait()
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return 0
		}
		if err != nil {
			return fail(err)
		}
		running.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			serve(ctx, conn)
		})
	}
}

// background starts this program again under a name, in a session of its own
// and without this call's streams, so that the caller's shell need not wait.
func background(name string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{name}, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// listening waits until the server in the background answers.
func listening(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var d net.Dialer
	for {
		c, err := d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server in the background does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
