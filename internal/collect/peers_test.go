package collect

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/remotetest"
)

// node is an AIX host with an address of its own, which answers pings with times.
func node(address, times string) remotetest.Handler {
	t := merge(aixHost(), table{"ifconfig -a": says("en0: flags=1e084863,480<UP>\n        inet " + address + " netmask 0xffffff00 broadcast 10.1.1.255\n")})
	return func(ctx context.Context, c *remotetest.Call) int {
		if strings.Contains(c.Command, "ping -n") {
			_, _ = c.Stdout.Write([]byte(times))
			return 0
		}
		return t.Serve(ctx, c)
	}
}

// Hosts that are read together measure their round trips, and say so where ping is
// too coarse; nobody else is sent anything.
func TestRoundTrips(t *testing.T) {
	coarse := "PING 10.1.1.11: 56 data bytes\n64 bytes from 10.1.1.11: icmp_seq=0 ttl=255 time=0 ms\n"
	f := remotetest.Start(t, map[string]remotetest.Handler{
		"lpar1": node("10.1.1.11", "time=0.300 ms\ntime=0.250 ms\ntime=0.200 ms\n"), "lpar2": node("10.1.1.12", coarse), "vios1": viosHost().Serve,
	})
	dir := t.TempDir()
	out, err := Fleet(t.Context(), f.Hosts("lpar1", "lpar2", "vios1"), dir, Options{RoundTrips: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		if o.Err != nil || strings.HasSuffix(o.Dir, partial) {
			t.Errorf("%s: %v, in %s", o.Host, o.Err, o.Dir)
		}
	}
	fleet, err := Inventories(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := fleet.Host("lpar1").Figures["en0 "+model.RoundTrip].Value; got != 0.25 {
		t.Errorf("lpar1 en0: got a round trip of %g ms, want the median, 0.25", got)
	}
	if got := fleet.Host("lpar1").Figures[model.RoundTripTo("en0", "lpar2")].Value; got != 0.2 {
		t.Errorf("lpar1 en0 to lpar2: got a round trip of %g ms, want the shortest, 0.2", got)
	}
	if got, ok := fleet.Host("lpar2").Figures["en0 "+model.RoundTrip]; ok {
		t.Errorf("lpar2 en0: got %v out of whole milliseconds, want none", got)
	}
	why := ""
	for _, g := range fleet.Host("lpar2").Gaps {
		why += g.Why
	}
	if !strings.Contains(why, "whole milliseconds") {
		t.Errorf("lpar2: gaps %q, want one about whole milliseconds", why)
	}
	pings := func(host string) (n int) {
		for _, l := range f.Server(host).Lines() {
			if strings.Contains(l, "ping -n") {
				n++
			}
		}
		return n
	}
	if pings("lpar1") != 1 || pings("vios1") != 0 {
		t.Errorf("pings: got %d of lpar1 and %d of vios1, want 1 and 0", pings("lpar1"), pings("vios1"))
	}
	if live := ReadFleet(t.Context(), f.Hosts("lpar1", "lpar2"), Options{}, nil); len(live) != 2 || live[0].Err != nil || pings("lpar1") != 1 {
		t.Errorf("without RoundTrips: %d pings of lpar1, want no more", pings("lpar1"))
	}
}

// Hosts that only a router joins are not all pinged: most may not answer.
func TestPingsOf(t *testing.T) {
	host := func(name, addr string) *model.Host {
		yes := true
		return &model.Host{Name: name, Platform: model.AIX,
			Routes: []model.Route{{To: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("10.0.0.254"), Interface: "en0"}},
			Elements: map[string]*model.Element{
				"en0": {Name: "en0", Kind: model.Interface, Up: &yes, Addrs: []netip.Prefix{netip.MustParsePrefix(addr)}},
			}}
	}
	ends := []*model.Host{
		host("a", "10.1.1.1/24"), host("b", "10.1.2.1/24"), host("c", "10.1.3.1/24"), host("d", "10.1.1.2/24"), host("e", "10.1.4.1/24"),
	}
	var got []string
	for i, h := range ends {
		near, routed := pingsOf(ends, i, registry.OnAIX)
		for _, it := range slices.Concat(near, routed) {
			got = append(got, h.Name+">"+it.Attribute)
		}
	}
	if want := []string{"a>d", "b>c", "c>d", "d>a", "e>a"}; !slices.Equal(got, want) {
		t.Errorf("got pings %v, want %v", got, want)
	}
}

// Who waits for a peer behind a router that does not answer is read meanwhile, and says how long it
// waited: nothing shows that packets are lost.
func TestRoutedPeer(t *testing.T) {
	server := func(address string) remotetest.Handler {
		t := merge(aixHost(), table{
			"ifconfig -a": says("en0: flags=1e084863,480<UP>\n        inet " + address + " netmask 0xffffff00 broadcast 10.1.1.255\n"),
			"netstat -rn": says("Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\n" +
				"Route Tree for Protocol Family 2 (Internet):\ndefault            10.1.1.254        UG        1      1000 en0      -      -\n"),
		})
		pinged := make(chan struct{})
		return func(ctx context.Context, c *remotetest.Call) int {
			switch {
			case strings.Contains(c.Command, "ping -n"):
				close(pinged)
				return 1
			case strings.HasSuffix(c.Command, "entstat -d ent0"): // of the reading's last commands
				select {
				case <-pinged:
				case <-ctx.Done():
				}
			}
			return t.Serve(ctx, c)
		}
	}
	f := remotetest.Start(t, map[string]remotetest.Handler{"lpar1": server("10.1.1.11"), "lpar2": server("10.1.2.12")})
	out, err := Fleet(t.Context(), f.Hosts("lpar1", "lpar2"), t.TempDir(), Options{RoundTrips: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		said := ""
		for _, g := range o.Manifest.Gaps {
			said += g.What + ": " + g.Why + "\n"
		}
		if o.Err != nil || !strings.Contains(said, "round trip from en0 to lpar") || !strings.Contains(said, "not answered within 0.") {
			t.Errorf("%s: %v, gaps:\n%s", o.Host, o.Err, said)
		}
		if n := len(o.Manifest.Commands); o.Manifest.Commands[n-1].ID != "ping" {
			t.Errorf("%s: the last record is %q, want the ping", o.Host, o.Manifest.Commands[n-1].ID)
		}
	}
}
