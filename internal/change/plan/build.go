package plan

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// Build orders desired settings into a plan against the hosts as the fleet shows them. A
// want that cannot be carried out, checked or undone is refused with the
// reason; a want that is already true is left out.
func Build(fleet *model.Fleet, attrs Attributes, desired []DesiredSetting) (*Plan, error) {
	return build(context.Background(), graph.Of(fleet), fleet, attrs, desired, nil)
}

func build(
	ctx context.Context, g *graph.Graph, fleet *model.Fleet, attrs Attributes, desired []DesiredSetting, accept []string,
) (*Plan, error) {
	p := &Plan{Schema: Schema, Hosts: []string{}, Steps: []Step{}}
	b := planBuilder{index: newIndex(fleet, g), attrs: attrs, desired: merge(desired), accept: accept,
		wanted: map[finding.Setting]bool{}, targets: map[target]bool{}, planned: map[target]string{}, left: map[*model.Host][]pendingValue{}}
	for _, w := range b.desired {
		b.wanted[w.Setting], b.targets[targetOf(w.Setting)] = true, true
	}
	for _, w := range b.desired {
		it, err := b.item(w)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("plan: %w", context.Cause(ctx))
		case err != nil:
			p.Refused = append(p.Refused, Refusal{Setting: w.Setting, Why: w.findings, Reason: err.Error()})
		case it != nil:
			b.items = append(b.items, *it)
			b.planned[targetOf(w.Setting)] = w.Value
		}
	}
	for i := range b.items {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("plan: %w", context.Cause(ctx))
		}
		it := &b.items[i]
		it.turn = b.rolloutOrder(it)
		it.notes = slices.Concat(b.haWarnings(*it), b.alike(*it), b.waiting(*it))
	}
	slices.SortStableFunc(b.items, compare)
	groups := joined(grouped(b.items))
	stage := stages(groups)
	hosts := map[string]bool{}
	for i, group := range groups {
		s, err := step(group)
		if err != nil {
			for _, it := range group {
				p.Refused = append(p.Refused, Refusal{Setting: it.want.Setting, Why: it.want.findings, Reason: err.Error()})
			}
			continue
		}
		s.Stage = stage[i]
		p.Steps = append(p.Steps, *s)
		hosts[s.Host] = true
	}
	p.Hosts = slices.AppendSeq(p.Hosts, maps.Keys(hosts))
	slices.SortFunc(p.Hosts, model.Natural)
	var err error
	if p.Steps, err = b.insertFailovers(p.Steps); err != nil {
		return nil, err
	}
	if p.Steps, err = b.withManualStep(p.Steps); err != nil {
		return nil, err
	}
	p.Conditions, p.Proofs = b.conditions(p.Steps), b.proofs(p.Steps)
	p.KnownBy = b.identities(p.Hosts)
	p.Parts = parts(p.Steps)
	p.ID, err = p.digest()
	return p, err
}

// digest is the plan's identity: the same steps give the same id.
func (p *Plan) digest() (ID, error) {
	q := *p
	q.ID = ""
	text, err := json.Marshal(q)
	if err != nil {
		return "", fmt.Errorf("plan: %w", err)
	}
	sum := sha256.Sum256(text)
	return ID(hex.EncodeToString(sum[:])), nil
}

// ID is a SHA-256 digest in hexadecimal. It is printed in short, while files
// hold all of it.
type ID string

func (id ID) String() string { return string(id[:min(len(id), 12)]) }

type merged struct {
	DesiredSetting
	findings []string
}

// merge joins settings for the same attribute. Two that want different values
// both stay: item refuses the second.
func merge(desired []DesiredSetting) []*merged {
	var out []*merged
	by := map[finding.Setting]*merged{}
	for _, w := range desired {
		m := by[w.Setting]
		if m == nil {
			m = &merged{DesiredSetting: w}
			by[w.Setting], out = m, append(out, m)
		}
		if w.Finding != "" && !slices.Contains(m.findings, w.Finding) {
			m.findings = append(m.findings, w.Finding)
		}
	}
	slices.SortStableFunc(out, func(a, b *merged) int {
		return cmp.Or(model.Natural(a.Host, b.Host), cmp.Compare(a.Element, b.Element),
			cmp.Compare(a.Attr, b.Attr), cmp.Compare(a.Value, b.Value))
	})
	return out
}

// item is one attribute to change, with all that ordering needs.
type item struct {
	want   *merged
	host   *model.Host
	kind   model.Kind
	attr   *knowledge.Attribute
	class  knowledge.Class
	change task.Change
	iface  string         // to be bounced around the change; empty: none
	keep   *task.IPConfig // what that loses
	pend   bool
	off    bool   // switches something off or lowers it
	stays  string // Linux: what keeps the value for the next boot, or why nothing does
	turn   int    // of a VIOS in a pair: 1 before 2; 0: no pair
	notes  []string
}

type planBuilder struct {
	*index
	attrs Attributes
	items []item

	desired []*merged
	wanted  map[finding.Setting]bool // those of desired
	targets map[target]bool          // what they set
	planned map[target]string        // what items set, and to which value
	left    map[*model.Host][]pendingValue
	accept  []string
}

// ownName says why no plan names a host so.
func ownName(host string) string {
	return fmt.Sprintf("the host name %q means the machine on which the plan is used: give the host a name of its own (a hosts file, "+
		"import --host) and read it again", host)
}

func (b *planBuilder) item(w *merged) (*item, error) {
	if !task.ElementName.MatchString(w.Element) || !task.AttributeName.MatchString(w.Attr) {
		return nil, fmt.Errorf("%q %q: not a name of an element and an attribute", w.Element, w.Attr)
	}
	if model.MeansThisMachine(w.Host) {
		return nil, errors.New(ownName(w.Host))
	}
	if value, ok := b.planned[targetOf(w.Setting)]; ok {
		return nil, conflict(w, value)
	}
	it := &item{want: w}
	have, el, err := b.find(it)
	if err != nil {
		return nil, err
	}
	for _, g := range it.host.Lacks() {
		if g.What == task.SetBy(w.Attr) {
			return nil, fmt.Errorf("%s is %s", g.What, g.Why)
		}
	}
	if err := undoable(it, have, el); err != nil {
		return nil, err
	}
	layer := string(it.kind)
	if it.host.Platform == model.Linux {
		layer = string(model.Linux) // one layer for devices and settings of the kernel
	}
	attr, ok := b.attrs.Attribute(layer, w.Attr)
	if !ok {
		return nil, fmt.Errorf("%s of a %s is not in the catalogue: its outage class is not known", w.Attr, it.kind)
	}
	w.keepNextBoot(have)
	if err := valid(attr, have, w.Value); err != nil {
		return nil, err
	}
	if err := namesElements(it.host, have, w.Value); err != nil {
		return nil, err
	}
	it.attr, it.class = attr, attr.Class
	if el != nil {
		it.class = attr.ClassOf(el.Driver)
	}
	b.chooseMethod(it, el)
	if it.iface != "" {
		it.keep = b.ipLayer(it.host).configOf(it.iface)
	}
	if err := it.setChange(have); err != nil {
		return nil, err
	}
	before, after := it.change.Before, it.change.After
	if same(before.Running, after.Running) && same(before.NextBoot, after.NextBoot) {
		return nil, nil
	}
	it.off = lowers(before, w.Value)
	if err := b.safe(it); err != nil {
		return nil, err
	}
	return it, b.unmanagedClients(it)
}

// conflict says why a setting cannot join another value of the same attribute, which is planned.
func conflict(w *merged, planned string) error {
	less, err := strconv.ParseUint(w.Value, 10, 64)
	more, err2 := strconv.ParseUint(planned, 10, 64)
	if err == nil && err2 == nil && less < more {
		return fmt.Errorf("less than %s=%s, which is planned", w.Attr, planned)
	}
	return fmt.Errorf("conflicts with %s=%s, which is wanted too", w.Attr, planned)
}

// undoable says why a change of an attribute as it is could not be undone, or not made
// at all. el is nil for a setting of the kernel.
func undoable(it *item, have *model.Attr, el *model.Element) error {
	w := it.want
	switch {
	case have.Running == nil && have.NextBoot == nil:
		return fmt.Errorf("the current value of %s is not known, so the change could not be undone", w.Attr)
	case have.NextBoot == nil && el != nil && it.host.Platform != model.Linux:
		return fmt.Errorf("only what runs was read of %s, not its value at the next boot (lsattr -El %s), so the change could not "+
			"be undone", w.Attr, w.Element)
	case have.Settable != nil && !*have.Settable:
		return fmt.Errorf("the host says that %s cannot be set by a user", w.Attr)
	}
	return nil
}

// keepNextBoot raises what a finding asks for, because of the value that runs, to the value
// of the next boot where that is larger: to mend the one must not lower the other.
func (w *merged) keepNextBoot(have *model.Attr) {
	if len(w.findings) == 0 || have.Running == nil || have.NextBoot == nil {
		return
	}
	running, err := strconv.ParseInt(*have.Running, 10, 64)
	wanted, err2 := strconv.ParseInt(w.Value, 10, 64)
	next, err3 := strconv.ParseInt(*have.NextBoot, 10, 64)
	if errors.Join(err, err2, err3) == nil && running < wanted && wanted < next {
		w.Value = *have.NextBoot
	}
}

// setChange notes the values before and after the change, for what runs and for the next boot.
func (it *item) setChange(have *model.Attr) error {
	w := it.want
	before := task.Values{Running: have.Running, NextBoot: have.NextBoot}
	it.change = task.Change{Attr: w.Attr, Before: before, After: task.Values{NextBoot: &w.Value}, Restricted: it.attr.Restricted}
	if it.host.Platform == model.Linux {
		it.persist()
	}
	switch {
	case !it.pend && before.Running == nil:
		// The host does not show what runs of this one: only the ODM can be read back.
	case !it.pend:
		it.change.After.Running = &w.Value
	default:
		it.change.After.Running = before.Running
		if before.NextBoot == nil {
			return fmt.Errorf("the next-boot value of %s is not known, so the change could not be undone", w.Attr)
		}
	}
	return nil
}

// find looks the attribute up on its host.
func (b *planBuilder) find(it *item) (*model.Attr, *model.Element, error) {
	w := it.want
	it.host = b.graph.Host(w.Host)
	if it.host == nil {
		var names []string
		for _, h := range b.fleet.Hosts {
			names = append(names, h.Name)
		}
		return nil, nil, fmt.Errorf("host %s was not read%s", w.Host, didYouMean(w.Host, names))
	}
	if w.Element == string(task.No) || w.Element == string(task.Sysctl) {
		it.kind = model.Kind(w.Element)
		if a := it.host.Tunables[w.Attr]; a != nil {
			return a, nil, nil
		}
		return nil, nil, fmt.Errorf("%s has no tunable %s%s", w.Host, w.Attr, didYouMean(w.Attr, slices.Collect(maps.Keys(it.host.Tunables))))
	}
	el := it.host.Elements[w.Element]
	if el == nil {
		return nil, nil, fmt.Errorf("%s has no %s%s", w.Host, w.Element, didYouMean(w.Element, slices.Collect(maps.Keys(it.host.Elements))))
	}
	it.kind = el.Kind
	a := el.Attrs[w.Attr]
	if a == nil {
		return nil, nil, fmt.Errorf("%s %s has no attribute %s at this level%s", w.Host, w.Element, w.Attr, b.ofAnotherKind(w.Attr, el))
	}
	return a, el, nil
}

// stateOf is the attribute that takes an interface up and down.
const stateOf = "state"

// chooseMethod decides how the change is made: at once, around a bounced interface,
// or in the ODM for the next boot.
func (b *planBuilder) chooseMethod(it *item, el *model.Element) {
	switch it.class {
	case knowledge.O0, knowledge.O1:
		return
	}
	if el == nil && it.kind == task.No {
		it.pend = it.class == knowledge.O4 // no takes these for the next boot only
		return
	}
	if it.host.Platform == model.Linux || el == nil || it.want.Attr == stateOf {
		return // an interface is not bounced to set its state
	}
	if el.Kind == model.Interface {
		it.iface = el.Name
		return
	}
	if el.Kind == model.SEA {
		it.pend = b.below(it, el)
		return
	}
	iface := b.interfaceOn(it.host, el.Name)
	if el.Kind == model.EtherChannel && el.MemberOf == "" && iface == "" {
		return
	}
	// A port or vNIC of the partition's own is free while its interface is off.
	own := el.MemberOf == "" && (el.Kind == model.Physical || el.Kind == model.VNIC)
	it.pend = !(it.class == knowledge.O2 || own && it.class == knowledge.O3) || el.MemberOf != ""
	if !it.pend {
		it.iface = iface
	}
}

// below says whether the port under an SEA, which is busy as long as the SEA
// is there, gets the same attribute for the next boot: then the SEA must not
// have it sooner.
func (b *planBuilder) below(it *item, sea *model.Element) bool {
	real := it.host.Elements[sea.Real]
	cat := knowledge.BuiltIn()
	role := cat.RoleOf(string(model.SEA), it.want.Attr)
	if real == nil || role != knowledge.JumboFrames && role != knowledge.LargeReceive {
		return false
	}
	return slices.ContainsFunc(append([]string{real.Name}, real.Members...), func(port string) bool {
		same := finding.Setting{Ref: model.Ref{Host: it.host.Name, Element: port}, Attr: it.want.Attr, Value: it.want.Value}
		channel := same
		channel.Attr = cat.ByRole(string(model.EtherChannel), knowledge.JumboFrames)
		return b.wanted[same] || role == knowledge.JumboFrames && b.wanted[channel]
	})
}
