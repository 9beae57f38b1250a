package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Clean is a part of the path in which nothing is wrong.
type Clean struct {
	ID     string   `json:"id"` // of clean.yaml
	Title  string   `json:"title"`
	Causes []string `json:"causes"` // that were ruled out
	By     []string `json:"by"`     // what was measured, then what was read: "lpar1 $ netstat -s"
}

// conclusion is a judgement with its diagnosis, to be concluded.
type conclusion struct {
	judgement
	d *Diagnosis
}

// cleanParts are the parts of the path of which causes were ruled out, while none that a
// measurement or a needed reading decides is open.
func (j conclusion) cleanParts(parts []knowledge.Part, causes []knowledge.Cause) []Clean {
	clean := []Clean{}
	open := func(id string) bool {
		i := slices.IndexFunc(causes, func(c knowledge.Cause) bool { return c.ID == id })
		return i >= 0 && (j.undecided[id] || len(j.lacks(causes[i])) > 0)
	}
	for _, p := range parts {
		x := Clean{ID: p.ID, Title: p.Title, Causes: []string{}, By: j.proofs(p.ID)}
		for _, r := range j.d.RuledOut {
			if !slices.Contains(p.Causes, r.ID) {
				continue
			}
			x.Causes = append(x.Causes, r.ID)
			for _, by := range r.By {
				figure := len(x.By) > 0 && !strings.Contains(by, " $ ") // which the proofs have in words
				if !figure && !slices.Contains(x.By, by) {
					x.By = append(x.By, by)
				}
			}
		}
		faulty := slices.ContainsFunc(j.d.Causes, func(c Cause) bool { return slices.Contains(p.Causes, c.ID) })
		shown := p.ID == deliveryPart && j.delivered() || len(x.By) > 0 && !slices.ContainsFunc(p.Causes, open)
		if shown && !faulty {
			clean = append(clean, x)
		}
	}
	return clean
}

// The parts of clean.yaml of which measurements speak in words of their own.
const (
	deliveryPart = "delivery"
	sizePart     = "size"
	tripPart     = "trip"
	workPart     = "work"
	hostsPart    = "hosts"
)

// proofs are the figures that show a part to be clean.
func (j conclusion) proofs(part string) []string {
	proofs := []string{}
	for _, m := range j.d.Measured {
		way := m.From.Host + " → " + m.To.Host
		switch {
		case part == deliveryPart && m.Sent > 0 && m.Lost == 0:
			proofs = append(proofs, fmt.Sprintf("%s: %d of %d pings answered", way, m.Sent, m.Sent))
		case part == sizePart && m.MTU != nil && m.MTU.Verdict == pathmtu.Whole:
			proofs = append(proofs, fmt.Sprintf("%s: packets of %d bytes pass whole", way, m.MTU.Largest))
		case part == tripPart && m.RTTms > 0:
			proofs = append(proofs, fmt.Sprintf("%s: round trip %.3g ms", way, m.RTTms))
		}
	}
	if part == deliveryPart {
		for _, s := range j.sent() {
			if s.packets > 0 {
				proofs = append(proofs, fmt.Sprintf("%s $ netstat -s: %d of %d data packets sent again%s", s.host, s.again, s.packets, s.since))
			}
		}
	}
	if part == hostsPart && len(j.in.Clocks) > 0 && len(j.in.Failed) == 0 {
		proofs = append(proofs, fmt.Sprintf("%d hosts answered (date)", len(j.in.Clocks)))
	}
	if s := j.d.single(); part == workPart && s != nil && j.d.LineMbit > 0 && *s.BPS/1e6 >= j.ranking.FullShare*j.d.LineMbit {
		proofs = append(proofs, fmt.Sprintf("a stream moved %.4g Mbit/s, %s", *s.BPS/1e6, j.d.OfLine(*s)))
	}
	return proofs
}

// resent holds what TCP of an end sent, and how much of it again.
type resent struct {
	host           string
	packets, again uint64
	since          string // of totals: ", since the counters were reset"
}

// sentCounters are the names of data packets and of those that were sent again, of AIX and of Linux.
var sentCounters = [][2]string{
	{"tcp.packets_sent.data_packets", "tcp.packets_sent.data_packets_retransmitted"},
	{"Tcp.OutSegs", "Tcp.RetransSegs"},
}

// sent returns what TCP of both ends sent between the two readings, or since its counters were
// reset; of an end that does not say, nothing.
func (j conclusion) sent() (all []resent) {
	for _, end := range []model.Ref{j.d.From, j.d.To} {
		now := j.in.Fleet.Host(end.Host)
		if now == nil {
			continue
		}
		for _, names := range sentCounters {
			packets, ok := now.Protocols.Get(names[0])
			again, ok2 := now.Protocols.Get(names[1])
			if !ok || !ok2 {
				continue
			}
			s := resent{host: end.Host, packets: packets, again: again, since: ", since the counters were reset"}
			if before := j.in.Before; before != nil && before.Host(end.Host) != nil {
				then := before.Host(end.Host).Protocols
				p, ok := then.Get(names[0])
				a, ok2 := then.Get(names[1])
				if ok && ok2 && p <= packets && a <= again {
					s.packets, s.again, s.since = packets-p, again-a, ""
				}
			}
			all = append(all, s)
			break
		}
	}
	return all
}

// delivered says that TCP of an end has sent so much and so little of it again that packets
// are not lost.
func (j conclusion) delivered() bool {
	limit := j.ranking.Delivered
	return slices.ContainsFunc(j.sent(), func(s resent) bool {
		return s.packets >= limit.Packets && float64(s.again)*1e6 <= limit.AgainPPM*float64(s.packets)
	})
}

// passes says that pings of both directions were all answered, and packets of full size with them.
func (j conclusion) passes() bool {
	return len(j.in.Measured) > 1 && !slices.ContainsFunc(j.in.Measured, func(m Measured) bool {
		return m.Sent == 0 || m.Lost > 0 || m.MTU == nil || m.MTU.Verdict != pathmtu.Whole
	})
}
