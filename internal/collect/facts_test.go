package collect

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
)

// givenBy says of each function of the rules' language which commands, by their
// IDs, report what it asks for; "" stands for functions that ask nothing of a
// host themselves: they join elements, or compute.
var givenBy = map[string]string{
	"has": "", // of CEL: that a fact is there

	"attr":         "lsattr-El",
	"num":          "lsattr-El",
	"nums":         "sysctl",
	"on":           "lsattr-El ifconfig-a",
	"off":          "lsattr-El ifconfig-a",
	"known":        "",
	"fixed":        "ethtool-k",
	"bind":         "",
	"below":        "lsattr-El",
	"changed":      "no-L lsattr-Dl",
	"allowed":      "lsattr-Rl",
	"default":      "lsattr-Dl",
	"effective":    "lsattr-El ifconfig-a no-a",
	"flag":         "ifconfig-a entstat-d",
	"level":        "oslevel-s ioslevel uname-a",
	"installed":    "instfix-ik",
	"lacks_fix":    "instfix-ik",
	"affected":     "instfix-ik lslpp-Lc emgr-l lsmcode oslevel-s ioslevel uname-a",
	"suspected":    "instfix-ik lslpp-Lc emgr-l lsmcode oslevel-s ioslevel uname-a",
	"interim_fix":  "emgr-l",
	"tools_below":  "powerpc-utils",
	"logged":       "errpt",
	"runs":         "lssrc-a",
	"nfs_mounts":   "nfsstat",
	"distinct":     "",
	"has_protocol": "",
	"counter":      "entstat-d ethtool-S",
	"has_counter":  "entstat-d ethtool-S",
	"ppm":          "entstat-d ethtool-S",
	"rate":         "entstat-d ethtool-S",
	"protocol":     "netstat-s proc-net-snmp proc-net-netstat softnet-stat",
	"pool":         "entstat-d",
	"exists":       "",
	"unknown":      "",
	"sum":          "",
	"double":       "",
	"per_second":   "entstat-d",
	"siblings":     "lsdev-Cc-adapter",
	"all":          "",
	"filter":       "",
	"map":          "",
	"size":         "",
	"matches":      "",
	"contains":     "",
	"fact":         "",
	"has_fact":     "",
	"element":      "",
	"least":        "",
}

var (
	quoted = regexp.MustCompile(`"[^"]*"`)
	called = regexp.MustCompile(`\b([a-z_]+)\(`)
	named  = regexp.MustCompile(`\b(?:attr|num|nums|on|off|known|allowed|changed|below|effective|default)\("([a-zA-Z0-9_.-]+)"`)
	// What reads an attribute, by the first words of its command in the catalogue.
	readBy = []struct{ line, id string }{
		{"lsattr -El", "lsattr-El"}, {"lsdev -dev", "lsdev-dev-attr"}, {"ioscli lsdev", "lsdev-dev-attr"}, {"no -", "no-a"}, {"no ", "no-L"}, {"ethtool -k", "ethtool-k"}, {"ethtool -g", "ethtool-g"}, {"ethtool -a", "ethtool-a"},
		{"ethtool -l", "ethtool-l"}, {"ethtool -c", "ethtool-c"}, {"sysctl", "sysctl"}, {"cat /sys/devices/system/cpu", "sys-cpu"}, {"cat /sys", "sys-class-net"}, {"cat /proc/net/bonding", "sys-class-net"}, {"cat /etc/tuned", "boot-files"}, {"virsh ", "virsh-dumpxml"}, {"ovs-vsctl", "ovs-vsctl-list"}, {"ip ", "ip-addr"}, {"entstat", "entstat-d"}, {"ifconfig", "ifconfig-a"},
	}
)

// No rule asks for what no collected command prints, except for the facts that
// users give.
func TestRulesAskForWhatIsCollected(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	collected := map[string]bool{}
	for _, it := range everyItem() {
		collected[it.ID] = true
	}
	// What nobody sets is not an attribute: the LACP state of members from entstat, the state of bonds from sysfs, a port's duplex.
	printed := []string{"partner_system", "partner_key", "synchronization", "lacp_expired", "lacp_defaulted", "ad_partner_mac", "ad_num_ports", "active_slave", "duplex",
		"combined-channels", "rx-channels", "irqs", "irqs-cpu", "irqs-off-node", "rss-queues", "tunnel-overhead",
		"shaped-by", "shaped-kbit", "route-limits", "route-window", "route-mss", "route-mtu", "link-route-mtu",
		"gso_max_size", "gso_max_segs", "tso_max_size", "tso_max_segs"}
	attributes := 0
	for _, r := range cat.Rules() {
		for _, k := range r.Checks {
			text := k.When + " " + k.Condition
			for _, m := range called.FindAllStringSubmatch(quoted.ReplaceAllString(text, `""`), -1) {
				ids, known := givenBy[m[1]]
				if !known {
					t.Errorf("rule %s: no line above says which command gives %s()", r.ID, m[1])
				}
				for id := range strings.FieldsSeq(strings.ReplaceAll(ids, "attribute", "")) {
					if !collected[id] {
						t.Errorf("rule %s: %s() needs %s, which is not collected", r.ID, m[1], id)
					}
				}
			}
			for _, m := range named.FindAllStringSubmatch(text, -1) {
				attributes++
				if !slices.Contains(printed, m[1]) && !readable(cat, m[1], collected) {
					t.Errorf("rule %s: nothing that is collected prints %s", r.ID, m[1])
				}
			}
		}
	}
	if attributes < 50 {
		t.Errorf("got %d attributes in the rules, want more: the test looked at nothing", attributes)
	}
}

// readable says that an attribute of some layer is read by what is collected.
func readable(cat *knowledge.Catalog, name string, collected map[string]bool) bool {
	for _, a := range cat.Attributes("") {
		if a.Name != name {
			continue
		}
		for _, line := range a.Read {
			for _, x := range readBy {
				if strings.HasPrefix(line, x.line) && collected[x.id] {
					return true
				}
			}
		}
	}
	return false
}
