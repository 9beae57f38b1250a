package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// haMode is the attribute that makes an SEA hand its clients over: standby.
const haMode = "ha_mode"

// needsFailover says whether a step interrupts an SEA that carries clients which its
// peer could carry meanwhile. Of a pair that shares, both do. Nil: it does not.
func (x *index) needsFailover(s Step) *pair {
	p := x.pairOf(x.graph.Host(s.Host), s.Element)
	if p == nil || s.Window != Bounce || slices.ContainsFunc(s.Changes, func(c task.Change) bool { return c.Attr == haMode }) {
		return nil
	}
	mode := attr(p.sea.Is, haMode)
	if p.other == nil || !paired(p.other.Is) || !paired(p.sea.Is) || p.sea.Is.HAState == "BACKUP" || mode != "auto" && mode != "sharing" {
		return nil
	}
	return p
}

// insertFailovers puts a failover before, and a failback after, neighbouring steps that
// interrupt an active SEA.
func (x *index) insertFailovers(steps []Step) ([]Step, error) {
	var out []Step
	times := map[model.Ref]int{}
	for i := 0; i < len(steps); {
		d := x.needsFailover(steps[i])
		if d == nil {
			out = append(out, steps[i])
			i++
			continue
		}
		j := i + 1
		for ; j < len(steps); j++ {
			if next := x.needsFailover(steps[j]); next == nil || next.sea != d.sea {
				break
			}
		}
		times[d.ref()]++
		lead, trail, err := d.stepsAround(times[d.ref()])
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, lead...), steps[i:j]...), trail...)
		i = j
	}
	return out, nil
}

// stepsAround are the steps before and after those that interrupt the SEA. Below
// LACP a reset of the port at a failover would cost half a minute: it is
// switched off for that time.
func (d *pair) stepsAround(n int) (lead, trail []Step, err error) {
	step := func(what string, class knowledge.Class, c task.Change, wait *task.Failover, notes ...string) Step {
		if n > 1 {
			what = fmt.Sprintf("%s-%d", what, n)
		}
		s := Step{
			Task: task.Task{
				ID: d.ref().String() + ":" + what, Host: d.sea.Host, Element: d.sea.Name, Kind: model.SEA,
				Login: task.LoginOf(d.sea.Of), Changes: []task.Change{c}, Failover: wait,
			},
			Window: Bounce, Class: string(class), Outage: describe(class, false), Notes: notes,
		}
		if class == knowledge.O0 {
			s.Window = AnyTime
		}
		err = errors.Join(err, s.Write())
		return s
	}
	home := d.failbackState()
	standby, auto := d.set(haMode, "standby")
	leave := step("failover", knowledge.O5, standby, &task.Failover{Done: "BACKUP", Undone: home},
		fmt.Sprintf("the clients of %s move to %s", d.ref(), d.otherRef()))
	leave.Needs = []Condition{{Host: d.other.Host, Element: d.other.Name, Fact: CanTakeOver, Want: "yes", Why: "the clients move to it"}}
	comeBack := step("failback", knowledge.O5, auto, &task.Failover{Done: home, Undone: "BACKUP"})
	if home == "" {
		comeBack.Notes = []string{"noauto_failback=yes: the clients stay with " + d.otherRef().String()}
	}
	lead, trail = []Step{leave}, []Step{comeBack}
	if d.resets() {
		no, yes := d.set("adapter_reset", "no")
		lead = []Step{step("no-reset", knowledge.O0, no, nil,
			"with adapter_reset=yes a failover resets the port, and LACP then takes up to 30 s"), leave}
		trail = append(trail, step("reset", knowledge.O0, yes, nil))
	}
	return lead, trail, err
}

// set is a change of one of the SEA's attributes, and the change back. What a
// host does not show stays unknown.
func (d *pair) set(attr, value string) (there, back task.Change) {
	a := d.sea.Is.Attrs[attr]
	before, after := task.Values{Running: a.Running, NextBoot: a.NextBoot}, task.Values{NextBoot: &value}
	if a.Running != nil {
		after.Running = &value
	}
	return task.Change{Attr: attr, Before: before, After: after}, task.Change{Attr: attr, Before: after, After: before}
}

// failbackState is the state that the SEA comes back to by itself; empty: to none.
func (d *pair) failbackState() string {
	if attr(d.sea.Is, "noauto_failback") == "yes" && !strings.HasSuffix(d.sea.Is.HAState, "_SH") {
		return ""
	}
	return strings.TrimSuffix(d.sea.Is.HAState, "_SH")
}

// resets says whether a failover would renegotiate LACP below the SEA.
func (d *pair) resets() bool {
	real := d.sea.Of.Elements[d.sea.Is.Real]
	return attr(d.sea.Is, "adapter_reset") == "yes" && real != nil && real.Kind == model.EtherChannel && attr(real, "mode") == "8023ad"
}

// redundant says why a step must not interrupt an SEA of a pair: nobody would
// carry its clients meanwhile, or both SEAs would.
func (b *planBuilder) redundant(it *item) error {
	p := b.pairOf(it.host, it.want.Element)
	if p == nil || p.sea.Is.HAState == "" {
		return nil // without failover there is nothing to wait for: a note says so
	}
	mode := it.want.Attr == haMode
	leaves := mode && leaving(it.want.Value)
	if p.other == nil {
		if mode && !leaves {
			return nil // it comes back; a note says that the peer was not read
		}
		return fmt.Errorf("%s is %s, but its peer was not read, so whether it can take over is unknown: read both VIOSes",
			p.ref(), p.sea.Is.HAState)
	}
	both := fmt.Sprintf("%s and %s", p.ref(), p.otherRef())
	switch {
	case leaves && it.want.Value == "disabled":
		return fmt.Errorf("without failover %s would both pass packets of the same VLANs, a loop: "+
			"ha_mode=standby takes one out", both)
	case leaves && b.leavesToo(p.otherRef()):
		return fmt.Errorf("%s would both be on standby: no SEA would carry their clients", both)
	case leaves && !leads(p.sea.Is) && leads(p.other.Is):
		return nil // it carries nobody
	case !mode && !paired(p.other.Is):
		return fmt.Errorf("the peer %s of %s is %q: restore redundancy first", p.otherRef(), p.ref(), p.other.Is.HAState)
	case leads(p.sea.Is) && leads(p.other.Is) && !leaves:
		return fmt.Errorf("%s are both %s, so they do not hear each other over their control channel: repair that first, or take one out "+
			"with ha_mode=standby", both, p.sea.Is.HAState)
	case leaves, !mode && (leads(p.sea.Is) || strings.HasSuffix(p.sea.Is.HAState, "_SH")):
		if err := takesOver(p.other.Of, p.other.Is); err != nil {
			return fmt.Errorf("%s cannot take over from %s: %w", p.otherRef(), p.ref(), err)
		}
	}
	return nil
}

// leaving says that an SEA set so takes no part in its pair.
func leaving(mode string) bool { return slices.Contains(leavingModes, mode) }

var leavingModes = []string{"standby", "disabled"}

// leavesToo says that a peer is to stand by as well.
func (b *planBuilder) leavesToo(sea model.Ref) bool {
	return slices.ContainsFunc(leavingModes, func(mode string) bool {
		return b.wanted[finding.Setting{Ref: sea, Attr: haMode, Value: mode}]
	})
}

// takesOver says why an SEA could not carry its peer's clients; nil: it could,
// as far as is known.
func takesOver(h *model.Host, sea *model.Element) error {
	real := h.Elements[sea.Real]
	switch {
	case !paired(sea):
		return fmt.Errorf("its state is %q", sea.HAState)
	case leaving(attr(sea, haMode)):
		return fmt.Errorf("its ha_mode is %s", attr(sea, haMode))
	case real != nil && real.LinkUp != nil && !*real.LinkUp:
		return fmt.Errorf("the link of %s is down", real.Name)
	}
	return nil
}
