package assemble_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"seaworthy/internal/test/draw"
	"seaworthy/lab"
	"seaworthy/lab/fault"
	"seaworthy/lab/topology"
)

var fastest = regexp.MustCompile(`min/avg/max = (\d+)/`)

// trip is the shortest of three round trips, in ms.
func trip(t *testing.T, l *lab.Lab, from, to string) int {
	t.Helper()
	text := must(t, l, from, "ping -c 3 -i 0.1 "+to)
	m := fastest.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%s: ping %s prints no times: %s", from, to, text)
	}
	ms, _ := strconv.Atoi(m[1])
	return ms
}

// Every VLAN of a delayed port is delayed, one that came later too, and so are
// the ports of an aggregate; what does not pass them is not.
func TestDelayedPorts(t *testing.T) {
	t.Parallel()
	l := up(t, "vlans")
	const wait = 90 // ms, there and back: far above what a busy machine takes
	breakIt(t, l, fault.Fault{Kind: "delay", Target: "sw1/4", Value: "45ms"})
	check := func(what, from, to string, low int) {
		t.Helper()
		if got := trip(t, l, from, to); got < low || got >= low+wait {
			t.Errorf("%s: a round trip from %s to %s takes %d ms, want %d to %d", what, from, to, got, low, low+wait-1)
		}
	}
	check("untagged", "lpar4", "10.1.0.13", wait)
	check("tagged", "lpar4", "10.20.0.13", wait)
	check("past it", "vios1", "10.1.0.13", 0)
	must(t, l, "lpar4",
		"chdev -l en1 -a state=detach && rmdev -dl ent1 && mkdev -c adapter -s vlan -t eth -a base_adapter=ent0 -a vlan_tag_id=20 && "+
			"chdev -l en1 -a netaddr=10.20.0.14 -a netmask=255.255.255.0 -a state=up")
	check("made again", "lpar4", "10.20.0.13", wait)
	breakIt(t, l, fault.Fault{Kind: "delay", Target: "sw1/2", Value: "45ms"}) // lpar3's, aggregated with sw1/3
	check("both ends", "lpar4", "10.20.0.13", 2*wait)
	check("an aggregate", "vios1", "10.1.0.13", wait)
	mend(t, l, fault.Fault{Target: "sw1/4"})
	check("one mended", "lpar4", "10.20.0.13", wait)
	mend(t, l, fault.Fault{})
	check("all mended", "lpar4", "10.20.0.13", 0)
}

// Through delayed ports pass packets of every size, not only ping's: a stream
// between the two ends of each topology, with the delay on all its ports.
func TestStreamOverDelayedPorts(t *testing.T) {
	for _, name := range draw.OneIn(t, 4, topology.Builtins()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top, err := topology.Load(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			var from, to topology.Interface
			var ends [2]string
			for _, n := range top.Nodes() {
				for _, i := range n.Interfaces {
					switch {
					case n.Role != topology.LPAR:
					case !from.Address.IsValid():
						from, ends[0] = i, n.Name
					case from.Address.Contains(i.Address.Addr()):
						to, ends[1] = i, n.Name
					}
				}
			}
			if ends[1] == "" {
				t.Skip("no two partitions with netperf")
			}
			l := up(t, name)
			must(t, l, ends[1], "netserver >/dev/null 2>&1")
			stream := func(what string) {
				t.Helper()
				text := must(t, l, ends[0], "netperf -H "+to.Address.Addr().String()+" -l 1")
				f := strings.Fields(text + " -")
				if rate, err := strconv.ParseFloat(f[max(0, len(f)-2)], 64); err != nil || rate < 1 {
					t.Errorf("%s: a stream from %s to %s: got %s, want more than 1 Mbit/s", what, ends[0], ends[1], text)
				}
			}
			for _, p := range top.Switch.Ports {
				breakIt(t, l, fault.Fault{Kind: "delay", Target: p.Name, Value: "500us"})
			}
			stream("all ports delayed")
		})
	}
}
