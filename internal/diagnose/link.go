package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/entstat"
)

// Link holds what several looks at the link of a port showed.
type Link struct {
	Port    model.Ref `json:"port"`
	Looks   int       `json:"looks"`
	Changes int       `json:"changes"` // from one look to the next
	Up      bool      `json:"up"`      // at the last one
}

func (l *Link) see(up bool) {
	if l.Looks > 0 && up != l.Up {
		l.Changes++
	}
	l.Looks, l.Up = l.Looks+1, up
}

// looked says that there is more than the two readings.
func (l Link) looked() bool { return l.Looks > 2 }

// links are the ports that a path needs, and those of the VIOSes that stand by, as
// they were read; without those whose driver does not show a link.
func links(f *model.Fleet, path *model.Path) []Link {
	on := graph.Of(f).OnPath(path)
	var out []Link
	for _, h := range f.Hosts {
		for _, e := range h.Elements {
			at := model.Ref{Host: h.Name, Element: e.Name}
			if on.Of(at) != graph.OffPath && e.LinkUp != nil && (e.Kind == model.Physical || e.Kind == model.VNIC) {
				out = append(out, Link{Port: at, Looks: 1, Up: *e.LinkUp})
			}
		}
	}
	slices.SortFunc(out, func(a, b Link) int { return a.Port.Compare(b.Port) })
	return out
}

// Watch looks at the links of a path once there is a reason to: a link that is down,
// or a packet that was lost.
type Watch struct {
	prober Prober
	links  []Link
	reason context.CancelFunc
	calm   chan struct{}
	done   sync.WaitGroup
}

// Watch begins one. It looks until a link was seen to come and go, which it passes to
// found, but no longer than until a time, or for a moment if the reason comes late.
func (p Prober) Watch(ctx context.Context, path *model.Path, until time.Time, found func(error)) *Watch {
	doubted, reason := context.WithCancel(ctx)
	w := &Watch{prober: p, links: links(p.Fleet, path), reason: reason, calm: make(chan struct{})}
	if slices.ContainsFunc(w.links, func(l Link) bool { return !l.Up }) {
		reason()
	}
	w.done.Go(func() {
		select {
		case <-doubted.Done():
		case <-w.calm:
			return
		}
		if at := p.look(ctx, w.links, until); at != nil {
			found(fmt.Errorf("the link of %s comes and goes", at))
		}
	})
	return w
}

// Lost says that there is a reason.
func (w *Watch) Lost() { w.reason() }

// End gives what was seen, with a later reading as the last look. If it is the first
// to have a link down, that is a reason too.
func (w *Watch) End(ctx context.Context, later *model.Fleet) []Link {
	close(w.calm)
	w.done.Wait()
	w.reason()
	late := false
	for i := range w.links {
		l := &w.links[i]
		if e := later.Element(l.Port); e != nil && e.LinkUp != nil {
			l.see(*e.LinkUp)
			late = late || !l.Up && !l.looked()
		}
	}
	if late {
		w.prober.look(ctx, w.links, time.Now())
	}
	return slices.DeleteFunc(w.links, func(l Link) bool { return !l.looked() })
}

// Looks come at multiples of a step that shares no divisor with a second, so that they
// spread over the phases of an outage that comes each second or two: for a spell close
// together, then further apart.
const (
	spell = 3 * time.Second
	step  = 236068 * time.Microsecond // √5 − 2 of a second, where the phases spread evenly
	later = 10                        // times that, after the spell
)

// look looks at links again and again. It gives the port of the first one that came
// and went; nil: none did.
func (p Prober) look(ctx context.Context, all []Link, until time.Time) *model.Ref {
	begin := time.Now()
	if end := begin.Add(spell); end.After(until) {
		until = end
	}
	for len(all) > 0 {
		p.lookOnce(ctx, all)
		if i := slices.IndexFunc(all, func(l Link) bool { return l.Changes > 1 }); i >= 0 {
			return &all[i].Port
		}
		next := time.Since(begin)/step + 1
		if next*step > spell {
			next += later - 1
		}
		at := begin.Add(next * step)
		if at.After(until) {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(at)):
		}
	}
	return nil
}

// lookOnce asks for all links side by side. What does not answer was not seen.
func (p Prober) lookOnce(ctx context.Context, all []Link) {
	var asked sync.WaitGroup
	seen := map[model.Ref]map[string]bool{} // what was asked → port → up
	for _, l := range all {
		at, host := p.holder(l.Port), p.Hosts[l.Port.Host]
		if host == nil || seen[at] != nil {
			continue
		}
		up := map[string]bool{}
		seen[at] = up
		asked.Go(func() {
			inv := p.Fleet.Host(at.Host)
			out, _, err := p.run(ctx, host, task.LoginOf(inv).Link(at.Element))
			if err == nil && inv.Platform == model.Linux {
				if v := strings.TrimSpace(out); v == "0" || v == "1" {
					up[at.Element] = v == "1"
				}
				return
			}
			stat, err2 := entstat.Parse([]byte(out))
			if err != nil || err2 != nil {
				return
			}
			for _, l := range all {
				if s := stat.Adapter(l.Port.Element); s != nil && l.Port.Host == at.Host {
					if v, _ := s.Link(); v != nil {
						up[l.Port.Element] = *v
					}
				}
			}
		})
	}
	asked.Wait()
	for i := range all {
		if up, ok := seen[p.holder(all[i].Port)][all[i].Port.Element]; ok {
			all[i].see(up)
		}
	}
}

// holder returns what is asked for a port: on AIX the EtherChannel or SEA that has it opened.
func (p Prober) holder(port model.Ref) model.Ref {
	inv := p.Fleet.Host(port.Host)
	for range 2 {
		if e := inv.Elements[port.Element]; inv.Platform != model.Linux && e != nil && e.MemberOf != "" {
			port.Element = e.MemberOf
		}
	}
	return port
}
