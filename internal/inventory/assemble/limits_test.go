package assemble_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// What limits a device beside its own settings: its queueing discipline, its routes, bounds on segments.
func TestLimits(t *testing.T) {
	ports := `[{"ifname":"eth0","flags":["UP"],"mtu":1500,"link_type":"ether","gso_max_size":2000,"gso_max_segs":3,"tso_max_size":524280,` +
		`"tso_max_segs":65535},{"ifname":"eth1","flags":["UP"],"mtu":1500,"link_type":"ether"},{"ifname":"eth2","flags":["UP"],"mtu":1500,` +
		`"link_type":"ether"}]` + "\n"
	disciplines := "qdisc mq 0: dev eth0 root \nqdisc tbf 1: dev eth0 parent :1 rate 50Mbit burst 32Kb lat 50ms \n" +
		"qdisc tbf 2: dev eth0 parent :2 rate 20Mbit burst 32Kb lat 50ms \nqdisc fq_codel 0: dev eth1 root refcnt 2 limit 10240p\n" +
		"qdisc htb 1: dev eth2 root refcnt 2 r2q 10 default 0x30 direct_packets_stat 0\n" +
		" Sent 98200 bytes 712 pkt (dropped 0, overlimits 9 requeues 0) \n"
	disciplines += "qdisc ingress ffff: dev eth1 parent ffff:fff1 ---------------- \n Sent 560 bytes 400 pkt (dropped 30, overlimits 0 requeues 0) \n"
	disciplines += "qdisc htb 1: dev tap3f root refcnt 2 r2q 10 \n Sent 98200 bytes 712 pkt (dropped 4, overlimits 31 requeues 0) \n" +
		"qdisc noqueue 0: dev tap40 root refcnt 2 \n"
	alone := assemble.Host(assemble.About{Name: "h", Platform: model.Linux}, []assemble.Output{{ID: "tc-qdisc",
		Command: "tc -s qdisc show dev vnet5", Text: []byte("qdisc tbf 8001: root refcnt 2 rate 30Mbit burst 32Kb lat 50ms \n")}})
	if e := alone.Elements["vnet5"]; e == nil || e.Attrs["shaped-by"].Current() != "tbf rate 30Mbit" {
		t.Errorf("a device that only the command names: got %+v, want its limit", e)
	}
	inJSON := `[{"dst":"192.0.2.0/24","dev":"eth0","protocol":"kernel","scope":"link","metrics":[{"mtu":1400}]},` +
		`{"dst":"default","gateway":"192.0.2.1","dev":"eth0","metrics":[{"mtu":600,"window":8192,"advmss":500,"rto_min":300}]},` +
		`{"dst":"10.8.0.0/24","gateway":"192.0.2.1","dev":"eth0","metrics":[{"window":16384}]},` +
		`{"dst":"198.51.100.0/24","dev":"eth1","scope":"link","flags":[]}]` + "\n"
	inText := "192.0.2.0/24 dev eth0 proto kernel scope link mtu lock 1400 \ndefault via 192.0.2.1 dev eth0 mtu 600 window 8192 advmss 500\n" +
		"10.8.0.0/24 via 192.0.2.1 dev eth0 window 16384 \n198.51.100.0/24 dev eth1 proto kernel scope link\n"
	want := map[string]string{
		"eth0 shaped-by": "tbf rate 20Mbit", "eth0 shaped-kbit": "20000", "eth1 shaped-by": "none", "eth1 shaped-kbit": "",
		"eth2 shaped-by": "htb classes", "tap3f shaped-by": "htb classes", "tap40 shaped-by": "",
		"eth0 gso_max_size": "2000", "eth0 gso_max_segs": "3", "eth0 tso_max_size": "524280",
		"eth1 gso_max_size": "", "eth0 link-route-mtu": "1400", "eth0 route-mtu": "600", "eth0 route-window": "8192", "eth0 route-mss": "500",
		"eth0 route-limits": "window 16384", "eth1 route-limits": "none", "eth2 route-limits": "",
	}
	for id, routes := range map[string]string{"ip-route": inJSON, "ip-route-text": inText} {
		h := host(model.Linux, text(id, "", routes), text("tc-qdisc", "", disciplines), text("ip-addr", "", ports))
		if c := h.Elements["eth1"].Counters.Map(); c["qdisc_ingress_drops"] != 30 || c["qdisc_ingress_packets"] != 400 {
			t.Errorf("counters of what arrives: got %v, want 30 of 400 dropped", c)
		}
		got := map[string]string{}
		for at := range want {
			for _, e := range h.Elements {
				for name, a := range e.Attrs {
					if at == e.Name+" "+name {
						got[at] = a.Current()
					}
				}
			}
			got[at] += ""
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: attributes (-want +got):\n%s", id, d)
		}
	}
}
