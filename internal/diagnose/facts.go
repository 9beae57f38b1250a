package diagnose

import "seaworthy/internal/inventory/model"

// facts returns what was measured, as checks ask for it.
func (in Input) facts() map[string]float64 {
	out := map[string]float64{}
	line := lineRate(in.Fleet, in.Path)
	for _, end := range []model.Ref{in.Path.From, in.Path.To} {
		if line > 0 {
			out[end.String()+" line_mbit"] = line
		}
	}
	for _, m := range in.Measured {
		at := m.From.String()
		if m.Error != "" {
			continue
		}
		if m.RTTms > 0 {
			out[at+" rtt_ms"], out[at+" path_rtt_ms"] = m.RTTms, m.RTTms // rules know it by the first
			out[m.From.Host+" rtt_ms"] = m.RTTms                         // of the host's options
		}
		if m.Sent > 0 && !m.silent() {
			out[at+" loss_percent"] = 100 * float64(m.Lost) / float64(m.Sent)
		}
		if m.RecvQ != nil && m.Connections > 0 {
			out[at+" recv_q"] = float64(*m.RecvQ)
		}
		if n := m.largest(); n > 0 {
			out[at+" path_mtu"] = float64(n)
		}
		for _, b := range in.Earlier {
			if b.From == m.From && b.To == m.To && b.RTTms > 0 {
				out[at+" rtt_before_ms"] = b.RTTms
			}
		}
	}
	for _, l := range in.Links {
		out[l.Port.String()+" link_looks"], out[l.Port.String()+" link_changes"] = float64(l.Looks), float64(l.Changes)
	}
	for host, n := range in.Activity.Cores {
		out[host+" cores_used"] = n
	}
	for _, c := range in.Activity.Connections {
		for _, end := range []model.Ref{in.Path.From, in.Path.To} {
			if c.Host != end.Host {
				continue
			}
			at := end.String() + " recv_q"
			out[at] = max(out[at], float64(c.RecvQ))
			far := in.Path.To
			if end == far {
				far = in.Path.From
			}
			if c.PeerLimited > 0 {
				at = far.String() + " window_closed_percent"
				out[at] = max(out[at], c.PeerLimited)
			}
		}
	}
	for host, off := range in.Clocks {
		out[host+" clock_offset_s"] = off
	}
	return out
}
