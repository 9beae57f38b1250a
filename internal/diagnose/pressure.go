package diagnose

import (
	"context"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/remote"
)

// Pressure holds what waits on a host for processors and disks, by vmstat over a second.
type Pressure struct {
	Ready       int `json:"ready"`   // threads that could run
	Blocked     int `json:"blocked"` // threads that wait for disks
	WaitPercent int `json:"wait_percent"`
	Processors  int `json:"processors"` // logical ones; 0: not known
}

// waitShare is the percentage of time from which on waiting for disks is worth a look.
const waitShare = 20

// waiting says that more threads are ready than there are processors.
func (p Pressure) waiting() bool { return p.Processors > 0 && p.Ready > p.Processors }

// pressure reads vmstat for a second. A host that does not say is left out.
func (p Prober) pressure(ctx context.Context, host remote.Host, h *model.Host) (Pressure, bool) {
	out, _, err := p.run(ctx, host, remote.Step{Line: "vmstat 1 2"})
	if err != nil {
		return Pressure{}, false
	}
	seen, ok := readVmstat(out)
	if cpus, known := h.Figures[model.OnlineCPUs]; known && seen.Processors == 0 {
		seen.Processors = int(cpus.Value)
	}
	return seen, ok
}

// readVmstat reads the last row of vmstat, of AIX or Linux: what came over the last interval.
// A column that is not a number, or missing, makes it unknown.
func readVmstat(text string) (Pressure, bool) {
	t, err := linewise.ParseActivity([]byte(text))
	if err != nil {
		return Pressure{}, false
	}
	last := t.Rows[len(t.Rows)-1]
	seen := Pressure{Ready: last.Ready, Blocked: last.Blocked, WaitPercent: last.WaitPercent}
	if t.Processors != nil {
		seen.Processors = *t.Processors
	}
	return seen, true
}
