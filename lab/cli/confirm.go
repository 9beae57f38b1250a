package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/knowledge"
	"seaworthy/lab"
	"seaworthy/lab/confirm"
	"seaworthy/lab/replica"
)

// maxRequest bounds what diagnose sends: the hosts near a path.
const maxRequest = 512 << 20 // bytes

// newConfirm makes the command that diagnose --confirm-in-lab starts: a request as JSON on standard input, the answer as JSON.
func newConfirm(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "confirm", Short: "Look for the causes of a diagnosis in a copy of its hosts", Hidden: true,
		Args: command.Args(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := io.ReadAll(io.LimitReader(a.Stdin, maxRequest))
			if err != nil {
				return fmt.Errorf("lab confirm: %w", err)
			}
			var r diagnose.CopyRequest
			if err := decode.JSON("request", text, &r, decode.Newer); err != nil {
				return err
			}
			found, err := confirmInCopy(c.Context(), r)
			if err != nil {
				return err
			}
			return json.NewEncoder(a.Stdout).Encode(found)
		},
	}
}

// confirmInCopy makes a copy of the hosts, and takes it down again.
func confirmInCopy(ctx context.Context, r diagnose.CopyRequest) (found []diagnose.InCopy, err error) {
	catalogue, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("confirm-%d", os.Getpid())
	bonds, err := makesBonds()
	if err != nil {
		return nil, err
	}
	made, err := replica.Of(r.Fleet, catalogue, replica.Options{Name: name, Hosts: []string{r.From.Host, r.To.Host}, NoBonding: !bonds})
	if err != nil {
		return nil, err
	}
	// Tied: whatever ends this process ends the copy.
	l, err := upLab(ctx, lab.Options{Name: name, Text: made.Text, Tied: true})
	if err != nil {
		return nil, err
	}
	defer func() {
		down, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		failed := l.Down(down)
		if err == nil {
			err = failed
		}
	}()
	return confirm.Run(ctx, r, confirm.Options{Lab: l, Copy: made, Program: command.Built().String()})
}
