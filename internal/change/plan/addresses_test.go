package plan_test

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
)

// What is taken down and up has only the addresses of the ODM afterwards.
func TestAddressesThatAreNotInTheODM(t *testing.T) {
	for _, c := range []struct {
		name, attrs, want string
		accept            []string
	}{
		{name: "all are in it", attrs: "netaddr=10.0.0.1 alias4=10.0.0.7,255.255.255.0"},
		{name: "an alias is not", attrs: "netaddr=10.0.0.1 alias4=", want: "loses 10.0.0.7, which the ODM does not have"},
		{name: "another alias is", attrs: "netaddr=10.0.0.1 alias4=10.0.0.71,255.255.255.0", want: "loses 10.0.0.7,"},
		{name: "the user accepts that", attrs: "netaddr=10.0.0.1 alias4=", accept: []string{plan.AcceptAddresses}},
		{name: "none is", attrs: "netaddr=", want: "loses 10.0.0.1, 10.0.0.7,"},
		{name: "not read", attrs: "alias4="},
	} {
		f := behind(t, "5.14.0")
		en0 := f.Host("lpar1").Elements["en0"]
		en0.Addrs = prefixes(t, "10.0.0.1/24", "10.0.0.7/24", "fe80::1/64")
		maps.Copy(en0.Attrs, attrs(strings.Fields(c.attrs)...))
		p := simulate(t, f, c.accept, "lpar1:en0:mtu=1400")
		got := ""
		if len(p.Refused) > 0 {
			got = p.Refused[0].Reason
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What only the kernel has is lost with the interface: the step's commands set it
// again, forwards and back, and its checks look for all that was there.
func TestRoutesThatAreNotInTheODM(t *testing.T) {
	route := func(to, gateway, iface, origin string) model.Route {
		return model.Route{To: netip.MustParsePrefix(to), Gateway: netip.MustParseAddr(gateway), Interface: iface, Origin: origin}
	}
	f := behind(t, "5.14.0")
	h := f.Host("lpar1")
	en0 := h.Elements["en0"]
	en0.Addrs = prefixes(t, "10.0.0.7/24", "10.0.0.1/24", "2001:db8::7/64", "fe80::1/64")
	maps.Copy(en0.Attrs, attrs("netaddr=10.0.0.1", "alias4="))
	h.ODMRoutes = []model.Route{route("0.0.0.0/0", "10.0.0.254", "", "")}
	h.Routes = []model.Route{
		route("0.0.0.0/0", "10.0.0.254", "en0", ""), route("10.9.0.0/16", "10.0.0.5", "en0", ""), route("10.8.0.3/32", "10.0.0.5", "en0", ""),
		route("10.8.0.4/32", "10.0.0.5", "en0", model.Learnt), route("10.7.0.0/16", "10.3.0.5", "en1", ""),
		{To: netip.MustParsePrefix("10.0.0.0/24"), Interface: "en0"},
	}
	p := simulate(t, f, nil, "lpar1:en0:mtu=1400")
	const lost = "loses 10.0.0.7, 2001:db8::7, the route to 10.9.0.0/16 by 10.0.0.5, the route to 10.8.0.3/32 by 10.0.0.5, which the ODM"
	if len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, lost) {
		t.Errorf("got %+v, want it refused since it %s", p.Refused, lost)
	}
	p = simulate(t, f, []string{plan.AcceptAddresses}, "lpar1:en0:mtu=1400")
	if len(p.Steps) != 1 {
		t.Fatalf("got %+v, want one step", p)
	}
	again := []string{
		"ifconfig en0 inet 10.0.0.7 netmask 255.255.255.0 alias", "ifconfig en0 inet6 2001:db8::7/64 alias",
		"route add -net 10.9.0.0 -netmask 255.255.0.0 10.0.0.5", "route add -host 10.8.0.3 10.0.0.5",
	}
	s := p.Steps[0]
	for name, lines := range map[string][]string{"do": s.Do, "undo": s.Undo, "ensure": s.Ensure} {
		if d := cmp.Diff(append([]string{"mkdev -l inet0"}, again...), lines[max(0, len(lines)-5):]); d != "" {
			t.Errorf("%s ends with (-want +got):\n%s", name, d)
		}
	}
	want := map[string]string{"addresses": "10.0.0.1 10.0.0.7",
		"routes": "0.0.0.0/0:10.0.0.254 10.8.0.3/32:10.0.0.5 10.9.0.0/16:10.0.0.5", "mtu": "1400"}
	got := map[string]string{}
	for _, c := range s.Verify {
		got[c.Attr] = c.Want
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("checks (-want +got):\n%s", d)
	}
	for _, c := range got {
		if !slices.ContainsFunc(s.Before, func(o task.Check) bool { return o.Want == c || c == "1400" }) {
			t.Errorf("%s is not checked after the undo", c)
		}
	}

	// What was typed in by hand, and a host name that inet0 does not set.
	h.ARP = []model.Neighbour{{Address: netip.MustParseAddr("10.0.0.9"), MAC: "00:09:6b:2e:01:07", Published: true},
		{Address: netip.MustParseAddr("10.3.0.9"), MAC: "00:09:6b:2e:01:08"}, {Address: netip.MustParseAddr("10.0.0.1"), MAC: "00:09:6b:2e:01:09"}}
	runs, odm := "node1.example", "lpar1"
	h.Hostname = &model.Attr{Running: &runs, NextBoot: &odm}
	p = simulate(t, f, []string{plan.AcceptAddresses}, "lpar1:en0:mtu=1400")
	do := p.Steps[0].Do
	if d := cmp.Diff([]string{"arp -s ether 10.0.0.9 00:09:6b:2e:01:07 pub", "hostname node1.example"}, do[len(do)-2:]); d != "" {
		t.Errorf("last commands (-want +got):\n%s", d)
	}
	verified := map[string]string{"ARP entries": "(10.0.0.9)", "hostname": runs}
	for _, c := range p.Steps[0].Verify {
		if want, ok := verified[c.Attr]; ok && c.Want != want {
			t.Errorf("%s: got %q, want %q", c.Attr, c.Want, want)
		}
	}
	h.Hostname.NextBoot, h.ARP = &runs, nil

	// A cluster would move its service address away.
	h.Clusters = []string{"clstrmgrES"}
	p = simulate(t, f, []string{plan.AcceptAddresses}, "lpar1:en0:mtu=1400")
	if len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, "cluster software runs on lpar1 (clstrmgrES)") {
		t.Errorf("got %+v, want the cluster named", p.Refused)
	}
	if p := simulate(t, f, []string{plan.AcceptAddresses, plan.AcceptCluster}, "lpar1:en0:mtu=1400"); len(p.Steps) != 1 {
		t.Errorf("got %+v, want one step", p)
	}
	h.Clusters = nil

	// Without the routes of the ODM nobody knows which will come back.
	h.ODMRoutes = nil
	if p := simulate(t, f, nil, "lpar1:en0:mtu=1400"); len(p.Refused) != 1 || strings.Contains(p.Refused[0].Reason, "route to") {
		t.Errorf("got %+v, want no word of routes", p.Refused)
	}
}
