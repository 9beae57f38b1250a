package lab

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/crypto/ssh"
	"golang.org/x/term"
)

// followSize passes changes of the caller's window on to the session.
func followSize(s *ssh.Session, tty *os.File) (stop func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	go func() {
		for range changed {
			if cols, rows, err := term.GetSize(int(tty.Fd())); err == nil {
				_ = s.WindowChange(rows, cols)
			}
		}
	}()
	return func() {
		signal.Stop(changed) // nothing is sent after it
		close(changed)
	}
}
