package collect

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/catalog"
)

// givenBy says of each word of the rules' language which commands, by their
// IDs, tell what it asks for; "" stands for words that ask nothing of a host
// themselves: they join elements, or compute.
var givenBy = map[string]string{
	"attr": "attribute", "num": "attribute", "on": "attribute", "off": "attribute", "has": "attribute", "below": "attribute", "changed": "attribute no-L", "allowed": "lsattr-Rl",
	"unusual": "lsattr-Dl no-L", "drift": "lsattr-El entstat-d no-L",
	"flag": "ifconfig-a entstat-d", "up": "ifconfig-a netstat-in", "used": "ifconfig-a netstat-in ip-link", "link": "entstat-d", "speed": "entstat-d ethtool", "trunk": "entstat-d", "pvid": "entstat-d",
	"vlans": "entstat-d", "state": "entstat-d", "bridging": "entstat-d", "flow": "entstat-d", "level": "oslevel-s ioslevel uname-a",
	"largesend": "lsattr-El ifconfig-a", "differs": "lsattr-El ifconfig-a", "sendspace": "lsattr-El ifconfig-a no-a", "recvspace": "lsattr-El ifconfig-a no-a", "scaling": "lsattr-El ifconfig-a no-a",
	"largest_buffer": "lsattr-El no-a", "partition": "lparstat-i", "fixed": "instfix-ik",
	"counter": "entstat-d ethtool-S", "counted": "entstat-d ethtool-S", "ppm": "entstat-d ethtool-S", "rate": "entstat-d ethtool-S", "proto": "netstat-s proc-net-snmp", "deltas": "",
	"pools": "entstat-d", "low": "entstat-d", "high": "entstat-d", "least": "entstat-d", "most": "entstat-d", "starved": "entstat-d", "grown": "entstat-d", "roomier": "lsattr-Rl lsattr-El", "topped": "lsattr-Rl lsattr-El",
	"adapter": "lsdev-Cc-if", "ports": "lsattr-El", "real": "lsattr-El", "trunks": "lsattr-El lsmap-all-net", "members": "lsattr-El", "named": "lsdev-Cc-adapter", "over": "lsdev-Cc-if", "owners": "lsattr-El",
	"interfaces": "lsdev-Cc-if", "siblings": "lsdev-Cc-adapter", "options": "no-a sysctl", "seas": "entstat-d", "clients": "entstat-d", "seen": "entstat-d", "loose": "", "mates": "entstat-d", "bridged": "entstat-d", "twice": "entstat-d",
	"control": "lsattr-El entstat-d", "carriers": "entstat-d", "mixed": "lsattr-El", "subnet_mtu": "ifconfig-a netstat-in", "wider_mtu": "ifconfig-a netstat-in", "agreed": "ifconfig-a netstat-in", "peers": "", "within": "",
	"virtual": "lsdev-Cc-adapter", "virtuals": "lsdev-Cc-adapter", "priority": "entstat-d", "active": "entstat-d", "misplaced": "entstat-d", "torn": "entstat-d",
	"controls": "entstat-d", "vswitch": "entstat-d", "tag": "lsattr-El", "twins": "entstat-d", "alone": "entstat-d", "private": "entstat-d", "unread": "",
	"measured": "", "given": "", "unknown": "", "one_of": "", "list": "", "third": "", "doubled": "",
	"any": "", "all": "", "none": "", "len": "", "map": "", "max": "", "sum": "", "concat": "", "bitand": "", "filter": "", "count": "", "min": "",
}

var (
	quoted = regexp.MustCompile(`"[^"]*"`)
	called = regexp.MustCompile(`\b([a-z_]+)\(`)
	named  = regexp.MustCompile(`\b(?:attr|num|on|off|has|allowed|changed|below)\((?:[^()"]|\([^()]*\))*, "([a-zA-Z0-9_.-]+)"`)
	// What reads an attribute, by the first words of its command in the catalogue.
	readBy = []struct{ line, id string }{
		{"lsattr -El", "lsattr-El"}, {"lsdev -dev", "lsdev-dev-attr"}, {"ioscli lsdev", "lsdev-dev-attr"}, {"no -", "no-a"}, {"no ", "no-L"}, {"ethtool -k", "ethtool-k"}, {"ethtool -g", "ethtool-g"}, {"ethtool -a", "ethtool-a"},
		{"ethtool -l", "ethtool-l"}, {"ethtool -c", "ethtool-c"}, {"sysctl", "sysctl"}, {"cat /sys", "sys-class-net"}, {"cat /proc/net/bonding", "sys-class-net"}, {"ip ", "ip-link"}, {"entstat", "entstat-d"}, {"ifconfig", "ifconfig-a"},
	}
)

// No rule asks for what no collected command tells, except for the facts that
// users give.
func TestRulesAskForWhatIsCollected(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	collected := map[string]bool{}
	for _, it := range everyItem() {
		collected[it.ID] = true
	}
	// The members' LACP state is no attribute: assemble takes it from entstat.
	printed := []string{"partner_system", "partner_key", "synchronization"}
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
					t.Errorf("rule %s: nothing that is collected tells %s", r.ID, m[1])
				}
			}
		}
	}
	if attributes < 50 {
		t.Errorf("got %d attributes in the rules, want more: the test looked at nothing", attributes)
	}
}

// readable says that an attribute of some layer is read by what is collected.
func readable(cat *catalog.Catalog, name string, collected map[string]bool) bool {
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
