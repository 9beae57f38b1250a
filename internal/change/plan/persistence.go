package plan

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/inventory/netmanager"
)

// persist decides where a change of a Linux host is kept for its next boot, by
// what sets the element up there. What nothing keeps changes what runs alone,
// and the step says why.
func (it *item) persist() {
	c := &it.change
	c.After.NextBoot = c.Before.NextBoot
	p := it.host.PersistenceOf(it.want.Element)
	switch {
	case p == nil || c.Before.NextBoot == nil && p.By != "":
		it.stays = "changes the running value only: what sets it at boot was not read; make it permanent in the distribution's network " +
			"configuration"
		return
	case p.By == "":
		it.stays = "changes the running value only, since nothing is known to keep it: " + p.Why
		return
	case p.Later[it.want.Attr] != "":
		it.stays = fmt.Sprintf("changes the running value only: %s is read after %s and sets it too: change it there", p.Later[it.want.Attr],
			p.Name)
		return
	}
	m, why := netmanager.Find(p.By), p.Lacks[it.want.Attr]
	if it.kind != task.Sysctl && (why != "" || !m.Keeps(it.want.Attr)) {
		why = cmp.Or(why, fmt.Sprintf("%s has no place for it", p.By))
		m = netmanager.Unit()
		if !p.Units || !m.Keeps(it.want.Attr) {
			it.stays = "changes the running value only, since nothing is known to keep it: " + why
			return
		}
	}
	keep, err := it.keptBy(m, p)
	if err != nil {
		it.stays = "changes the running value only: " + err.Error()
		return
	}
	it.stays = "kept for the next boot by " + strings.NewReplacer("{d}", it.want.Element, "{a}", it.want.Attr).Replace(cmp.Or(m.Kept, p.Label))
	if m.Fallback && why != "" {
		it.stays += ": " + why
	}
	c.Persist, c.After.NextBoot = keep, &it.want.Value
	if keep.OnConfirm {
		it.stays += "; with --confirm-within once the run is confirmed, since without systemd nothing would take it back after a reboot"
	}
}

// keptBy returns what a manager is asked to keep; the error says why it cannot.
func (it *item) keptBy(m *netmanager.Manager, p *model.Persistence) (*task.Persist, error) {
	if m == nil {
		return nil, fmt.Errorf("nothing is known of %s, which sets it at boot", p.By)
	}
	keep := &task.Persist{By: m.Name, Before: p.Own[it.want.Attr], OnConfirm: !p.Units}
	section, err := m.SectionOf(it.host.Elements[it.want.Element])
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: set it in the file of %s", err, p.Label)
	case section != "":
		keep.Name = section + "/" + p.Name
	case m.NameForm != "":
		keep.Name = p.Name
	}
	return keep, keep.Valid(it.kind, it.want.Attr, it.want.Value)
}
