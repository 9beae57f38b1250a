package assemble

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/linewise"
)

func (b *builder) figure(name string, v float64, from model.Origin) {
	if b.host.Figures == nil {
		b.host.Figures = map[string]model.Figure{}
	}
	b.host.Figures[name] = model.Figure{Value: v, From: from}
}

// entire reports whether nothing of an output is missing, so that its rows can be
// counted.
func entire(o Output, r *parse.Report) bool {
	return len(r.Unknown)+len(r.Warnings) == 0 && o.Problem == "" && o.Exit == 0 && !o.cut
}

// virtualSCSI counts the server adapters of virtual SCSI in a list of all
// adapters.
func (b *builder) virtualSCSI(o Output, l *lsdev.List) {
	var lines []int
	adapters := false
	for _, d := range l.Devices {
		adapters = adapters || ethernet(d.Name)
		if numbered(d.Name, "vhost") && (d.Status == "Available" || d.Status == "") {
			lines = append(lines, d.Line)
		}
	}
	if adapters && entire(o, &l.Report) {
		b.count(o, model.VirtualSCSI, lines)
	}
}

// mapped counts them where lsmap -all lists what each carries. It lists one kind
// at a time: that none is there says nothing.
func (b *builder) mapped(o Output, m *lsmap.Map) {
	var lines []int
	for _, x := range m.Others {
		if numbered(x.Name, "vhost") {
			lines = append(lines, x.Line)
		}
	}
	if _, known := b.host.Figures[model.VirtualSCSI]; len(lines) > 0 && !known && entire(o, &m.Report) {
		b.count(o, model.VirtualSCSI, lines)
	}
}

// count sets a figure to the number of some lines, with the first as evidence.
func (b *builder) count(o Output, name string, lines []int) {
	from := o.says("")
	if len(lines) > 0 {
		from = o.at(lines[0])
	}
	b.figure(name, float64(len(lines)), from)
}

// samples are the lines of lparstat with an interval, of all outputs.
type samples struct {
	cores, busy   float64
	nCores, nBusy int
	command       string
}

// load adds the samples of lparstat with an interval. Several outputs are read
// as one longer interval. Without an interval it prints the mean since the boot.
func (b *builder) load(o Output, l *lparstat.Output) {
	if o.Command == "lparstat" {
		b.sinceBoot(o, l)
		return
	}
	s := &b.samples
	for _, t := range l.Tables {
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

// sinceBoot keeps the processors used since the boot. A dedicated partition that donates
// nothing has no physc: what was busy of its processors is used.
func (b *builder) sinceBoot(o Output, l *lparstat.Output) {
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

func (b *builder) uptime(o Output, e *linewise.ElapsedTime) {
	if e.Time != nil && entire(o, &e.Report) {
		b.figure(model.Uptime, e.Time.Seconds(), o.says(e.Time.String()))
	}
}

// rulesDiff counts what differs from a VIOS's rules.
func (b *builder) rulesDiff(o Output, d *linewise.RuleDiff) {
	from := o.says("no difference listed")
	switch {
	case len(d.Differences) > 0 && !o.cut && o.Problem == "":
		// Headings that are not known do no harm to what is listed.
		x := d.Differences[0]
		from = o.at(x.Line)
	case !entire(o, &d.Report):
		return
	}
	b.figure(model.RulesDiffer, float64(len(d.Differences)), from)
}

func (b *builder) fixes(o Output, l *linewise.FixList) {
	for _, f := range l.Fixes {
		if b.host.Fixes == nil {
			b.host.Fixes = map[string]bool{}
		}
		b.host.Fixes[f.Name] = f.State == linewise.FixComplete
	}
}

// figures works out what several outputs say together.
func (b *builder) figures() {
	mean := func(figure, what string, sum float64, n int) {
		if n > 0 {
			b.figure(figure, sum/float64(n), model.Origin{Command: b.samples.command, Text: fmt.Sprintf("mean of %s over %d samples", what, n)})
		}
	}
	mean(model.CoresUsed, "physc", b.samples.cores, b.samples.nCores)
	mean(model.CPUBusy, "%user + %sys", b.samples.busy, b.samples.nBusy)
	if most := b.host.Partition.MostCores(); most != nil {
		b.figure(model.CoresLimit, *most, model.Origin{Command: "lparstat -i", Text: "Mode " + b.host.Partition.Mode})
	}
}
