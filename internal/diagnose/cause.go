package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// newCause is a cause of the catalogue at an element.
func newCause(c knowledge.Cause, at model.Ref, certainty string, harm float64, says ...string) Cause {
	return Cause{ID: c.ID, Title: c.Title, Host: at.Host, Element: at.Element, Certainty: certainty, Harm: harm, Symptoms: c.Symptoms,
		Says: says, Findings: []string{}, Evidence: []finding.Evidence{}, Do: c.Do, Verify: c.Verify, Hides: []string{}, of: c}
}

// filled has the ends of the path and the element's name in what to do, so that
// commands can be pasted.
func (c Cause) filled(in Input) Cause {
	ends := in.Path.From.Host + " " + in.Path.To.Host
	c.Plan = c.command(in)
	words := []string{" A B", " " + cmp.Or(in.Ends, ends), "HOSTS", cmp.Or(in.Hosts, ends), "HOST", c.Host}
	for _, kind := range []string{"ent", "en"} {
		if n, ok := strings.CutPrefix(c.Element, kind); ok && n != "" && n[0] >= '0' && n[0] <= '9' {
			words = append(words, kind+"N", c.Element)
		}
	}
	words = append(words, c.addresses(in)...)
	with := strings.NewReplacer(words...)
	for _, list := range []*[]string{&c.Do, &c.Verify} {
		var filled []string
		for _, s := range *list {
			filled = append(filled, with.Replace(s))
		}
		*list = filled
	}
	return c
}

// addresses fill PEER, VIA and NETMASK: the address of the other end, the gateway by which
// the cause's host reaches it, and the netmask of the other end. What is not known stays
// a word.
func (c Cause) addresses(in Input) (words []string) {
	here, there := in.Path.From, in.Path.To
	if c.Host != here.Host {
		here, there = there, here
	}
	if in.Fleet == nil || c.Host != here.Host {
		return nil
	}
	host, far := in.Fleet.Host(here.Host), in.Fleet.Element(there)
	if host == nil || far == nil {
		return nil
	}
	for _, a := range far.Addrs {
		if !a.Addr().Is4() {
			continue
		}
		mask := net.CIDRMask(a.Bits(), a.Addr().BitLen())
		words = append(words, "PEER", a.Addr().String(), "NETMASK", net.IP(mask).String())
		if r := host.Route(a.Addr()); r != nil && r.Gateway.IsValid() {
			words = append(words, "VIA", r.Gateway.String())
		}
		break
	}
	return words
}

// blame moves a cause to what stops large packets, if that is known for one element.
func (c *Cause) blame(w *pathmtu.Direction) {
	says := fmt.Sprintf("packets of up to %d bytes pass from %s to %s, larger ones do not: %s", w.Largest, w.From, w.To, w.Verdict)
	if lost := leastLost(w); lost > 2*w.Largest {
		says = fmt.Sprintf("packets of %d bytes pass from %s to %s, those of %d bytes do not, and none between was tried: %s",
			w.Largest, w.From, w.To, lost, w.Verdict)
	}
	c.Says = append(c.Says, says)
	if len(w.Suspect) == 1 {
		c.move(w.Suspect[0])
		return
	}
	for _, s := range w.Suspect {
		c.Says = append(c.Says, s.Is+": "+s.Why)
	}
}

// leastLost is the size of the smallest packets that were lost; 0: none were.
func leastLost(w *pathmtu.Direction) (least int) {
	for _, p := range w.Probes {
		if p.Outcome == pathmtu.Lost && (least == 0 || p.Size < least) {
			least = p.Size
		}
	}
	return least
}

// move puts a cause to the element that is blamed, and says why.
func (c *Cause) move(to pathmtu.Suspect) {
	c.blamed = true
	c.Says = append(c.Says, to.Is+": "+to.Why)
	switch {
	case to.Ref != nil:
		c.Host, c.Element = to.Ref.Host, to.Ref.Element
	case to.Port != nil:
		c.Host, c.Element = to.Port.Host, "switch port of "+to.Port.Element
	default:
		c.Element = to.Is
	}
}

// with adds another finding at the same place.
func (c Cause) with(o Cause) Cause {
	c.Certainty = surer(c.Certainty, o.Certainty)
	c.Limits = c.Limits || o.Limits
	c.Harm = max(c.Harm, o.Harm)
	for _, s := range o.Says {
		if !slices.Contains(c.Says, s) {
			c.Says = append(c.Says, s)
		}
	}
	if o.blamed && !c.blamed {
		c.Host, c.Element, c.blamed = o.Host, o.Element, true
	}
	c.Findings = append(c.Findings, o.Findings...)
	c.adopt(o)
	c.Evidence = append(c.Evidence, o.Evidence...)
	return c
}

// surer is the better of two certainties.
func surer(a, b string) string {
	for _, c := range []string{"proved", "likely"} {
		if a == c || b == c {
			return c
		}
	}
	return a
}

// remedy notes the settings that a finding asks for. Live, a plan does not find again what rests
// on a measurement of diagnose.
func (c *Cause) remedy(f finding.Finding, live bool) {
	if len(f.Remedy) == 0 || slices.Contains(c.cures, f.ID) {
		return
	}
	c.cures, c.settings = append(c.cures, f.ID), append(c.settings, f.Remedy...)
	measured := slices.ContainsFunc(f.Evidence, func(e finding.Evidence) bool { return strings.HasSuffix(e.Text, givenSuffix) })
	if live && measured {
		c.measured = append(c.measured, f.ID)
	}
}

// givenSuffix ends evidence that is a fact which was given: what diagnose measured.
const givenSuffix = ", as given"

// adopt takes over the settings that cure another cause.
func (c *Cause) adopt(o Cause) {
	for _, id := range o.cures {
		if !slices.Contains(c.cures, id) {
			c.cures = append(c.cures, id)
		}
	}
	for _, id := range o.measured {
		if !slices.Contains(c.measured, id) {
			c.measured = append(c.measured, id)
		}
	}
	for _, s := range o.settings {
		if !slices.Contains(c.settings, s) {
			c.settings = append(c.settings, s)
		}
	}
}

// hide takes causes that follow from another out of the list and names them there.
func hide(all []Cause) []Cause {
	gone := make([]bool, len(all))
	for i := range all {
		if all[i].Certainty == "possible" {
			continue
		}
		for k := range all {
			// Both SEAs of a pair tell of the same.
			follows := slices.Contains(all[i].of.Hides, all[k].ID) || all[i].of.Standby && all[k].ID == all[i].ID && all[k].Harm < all[i].Harm ||
				slices.Contains(all[i].of.HidesHere, all[k].ID) && all[i].Host == all[k].Host && all[i].Element == all[k].Element
			if k != i && !gone[k] && !gone[i] && follows && all[k].Certainty != "possible" {
				gone[k] = true
				all[i].explain(all[k])
			}
		}
	}
	var left []Cause
	for i, c := range all {
		if !gone[i] {
			left = append(left, c)
		}
	}
	return left
}

// withoutRepeats takes settings out of a list in order of rank that another cause there mends, and
// names them at that one.
func withoutRepeats(all []Cause) []Cause {
	mended := make([]bool, len(all))
	for i := range all {
		if !all[i].Limits || all[i].Certainty == "possible" {
			continue
		}
		for k := range all {
			if k != i && !mended[k] && all[k].Certainty != "possible" && all[k].mends(all[i], k < i) {
				mended[i] = true
				all[k].explain(all[i])
				break
			}
		}
	}
	var left []Cause
	for i, c := range all {
		if !mended[i] {
			left = append(left, c)
		}
	}
	return left
}

// mends says whether what cures a cause cures another: it sets all that the other asks for, and more
// or before it; or the other asks for nothing and is of the same kind on the same host.
func (c Cause) mends(o Cause, before bool) bool {
	if len(o.cures) == 0 {
		return len(c.cures) > 0 && c.ID == o.ID && c.Host == o.Host
	}
	missing := slices.ContainsFunc(o.cures, func(id string) bool { return !slices.Contains(c.cures, id) })
	return !missing && (before || len(c.cures) > len(o.cures))
}

// down gives the hosts of the path's systems that could not be read, and an end
// that answers no ping.
func (j judgement) down(all []knowledge.Cause) []Cause {
	find := func(by string) knowledge.Cause {
		i := slices.IndexFunc(all, func(c knowledge.Cause) bool { return c.Shown == by })
		return all[i]
	}
	var out []Cause
	for _, host := range slices.Sorted(maps.Keys(j.in.Failed)) {
		harm := j.ranking.Unread
		if host == j.in.Path.From.Host || host == j.in.Path.To.Host || slices.ContainsFunc(j.in.Measured, Measured.silent) {
			harm = 1
		}
		x := newCause(find(knowledge.ShownUnread), model.Ref{Host: host, Element: "host"}, "likely", harm, j.in.Failed[host])
		out = append(out, x)
	}
	for _, m := range j.in.Measured {
		says := fmt.Sprintf("%s: none of %d echo requests to %s was answered", m.From, m.Sent, m.Address)
		switch {
		case len(j.in.Failed) > 0 || !m.silent() || j.keptOut(m):
			continue
		case m.Sent == 0:
			says = fmt.Sprintf("%s: %s did not answer pings", m.From, m.MTU.Address)
		}
		if m.Said != "" {
			says += fmt.Sprintf(": ping says %q", m.Said)
		}
		x := newCause(find(knowledge.ShownSilent), m.From, "proved", j.ranking.Silent, append([]string{says}, j.gaps()...)...)
		out = append(out, x)
		break // one direction says it all
	}
	return out
}

// silent says that no ping of a direction was answered.
func (m Measured) silent() bool {
	return m.Sent > 0 && m.Lost == m.Sent && !m.SmallPassed || m.Sent == 0 && m.MTU != nil && m.MTU.Verdict == pathmtu.NoAnswer
}

// answered says that pings of a direction were answered: packets pass both ways.
func (m Measured) answered() bool { return m.Sent > m.Lost || m.SmallPassed }

// keptOut says that pings of a direction are not answered, though those of the other one
// are, between the same addresses: a filter of the far end keeps them out, not the path.
func (j judgement) keptOut(m Measured) bool {
	from, to := j.in.Fleet.Element(m.From), j.in.Fleet.Element(m.To)
	if !m.silent() || from == nil || to == nil || !slices.ContainsFunc(j.in.Measured, Measured.answered) {
		return false
	}
	mine := func(a netip.Prefix) bool {
		return slices.ContainsFunc(from.Addrs, func(b netip.Prefix) bool { return a.Addr() == b.Addr() })
	}
	for _, e := range j.in.Fleet.Host(m.To.Host).Elements {
		if slices.ContainsFunc(e.Addrs, mine) { // it was itself that answered
			return false
		}
	}
	_, neighbours := from.Neighbour(to) // else the answers go another way
	return neighbours
}

// refused notes the directions of which the far end keeps pings out.
func (j judgement) refused(d *Diagnosis, causes []knowledge.Cause) {
	var ids []string
	for _, c := range causes {
		if len(c.Measured) > 0 {
			ids = append(ids, c.ID)
		}
	}
	for _, m := range d.Measured {
		if j.keptOut(m) {
			d.NotSeen = append(d.NotSeen, NotSeen{
				What:  fmt.Sprintf("pings from %s: %s answers none, though its own are answered", m.From, m.To.Host),
				Allow: "let echo requests in, in its firewall or icmp_echo_ignore_all", IDs: ids,
			})
		}
	}
}

// Unreachable is the diagnosis of a path with an end that cannot be read: only Failed
// and what makes commands is used of the input.
func Unreachable(from, to string, in Input) (*Diagnosis, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	d := newDiagnosis(model.Ref{Host: from}, model.Ref{Host: to}, true)
	d.Verdict = Found
	in.Path = &model.Path{}
	in.Path.From.Host, _, _ = strings.Cut(from, ":")
	in.Path.To.Host, _, _ = strings.Cut(to, ":")
	for _, c := range (judgement{in: in, ranking: cat.Ranking()}).down(cat.Causes()) {
		d.Causes = append(d.Causes, c.filled(in))
	}
	return d, nil
}

// gaps are where the path could not be joined: what is between was not looked at.
func (j judgement) gaps() []string {
	var out []string
	for _, g := range j.in.Path.Gaps {
		out = append(out, g.What+": "+g.Why)
	}
	return out
}
