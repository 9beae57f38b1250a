package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// clock is a node's time of day. Only the lab's own commands know of a jump:
// see the fault clock-jump.
func (w *Simulator) clock(node string) time.Time {
	w.changing.Lock()
	defer w.changing.Unlock()
	return w.seenClock(node)
}

// date prints the node's time of day, in the words of the machine's date.
func (w *Simulator) date(ctx context.Context, c *Call, o *Options) error {
	if len(o.Rest) > 0 && !strings.HasPrefix(o.Rest[0], "+") {
		return errors.New("the clock of a lab's node is the machine's: lab break NODE clock-jump lets it jump")
	}
	t := w.clock(c.Node)
	args := []string{"-d", fmt.Sprintf("@%d.%09d", t.Unix(), t.Nanosecond())}
	if o.Has("u") {
		args = append(args, "-u")
	}
	cmd := exec.CommandContext(ctx, "date", append(args, o.Rest...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = c.Stdout, c.Stderr
	return cmd.Run()
}
