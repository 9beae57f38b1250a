package command

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestInterrupts(t *testing.T) {
	type press struct {
		after time.Duration
		sig   os.Signal
	}
	for _, c := range []struct {
		name  string
		press []press
		exit  []int
		said  []string
	}{
		{"once", []press{{0, os.Interrupt}}, nil, []string{"interrupt: ending what was started"}},
		{"twice", []press{{0, os.Interrupt}, {time.Second, os.Interrupt}}, []int{130}, []string{"interrupt: ending what was started", "ended at once"}},
		{"twice at once is once", []press{{0, os.Interrupt}, {time.Millisecond, os.Interrupt}}, nil, []string{"interrupt: ending what was started"}},
		{"a terminal that closes", []press{{0, syscall.SIGHUP}, {time.Second, syscall.SIGHUP}, {time.Second, syscall.SIGTERM}}, nil,
			[]string{"hangup: ending what was started"}},
		{"a stop, then Ctrl-C", []press{{0, syscall.SIGTERM}, {300 * time.Millisecond, os.Interrupt}}, []int{130}, []string{"ended at once"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			got := make(chan os.Signal, 4)
			ctx, cancel := context.WithCancelCause(context.Background())
			var (
				said []string
				exit []int
			)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				interrupts(got, cancel, func(s string) { said = append(said, s) }, func(n int) { exit = append(exit, n) })
			}()
			for _, p := range c.press {
				time.Sleep(p.after) // of the test's own clock
				got <- p.sig
				synctest.Wait()
				if ctx.Err() == nil {
					t.Errorf("%s: the first signal did not end the context", c.name)
				}
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if want := c.press[0].sig.String() + " signal received"; context.Cause(ctx).Error() != want {
				t.Errorf("%s: cause %v, want %s", c.name, context.Cause(ctx), want)
			}
			if !slices.Equal(exit, c.exit) || !slices.EqualFunc(said, c.said, strings.HasPrefix) {
				t.Errorf("%s: exit %v, said %q, want %v and %q", c.name, exit, said, c.exit, c.said)
			}
			if len(exit) == 0 { // let it go
				got <- os.Interrupt
			}
			<-ended
		})
	}
}
