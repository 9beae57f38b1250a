package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Elsewhere is where to look when the network is not the cause.
type Elsewhere struct {
	ID    string   `json:"id"` // of clean.yaml
	Title string   `json:"title"`
	Host  string   `json:"host,omitempty"` // that it is on; empty: nothing points to one
	Seen  []string `json:"seen"`           // what points there; empty: nothing was seen of it
	How   []string `json:"how"`            // commands that show it
}

// Deciding is a reading that would decide a diagnosis that is open.
type Deciding struct {
	What string `json:"what"`
	How  string `json:"how"` // command to paste
}

// beside says that a cause is none of the network.
func (c Cause) beside() bool { return c.of.Beside }

// innocent says that nothing that was found is a fault of the network.
func (d *Diagnosis) innocent() bool {
	return !slices.ContainsFunc(d.Causes, func(c Cause) bool { return !c.beside() })
}

// lookElsewhere lists where to look next, first where something points to. Causes beside the
// network become what points there.
func (j conclusion) lookElsewhere(places []knowledge.Elsewhere) {
	var pointed, others []Elsewhere
	for _, p := range places {
		var here []Elsewhere
		for _, c := range j.d.Causes {
			if slices.Contains(p.Causes, c.ID) {
				x := Elsewhere{ID: p.ID, Title: p.Title, Host: c.Host, Seen: append(j.unread(c.Host), c.seen()...)}
				x.How = append(slices.Clone(c.Do), j.commands(p, c.Host)...)
				here = append(here, x)
			}
		}
		for _, hint := range j.hints(p.Sign) {
			here = append(here, Elsewhere{ID: p.ID, Title: p.Title, Host: hint.Host, Seen: hint.Seen, How: j.commands(p, hint.Host)})
		}
		pointed = append(pointed, here...)
		if len(here) == 0 {
			others = append(others, Elsewhere{ID: p.ID, Title: p.Title, Seen: []string{}, How: j.commands(p, j.d.From.Host)})
		}
	}
	j.d.Elsewhere = append(pointed, others...)
	j.d.Causes = slices.DeleteFunc(j.d.Causes, Cause.beside)
}

// unread are the connections of a host whose programs leave much unread.
func (j conclusion) unread(host string) (lines []string) {
	for _, c := range j.in.Activity.Connections {
		if c.Host == host && c.RecvQ >= muchUnread {
			lines = append(lines, fmt.Sprintf("%d bytes wait in %s for its program at each of %d looks; they came from %s",
				c.RecvQ, c.Local, looks, c.Remote))
		}
	}
	return lines
}

// muchUnread is more than a busy connection has waiting at each of some looks, in bytes.
const muchUnread = 8192

// seen is the evidence of a cause in lines.
func (c Cause) seen() []string {
	seen := slices.Clone(c.Says)
	for _, e := range c.Evidence {
		line := strings.Join(strings.Fields(e.Host+" $ "+e.Command+" "+e.Text), " ")
		if e.Command == "" {
			line = strings.TrimSpace(e.Host + " " + e.Text)
		}
		if !slices.Contains(seen, line) {
			seen = append(seen, line)
		}
	}
	return seen
}

// commands show a place on a host, with the other end's address filled in.
func (j conclusion) commands(p knowledge.Elsewhere, host string) []string {
	how := p.AIX
	h := j.in.Fleet.Host(host)
	if h != nil && h.Platform == model.Linux {
		how = p.Linux
	}
	here := j.in.Path.From
	if host == j.in.Path.To.Host {
		here = j.in.Path.To
	}
	c := Cause{Host: here.Host, Element: here.Element, Do: how}
	return c.filled(j.in).Do
}

// hints returns where and how the ends showed a sign while they were watched.
func (j conclusion) hints(sign string) (all []Elsewhere) {
	for _, end := range []model.Ref{j.in.Path.From, j.in.Path.To} {
		pressure, ok := j.in.Activity.Pressure[end.Host]
		var seen []string
		switch {
		case sign == knowledge.SignReadyThreads && ok && pressure.waiting():
			seen = []string{fmt.Sprintf("%d threads are ready to run, on %d processors (vmstat)", pressure.Ready, pressure.Processors)}
		case sign == knowledge.SignDiskWaits && ok && pressure.WaitPercent >= waitShare:
			seen = []string{fmt.Sprintf("processors wait for disks %d %% of the time, %d threads wait for them (vmstat)",
				pressure.WaitPercent, pressure.Blocked)}
		}
		if seen != nil {
			all = append(all, Elsewhere{Host: end.Host, Seen: seen})
		}
	}
	connections := j.in.Activity.Connections
	n := len(connections)
	if sign == knowledge.SignEmptyQueues && n > 0 && !slices.ContainsFunc(connections, Connection.queued) {
		end := j.in.Path.From
		all = append(all, Elsewhere{Host: end.Host, Seen: []string{fmt.Sprintf(
			"nothing waits in the queues of %d ends of connections: the programs send no more than is taken", n)}})
	}
	return all
}

// queued says that data waits at an end of a connection.
func (c Connection) queued() bool { return c.RecvQ > 0 || c.SendQ > 0 }

// decide names the readings that would decide a diagnosis that is open, the first three.
func (j conclusion) decide(all []knowledge.Reading) {
	with := strings.NewReplacer(" A B", " "+j.ends(), "HOSTS", j.hosts())
	for _, r := range all {
		if len(j.d.Decide) < readings && j.lacking(r.Lacks) {
			j.d.Decide = append(j.d.Decide, Deciding{What: r.Title, How: with.Replace(r.How)})
		}
	}
}

// readings is how many are named.
const readings = 3

// lacking says whether a diagnosis lacks what a reading would give.
func (j conclusion) lacking(what string) bool {
	switch what {
	case knowledge.LacksHosts:
		return j.gap
	case knowledge.LacksPings:
		return !slices.ContainsFunc(j.d.Measured, Measured.answered)
	case knowledge.LacksEarlier:
		return j.in.Before == nil
	case knowledge.LacksOutputs:
		return len(j.undecided) > 0
	case knowledge.LacksLoad:
		return len(j.d.Load) == 0
	}
	return true
}
