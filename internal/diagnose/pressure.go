package diagnose

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
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
	if cpus, known := h.Figures[onlineCPUs]; known && seen.Processors == 0 {
		seen.Processors = int(cpus.Value)
	}
	return seen, ok
}

// onlineCPUs is the figure of a Linux host with its logical processors.
const onlineCPUs = "online_cpus"

// logicalCPUs stands in the first line of AIX's vmstat.
var logicalCPUs = regexp.MustCompile(`\blcpu=(\d+)`)

// readVmstat reads the last row of vmstat, of AIX or Linux: what came over the last interval.
// A column that is not a number, or missing, makes it unknown.
func readVmstat(text string) (Pressure, bool) {
	var seen Pressure
	if m := logicalCPUs.FindStringSubmatch(text); m != nil {
		seen.Processors, _ = strconv.Atoi(m[1])
	}
	var heading, row []string
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case slices.Contains(f, "r") && slices.Contains(f, "wa"):
			heading = f
		case len(heading) > 0 && len(f) == len(heading):
			row = f
		}
	}
	for name, value := range map[string]*int{"r": &seen.Ready, "b": &seen.Blocked, "wa": &seen.WaitPercent} {
		i := slices.Index(heading, name)
		if i < 0 || row == nil {
			return Pressure{}, false
		}
		n, err := strconv.Atoi(row[i])
		if err != nil {
			return Pressure{}, false
		}
		*value = n
	}
	return seen, true
}
