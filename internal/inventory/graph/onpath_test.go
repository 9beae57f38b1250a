package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// placesOf finds the places of elements, "host:element", towards a path.
func checkPlaces(t *testing.T, f *model.Fleet, from, to string, want map[string]graph.Place) {
	t.Helper()
	g := graph.Of(f)
	p, err := g.Path(from, to)
	if err != nil {
		t.Fatal(err)
	}
	on := g.OnPath(p)
	for name, place := range want {
		host, element, _ := strings.Cut(name, ":")
		if got := on.Of(model.Ref{Host: host, Element: element}); got != place {
			t.Errorf("%s to %s: the place of %s: got %d, want %d", from, to, name, got, place)
		}
	}
}

// far is a host beyond the switch, in the networks of all VLANs.
func far() *model.Host {
	return machine("far", model.AIX, "", map[string]*model.Element{
		"en0": device(model.Interface, on("ent0"), at("10.10.0.99/24", "10.20.0.99/24")), "ent0": device(model.Physical),
		"en1": device(model.Interface, on("ent1"), at("192.0.2.99/24")), "ent1": device(model.Physical),
	})
}

// What a path takes is on it with the options of its hosts; what takes over stands by; what has
// the same owner but another VLAN has nothing to do with it.
func TestPlacesBehindAnSEA(t *testing.T) {
	pair := sharing("M", "v")
	for i, h := range pair {
		h.Elements["ent9"].Control = "ent7"
		h.Elements["ent7"] = device(model.Virtual, vlan(99), of("ent9"))
		h.Elements["ent7"].Name = "ent7"
		h.Elements["ent1"] = device(model.Physical)
		h.Elements["ent1"].Name = "ent1"
		h.Elements["ent12"] = device(model.SEA, realAdapter("ent1"))
		h.Elements["ent12"].Name = "ent12"
		h.Name = fmt.Sprintf("v%d", i+1)
	}
	other := machine("other", model.VIOS, "M", map[string]*model.Element{"ent0": device(model.Physical)})
	f := &model.Fleet{Hosts: append(pair, other, client("c", "M", 10, nil), client("d", "M", 10, nil), client("e", "M", 20, nil), far())}
	checkPlaces(t, f, "c", "far", map[string]graph.Place{
		"c:en0": graph.OnPath, "c:ent0": graph.OnPath, "v1:ent4": graph.OnPath, "v1:ent9": graph.OnPath, "v1:ent0": graph.OnPath,
		"far:en0": graph.OnPath, "c:no": graph.OnPath, "v1:host": graph.OnPath, "far:sysctl": graph.OnPath,
		"v2:ent4": graph.StandsBy, "v2:ent9": graph.StandsBy, "v2:ent0": graph.StandsBy, "v2:host": graph.StandsBy, "v2:no": graph.StandsBy,
		"v1:ent7": graph.StandsBy, "v2:ent7": graph.StandsBy,
		"v1:ent5": graph.OffPath, "v2:ent6": graph.OffPath, // trunk adapters of other VLANs
		"v1:ent12": graph.OffPath, "v2:ent1": graph.OffPath, // another SEA
		"v1:en9": graph.OffPath, "d:en0": graph.OffPath, "far:en1": graph.OffPath, "other:ent0": graph.OffPath, "other:host": graph.OffPath,
	})
	// Both on one hypervisor switch: frames reach no SEA.
	checkPlaces(t, f, "c", "d", map[string]graph.Place{
		"c:ent0": graph.OnPath, "d:ent0": graph.OnPath, "v1:ent9": graph.OffPath, "v2:ent0": graph.OffPath, "v1:host": graph.OffPath,
	})
	// To the SEA's own interface: its port carries none of it, but the partner's does after a failover.
	checkPlaces(t, f, "c", "v1:en9", map[string]graph.Place{
		"v1:ent9": graph.OnPath, "v1:ent0": graph.OffPath, "v2:ent9": graph.StandsBy, "v2:ent0": graph.StandsBy,
	})
}

// A finding is where its element is; one elsewhere, where what it affects is.
func TestPlaceOfWhatIsAffected(t *testing.T) {
	f := &model.Fleet{Hosts: append(sharing("M", "v"), client("c", "M", 10, nil), far())}
	g := graph.Of(f)
	p, err := g.Path("c", "far")
	if err != nil {
		t.Fatal(err)
	}
	at := func(host, element string) model.Ref { return model.Ref{Host: host, Element: element} }
	on := g.OnPath(p)
	for _, c := range []struct {
		of      model.Ref
		affects []model.Ref
		want    graph.Place
	}{
		{at("x", "ent0"), []model.Ref{at("x", "en0"), at("c", "en0")}, graph.OnPath},
		{at("x", "ent0"), []model.Ref{at("v2", "ent9")}, graph.StandsBy},
		{at("v2", "ent9"), []model.Ref{at("c", "en0")}, graph.StandsBy},
		{at("x", "ent0"), []model.Ref{at("x", "en0")}, graph.OffPath},
	} {
		if got := on.Of(c.of, c.affects...); got != c.want {
			t.Errorf("%v that affects %v: got %d, want %d", c.of, c.affects, got, c.want)
		}
	}
}

// Every VIOS of the system may carry an adapter of which the VLAN was not read; none of another system.
func TestPlacesWithoutProof(t *testing.T) {
	linux := machine("l", model.Linux, "M", map[string]*model.Element{"eth0": device(model.Virtual, at("10.10.0.7/24"))})
	f := &model.Fleet{Hosts: append(append(sharing("M", "v"), sharing("N", "w")...), linux, far())}
	checkPlaces(t, f, "l", "far", map[string]graph.Place{
		"l:eth0": graph.OnPath, "v1:ent9": graph.StandsBy, "v2:ent0": graph.StandsBy, "v1:host": graph.StandsBy,
		"w1:ent9": graph.OffPath, "w1:host": graph.OffPath,
	})
}

// Of a Network Interface Backup the other adapter stands by, with the SEA that would carry it.
func TestPlacesOfABackupAdapter(t *testing.T) {
	nib := client("c", "M", 10, map[string]*model.Element{
		"en0": device(model.Interface), "ent0": device(model.Virtual, vlan(10), of("ent2")), "ent1": device(model.Virtual, vlan(20), of("ent2")),
		"ent2": device(model.EtherChannel, has("ent0"), value("backup_adapter", "ent1"), channel("primary")),
		"en2":  device(model.Interface, on("ent2"), at("10.10.0.5/24")),
	})
	f := &model.Fleet{Hosts: append(sharing("M", "v"), nib, far())}
	checkPlaces(t, f, "c:en2", "far", map[string]graph.Place{
		"c:ent0": graph.OnPath, "v1:ent9": graph.OnPath, "c:ent1": graph.StandsBy, "v2:ent5": graph.StandsBy, "v2:ent9": graph.StandsBy,
		"v1:ent5": graph.StandsBy, "v2:ent6": graph.OffPath,
	})
}

// The ports of one EtherChannel are all on the path, other machines' tap devices on the bridge are not.
func TestPlacesOnABridge(t *testing.T) {
	f := kvmFleet()
	f.MergeHMC()
	checkPlaces(t, f, "g1", "far", map[string]graph.Place{
		"kvm:vnet0": graph.OnPath, "kvm:br-int": graph.OnPath, "kvm:eno1": graph.OnPath, "kvm:vnet1": graph.OffPath, "g2:eth0": graph.OffPath,
		"kvm:sysctl": graph.OnPath,
	})
	bond := &model.Fleet{Hosts: []*model.Host{far(), machine("l", model.Linux, "", map[string]*model.Element{
		"eth0": device(model.Physical), "eth1": device(model.Physical), "eth2": device(model.Physical),
		"bond0": device(model.EtherChannel, has("eth0", "eth1"), at("10.10.0.7/24")),
	})}}
	checkPlaces(t, bond, "l", "far", map[string]graph.Place{"l:eth0": graph.OnPath, "l:eth1": graph.OnPath, "l:eth2": graph.OffPath})
}
