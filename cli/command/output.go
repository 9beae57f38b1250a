package command

import (
	"io"
	"os"
	"sync/atomic"
)

// output is stdout until it is closed: what prints a result that nobody waits for any
// more finds no way there.
type output struct {
	w      io.Writer
	closed atomic.Bool
}

func (o *output) Write(b []byte) (int, error) {
	if o.closed.Load() {
		return 0, os.ErrClosed
	}
	return o.w.Write(b)
}
