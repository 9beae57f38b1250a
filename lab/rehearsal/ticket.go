package rehearsal

import (
	"fmt"

	"seaworthy/internal/app/rehearsed"
	"seaworthy/internal/change/ticket"
)

// Ticket is the part of a change ticket that says how a rehearsal went.
func Ticket(r *Result) *ticket.Rehearsal {
	out := &ticket.Rehearsal{Ended: r.Ended, Pairs: len(r.Watched), Noise: r.Noise, Wrong: r.Troubles()}
	if !r.AsPlanned && len(out.Wrong) == 0 {
		out.Wrong = []string{r.NotWhole()}
	}
	for _, s := range r.Steps {
		out.Steps = append(out.Steps, ticket.RehearsedStep{On: s.On(), What: s.What, Class: s.Class, Milliseconds: s.Milliseconds(r.Noise),
			Lost: s.Lost, FeltBy: s.FeltBy(), Result: s.Verdict()})
	}
	for _, x := range r.Phases {
		out.Trials = append(out.Trials, ticket.RehearsedTrial{What: x.Name + ": " + x.What, Milliseconds: fmt.Sprint(x.Longest.Milliseconds()),
			EndedWith: x.Ending(), Result: x.AsPlanned()})
	}
	for _, f := range r.Figures {
		out.Path = fmt.Sprintf("%s → %s", f.From, f.To)
		out.Figures = append(out.Figures, ticket.RehearsedFigure{Load: f.Load, Figure: f.Label(),
			Before: f.Text(f.Before), After: f.Text(f.After),
			PredictedBefore: f.Around(f.PredictedBefore), PredictedAfter: f.Around(f.PredictedAfter)})
	}
	for _, text := range r.NotMeasured {
		out.Limits = append(out.Limits, "not measured: "+text)
	}
	for _, x := range r.Copy {
		if x.Fate != rehearsed.AsRead {
			out.Limits = append(out.Limits, fmt.Sprintf("%s: %s: %s", x.Fate, x.What, x.Why))
		}
	}
	for _, text := range r.LeftOut {
		out.Limits = append(out.Limits, "left out: "+text)
	}
	for _, text := range r.NotTried {
		out.Limits = append(out.Limits, "not tried: "+text)
	}
	return out
}
