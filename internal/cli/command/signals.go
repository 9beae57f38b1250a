package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"seaworthy/internal/base/progress"
)

const (
	// answerWithin is how long an interrupted command may take to end in silence.
	answerWithin = 400 * time.Millisecond
	// sameKey is how long another Ctrl-C is the first one still: a wrapper such as
	// timeout(1) or a terminal's process group delivers it twice.
	sameKey = 200 * time.Millisecond
)

// Signals gives a context that ends with the first SIGINT, SIGTERM or SIGHUP. What
// still runs then, such as the undoing of a change, is said; a second Ctrl-C ends
// the program at once. Progress of the context's work is shown on stderr.
func Signals(stderr io.Writer, name string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	m := meter(stderr)
	// A reader that goes away (| head -1) fails the write, no more: a change under way is
	// still verified or undone, and a lab taken down.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	got := make(chan os.Signal, 4)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go interrupts(got, cancel, func(text string) { fmt.Fprintf(m, "%s: %s\n", name, text) }, func(code int) {
		m.Close()
		os.Exit(code)
	})
	return progress.With(ctx, m), func() { signal.Stop(got); cancel(context.Canceled) }
}

func interrupts(got <-chan os.Signal, cancel context.CancelCauseFunc, say func(string), exit func(int)) {
	first := <-got
	began := time.Now()
	cancel(errors.New(first.String() + " signal received"))
	late := time.After(answerWithin)
	for {
		select {
		case <-late:
			say(first.String() + ": ending what was started without leaving it half done. Ctrl-C again: quit at once, hosts stay as they are")
		case again := <-got:
			if again == os.Interrupt && time.Since(began) >= sameKey {
				say("ended at once; seaworthy status shows what a run left")
				exit(128 + int(syscall.SIGINT))
				return
			}
		}
	}
}
