package command

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"seaworthy/internal/ui/report"
)

// Ctrl-C ends the printing of a long result; a short one, and one that comes after
// it, is printed whole.
func TestInterruptedResult(t *testing.T) {
	for name, c := range map[string]struct {
		late, long bool
		want       string
	}{
		"long":  {long: true, want: "not printed to its end: Ctrl-C"},
		"short": {want: "line"},
		"late":  {late: true, want: "line"},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		var out, errs bytes.Buffer
		a := New("x", strings.NewReader(""), &out, &errs)
		ended, end := context.WithTimeout(t.Context(), time.Minute)
		root := &cobra.Command{Use: "x"}
		root.AddCommand(&cobra.Command{Use: "y", RunE: func(*cobra.Command, []string) error {
			if c.late {
				cancel(errors.New("Ctrl-C"))
			}
			return a.Answer(nil, func(p *report.Document) {
				cancel(errors.New("Ctrl-C"))
				if c.long {
					<-ended.Done()
				}
				p.Line("line")
			})
		}})
		exit := a.Run(ctx, root, []string{"y"})
		end()
		if got := out.String() + errs.String(); !strings.Contains(got, c.want) || (exit == ExitDone) == c.long {
			t.Errorf("%s: exit status %d, %q: want %q", name, exit, got, c.want)
		}
	}
}
