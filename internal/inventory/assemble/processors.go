package assemble

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/lparstat"
)

// processorFeed has how busy the processors of an AIX host are.
type processorFeed struct{ *hostBuilder }

var processorRows = []row{
	{"lparstat", feeds(3, processorFeed.load)},
}

// samples are the lines of lparstat with an interval, of all outputs.
type samples struct {
	cores, busy   float64
	nCores, nBusy int
	command       string
	partition     string // the command whose output says what the partition may use; empty: lparstat -i
}

// load adds the samples of lparstat with an interval. Several outputs are read
// as one longer interval. Without an interval it prints the mean since the boot.
func (b processorFeed) load(o Output, l *lparstat.Output) {
	if o.Command == "lparstat" {
		b.sinceBoot(o, l)
		return
	}
	s := &b.samples
	for _, t := range l.Tables {
		b.configuration(o, t)
		for _, x := range t.Samples {
			if v, ok := t.Get(x, "physc"); ok {
				s.cores, s.nCores = s.cores+v, s.nCores+1
			}
			user, ok1 := t.Get(x, "%user")
			system, ok2 := t.Get(x, "%sys")
			if ok1 && ok2 && user+system <= 100.5 {
				s.busy, s.nBusy = s.busy+user+system, s.nBusy+1
			}
			s.command = cmp.Or(s.command, o.Command)
		}
	}
}

// configuration takes from the line above the samples what lparstat -i was not read for: type, mode and entitlement of a shared
// partition.
func (b processorFeed) configuration(o Output, t *lparstat.Table) {
	p := &b.host.Partition
	if p.Type != "" || p.Mode != "" || p.Entitled != nil {
		return
	}
	b.samples.partition = o.Command
	for _, f := range t.Config {
		switch {
		case f.Name == "type" && f.Text == "Shared":
			p.Type = f.Text
		case f.Name == "mode":
			p.Mode = f.Text
		case f.Name == "ent" && f.Number != nil:
			p.Entitled = f.Number
		}
	}
}

// sinceBoot keeps the processors used since the boot. A dedicated partition that donates
// nothing has no physc: what was busy of its processors is used.
func (b processorFeed) sinceBoot(o Output, l *lparstat.Output) {
	if len(l.Tables) != 1 || len(l.Tables[0].Samples) != 1 || !entire(o, &l.Report) {
		return
	}
	t, x := l.Tables[0], l.Tables[0].Samples[0]
	from := o.says("physc since the boot")
	if v, ok := t.Get(x, "physc"); ok {
		b.figure(model.CoresMean, v, from)
		return
	}
	user, ok1 := t.Get(x, "%user")
	system, ok2 := t.Get(x, "%sys")
	if p := b.host.Partition; ok1 && ok2 && strings.HasPrefix(p.Type, "Dedicated") && p.VirtualCPUs != nil {
		from.Text = "%user + %sys since the boot"
		b.figure(model.CoresMean, (user+system)/100*float64(*p.VirtualCPUs), from)
	}
}

// figures works out what several outputs say together.
func (b processorFeed) figures() {
	mean := func(figure, what string, sum float64, n int) {
		if n > 0 {
			b.figure(figure, sum/float64(n), model.Origin{Command: b.samples.command, Text: fmt.Sprintf("mean of %s over %d samples", what, n)})
		}
	}
	mean(model.CoresUsed, "physc", b.samples.cores, b.samples.nCores)
	mean(model.CPUBusy, "%user + %sys", b.samples.busy, b.samples.nBusy)
	if most := b.host.Partition.MostCores(); most != nil {
		b.figure(model.CoresLimit, *most, model.Origin{Command: cmp.Or(b.samples.partition, "lparstat -i"), Text: "Mode " + b.host.Partition.Mode})
	}
}
