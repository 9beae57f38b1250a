package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seaworthy/change/pathmtu"
)

// fill puts the ends of the path and the element's name into what to do, so that
// commands can be pasted.
func (c *Cause) fill(in Input) {
	ends := in.Path.From.Host + " " + in.Path.To.Host
	words := []string{" A B", " " + cmp.Or(in.Ends, ends), "HOSTS", cmp.Or(in.Hosts, ends), "HOST", c.Host}
	for _, kind := range []string{"ent", "en"} {
		if n, ok := strings.CutPrefix(c.Element, kind); ok && n != "" && n[0] >= '0' && n[0] <= '9' {
			words = append(words, kind+"N", c.Element)
		}
	}
	with := strings.NewReplacer(words...)
	filled := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, with.Replace(s))
		}
		return out
	}
	c.Do, c.Verify = filled(c.Do), filled(c.Verify)
}

// blame moves a cause to what stops large packets, if that is known for one element.
func (c *Cause) blame(w *pathmtu.Way) {
	c.Says = append(c.Says, fmt.Sprintf("packets of up to %d bytes pass from %s to %s, larger ones do not: %s",
		w.Largest, w.From, w.To, w.Verdict))
	if len(w.Suspect) == 1 {
		c.move(w.Suspect[0])
		return
	}
	for _, s := range w.Suspect {
		c.Says = append(c.Says, s.Is+": "+s.Why)
	}
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
	if slices.Index(certainties, o.Certainty) < slices.Index(certainties, c.Certainty) {
		c.Certainty = o.Certainty
	}
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
	c.Evidence = append(c.Evidence, o.Evidence...)
	return c
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
			follows := slices.Contains(all[i].hides, all[k].ID) || all[i].standby && all[k].ID == all[i].ID && all[k].Harm < all[i].Harm ||
				slices.Contains(all[i].here, all[k].ID) && all[i].Host == all[k].Host && all[i].Element == all[k].Element
			if k != i && !gone[k] && !gone[i] && follows && all[k].Certainty != "possible" {
				gone[k] = true
				all[i].Hides = append(all[i].Hides, all[k].At())
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
