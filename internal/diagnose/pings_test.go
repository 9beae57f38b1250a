package diagnose

import (
	"net/netip"
	"testing"

	"seaworthy/internal/change/pathmtu"
	"seaworthy/internal/inventory/model"
)

// Pings that somebody saved say what live ones do: round trip, loss, and up to which size packets pass.
func TestSavedPings(t *testing.T) {
	to := netip.MustParseAddr("192.0.2.27")
	ping := func(size, sent, received int, more ...func(*model.Ping)) model.Ping {
		p := model.Ping{To: to, Size: size, Sent: sent, Received: received}
		if received > 0 {
			p.LeastMS = new(0.2)
		}
		for _, m := range more {
			m(&p)
		}
		return p
	}
	whole := func(p *model.Ping) { p.Whole = true }
	refused := func(p *model.Ping) { p.Refused = 1500 }
	for name, c := range map[string]struct {
		pings   []model.Ping
		verdict pathmtu.Verdict // empty: none
		largest int
		lost    int
	}{
		"large ones vanish":              {[]model.Ping{ping(9000, 3, 0, whole), ping(1500, 3, 3, whole), ping(84, 3, 3)}, pathmtu.BlackHole, 1500, 0},
		"the interface sends them whole": {[]model.Ping{ping(9000, 3, 0), ping(84, 3, 3)}, pathmtu.BlackHole, 84, 0},
		"a connection is no ping":        {[]model.Ping{{To: to, LeastMS: new(0.3)}}, "", 0, 0},
		"all sizes pass":                 {[]model.Ping{ping(9000, 3, 3, whole), ping(84, 3, 2)}, pathmtu.Whole, 9000, 1},
		"a router refuses them":          {[]model.Ping{ping(9000, 3, 0, whole, refused), ping(84, 3, 3)}, pathmtu.Rejected, 84, 0},
		"one was lost":                   {[]model.Ping{ping(9000, 1, 0, whole), ping(84, 3, 3)}, "", 0, 1},
		"cut into fragments":             {[]model.Ping{ping(20000, 3, 0), ping(84, 3, 3)}, "", 0, 3},
		"nothing passes":                 {[]model.Ping{ping(9000, 3, 0, whole), ping(84, 3, 0)}, "", 0, 6},
	} {
		fleet := &model.Fleet{Hosts: []*model.Host{
			{Name: "a", Pings: c.pings, Elements: map[string]*model.Element{"eth0": {Name: "eth0", Attrs: map[string]*model.Attr{"mtu": {Running: new("9000")}}}}},
			{Name: "b", Elements: map[string]*model.Element{"eth0": {Name: "eth0", Addrs: []netip.Prefix{netip.PrefixFrom(to, 24)}}}},
		}}
		way := Measured{From: model.Ref{Host: "a", Element: "eth0"}, To: model.Ref{Host: "b", Element: "eth0"}}
		savedPings(&way, fleet)
		verdict, largest := pathmtu.Verdict(""), 0
		if way.MTU != nil {
			verdict, largest = way.MTU.Verdict, way.MTU.Largest
		}
		if verdict != c.verdict || largest != c.largest || way.Lost != c.lost {
			t.Errorf("%s: %q up to %d bytes, %d lost, want %q, %d and %d", name, verdict, largest, way.Lost, c.verdict, c.largest, c.lost)
		}
	}
}
