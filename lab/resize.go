package lab

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/crypto/ssh"
	"golang.org/x/term"
)

// followSize passes changes of the caller's window on to the session.
func followSize(ctx context.Context, s *ssh.Session, tty *os.File) (stop func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				if cols, rows, err := term.GetSize(int(tty.Fd())); err == nil {
					_ = s.WindowChange(rows, cols)
				}
			}
		}
	}()
	return func() {
		signal.Stop(changed)
		cancel()
	}
}
