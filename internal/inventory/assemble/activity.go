package assemble

import (
	"regexp"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/linewise"
)

// most keeps the highest of a figure's values, with the line that shows it.
func (b *hostBuilder) most(name string, v float64, from model.Origin) {
	if had, known := b.host.Figures[name]; !known || v > had.Value {
		b.figure(name, v, from)
	}
}

// least keeps the lowest of a figure's values, with the line that shows it.
func (b *hostBuilder) least(name string, v float64, from model.Origin) {
	if had, known := b.host.Figures[name]; !known || v < had.Value {
		b.figure(name, v, from)
	}
}

// connections keeps how much the program that reads least has left unread in a connection with another host.
func (b measuredFeed) connections(o Output, l *linewise.TCPSocketList) {
	var states []string
	var lines []int
	for _, x := range l.Sockets {
		states, lines = append(states, x.State), append(lines, x.Line)
		if x.State == "ESTABLISHED" && !strings.HasPrefix(x.Remote, "127.") {
			b.most(model.UnreadBytes, float64(x.Received), o.at(x.Line))
		}
	}
	b.counted(o, states, lines)
}

// states keeps how many connections are in a state, of a list that holds nothing else.
func (b measuredFeed) states(o Output, s *linewise.TCPStates) {
	for state, n := range s.Counts {
		b.inState(state, n, o.at(s.Lines[state]))
	}
}

// counted keeps how many connections of a list are in states that tell of a fault when they are many.
func (b measuredFeed) counted(o Output, states []string, lines []int) {
	n, first := map[string]uint64{}, map[string]int{}
	for i, state := range states {
		n[state]++
		if n[state] == 1 {
			first[state] = lines[i]
		}
	}
	for state, count := range n {
		b.inState(state, count, o.at(first[state]))
	}
}

// inState keeps the larger of two lists: both may hold the same connections.
func (b measuredFeed) inState(state string, n uint64, from model.Origin) {
	if figure := stateFigure[linewise.TCPState(state)]; figure != "" {
		b.most(figure, float64(n), from)
	}
}

var stateFigure = map[string]string{
	"CLOSE_WAIT": model.CloseWait, "SYN_SENT": model.SynSent, "TIME_WAIT": model.TimeWait,
}

// busyDisk is the share of the time from which on a disk is busy.
const busyDisk = 80

// disks keeps how long the requests of the slowest busy disk take; 0 if none is busy.
func (b measuredFeed) disks(o Output, t *linewise.DiskTable) {
	for _, d := range t.Disks {
		switch {
		case d.WaitMS == nil:
		case d.Busy < busyDisk:
			b.most(model.BusyDiskMS, 0, o.at(d.Line))
		default:
			b.most(model.BusyDiskMS, *d.WaitMS, o.at(d.Line))
		}
	}
}

// kernelProcess are processes of the kernel: what runs when nothing else does, and what works for programs.
var kernelProcess = regexp.MustCompile(`^(?:wait|kproc|idle|swapper|kworker|ksoftirqd|migration|rcu_|irq)`)

// softInterrupts are the kernel's threads that receive packets when a CPU has too many of them.
var softInterrupts = regexp.MustCompile(`^ksoftirqd/`)

// processes keeps the share of a processor that the busiest program takes, and that of the kernel's
// receiving.
func (b measuredFeed) processes(o Output, p *linewise.ProcessList) {
	for _, x := range p.Processes {
		switch {
		case softInterrupts.MatchString(x.Name):
			b.most(model.SoftInterrupts, x.CPU, o.at(x.Line))
		case !kernelProcess.MatchString(x.Name):
			b.most(model.BusyProgram, x.CPU, o.at(x.Line))
		}
	}
}

// processors keeps the share of its time that a CPU spends on software interrupts, of the one that spends most.
func (b measuredFeed) processors(o Output, p *linewise.ProcessorLoads) {
	for _, x := range p.Loads {
		if x.CPU != "all" {
			b.most(model.SoftInterrupts, x.Soft, o.at(x.Line))
		}
	}
}

// activity keeps what waited for processors and disks in the last interval: the first row is the mean since boot.
func (b measuredFeed) activity(o Output, t *linewise.ActivityTable) {
	last := t.Rows[len(t.Rows)-1]
	b.figure(model.ThreadsReady, float64(last.Ready), o.at(last.Line))
	b.figure(model.ThreadsBlocked, float64(last.Blocked), o.at(last.Line))
	b.figure(model.DiskWait, float64(last.WaitPercent), o.at(last.Line))
	if last.PagedIn != nil && last.PagedOut != nil {
		b.figure(model.PagedIn, float64(*last.PagedIn), o.at(last.Line))
		b.figure(model.PagedOut, float64(*last.PagedOut), o.at(last.Line))
	}
	if t.Processors != nil {
		b.figure(model.OnlineCPUs, float64(*t.Processors), search(o, "lcpu="))
	}
}

// lookup keeps how long the slowest look-up of a name took, and how often a server did not answer one.
func (b measuredFeed) lookup(o Output, t *linewise.LookupTime) {
	if t.Seconds != nil {
		b.most(model.LookupSeconds, *t.Seconds, o.at(t.Line))
	}
	if len(t.Silent) > 0 {
		b.count(o, model.SilentServers, t.Silent)
	}
}

// slots counts adapters for networks whose slot gives them fewer lanes than they can use, or slower ones.
func (b measuredFeed) slots(o Output, d *linewise.PCIDevices) {
	var lines []int
	read := false
	for _, x := range d.Links {
		narrow, known := x.Narrow()
		if !x.Network() || !known {
			continue
		}
		read = true
		if narrow {
			lines = append(lines, x.Line)
		}
	}
	if read {
		b.count(o, model.NarrowSlots, lines)
	}
}
