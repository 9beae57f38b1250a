package assemble_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

func host(p model.Platform, outputs ...assemble.Output) *model.Host {
	for i := range outputs {
		outputs[i].Command = strings.TrimSpace(outputs[i].ID + " " + outputs[i].Element)
	}
	return assemble.Host(assemble.About{Name: "h", Platform: p}, outputs)
}

func text(id, element, s string) assemble.Output {
	return assemble.Output{ID: id, Element: element, Text: []byte(s)}
}

// show is a value that may be unknown.
func show[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

func value(h *model.Host, element, name string) string {
	e := h.Elements[element]
	if e == nil || e.Attrs[name] == nil {
		return "-"
	}
	return show(e.Attrs[name].Running)
}

func TestPartition(t *testing.T) {
	lparcfg := "lparcfg 1.9\nserial_number=IBM,0212345AB\nsystem_type=IBM,9009-22A\n"
	for _, c := range []struct {
		name     string
		platform model.Platform
		output   assemble.Output
		want     string // name number type mode entitled cpus weight
	}{
		{"shared", model.AIX, text("lparstat-i", "", "Node Name : a\nPartition Name : prod 1\nPartition Number : 3\nType : Shared-SMT-4\nMode : Uncapped\nEntitled Capacity : 0.30\nOnline Virtual CPUs : 2\nVariable Capacity Weight : 128\n"),
			"prod 1 3 Shared-SMT-4 Uncapped 0.3 2 128"},
		{"dedicated", model.AIX, text("lparstat-i", "", "Partition Name : d\nPartition Number : 4\nType : Dedicated-SMT-8\nMode : Capped\nEntitled Capacity : 4.00\nOnline Virtual CPUs : 4\nVariable Capacity Weight : -\n"),
			"d 4 Dedicated-SMT-8 Capped 4 4 -"},
		{"half of it", model.AIX, text("lparstat-i", "", "Partition Name : d\nEntitled Capacity : -\n"), "d -   - - -"},
		{"prtconf", model.AIX, text("prtconf", "", "System Model: IBM,9009-22A\nMachine Serial Number: 12345AB\nProcessor Type: PowerPC_POWER9\nLPAR Info: 7 prod7\n"), "prod7 7   - - -"},
		{"Linux, shared", model.Linux, text("lparcfg", "", lparcfg+"partition_id=5\npartition_entitled_capacity=20\npartition_active_processors=1\ncapacity_weight=200\ncapped=0\nshared_processor_mode=1\n"),
			" 5 Shared Uncapped 0.2 1 200"},
		{"Linux, dedicated", model.Linux, text("lparcfg", "", lparcfg+"partition_id=5\npartition_entitled_capacity=400\npartition_active_processors=4\ncapacity_weight=0\ncapped=1\nshared_processor_mode=0\npartition_name=db\n"),
			"db 5 Dedicated Capped 4 4 -"},
		{"Linux, nothing of it", model.Linux, text("lparcfg", "", "lparcfg 1.9\nDisWheRotPer=0\n"), " -   - - -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := host(c.platform, c.output).Partition
			got := fmt.Sprint(p.Name, " ", show(p.Number), " ", p.Type, " ", p.Mode, " ", show(p.Entitled), " ", show(p.VirtualCPUs), " ", show(p.Weight))
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestManagedSystem(t *testing.T) {
	sys0 := text("lsattr-El", "sys0", "modelname IBM,9009-22A  Machine name               False\nsystemid  IBM,0212345AB Hardware system identifier False\n")
	vios := text("lsdev-dev-attr", "sys0", "attribute value         description                user_settable\n\nmodelname IBM,9009-22A  Machine name               False\nsystemid  IBM,0212345AB Hardware system identifier False\n")
	prtconf := text("prtconf", "", "System Model: IBM,9009-22A\nMachine Serial Number: 12345AB\n")
	other := text("prtconf", "", "System Model: IBM,9009-22A\nMachine Serial Number: 99999ZZ\n")
	lparcfg := text("lparcfg", "", "serial_number=IBM,0212345AB\nsystem_type=IBM,9009-22A\n")
	guest := text("lparcfg", "", "serial_number=UNKNOWN\nsystem_type=IBM pSeries (emulated by qemu)\n")
	for _, c := range []struct {
		name     string
		platform model.Platform
		outputs  []assemble.Output
		want     string
		gap      string
	}{
		{"lsattr", model.AIX, []assemble.Output{sys0}, "9009-22A*12345AB", ""},
		{"VIOS lsdev", model.VIOS, []assemble.Output{vios}, "9009-22A*12345AB", ""},
		{"prtconf", model.AIX, []assemble.Output{prtconf}, "9009-22A*12345AB", ""},
		{"both agree", model.AIX, []assemble.Output{prtconf, sys0}, "9009-22A*12345AB", ""},
		{"both differ", model.AIX, []assemble.Output{sys0, other}, "9009-22A*12345AB", "another output says"},
		{"Linux", model.Linux, []assemble.Output{lparcfg}, "9009-22A*12345AB", ""},
		{"a guest elsewhere", model.Linux, []assemble.Output{guest}, "", "not those of a Power system"},
		{"half of it", model.AIX, []assemble.Output{text("lsattr-El", "sys0", "modelname IBM,9009-22A Machine name                               False\nrealmem   16777216     Amount of usable physical memory in Kbytes False\n")}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := host(c.platform, c.outputs...)
			if h.MachineID != c.want {
				t.Errorf("got %q, want %q", h.MachineID, c.want)
			}
			if has := slices.ContainsFunc(h.Gaps, func(g model.Gap) bool { return strings.Contains(g.Why, c.gap) }); c.gap != "" && !has || c.gap == "" && len(h.Gaps) > 0 {
				t.Errorf("gaps: got %v, want %q", h.Gaps, c.gap)
			}
		})
	}
}

func TestRoutes(t *testing.T) {
	aix := "Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\nRoute Tree for Protocol Family 2 (Internet):\n" +
		"default            10.1.2.1          UG        3     51 en0      -      -\n10.1.2.0           10.1.2.7          UHSb      0      0 en0      -      -   =>\n" +
		"10.1.2/23          10.1.2.7          U         9     99 en0      -      -\n172.16/12          10.1.3.1          UG        0      0 en1      -      -\n127/8              127.0.0.1         U         1      9 lo0      -      -\n" +
		"\nRoute Tree for Protocol Family 24 (Internet v6):\n::1%1              ::1%1             UH        1     22 lo0      -      -\n2001:db8::/64      link#2            U         0      0 en0      -      -\n"
	linux := `[{"dst":"default","gateway":"10.1.2.1","dev":"eth0","protocol":"dhcp","metric":100,"flags":[]},{"dst":"default","gateway":"10.1.3.1","dev":"eth1","metric":50,"flags":[]},` +
		`{"dst":"10.1.2.0/23","dev":"eth0","protocol":"kernel","scope":"link","flags":[]},{"type":"unreachable","dst":"192.0.2.0/24","flags":[]}]` + "\n"
	for _, c := range []struct {
		name string
		host *model.Host
		want []string
		to   map[string]string // address: interface and gateway
	}{
		{"AIX", host(model.AIX, text("netstat-rn", "", aix)),
			[]string{"0.0.0.0/0 10.1.2.1 en0", "10.1.2.0/32 - en0", "10.1.2.0/23 - en0", "172.16.0.0/12 10.1.3.1 en1", "2001:db8::/64 - en0"},
			map[string]string{"10.1.3.9": "en0 -", "172.31.0.1": "en1 10.1.3.1", "8.8.8.8": "en0 10.1.2.1", "2001:db8::7": "en0 -", "2001:db9::1": "none"}},
		{"Linux", host(model.Linux, text("ip-route", "", linux)),
			[]string{"0.0.0.0/0 10.1.2.1 eth0", "0.0.0.0/0 10.1.3.1 eth1", "10.1.2.0/23 - eth0", "192.0.2.0/24 - "},
			map[string]string{"10.1.3.9": "eth0 -", "8.8.8.8": "eth1 10.1.3.1", "192.0.2.7": " -"}},
		{"none", host(model.Linux, text("ip-route", "", "[]\n")), []string{}, map[string]string{"8.8.8.8": "none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := func(r *model.Route) string {
				gateway := "-"
				if r.Gateway.IsValid() {
					gateway = r.Gateway.String()
				}
				return gateway
			}
			got := []string{}
			for _, r := range c.host.Routes {
				got = append(got, r.To.String()+" "+one(&r)+" "+r.Interface)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("routes (-want +got):\n%s", diff)
			}
			if c.host.Routes == nil {
				t.Error("got no list, want one that says that the routes were read")
			}
			for to, want := range c.to {
				got := "none"
				if r := c.host.Route(addr(t, to)); r != nil {
					got = r.Interface + " " + one(r)
				}
				if got != want {
					t.Errorf("to %s: got %s, want %s", to, got, want)
				}
			}
		})
	}
}

// netstat -v prints every adapter's statistics in a row; what entstat says of
// one of them holds. no -o asks for one option.
func TestSavedTexts(t *testing.T) {
	block := func(name, device string, packets int) string {
		return fmt.Sprintf("-------------------------------------------------------------\nETHERNET STATISTICS (%s) :\nDevice Type: %s\nHardware Address: 02:00:00:00:00:07\n\n"+
			"Transmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\n"+
			"Packets: %d                                   Packets: %d\n\nGeneral Statistics:\n-------------------\nNo mbuf Errors: 0\n\n", name, device, packets, packets+1)
	}
	h := host(model.AIX,
		text("entstat-d", "ent1", block("ent1", "Virtual I/O Ethernet Adapter (l-lan)", 700)),
		text("netstat-v", "", block("ent0", "PCIe3 4-Port 10GbE SR Adapter", 100)+block("ent1", "Virtual I/O Ethernet Adapter (l-lan)", 200)),
		text("no-o", "", "sb_max = 4194304\n"))
	got := map[string]string{}
	for name, e := range h.Elements {
		got[name] = fmt.Sprint(e.Kind, " ", e.Counters.Map()["tx.Packets"], " ", e.Counters.Map()["rx.Packets"])
	}
	want := map[string]string{"ent0": "physical-adapter 100 101", "ent1": "virtual-adapter 700 701"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("adapters (-want +got):\n%s", diff)
	}
	if a := h.Tunables["sb_max"]; a == nil || show(a.Running) != "4194304" {
		t.Errorf("sb_max: got %+v, want 4194304", a)
	}
}

// padmin without root has netstat's addresses, and their lengths elsewhere.
func TestAddressesWithoutIfconfig(t *testing.T) {
	in := text("netstat-in", "", "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\nen5   1500  link#2      32.43.1.2.0.0       11     0       12     0     0\nen5   1500  10.10.10    10.10.10.21         11     0       12     0     0\nen6*  1500  link#3      32.43.1.2.0.6        0     0        0     0     0\n")
	list := text("lsdev", "", "name             status      description\nent5             Available   Shared Ethernet Adapter\nen5              Available   Standard Ethernet Network Interface\nen6              Available   Standard Ethernet Network Interface\n")
	odm := func(address string) assemble.Output {
		return text("lsdev-dev-attr", "en5", "attribute value         description            user_settable\n\nnetaddr   "+address+"   Internet Address       True\nnetmask   255.255.255.0 Subnet Mask            True\n")
	}
	routes := text("netstat-rn", "", "Routing tables\nDestination        Gateway           Flags   Refs     Use  If   Exp  Groups\n\nRoute Tree for Protocol Family 2 (Internet):\ndefault            10.10.10.1        UG        3     51 en5      -      -\n10.10.10/26        10.10.10.21       U         9     99 en5      -      -\n")
	for _, c := range []struct {
		name    string
		outputs []assemble.Output
		want    string
		gap     bool
	}{
		{"from the ODM", []assemble.Output{list, in, odm("10.10.10.21")}, "[10.10.10.21/24]", false},
		{"from a route", []assemble.Output{list, in, routes}, "[10.10.10.21/26]", false},
		{"the ODM has another", []assemble.Output{list, in, odm("10.10.99.21")}, "[]", true},
		{"from nowhere", []assemble.Output{list, in}, "[]", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := host(model.VIOS, c.outputs...)
			if got := fmt.Sprint(h.Elements["en5"].Addrs); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got := slices.ContainsFunc(h.Gaps, func(g model.Gap) bool { return strings.Contains(g.Why, "netmask") }); got != c.gap {
				t.Errorf("gaps: got %v, want one about the netmask: %t", h.Gaps, c.gap)
			}
			if up, down := show(h.Elements["en5"].Up), show(h.Elements["en6"].Up); up != "true" || down != "false" {
				t.Errorf("up: got en5 %s, en6 %s; want true, false", up, down)
			}
		})
	}
}
