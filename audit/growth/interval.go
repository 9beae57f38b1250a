package growth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/inventory"
)

// Interval says between which two snapshots of a host its counters are judged.
type Interval struct {
	Host    string    `json:"host"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Seconds int64     `json:"seconds"`         // 0: not known
	Notes   []string  `json:"notes,omitempty"` // a restart, counters that were reset, a lower level of software, ...
}

// Intervals says for each host that also has an earlier snapshot how far they are
// apart, and what happened to its counters in between.
func Intervals(now, before *inventory.Fleet) []Interval {
	earlier := ByName(before)
	var out []Interval
	for _, h := range now.Hosts {
		b := earlier[h.Name]
		if b == nil {
			continue
		}
		w := Interval{Host: h.Name, From: b.Taken, To: h.Taken, Seconds: int64(between(h, b) / time.Second)}
		if restarted(h, b) {
			w.Notes = append(w.Notes, "the counters of all its adapters began anew: it was probably restarted; they are judged since then")
		} else {
			w.Notes = append(w.Notes, resets(h, b)...)
		}
		if protocolsFell(h, b) {
			w.Notes = append(w.Notes, "the counters of its protocols (netstat -s) began anew; their growth is not known")
		}
		for _, x := range []struct{ what, was, is string }{
			{"oslevel", b.Level, h.Level}, {"ioslevel", b.IOSLevel, h.IOSLevel}, {"managed system", b.MachineID, h.MachineID},
		} {
			if x.was != "" && x.is != "" && x.was != x.is {
				w.Notes = append(w.Notes, fmt.Sprintf("its %s changed from %s to %s", x.what, x.was, x.is))
			}
		}
		out = append(out, w)
	}
	return out
}

// ByName gives a fleet's hosts by name.
func ByName(f *inventory.Fleet) map[string]*inventory.Host {
	if f == nil {
		return nil
	}
	m := make(map[string]*inventory.Host, len(f.Hosts))
	for _, h := range f.Hosts {
		m[h.Name] = h
	}
	return m
}

// resets says which adapters' counters cannot be followed through.
func resets(now, before *inventory.Host) []string {
	why := map[string][]string{}
	for name, s := range spans(now, before) {
		switch {
		case s.gap != "":
			why[s.gap] = append(why[s.gap], name)
		case s.reset:
			text := "counters were reset " + lasting(time.Duration(s.Seconds)*time.Second) + " before the later snapshot, and are judged since then"
			why[text] = append(why[text], name)
		}
	}
	var out []string
	for text, names := range why {
		slices.SortFunc(names, inventory.Natural)
		out = append(out, strings.Join(names, ", ")+": "+text)
	}
	slices.Sort(out)
	return out
}
