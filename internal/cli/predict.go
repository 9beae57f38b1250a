package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seaworthy/internal/app/past"
	"seaworthy/internal/app/prediction"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/predict"
	"seaworthy/internal/ui/report"
)

type predictCommand struct {
	*commandLine
	question          prediction.Request
	plan, window      string
	request, response string
	streams, sessions []int
	moment            past.Moment
}

func newPredict(a *commandLine) *cobra.Command {
	x := &predictCommand{commandLine: a, request: "700", window: "0"}
	q := &x.question
	c := a.command("predict", atFlags(&x.moment).And(command.Flags{
		"from": &q.From, "to": &q.To, "plan": &x.plan, "set": &q.Set, "streams": &x.streams, "sessions": &x.sessions,
		"request": &x.request, "response": &x.response, "window": &x.window, "since": &q.Since, "results": &q.Results,
	}), func(c *cobra.Command, argv []string) error {
		q.Args = argv
		return x.run(c.Context(), c.Flags())
	})
	return a.Prints(c, &predict.Prediction{})
}

func (x *predictCommand) run(ctx context.Context, flags *pflag.FlagSet) error {
	var err error
	x.question.Loads, err = x.loads(flags)
	if err != nil {
		return err
	}
	if x.plan != "" { // before any host is asked
		x.question.Plan, err = x.readPlan(ctx, x.plan, "")
		if err != nil {
			return err
		}
	}
	access, err := x.moment.Over(x.access())
	if err != nil {
		return err
	}
	all, err := x.question.Run(ctx, access)
	if err != nil {
		return err
	}
	var status error
	for _, p := range all {
		if len(p.Now.Unknown) > 0 || p.After != nil && len(p.After.Unknown) > 0 {
			status = command.Exit(command.ExitInconclusive, nil)
		}
	}
	var out any = all[0]
	if len(all) > 1 {
		out = predict.Several{Schema: predict.SchemaSeveral, Predictions: all}
	}
	return x.Conclude(status, out, func(to *report.Document) { report.Predictions(to, all) })
}

// loads refuses what makes no question.
func (x *predictCommand) loads(c *pflag.FlagSet) (all []predict.Load, err error) {
	window, err := size("--window", x.window, 0)
	switch {
	case err != nil:
		return nil, err
	case x.question.From == "" || x.question.To == "":
		return nil, command.Usage("predict: --from and --to are required")
	case x.question.From == x.question.To:
		return nil, command.Usage("predict: --from and --to are the same: name two hosts, or two interfaces (HOST:enN)")
	case x.plan != "" && len(x.question.Set) > 0:
		return nil, command.Usage("predict: --plan and --set exclude each other")
	case len(x.sessions) > 0 && len(x.streams) == 0 && c.Changed("window"):
		return nil, command.Usage("predict: --window needs --streams")
	case len(x.sessions) == 0 && (c.Changed("request") || c.Changed("response")):
		return nil, command.Usage("predict: --request and --response need --sessions")
	}
	for _, n := range slices.Concat(x.streams, x.sessions) {
		if n < 1 {
			return nil, command.Usage("predict: %d streams or sessions: expected 1 or more", n)
		}
	}
	if len(x.streams)+len(x.sessions) == 0 {
		x.streams = []int{1}
	}
	request, err := size("--request", x.request, 1)
	if err != nil {
		return nil, err
	}
	response, err := size("--response", cmp.Or(x.response, x.request), 1)
	for _, n := range x.streams {
		all = append(all, predict.Load{Streams: n, Window: float64(window)})
	}
	for _, n := range x.sessions {
		all = append(all, predict.Load{Sessions: n, Request: request, Response: response})
	}
	return all, err
}
