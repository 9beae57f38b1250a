package graph_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// pair is the catalogue's fleet of two VIOSes with one SEA each and two clients.
func pair(t *testing.T, with map[string]any) *graph.Graph {
	t.Helper()
	return linked(t, "pair", with)
}

// linked is a fleet of the catalogue.
func linked(t *testing.T, name string, with map[string]any) *graph.Graph {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	base, _ := cat.Fleet(name)
	fleet, err := rule.BuildFleet(base, with)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(t.Context(), fleet)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func names(list []*graph.Element) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Ref().String())
	}
	return out
}

// Every relation of an SEA pair's elements, from the port up to the clients.
func TestRelations(t *testing.T) {
	g := pair(t, nil)
	at := func(host, element string) *graph.Element { return g.At(model.Ref{Host: host, Element: element}) }
	one := func(e *graph.Element, err error) ([]*graph.Element, error) { return []*graph.Element{e}, err }
	sea, client := at("vios1", "ent9"), at("lpar1", "en0")
	for _, tt := range []struct {
		name string
		get  func() ([]*graph.Element, error)
		want []string
	}{
		{"ports of an SEA", sea.Ports, []string{"vios1:ent0", "vios1:ent1"}},
		{"real adapter of an SEA", func() ([]*graph.Element, error) { return one(sea.Real()) }, []string{"vios1:ent8"}},
		{"trunks of an SEA", sea.Trunks, []string{"vios1:ent4", "vios1:ent5"}},
		{"partners of an SEA", sea.Partners, []string{"vios2:ent9"}},
		{"members of its EtherChannel", at("vios1", "ent8").Members, []string{"vios1:ent0", "vios1:ent1"}},
		{"owners of a port", func() ([]*graph.Element, error) { return at("vios1", "ent0").Owners(), nil }, []string{"vios1:ent8", "vios1:ent9"}},
		{"adapter of an interface", func() ([]*graph.Element, error) { return one(client.Adapter()) }, []string{"lpar1:ent0"}},
		{"trunk adapters of a client", client.Carriers, []string{"vios1:ent4", "vios2:ent4"}},
		{"virtual adapters of a client", client.VirtualAdapters, []string{"lpar1:ent0"}},
	} {
		got, err := tt.get()
		if err != nil || !slices.Equal(names(got), tt.want) {
			t.Errorf("%s: got %v, %v, want %v", tt.name, names(got), err, tt.want)
		}
	}
	clients, err := sea.Clients()
	if err != nil || !slices.Contains(clients, client) {
		t.Errorf("clients of the SEA: got %v, %v, want lpar1:en0 among them", names(clients), err)
	}
}

// What was not read is missing, and named; it is never an empty answer.
func TestMissingIsNamed(t *testing.T) {
	g := pair(t, map[string]any{"vios1:ent9": map[string]any{"real": "ent77", "trunks": nil}})
	sea := g.At(model.Ref{Host: "vios1", Element: "ent9"})
	for name, get := range map[string]func() ([]*graph.Element, error){"ports": sea.Ports, "trunks": sea.Trunks, "partners": sea.Partners, "members": sea.Members} {
		list, err := get()
		if m := (*graph.Missing)(nil); !errors.As(err, &m) || m.Fact == "" || list != nil {
			t.Errorf("%s: got %v, %v, want the missing fact", name, names(list), err)
		}
	}
}

// A fleet of thousands takes seconds to link: Ctrl-C ends that.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("Ctrl-C")
	cancel(cause)
	if _, err := graph.New(ctx, &model.Fleet{Hosts: []*model.Host{{Name: "lpar1"}}}); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
}

// A virtual machine's frames leave by the ports of its KVM host, through tap device, bridge
// and bond; those of the host's own address on the bridge do, too.
func TestPortsOfAVirtualMachine(t *testing.T) {
	at := func(g *graph.Graph, host, element string) *graph.Element {
		return g.At(model.Ref{Host: host, Element: element})
	}
	g := linked(t, "kvm", nil)
	guest := at(g, "guest1", "eth0")
	if tap, err := guest.Tap(); err != nil || tap != at(g, "kvm1", "vnet0") {
		t.Errorf("tap device: got %v, %v, want kvm1 vnet0", tap, err)
	}
	for _, e := range []*graph.Element{guest, at(g, "kvm1", "br0")} {
		if list, err := e.Ports(); err != nil || !slices.Equal(names(list), []string{"kvm1:eno1", "kvm1:eno2"}) {
			t.Errorf("ports of %s: got %v, %v, want both of kvm1", e, names(list), err)
		}
	}
	g = linked(t, "kvm", map[string]any{"kvm1": nil})
	guest = at(g, "guest1", "eth0")
	var missing *graph.Missing
	if tap, err := guest.Tap(); !errors.As(err, &missing) {
		t.Errorf("without its host: got %v, %v, want that it is missing", tap, err)
	}
	if list, err := guest.Ports(); !errors.As(err, &missing) {
		t.Errorf("without its host: got ports %v, %v, want that they are missing", names(list), err)
	}
}
