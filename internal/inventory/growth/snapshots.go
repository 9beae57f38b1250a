package growth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/inventory/model"
)

// Paired are the snapshots of hosts that were read several times.
type Paired struct {
	Newest []*model.Host  // one of each host, in the order given
	Before []*model.Host  // of those that were there more than once: the one before
	Older  map[string]int // host → how many of its snapshots are earlier than both
	Twice  []string       // hosts whose newest two are of the same time
	Others []Other
}

// Other is a snapshot of another host with the same name, and how that shows.
type Other struct {
	Host *model.Host
	Why  string
}

// Pair keeps the newest snapshot of every host, and of those that were there
// more than once the one before it. Snapshots whose time is not known are taken
// to be given in the order of time. Another host of the same name is not an
// earlier state of it.
func Pair(hosts []*model.Host) Paired {
	byName := map[string][]*model.Host{}
	for _, h := range hosts {
		byName[h.Name] = append(byName[h.Name], h)
	}
	if len(byName) == len(hosts) {
		return Paired{Newest: hosts}
	}
	p := Paired{Older: map[string]int{}}
	for _, h := range hosts {
		all, ok := byName[h.Name]
		if !ok {
			continue // done with its first
		}
		delete(byName, h.Name)
		if !slices.ContainsFunc(all, func(h *model.Host) bool { return h.Taken.IsZero() }) {
			slices.SortStableFunc(all, func(a, b *model.Host) int { return a.Taken.Compare(b.Taken) })
		}
		newest := all[len(all)-1]
		all = slices.DeleteFunc(all, func(h *model.Host) bool {
			why := newest.Another(h)
			if why != "" {
				p.Others = append(p.Others, Other{h, why})
			}
			return why != ""
		})
		last := len(all) - 1
		p.Newest = append(p.Newest, newest)
		if last == 0 {
			continue
		}
		if t := newest.Taken; !t.IsZero() && t.Equal(all[last-1].Taken) {
			p.Twice = append(p.Twice, h.Name)
		}
		p.Before = append(p.Before, all[last-1])
		if last > 1 {
			p.Older[h.Name] = last - 1
		}
	}
	return p
}

// Interval says between which two snapshots of a host its counters are judged.
type Interval struct {
	Host    string    `json:"host"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Seconds int64     `json:"seconds"`         // 0: not known
	Notes   []string  `json:"notes,omitempty"` // a reboot, counters that were reset, a lower level of software, ...
}

// Intervals says for each host that also has an earlier snapshot how far they are
// apart, and what happened to its counters in between.
func Intervals(now, before *model.Fleet) []Interval {
	earlier := ByName(before)
	var out []Interval
	for _, h := range now.Hosts {
		b := earlier[h.Name]
		if b == nil {
			continue
		}
		w := Interval{Host: h.Name, From: b.Taken, To: h.Taken, Seconds: int64(timeBetween(h, b) / time.Second)}
		if rebooted(h, b) {
			w.Notes = append(w.Notes, "the counters of all its adapters were reset: it was probably rebooted; they are judged since then")
		} else {
			w.Notes = append(w.Notes, resets(h, b)...)
		}
		if protocolsFell(h, b) {
			w.Notes = append(w.Notes, "the counters of its protocols (netstat -s) were reset; their growth is not known")
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
func ByName(f *model.Fleet) map[string]*model.Host {
	if f == nil {
		return nil
	}
	m := make(map[string]*model.Host, len(f.Hosts))
	for _, h := range f.Hosts {
		m[h.Name] = h
	}
	return m
}

// resets says which adapters' counters cannot be followed through.
func resets(now, before *model.Host) []string {
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
		slices.SortFunc(names, model.Natural)
		out = append(out, strings.Join(names, ", ")+": "+text)
	}
	slices.Sort(out)
	return out
}

// Protocol gives a counter of a host's protocols: what it gained since an
// earlier snapshot, or without one the total. Protocols have no age; a host
// whose counters fell was started again, or they were zeroed. The text is for
// people; a gap says why the growth is not known. False: the host has no such
// counter.
func Protocol(now, before *model.Host, name string) (n uint64, text, gap string, ok bool) {
	v, ok := now.Protocols.Get(name)
	if !ok || before == nil {
		return v, fmt.Sprint(v), "", ok
	}
	then, had := before.Protocols.Get(name)
	switch {
	case !had:
		return 0, "", "the earlier snapshot does not have it", true
	case v < then || protocolsFell(now, before) || rebooted(now, before):
		return 0, "", "the counters were reset between the snapshots", true
	}
	v -= then
	return v, Span{Grows: true, Seconds: int64(timeBetween(now, before).Seconds())}.Text(v, false), "", true
}

// spans gives the span of every adapter that counted in both snapshots.
func spans(now, before *model.Host) map[string]Span {
	out := map[string]Span{}
	for name, e := range now.Elements {
		if b := before.Elements[name]; e != nil && b != nil && e.Counters.Len() > 0 && b.Counters.Len() > 0 {
			out[name] = spanOf(e, b, timeBetween(now, before))
		}
	}
	return out
}

// rebooted says whether all adapters began to count again, as after a boot.
func rebooted(now, before *model.Host) bool {
	aged := false
	for name, s := range spans(now, before) {
		if now.Elements[name].CountedS == nil {
			continue
		}
		if !s.reset {
			return false
		}
		aged = true
	}
	return aged
}

// traffic are parts of the names of protocol counters that only grow; netstat
// and the kernel also give states among them, which may fall.
var traffic = []string{"packets", "insegs", "outsegs", "inreceives", "outrequests", "indatagrams", "outdatagrams"}

// protocolsFell says whether a protocol counter of traffic fell.
func protocolsFell(now, before *model.Host) bool {
	for name, then := range before.Protocols.All() {
		n, ok := now.Protocols.Get(name)
		if !ok || n >= then {
			continue
		}
		name = strings.ToLower(name)
		if slices.ContainsFunc(traffic, func(word string) bool { return strings.Contains(name, word) }) {
			return true
		}
	}
	return false
}
