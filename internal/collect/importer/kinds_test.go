package importer_test

import (
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// dated puts a time before each line, numbered a number.
func dated(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString("[10:00:01] " + l)
	}
	return b.String()
}

func numbered(text string) string {
	var b strings.Builder
	n := 0
	for l := range strings.Lines(text) {
		n++
		b.WriteString("     " + string(rune('0'+n%10)) + "\t" + l)
	}
	return b.String()
}

const features = "Features for eth0:\nrx-checksumming: on\ntx-checksumming: on\nscatter-gather: on\ntcp-segmentation-offload: off\n"

// Forms in which people save outputs of Linux and AIX: each is read as the output that it is.
func TestSavedForms(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		kind string // of an output in it
		host string
	}{
		"prompt without a blank":        {"lpar1:/root>lsattr -El en0\n" + off, "lsattr -El", "lpar1"},
		"prompt with an area":           {"lpar1:PROD:/home/padmin >lsattr -El en0\n" + off, "lsattr -El", "lpar1"},
		"prompt with user and words":    {"lpar1(root):/home $(db one) lsattr -El en0\n" + off, "lsattr -El", "lpar1"},
		"sign without a blank":          {"#cat /proc/net/sockstat\nsockets: used 290\n", "cat /proc/net/sockstat", ""},
		"Markdown":                      {strings.NewReplacer("_", `\_`, "-", `\-`).Replace("# ethtool -S eth0\n" + missed("7")), "ethtool -S", ""},
		"a time before each line":       {dated("# ethtool -k eth0\n" + features), "ethtool -k", ""},
		"numbers before each line":      {numbered(features), "ethtool -k", ""},
		"heading in German":             {"Befehl: ethtool -k eth0\n" + features, "ethtool -k", ""},
		"headings in French":            {"=== Interfaces réseau ===\n" + address("eth0", "192.0.2.9") + "\n=== Déchargement ===\n" + features, "ip addr", ""},
		"headings in words":             {"** Network status:\n*** IP interfaces:\n" + address("eth0", "192.0.2.9") + "\n*** Features:\n" + features, "ethtool -k", ""},
		"sadf -d":                       {"# hostname;interval;timestamp;IFACE;rxpck/s\nweb7;600;2026-11-27 00:10:01 UTC;eth0;1200.10\n", "sadf -d", "web7"},
		"facts of Ansible":              {"web7 | SUCCESS => {\n    \"ansible_facts\": {\n        \"ansible_hostname\": \"web7\"\n    }\n}\n", "ansible -m setup", "web7"},
		"lines that grep left":          {"# netstat -s | egrep '(collapse|prune)'\n    10 packets pruned from receive queue because of socket buffer overrun\n", "netstat -s (Linux)", ""},
		"interrupts that grep left":     {"$ cat /proc/interrupts | grep eth0\n 56:  3124  0  PCI-MSI 5767168-edge  eth0-rxtx-0\n 57:  3124  0  PCI-MSI 5767169-edge  eth0-rxtx-1\n", "cat /proc/interrupts", ""},
		"log of Open vSwitch":           {"2024-05-02T10:20:30.110Z|00002|netdev_dpdk(pmd-c03/id:7)|WARN|vhost0: Too big size 1574 max_packet_len 1518\n", "dmesg", ""},
		"a log keeps its times":         {"Nov 26 10:00:01 web7 kernel: eth0: link up\nNov 26 10:00:02 web7 kernel: eth0: link down\n", "dmesg", ""},
		"a capture keeps its times":     {"07:25:14.196000 IP 203.0.113.87.1 > 203.0.113.220.53: 8166+ A? db. (28)\n07:25:19.2 IP 203.0.113.87.1 > 203.0.113.220.53: 8166+ A? db. (28)\n", "tcpdump", ""},
		"iperf3 as JSON":                {`{"start":{"connected":[{"local_host":"192.0.2.41","remote_host":"192.0.2.42"}],"version":"iperf 3.9"},"end":{"sum_received":{"bits_per_second":5e7}}}` + "\n", "iperf3 --json", ""},
		"an attribute that is a number": {"name=sys1,type_model=9009-22A,serial_num=7812345,5250_application_capable=0,cod_mem_capable=1\n", "lssyscfg -r sys", ""},
		"a record with blanks":          {"name=sys1, type_model=9009-22A,\tserial_num=7812345, \"hca=a,b\"\n", "lssyscfg -r sys", ""},
		"a map with tabs":               {"SVEA\tPhysloc\n------ --------------------------------------------\nent4\tU9009.22A.7812345-V1-C2-T1\n\nSEA\tent5\nBacking device\tent0\nStatus\tAvailable\nPhysloc\tU78D3.001.WZS0001-P1-C6-T1\n", "lsmap -all -net", ""},
	} {
		r, err := importer.Import(t.Context(), []string{put(t, map[string]string{"saved.txt": c.text})}, t.TempDir(), importer.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		kinds, unknown := "", 0
		for _, p := range r.Files[0].Parts {
			kinds += p.Kind + ", "
			unknown += len(p.Unknown)
		}
		if !strings.Contains(kinds, c.kind) || unknown > 0 {
			t.Errorf("%s: got %s with %d lines not understood, want %s", name, kinds, unknown, c.kind)
		}
		if c.host != "" && (len(r.Hosts) != 1 || r.Hosts[0].Host != c.host) {
			t.Errorf("%s: hosts %+v, want %s", name, r.Hosts, c.host)
		}
	}
}

// The files of HMC Scanner, which are named after systems, are of the HMC that their folder is named after; archives and tables
// that are not read say what to do.
func TestFilesOfAnHMC(t *testing.T) {
	lpar := "name=lpar7,lpar_id=7,lpar_env=aixlinux,state=Running,resource_config=1,os_version=AIX 7.2,default_profile=normal,rmc_state=active\n"
	port := "lpar_name=lpar7,lpar_id=7,slot_num=2,state=1,is_required=0,is_trunk=0,trunk_priority=,ieee_virtual_eth=0,port_vlan_id=10," +
		"vswitch=ETHERNET0,addl_vlan_ids=,mac_addr=FAC2114C2002\n"
	r, _ := imported(t, importer.Options{}, put(t, map[string]string{"hmc01/srv1_lpar.dat": lpar, "hmc01/srv1_veth.dat": port,
		"hmc01/all.7z": "7z\xbc\xaf\x27\x1c\x00\x04\x00\x00", "hmc01/scan.xls": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00"}))
	if got := found(r); len(got) != 1 || !strings.HasPrefix(got["hmc01"], "hmc") {
		t.Errorf("got %v, want hmc01 alone", got)
	}
	for _, f := range r.Files {
		if f.Kind == importer.Unrecognised && !strings.Contains(strings.Join(f.Parts[0].Warnings, " "), "not read: a") {
			t.Errorf("%s: got %q, want what to do", f.File, f.Parts[0].Warnings)
		}
	}
}
