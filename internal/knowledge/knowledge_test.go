package knowledge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// known is an attribute as the team's collection of sources has it.
type known struct {
	Name       any      `yaml:"name"`
	Layer      any      `yaml:"layer"`
	Type       string   `yaml:"type"`
	Default    any      `yaml:"default"`
	Allowed    string   `yaml:"allowed"`
	Class      string   `yaml:"outage_class"`
	Sources    []string `yaml:"sources"`
	Confidence string   `yaml:"confidence"`
}

// Where the collection has another name for a layer or a type.
var (
	nameOfLayer = map[string]string{"aix-interface": "interface", "aix-virtual-adapter": "virtual-adapter", "aix-physical-adapter": "physical-adapter",
		"aix-vnic": "vnic", "hypervisor-hmc": "hypervisor", "false": "no"}
	nameOfType = map[string]string{"ipaddr": "address", "bool01": "int", "float": "string"}
)

// severalInOne are entries of the collection that stand for several attributes
// here: by layer and the collection's name, those of the catalogue.
var severalInOne = map[string][]string{
	"vnic queues/rx_max_pkts/tx_max_pkts (driver names vary)":                                         {"queues_rx", "queues_tx", "rx_max_pkts", "tx_max_pkts"},
	"vnic backing device failover priority / capacity":                                                {"backing_failover_priority", "backing_capacity"},
	"physical-adapter compat_mode/delay_open/failover/link_up_timer/copy_bytes/alt_addr/use_alt_addr": {"compat_mode", "delay_open", "failover", "link_up_timer", "copy_bytes", "alt_addr", "use_alt_addr"},
	"physical-adapter tx_cksum / rx_cksum / rx_proc / tx_immd_copy (HEA)":                             {"tx_cksum", "rx_cksum", "rx_proc", "tx_immd_copy"},
	"etherchannel lldp_mode/mac_swap/delay_log/hcn_id/alt_addr/use_alt_addr":                          {"lldp_mode", "mac_swap", "delay_log", "hcn_id", "alt_addr", "use_alt_addr"},
	"no maxmbuf (sys0)":                            {"maxmbuf"},
	"vios rules (ARTEX)":                           {"rules"},
	"vios schedo vpm_xvcpus / vpm_fold_policy":     {"vpm_xvcpus", "vpm_fold_policy"},
	"vios topas/entstat access (SEA interface up)": {"sea_interface_state"},
	"hypervisor entitled capacity / virtual CPUs / capped|uncapped / weight / dedicated donating":                                                             {"processor"},
	"hypervisor virtual switch mode (VEB | VEPA)":                                                                                                             {"switch_mode"},
	"hypervisor virtual Ethernet slot (port_vlan_id, addl_vlan_ids, is_trunk, trunk_priority, ieee_virtual_eth, vswitch, qos_priority, allowed_os_mac_addrs)": {"virtual_ethernet_slot"},
	"hypervisor SR-IOV physical port MTU / logical port capacity":                                                                                             {"sriov_port_mtu"},
	"linux ethtool tso/tx-checksum/sg":                                                                                                                        {"tso", "tx", "rx", "sg"},
	"linux ethtool gro/lro":                                                                                                                                   {"gro", "lro"},
	"linux ibmveth receive pools":                                                                                                                             {"ibmveth-pools"},
	"linux ethtool -l/-L channels":                                                                                                                            {"channels"},
	"linux ethtool -g/-G rings":                                                                                                                               {"rings"},
	"linux ethtool -c/-C coalescing":                                                                                                                          {"coalescing"},
	"linux ethtool -a/-A pause":                                                                                                                               {"pause"},
	"linux net.ipv4.tcp_rmem / tcp_wmem":                                                                                                                      {"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"},
	"linux net.core.rmem_max / wmem_max":                                                                                                                      {"net.core.rmem_max", "net.core.wmem_max"},
	"linux net.ipv4.tcp_window_scaling / tcp_timestamps / tcp_sack":                                                                                           {"net.ipv4.tcp_window_scaling", "net.ipv4.tcp_timestamps", "net.ipv4.tcp_sack"},
	"linux net.core.netdev_max_backlog / netdev_budget":                                                                                                       {"net.core.netdev_max_backlog", "net.core.netdev_budget"},
	"linux RPS / RFS / XPS":                                                                                                                                   {"rps_cpus"},
	"linux threaded NAPI":                                                                                                                                     {"threaded"},
	"linux bonding mode / xmit_hash_policy / lacp_rate / miimon":                                                                                              {"bonding-mode", "xmit_hash_policy", "lacp_rate", "miimon"},
	"linux tcp_congestion_control / default_qdisc":                                                                                                            {"net.ipv4.tcp_congestion_control", "net.core.default_qdisc"},
}

// onPurpose are the differences that stay, each with its reason.
var onPurpose = map[string]string{
	"interface mtu_bypass: default unknown":                                    "what AIX 7.3 brings is not known: a default that nobody knows is none",
	"interface rfc1323: type bool":                                             "its values are 0 and 1, and empty: no(1) and lsattr print numbers",
	"interface tcp_nodelay: type bool":                                         "its values are 0 and 1",
	"interface tcp_sendspace: default unset in ODM; effective 262144":          "two facts: empty in the ODM, and what is in force then",
	"interface tcp_recvspace: default unset in ODM; effective 262144":          "two facts: empty in the ODM, and what is in force then",
	"interface rfc1323: default unset in ODM; effective 1":                     "two facts: empty in the ODM, and what is in force then",
	"interface rfc1323: default not set (global 0)":                            "not set is an empty value",
	"interface tcp_nodelay: default unset (0)":                                 "not set is an empty value",
	"interface tcp_mssdflt: default unset (global 1460)":                       "not set is an empty value",
	"physical-adapter large_receive: default no":                               "some drivers: the host's lsattr -D wins",
	"physical-adapter rxdesc_que_sz: range":                                    "the widest of three families of ports; the host's lsattr -R wins",
	"interface tcp_mssdflt: range":                                             "a real no -FL (AIX 7.2) prints 1 to 64K-1",
	"no tcp_mssdflt: range":                                                    "a real no -FL (AIX 7.2) prints 1 to 64K-1",
	"interface netaddr: default none":                                          "none is an empty value",
	"sea ctl_chan: default none (discovery protocol on pvid_adapter if empty)": "none is an empty value",
	"sea plso_bridge: type bool01":                                             "levels print 0 and 1, or yes and no (IBM-IJ12817)",
	"no tcp_ecn: class O0":                                                     "a real no -FL (AIX 7.2) gives it the type of new connections",
	"no tcptr_enable: class O0":                                                "a real no -FL (AIX 7.2) gives it the type of new connections",
	"no lo_perf: class O0":                                                     "a real no -FL (AIX 7.2) gives it the type of the next boot",
	"no thewall: default 4194304":                                              "follows memory: a real no -FL (AIX 7.2) has 1M and takes up to 64M",
	"no ipqmaxlen: range":                                                      "a real no -FL (AIX 7.2) prints 100 to 2G-1",
	"no ndogthreads: range":                                                    "a real no -FL (AIX 7.2) prints 0 to 256, which is what can be created",
}

// The catalogue holds what the collection holds: name, layer, type, default,
// range, outage class, sources and confidence of every attribute. What differs
// has a reason here.
func TestAttributesAgreeWithTheirSources(t *testing.T) {
	const file = "../../../shared/knowledge/attributes.yaml"
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no %s beside the repository", file)
	}
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Attributes []known `yaml:"attributes"`
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Attributes) < 171 {
		t.Fatalf("got %d attributes of %s, want 171 at least", len(doc.Attributes), file)
	}
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	report := func(got, want any, format string, args ...any) {
		difference := fmt.Sprintf(format, args...)
		used[difference] = true
		if onPurpose[difference] == "" {
			t.Errorf("%s: the catalogue has %v, the collection %v", difference, got, want)
		}
	}
	for _, k := range doc.Attributes {
		layer, name := plain(k.Layer), plain(k.Name)
		if l := nameOfLayer[layer]; l != "" {
			layer = l
		}
		if names := severalInOne[layer+" "+name]; names != nil {
			for _, n := range names {
				if _, ok := cat.Attribute(layer, n); !ok {
					t.Errorf("%s %s, of %q: not in the catalogue", layer, n, name)
				}
			}
			continue
		}
		a, ok := cat.Attribute(layer, name)
		if !ok || a.Layer != layer {
			t.Errorf("%s %s: not in the catalogue", layer, name)
			continue
		}
		compare(k, a, layer+" "+name, report)
	}
	for difference := range onPurpose {
		if !used[difference] {
			t.Errorf("%s: there is no such difference any more", difference)
		}
	}
}

func compare(k known, a *Attribute, at string, report func(got, want any, format string, args ...any)) {
	want := k.Type
	if other := nameOfType[want]; other != "" {
		want = other
	}
	if a.Type != want {
		report(a.Type, k.Type, "%s: type %s", at, k.Type)
	}
	if string(a.Class) != k.Class {
		report(a.Class, k.Class, "%s: class %s", at, k.Class)
	}
	if a.Confidence != k.Confidence {
		report(a.Confidence, k.Confidence, "%s: confidence %s", at, k.Confidence)
	}
	for _, s := range k.Sources {
		if !slices.Contains(a.Sources, s) {
			report(a.Sources, s, "%s: source %s", at, s)
		}
	}
	var have []string
	for _, d := range append(slices.Clone(a.Defaults), a.Implied...) {
		have = append(have, d.Value)
	}
	for _, d := range defaultsOf(k.Default) {
		if !vague.MatchString(d) && !slices.Contains(have, bare(d)) {
			report(have, d, "%s: default %s", at, d)
		}
	}
	if words := choice.FindString(k.Allowed); words != "" {
		for w := range strings.SplitSeq(words, "|") {
			w = strings.TrimSpace(strings.Split(strings.TrimSpace(w), " ")[0])
			if !slices.Contains(a.Values, w) && !(a.Min != nil && a.Max != nil) {
				report(a.Values, k.Allowed, "%s: values", at)
				break
			}
		}
	}
	if m := bounds.FindStringSubmatch(k.Allowed); m != nil {
		low, _ := strconv.ParseInt(m[1], 10, 64)
		if a.Values == nil && (a.Min == nil || *a.Min != low) {
			report(a.Range(), k.Allowed, "%s: range", at)
		} else if high, ok := bound(m[2:]); ok && a.Values == nil && (a.Max == nil || *a.Max != high) {
			report(a.Range(), k.Allowed, "%s: range", at)
		}
	}
}

var (
	// What the collection says in words where it knows no value.
	vague = regexp.MustCompile(`^(-|driver|read-only|.*(driver dependent|per backing port|or driver|until configured).*)$`)
	// A list of all the values there are.
	choice = regexp.MustCompile(`^[A-Za-z0-9_]+( ?\| ?[A-Za-z0-9_]+)+`)
	bounds = regexp.MustCompile(`^([0-9]+)(?:\.\.|-)([0-9]+)([KE]?)(-1)?`)
	remark = regexp.MustCompile(` (\(.*|- UNVERIFIED|/ none)$`)
)

// bound reads an upper bound as no(1) prints it: 65535, 64K, 8E-1.
func bound(m []string) (int64, bool) {
	n, err := strconv.ParseUint(m[0], 10, 64)
	switch m[1] {
	case "K":
		n <<= 10
	case "E":
		n <<= 60
	}
	if m[2] != "" {
		n--
	}
	return int64(n), err == nil && n < 1<<63
}

// bare takes a remark off a value: "1 (levels with PLSO)".
func bare(s string) string {
	for remark.MatchString(s) {
		s = remark.ReplaceAllString(s, "")
	}
	return s
}

// plain writes a YAML value as the catalogue does: yes, no and off are words.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	}
	return fmt.Sprint(v)
}

func defaultsOf(v any) []string {
	list, ok := v.([]any)
	if !ok {
		return []string{plain(v)}
	}
	var out []string
	for _, x := range list {
		m, ok := x.(map[string]any)
		if !ok {
			out = append(out, plain(x))
			continue
		}
		out = append(out, plain(m["value"]))
	}
	return out
}
