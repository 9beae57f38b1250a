package cli

import (
	"context"
	"path/filepath"

	"seaworthy/internal/app/notify"
	"seaworthy/internal/change/execute"
)

// parseReceiver reads who is told of what is new and gone; nil: nobody.
func parseReceiver(ctx context.Context, named string) (*notify.Receiver, error) {
	if named == "" {
		return nil, nil
	}
	return notify.Parse(ctx, named)
}

// tell tells a receiver once a result is printed. Whether that succeeds changes nothing of the outcome.
func (a *commandLine) tell(ctx context.Context, to *notify.Receiver, now notify.Present, outcome error) error {
	if to == nil || ctx.Err() != nil {
		return outcome
	}
	journals, err := execute.DefaultJournals()
	if err == nil {
		var told notify.Told
		told, err = to.Tell(ctx, filepath.Join(filepath.Dir(journals.Dir), "notified"), now)
		if told.New+told.Gone > 0 {
			a.Notice("notify %s: %d new, %d gone", to, told.New, told.Gone)
		}
	}
	if err != nil {
		a.Notice("%v", err)
	}
	return outcome
}
