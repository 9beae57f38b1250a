package assemble

import (
	"slices"

	"seaworthy/internal/inventory/model"
)

// reading is what an element had before an output was read.
type reading struct {
	counters model.Counters
	link     *bool
	speed    *int64
}

// sources notes which output each counter and state of an element was read from. It compares what elements have before and
// after an output, so that no reader can forget to say it.
type sources struct {
	host *model.Host
	had  map[*model.Element]reading
}

// note keeps what an output changed. Outputs about one device are those of that device alone, but for a bond's.
func (s *sources) note(o Output) {
	if e := s.host.Elements[o.Element]; e != nil && o.ID != "proc-net-bonding" {
		s.compare(o, e)
		return
	}
	for _, e := range s.host.Elements {
		s.compare(o, e)
	}
}

func (s *sources) compare(o Output, e *model.Element) {
	had := s.had[e]
	var of []string
	if !had.counters.Same(e.Counters) {
		for name, n := range e.Counters.All() {
			if was, there := had.counters.Get(name); !there || was != n {
				of = append(of, name)
			}
		}
	}
	if e.LinkUp != had.link && e.LinkUp != nil {
		of = append(of, model.LinkState)
	}
	if e.SpeedMb != had.speed && e.SpeedMb != nil {
		of = append(of, model.LinkSpeed)
	}
	s.had[e] = reading{e.Counters, e.LinkUp, e.SpeedMb}
	command := o.Command
	if o.ID == "sys-class-net" { // one line that lists many files, or each by itself; states are usually shown by them
		command = "cat /sys/class/net/" + e.Name + "/statistics/*"
		of = slices.DeleteFunc(of, func(what string) bool { return what == model.LinkState || what == model.LinkSpeed })
	}
	if len(of) > 0 && command != "" && command != "entstat -d "+e.Name && command != "ethtool -S "+e.Name {
		e.Sources = append(e.Sources, model.Source{Command: command, Of: of})
	}
}
