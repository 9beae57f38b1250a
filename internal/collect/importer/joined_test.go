package importer

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/base/progress"
	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/importertest"
)

var everyPair = flag.Bool("every-pair", false, "join the outputs of all pairs of hosts, in every way")

var joinings = flag.Int("joinings", 0, "draw so many texts of the outputs of two hosts; 0: a few that are always the same")

// fewJoinings are made each time.
const fewJoinings = 20

// saved is one output of a host as it was printed.
type saved struct{ command, text string }

// joinedHost is a host whose outputs are joined with those of another one.
type joinedHost struct {
	from    string // where its outputs are from
	linux   bool
	outputs []saved
}

// named are its outputs with those among them that say who it is: each of the given kinds.
func (h joinedHost) named(name string, number int, identity identity) []saved {
	of := identity.aix
	if h.linux {
		of = identity.linux
	}
	own := saved{of.command, strings.NewReplacer("NAME", name, "HX", fmt.Sprintf("%02X", number), "hx", fmt.Sprintf("%02x", number), "NN", fmt.Sprint(number)).Replace(of.text)}
	return append([]saved{own}, h.outputs...)
}

// identity is an output that cannot be of another host.
type identity struct {
	linux, aix saved
	names      bool // it gives the host's name
}

var identities = map[string]identity{
	"node names": {names: true,
		linux: saved{"uname -a", "Linux NAME 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 x86_64 GNU/Linux\n"},
		aix:   saved{"uname -a", "AIX NAME 2 7 00C8D2E44CNN\n"}},
	"MACs": {
		linux: saved{"ip addr", "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n    link/loopback 0:0:0:0:0:0 brd 0:0:0:0:0:0\n" +
			"    inet 127.0.0.1/8 scope host lo\n2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000\n" +
			"    link/ether 52:54:aa:bb:cc:hx brd ff:ff:ff:ff:ff:ff\n    inet 192.0.2.NN/24 brd 192.0.2.255 scope global eth0\n"},
		aix: saved{"netstat -in", "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\n" +
			"en0   1500  link#2      fa.c2.11.4c.20.hx   8123041     0  7901144     3     0\nen0   1500  192.0.2     192.0.2.NN        8123041     0  7901144     3     0\n" +
			"lo0   16896 link#1                          52120     0    52120     0     0\n"}},
	"permanent addresses": {
		linux: saved{"ethtool -P eth0", "Permanent address: 52:54:aa:bb:cc:hx\n"},
		aix: saved{"lscfg -vl ent0", "  ent0             U9009.22A.78123NN-V7-C2-T1  Virtual I/O Ethernet Adapter (l-lan)\n\n" +
			"        Network Address.............FAC2114C20HX\n        Displayable Message.........Virtual I/O Ethernet Adapter (l-lan)\n" +
			"        Hardware Location Code......U9009.22A.78123NN-V7-C2-T1\n"}},
	"serial numbers": {
		linux: saved{"hostnamectl", " Static hostname: NAME\n       Icon name: computer-server\n         Chassis: server\n      Machine ID: hx11223344556677889900aabbccddhx\n" +
			"         Boot ID: hxaabbccddeeff001122334455667788\nOperating System: Debian GNU/Linux 12 (bookworm)\n          Kernel: Linux 6.1.0-18-amd64\n    Architecture: x86-64\n"},
		aix: saved{"lsattr -El sys0 -a systemid", "systemid IBM,02214D2NN Hardware system identifier False\n"}},
	"hardware": {
		linux: saved{"ethtool -i eth0", "driver: driverNN\nversion: 6.1.0\nfirmware-version: \nexpansion-rom-version: \nbus-info: 0000:00:03.0\n" +
			"supports-statistics: yes\nsupports-test: no\nsupports-eeprom-access: no\nsupports-register-dump: no\nsupports-priv-flags: no\n"},
		aix: saved{"lparstat -i", "Node Name                                  : NAME\nPartition Name                             : NAME\n" +
			"Partition Number                           : NN\nType                                       : Shared-SMT-8\nMode                                       : Uncapped\n" +
			"Entitled Capacity                          : 1.00\n"}},
}

// ways are forms in which people put the outputs of two hosts into one text; those of named say whose each output is.
var ways = map[string]func(a, b []saved, r *rand.Rand) string{
	"one after the other": func(a, b []saved, _ *rand.Rand) string { return plainly(a) + plainly(b) },
	"commands":            func(a, b []saved, _ *rand.Rand) string { return eachOf(append(a, b...), "# COMMAND\nTEXT") },
	"one prompt": func(a, b []saved, _ *rand.Rand) string {
		return eachOf(append(a, b...), "root@jump:~# COMMAND\nTEXT")
	},
	"Markdown": func(a, b []saved, _ *rand.Rand) string {
		return eachOf(append(a, b...), "`COMMAND`:\n\n```\nTEXT```\n\n")
	},
	"headings": func(a, b []saved, _ *rand.Rand) string { return eachOf(append(a, b...), "==== COMMAND ====\nTEXT\n") },
	"mail quote": func(a, b []saved, _ *rand.Rand) string {
		return marked("> ", eachOf(append(a, b...), "# COMMAND\nTEXT"))
	},
	"interleaved": func(a, b []saved, _ *rand.Rand) string { return eachOf(alternating(a, b), "# COMMAND\nTEXT") },
	"shuffled": func(a, b []saved, r *rand.Rand) string {
		all := append(slices.Clone(a), b...)
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return eachOf(all, "$ COMMAND\nTEXT")
	},
	"words between": func(a, b []saved, _ *rand.Rand) string {
		return "Hello,\n\nthis is what we see:\n\n" + eachOf(a, "# COMMAND\nTEXT\n") + "\nAnd on the other one it looks like this:\n\n" + eachOf(b, "# COMMAND\nTEXT\n")
	},
	"two prompts": func(a, b []saved, _ *rand.Rand) string {
		return eachOf(a, "root@HOSTA:~# COMMAND\nTEXT") + eachOf(b, "root@HOSTB:~# COMMAND\nTEXT")
	},
	"headings of hosts": func(a, b []saved, _ *rand.Rand) string {
		return "--- HOSTA ---\n" + eachOf(a, "# COMMAND\nTEXT") + "--- HOSTB ---\n" + eachOf(b, "# COMMAND\nTEXT")
	},
	"sides": func(a, b []saved, _ *rand.Rand) string {
		return "On the client:\n\n" + eachOf(a, "# COMMAND\nTEXT") + "\nOn the server:\n\n" + eachOf(b, "# COMMAND\nTEXT")
	},
	"fan-out": func(a, b []saved, _ *rand.Rand) string {
		return marked("HOSTA: ", eachOf(a, "# COMMAND\nTEXT")) + marked("HOSTB: ", eachOf(b, "# COMMAND\nTEXT"))
	},
	"JSON": func(a, b []saved, _ *rand.Rand) string {
		text, _ := json.MarshalIndent(map[string]map[string]string{"HOSTA": keyed(a), "HOSTB": keyed(b)}, "", "  ") // of texts alone it cannot fail
		return string(text) + "\n"
	},
	"panes": func(a, b []saved, _ *rand.Rand) string {
		return beside(eachOf(a, "root@HOSTA:~# COMMAND\nTEXT"), eachOf(b, "root@HOSTB:~# COMMAND\nTEXT"))
	},
}

// saysWhose are the ways that say of each output whose it is.
var saysWhose = map[string]bool{"two prompts": true, "headings of hosts": true, "sides": true, "fan-out": true, "JSON": true, "panes": true}

func plainly(list []saved) string { return eachOf(list, "TEXT\n") }

func eachOf(list []saved, form string) string {
	var b strings.Builder
	for _, o := range list {
		b.WriteString(strings.NewReplacer("COMMAND", o.command, "TEXT", o.text).Replace(form))
	}
	return b.String()
}

func marked(mark, text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(mark + l)
	}
	return b.String()
}

func alternating(a, b []saved) (out []saved) {
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			out = append(out, a[i])
		}
		if i < len(b) {
			out = append(out, b[i])
		}
	}
	return out
}

func keyed(list []saved) map[string]string {
	out := map[string]string{}
	for _, o := range list {
		out[o.command] = o.text
	}
	return out
}

// beside is two panes of a terminal.
func beside(a, b string) string {
	left, right := strings.Split(a, "\n"), strings.Split(b, "\n")
	wide := 0
	for _, l := range left {
		wide = max(wide, len([]rune(l))+1)
	}
	var out strings.Builder
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		fmt.Fprintf(&out, "%-*s│%s\n", wide, l, r)
	}
	return out.String()
}

// read imports a text as assign leaves it, and gives its outputs with their texts.
func readJoined(t testing.TB, text string) (parts []*part, texts map[*part]string, refused []archive.Problem) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "saved.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &reader{ctx: t.Context(), options: Options{Text: 4 << 20}, spill: t.TempDir(), root: filepath.ToSlash(dir),
		shown: progress.Begin(t.Context(), "reading", "file", 0), bundles: bundles{known: map[string]*layout{}, seen: map[string]*Aside{}}}
	defer r.shown.End()
	if err := archive.Walk(t.Context(), dir, archive.Limits{}, r); err != nil {
		t.Fatal(err)
	}
	refused = assign(r.files, Options{})
	texts = map[*part]string{}
	for _, f := range r.files {
		for _, p := range f.parts {
			if p.found == nil || p.Host == "" {
				continue
			}
			text, err := os.ReadFile(p.spill)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, p)
			texts[p] = string(text)
		}
	}
	return parts, texts, refused
}

// linesOf are the lines of outputs that say something, without blanks at their ends.
func linesOf(list []saved) map[string]bool {
	out := map[string]bool{}
	for _, o := range list {
		for l := range strings.Lines(o.text) {
			plain := strings.Join(strings.Fields(l), " ")
			if len(plain) > 8 {
				out[plain] = true
			}
		}
	}
	return out
}

// mixedHosts says which host that would be written holds outputs of both; empty if none does.
func mixedHosts(parts []*part, texts map[*part]string, a, b []saved) string {
	ofA, ofB := linesOf(a), linesOf(b)
	first, second := map[string]*part{}, map[string]*part{}
	for _, p := range parts {
		if !p.Stored || p.found.ID == otherID || p.foreign {
			continue
		}
		for l := range strings.Lines(texts[p]) {
			l = strings.Join(strings.Fields(l), " ")
			switch {
			case ofA[l] && !ofB[l]:
				first[key(p.Host)] = p
			case ofB[l] && !ofA[l]:
				second[key(p.Host)] = p
			}
		}
	}
	for host, p := range first {
		if q := second[host]; q != nil {
			return fmt.Sprintf("%s (%s) has %s of line %d and %s of line %d", host, p.HostFrom, p.found.Kind, p.Line, q.found.Kind, q.Line)
		}
	}
	return ""
}

// generatedHosts are hosts whose outputs are written for tests.
func generatedHosts() []joinedHost {
	linux := []saved{
		{"ethtool -S eth0", "NIC statistics:\n     rx_packets: 500000099\n     tx_packets: 400000099\n     rx_missed_errors: 99\n     rx_crc_errors: 0\n"},
		{"ethtool -k eth0", "Features for eth0:\nrx-checksumming: on\ntx-checksumming: on\nscatter-gather: on\ntcp-segmentation-offload: off\n"},
		{"cat /proc/net/sockstat", "sockets: used 99\nTCP: inuse 5 orphan 0 tw 0 alloc 8 mem 2\nUDP: inuse 4 mem 99\n"},
	}
	var aix []saved
	for _, o := range importertest.LPAR("x", "192.0.2.1") {
		if strings.HasPrefix(o.Command, "lsattr -El en") || strings.HasPrefix(o.Command, "no ") {
			aix = append(aix, saved{o.Command, o.Text})
		}
	}
	return []joinedHost{{"written Linux", true, linux}, {"written LPAR", false, aix}}
}

// realHosts are the hosts of published cases.
func realHosts(t *testing.T, random *rand.Rand) (list []joinedHost) {
	t.Helper()
	cases, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "field", "cases", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if !*everyPair {
		random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		cases = cases[:min(len(cases), 8)]
	}
	for _, from := range cases {
		dir := caseFolder(t, from)
		hosts := map[string]*joinedHost{}
		outputs := map[*part]string{}
		decided(t, dir, unchanged, func(p *part) {
			text, err := os.ReadFile(p.spill)
			if err == nil && len(text) < 6<<10 && p.found.Family != registry.HMC && p.found.ID != otherID && p.found.Family != "" {
				outputs[p] = string(text)
			}
		})
		for _, p := range slices.SortedFunc(maps.Keys(outputs), func(p, q *part) int { return strings.Compare(from2(p), from2(q)) }) {
			h := hosts[key(p.Host)]
			names := p.found.Host != "" || slices.ContainsFunc(p.signs, func(s sign) bool { return s.class != listed && s.class != spoken })
			if names { // who it is, the test says
				continue
			}
			if h == nil {
				h = &joinedHost{from: filepath.Base(from) + " " + p.Host, linux: p.found.Family == registry.Linux}
				hosts[key(p.Host)] = h
			}
			if len(h.outputs) < 4 && (p.found.Family == registry.Linux) == h.linux {
				h.outputs = append(h.outputs, saved{p.found.Command, outputs[p]})
			}
		}
		for _, k := range slices.Sorted(maps.Keys(hosts)) {
			list = append(list, *hosts[k])
		}
	}
	return list
}

func from2(p *part) string { return fmt.Sprintf("%s %06d", p.file.path, p.Line) }

// joining is one text made of the outputs of two hosts.
type joining struct {
	one, other joinedHost
	way, kind  string
}

// drawnOrFixed draws where a flag asks for it; else the texts are the same each time.
func drawnOrFixed(t *testing.T) *rand.Rand {
	t.Helper()
	if *joinings > 0 || *everyPair {
		return draw.Rand(t)
	}
	return rand.New(rand.NewPCG(1, 1))
}

// Outputs of two hosts in one text, one of which says of each host what cannot be of the other, are never one host: they are
// two, or nothing is written and the error says what to add. The texts of each run are fixed: docs/benchmarks.md says what
// became of drawn ones.
func TestJoinedHosts(t *testing.T) {
	random := drawnOrFixed(t)
	hosts := append(generatedHosts(), realHosts(t, random)...)
	var all []joining
	for i, one := range hosts {
		for j, other := range hosts {
			if one.linux != other.linux || i > 1 && i == j {
				continue
			}
			for _, way := range slices.Sorted(maps.Keys(ways)) {
				kinds := slices.Sorted(maps.Keys(identities))
				if !*everyPair {
					kinds = kinds[random.IntN(len(kinds)):][:1]
				}
				for _, kind := range kinds {
					// ethtool -i and -P without their command lines may be of two ports of one host.
					if way == "one after the other" && one.linux && (kind == "hardware" || kind == "permanent addresses") {
						continue
					}
					all = append(all, joining{one, other, way, kind})
				}
			}
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if !*everyPair {
		all = all[:min(len(all), cmp.Or(*joinings, fewJoinings))]
	}
	counts, ofWay := map[string]int{}, map[string]int{}
	for _, j := range all {
		is := j.check(t, random)
		counts[is]++
		ofWay[j.way+": "+is]++
	}
	t.Logf("%d texts: %v", len(all), counts)
	for _, way := range slices.Sorted(maps.Keys(ofWay)) {
		t.Logf("%s: %d", way, ofWay[way])
	}
}

// check joins, and says what became of it.
func (j joining) check(t *testing.T, random *rand.Rand) string {
	t.Helper()
	a := j.one.named("alpha1", 17, identities[j.kind])
	b := j.other.named("beta2", 42, identities[j.kind])
	for _, list := range [][]saved{a, b} {
		at := random.IntN(len(list))
		if random.IntN(2) == 0 { // who the host is need not be said first
			list[0], list[at] = list[at], list[0]
		}
	}
	text := strings.NewReplacer("HOSTA", "alpha1", "HOSTB", "beta2").Replace(ways[j.way](slices.Clone(a), slices.Clone(b), random))
	parts, texts, refused := readJoined(t, text)
	if why := mixedHosts(parts, texts, a, b); why != "" {
		t.Errorf("%s and %s, %s, %s: %s", j.one.from, j.other.from, j.way, j.kind, why)
		if testing.Verbose() {
			t.Logf("the text:\n%s", text)
		}
		return "one host"
	}
	stored := map[string]bool{}
	for _, p := range parts {
		if p.Stored && p.found.ID != otherID {
			stored[key(p.Host)] = true
		}
	}
	switch {
	case len(refused) > 0:
		if strings.Contains(text, "beta2") && saysWhose[j.way] {
			t.Logf("%s and %s, %s, %s: refused: %v", j.one.from, j.other.from, j.way, j.kind, refused)
		}
		return "refused"
	case len(stored) > 1:
		return "two hosts"
	case len(stored) == 1:
		return "one host alone"
	}
	return "nothing"
}

// Outputs of one host stay one host: read twice, before and after something, or split into several files.
func TestOneHostReadTwice(t *testing.T) {
	random := drawnOrFixed(t)
	number := 0
	for _, h := range append(generatedHosts(), realHosts(t, random)...) {
		for _, kind := range slices.Sorted(maps.Keys(identities)) {
			number++
			list := h.named("alpha1", number%90+10, identities[kind])
			twice := append(slices.Clone(list), list...)
			texts := map[string]string{
				"commands":    eachOf(twice, "# COMMAND\nTEXT"),
				"one prompt":  eachOf(twice, "root@alpha1:~# COMMAND\nTEXT"),
				"headings":    eachOf(twice, "==== COMMAND ====\nTEXT\n"),
				"interleaved": eachOf(alternating(list, list), "# COMMAND\nTEXT"),
				"words":       eachOf(list, "# COMMAND\nTEXT\n") + "\nAnd this is after we have changed it:\n\n" + eachOf(list, "# COMMAND\nTEXT\n"),
				"a host":      "--- alpha1 ---\n" + eachOf(twice, "# COMMAND\nTEXT"),
			}
			for _, way := range slices.Sorted(maps.Keys(texts)) {
				text := texts[way]
				if !*everyPair && random.IntN(8) != 0 {
					continue
				}
				parts, _, refused := readJoined(t, text)
				hosts := map[string]bool{}
				for _, p := range parts {
					if p.found.ID != otherID {
						hosts[key(p.Host)] = true
					}
				}
				if len(refused) > 0 || len(hosts) != 1 {
					t.Errorf("%s, %s, %s: hosts %v, refused: %v", h.from, way, kind, slices.Sorted(maps.Keys(hosts)), refused)
					if testing.Verbose() {
						t.Logf("the text:\n%s", text)
					}
				}
			}
		}
	}
}
