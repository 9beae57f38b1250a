package assemble_test

import (
	"strings"
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
)

// FuzzHost feeds one text as the output of any command, alone and beside the
// good list of a host's devices. Neither the model nor a path over it may
// panic, and every element must be fit for those who read it.
func FuzzHost(f *testing.F) {
	var about []assemble.About
	var hosts, devices [][]assemble.Output
	for _, a := range folders {
		outputs := load(f, a.Name)
		about, hosts = append(about, a), append(hosts, outputs)
		var first []assemble.Output
		for _, o := range outputs {
			if strings.HasPrefix(o.ID, "lsdev") || strings.HasPrefix(o.ID, "ip-") {
				first = append(first, o)
			}
		}
		devices = append(devices, first)
		for i, o := range outputs {
			f.Add(uint8(len(hosts)-1), uint8(i), o.Element, o.Text)
		}
	}
	f.Fuzz(func(t *testing.T, host, at uint8, element string, text []byte) {
		h := int(host) % len(hosts)
		o := hosts[h][int(at)%len(hosts[h])]
		o.Element, o.Text = element, text
		alone := assemble.Host(about[h], []assemble.Output{o})
		if len(text) > 0 && alone == nil {
			t.Error("got no host, want one with a gap")
		}
		for name, e := range alone.Elements {
			if e == nil || e.Name != name || e.Kind == "" || e.Attrs == nil {
				t.Errorf("element %q: got %+v, want a name, a kind and a map of attributes", name, e)
			}
		}
		beside := assemble.Host(about[h], append([]assemble.Output{o}, devices[h]...))
		graph.Of(&model.Fleet{Hosts: []*model.Host{beside, alone}}).Path(about[h].Name, about[h].Name)
	})
}
