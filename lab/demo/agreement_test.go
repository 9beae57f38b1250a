package demo

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/diagnose"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/topology"
)

// kinds are the inventory's, by a topology's.
var kinds = map[topology.AdapterKind]model.Kind{
	topology.Virtual: model.Virtual, topology.Physical: model.Physical, topology.SEA: model.SEA, topology.Channel: model.EtherChannel,
	topology.VLAN: model.VLANDevice, topology.Bond: model.EtherChannel,
}

// fleetOf returns what would be read of a topology's hosts.
func fleetOf(top *topology.Topology) *model.Fleet {
	f := &model.Fleet{}
	for s, n := range top.Hosts() {
		h := &model.Host{Name: n.Name, Platform: model.AIX, Elements: map[string]*model.Element{}}
		switch {
		case n.OS == topology.Linux:
			h.Platform = model.Linux
		case n.Role == topology.VIOS:
			h.Platform = model.VIOS
		}
		vswitch := ""
		if s != nil {
			h.MachineID, vswitch = s.Model+"*"+s.Serial, s.VSwitch
		}
		for _, a := range n.Adapters {
			h.Elements[a.Name] = elementOf(n, a, vswitch)
		}
		for _, e := range h.Elements {
			for _, name := range append(slices.Concat(e.Trunks, e.Members), e.Real, e.Control, e.Backup()) {
				if part := h.Elements[name]; part != nil {
					part.MemberOf = e.Name
				}
			}
		}
		for _, i := range n.Interfaces {
			e := h.Elements[i.Name]
			if e == nil {
				e = &model.Element{Name: i.Name, Kind: model.Interface, On: "ent" + strings.TrimPrefix(i.Name, "en")}
				h.Elements[i.Name] = e
			}
			e.Up, e.Addrs = new(true), []netip.Prefix{i.Address}
		}
		f.Hosts = append(f.Hosts, h)
	}
	return f
}

func elementOf(n *topology.Node, a topology.Adapter, vswitch string) *model.Element {
	e := &model.Element{Name: a.Name, Kind: kinds[a.Kind], SEAFacts: model.SEAFacts{Real: a.Real, Trunks: a.Trunks, Control: a.Control}, Members: a.Members, On: a.Base}
	switch a.Kind {
	case topology.Physical:
		e.LinkUp = new(true)
	case topology.Virtual:
		e.PVID, e.VLANs = &a.PVID, a.VLANs
		e.VSwitch, e.Trunk = vswitch, &a.Trunk
	case topology.VLAN:
		e.VLANs = []int{a.Tag}
	case topology.Channel:
		if a.Backup != "" {
			e.Attrs, e.Channel = map[string]*model.Attr{"backup_adapter": {NextBoot: &a.Backup}}, "primary"
		}
	case topology.SEA:
		if a.Control == "" {
			break // it has no partner
		}
		e.HAState = "BACKUP"
		if slices.ContainsFunc(n.Adapters, func(t topology.Adapter) bool { return slices.Contains(a.Trunks, t.Name) && t.Priority == 1 }) {
			e.HAState = "PRIMARY"
		}
	}
	return e
}

// linkLost is the rule about ports that carry an SEA or an EtherChannel.
const linkLost = "R084"

// everywhere is a rule that finds fault with every element, host and option.
var everywhere = knowledge.Rule{ID: "X001", Title: "there is something", Severity: "high", Class: knowledge.O0,
	Checks: []knowledge.Check{{Condition: "true", Kind: []string{"interface", "virtual-adapter", "vnic", "sea", "etherchannel",
		"physical-adapter", "vlan", "host", "tunables"}}}}

// What audit --path reports and what the demo cures are on one path the same, between all hosts of
// every built-in topology; and diagnose blames a port without a link where audit --path reports it.
func TestOnPathAgrees(t *testing.T) {
	link := slices.DeleteFunc(knowledge.BuiltIn().Rules(), func(r knowledge.Rule) bool { return r.ID != linkLost })
	rules, err := rule.Compile(append(link, everywhere))
	if err != nil {
		t.Fatal(err)
	}
	paths, blamed := 0, 0
	for _, name := range topology.Builtins() {
		top, err := topology.Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		f := fleetOf(top)
		g := graph.Of(f)
		for i, a := range f.Hosts {
			for _, b := range f.Hosts[i+1:] {
				p, err := g.Path(a.Name, b.Name)
				if err != nil {
					continue // a VIOS without an address
				}
				paths++
				what := fmt.Sprintf("%s, %s to %s", name, p.From, p.To)
				audited(t, what, rules, f, p)
				if a.Platform != model.VIOS && b.Platform != model.VIOS {
					blamed += diagnosed(t, what, rules, f, p)
				}
			}
		}
	}
	if paths < 30 || blamed < 20 {
		t.Errorf("%d paths were compared, and %d ports blamed; want at least 30 and 20", paths, blamed)
	}
}

// audited compares the demo with audit --path, and gives the elements that both are concerned with.
func audited(t *testing.T, what string, rules *rule.Set, f *model.Fleet, p *model.Path) (reported map[model.Ref]bool) {
	t.Helper()
	all, err := rules.Run(t.Context(), f, rule.Options{Paths: []model.Path{*p}})
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(x finding.Finding) bool { return x.Verdict != finding.Found })
	reported = map[model.Ref]bool{}
	for _, x := range finding.Concerning(all, graph.Of(f).OnPath(p)) {
		reported[x.Element] = true
	}
	w := &walk{Options: Options{From: p.From.String(), To: p.To.String()}, rules: rules}
	now, elsewhere, err := w.auditPath(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	cured := map[model.Ref]bool{}
	for _, x := range now.Findings {
		cured[x.Element] = true
	}
	if diff := cmp.Diff(reported, cured); diff != "" {
		t.Errorf("%s: the demo cures other things than audit --path reports (-audit +demo):\n%s", what, diff)
	}
	if len(now.Findings)+elsewhere != len(all) {
		t.Errorf("%s: %d findings on the path and %d elsewhere, want %d", what, len(now.Findings), elsewhere, len(all))
	}
	return reported
}

// diagnosed takes the link of one port after the other, and counts those that diagnose blames.
func diagnosed(t *testing.T, what string, rules *rule.Set, f *model.Fleet, p *model.Path) (blamed int) {
	t.Helper()
	for _, h := range f.Hosts {
		for _, name := range h.Names(model.Physical) {
			at, port := model.Ref{Host: h.Name, Element: name}, h.Elements[name]
			if h.Platform == model.Linux && port.MemberOf == "" {
				continue // its link is that of an interface
			}
			port.LinkUp = new(false)
			reported := audited(t, what, rules, f, p)
			d, err := diagnose.Judge(t.Context(), diagnose.Input{Fleet: f, Path: p, Failed: map[string]string{}})
			if err != nil {
				t.Fatal(err)
			}
			port.LinkUp = new(true)
			found := slices.ContainsFunc(slices.Concat(d.Causes, d.Possible), func(c diagnose.Cause) bool {
				return c.ID == "no-link" && c.Host == at.Host && c.Element == at.Element
			})
			if found {
				blamed++
			}
			if found != reported[at] {
				t.Errorf("%s: audit --path reports %s: %t, diagnose blames it: %t", what, at, reported[at], found)
			}
		}
	}
	return blamed
}
