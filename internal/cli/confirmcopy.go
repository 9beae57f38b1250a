package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/diagnose"
)

// confirmInCopy asks the lab's program to look for the causes of a diagnosis in a copy of its hosts, and notes with
// each what the copy showed.
func (x *diagnoseCommand) confirmInCopy(ctx context.Context, d diagnosed) error {
	r := d.CopyRequest(d.in)
	if len(r.Causes) == 0 || r.Fleet == nil {
		x.Notice("--confirm-in-lab: no cause to look for in a copy")
		return nil
	}
	if runtime.GOOS != "linux" {
		return errors.New("--confirm-in-lab: the lab is made of Linux network namespaces: run it on a Linux machine")
	}
	path, err := findLab()
	if err != nil {
		return err
	}
	request, err := json.Marshal(r)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, path, "lab", "confirm")
	// It takes its copy down before it ends.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 40 * time.Second
	cmd.Env = append(os.Environ(), command.CallerEnv+"="+command.Built().ID())
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), x.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("--confirm-in-lab: %s lab confirm: %w", labProgram, err)
	}
	var found []diagnose.InCopy
	err = decode.JSON("answer of "+labProgram, text, &found, decode.Newer)
	if err != nil {
		return err
	}
	d.Confirm(found)
	return nil
}
