package past

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/expr"
	"seaworthy/internal/collect"
	"seaworthy/internal/history"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/transcripts"
)

var (
	whereIn    = flag.String("where-in", "", "draw expressions on the history of this URL; empty: on one that the test makes")
	whereDrawn = flag.Int("where-drawn", 120, "how many expressions are drawn")
)

// linuxHost is a Linux host of another system.
func linuxHost() *collect.Snapshot {
	m := collect.Manifest{Schema: collect.SchemaSnapshot, Host: "app1", Platform: "linux", User: "root"}
	files := map[string][]byte{}
	say := func(id, line, element, text string) {
		name := id + "." + element + ".txt"
		files[name] = []byte(text)
		m.Commands = append(m.Commands, collect.Record{ID: id, Line: line, Element: element, Stdout: name})
	}
	say("uname-a", "uname -a", "", "Linux app1 5.14.0-70.13.1.el9_0.ppc64le #1 SMP ppc64le ppc64le ppc64le GNU/Linux\n")
	say("ip-addr", "ip -j -d addr", "", `[{"ifname":"lo","link_type":"loopback","mtu":65536,"flags":["LOOPBACK","UP"]},
		{"ifname":"env2","link_type":"ether","mtu":1500,"flags":["BROADCAST","UP"],"address":"32:43:02:00:0a:02",
		"addr_info":[{"family":"inet","local":"10.10.10.31","prefixlen":24}]},
		{"ifname":"bond0","link_type":"ether","mtu":9000,"flags":["BROADCAST","UP"],"linkinfo":{"info_kind":"bond"}},
		{"ifname":"eth1","link_type":"ether","mtu":9000,"flags":["BROADCAST","UP"],"master":"bond0"},
		{"ifname":"bond0.7","link":"bond0","link_type":"ether","mtu":1500,"flags":["BROADCAST","UP"],
		"linkinfo":{"info_kind":"vlan","info_data":{"id":7}}}]`)
	say("sysctl", "sysctl -a", "", "net.core.rmem_max = 212992\nnet.ipv4.tcp_sack = 1\nnet.ipv4.tcp_rmem = 4096 131072 6291456\n")
	for _, name := range []string{"env2", "eth1"} {
		say("ethtool-k", "ethtool -k "+name, name, "Features for "+name+":\nrx-checksumming: on\ntcp-segmentation-offload: off\n"+
			"large-receive-offload: off [fixed]\ngeneric-receive-offload: on\n")
	}
	return collect.NewSnapshot(m, files)
}

// saidBy gives the snapshots of hosts of which each printed something else.
func saidBy(t *testing.T, random *rand.Rand, copies int) (all []*collect.Snapshot) {
	t.Helper()
	originals := []*collect.Snapshot{linuxHost()}
	hosts := transcripts.Start(t).Hosts("lpar1", "vios1", "lpar2", "vios2")
	for _, l := range collect.ReadFleet(t.Context(), hosts, collect.Options{}, nil) {
		if l.Err != nil {
			t.Fatal(l.Err)
		}
		originals = append(originals, l.Snapshot)
	}
	for _, s := range originals {
		for i := range copies {
			all = append(all, varied(t, random, s, fmt.Sprintf("%s-%d", s.Manifest.Host, i), i))
		}
	}
	slices.SortFunc(all, func(a, b *collect.Snapshot) int { return strings.Compare(a.Manifest.Host, b.Manifest.Host) })
	return all
}

var (
	word   = regexp.MustCompile(`\b(yes|no|on|off|[0-9]{1,5})\b`)
	values = []string{"yes", "no", "on", "off", "0", "1", "1500", "9000", "maybe", "-"}
)

// varied is a host that lacks some outputs and has other values in some lines; the first copy is as it was.
func varied(t *testing.T, random *rand.Rand, s *collect.Snapshot, name string, n int) *collect.Snapshot {
	t.Helper()
	files, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	m := s.Manifest
	m.Host = name
	m.Commands = slices.Clone(m.Commands)
	m.Started = time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	if n == 0 {
		return collect.NewSnapshot(m, files)
	}
	for _, c := range m.Commands {
		lines := strings.Split(string(files[c.Stdout]), "\n")
		for i := range lines {
			if random.IntN(20) == 0 && !strings.HasPrefix(c.Line, "lsdev") {
				lines[i] = word.ReplaceAllString(lines[i], values[random.IntN(len(values))])
			}
		}
		files[c.Stdout] = []byte(strings.Join(lines, "\n"))
	}
	m.Commands = slices.DeleteFunc(m.Commands, func(c collect.Record) bool { return c.Element != "" && random.IntN(12) == 0 })
	return collect.NewSnapshot(m, files)
}

// historyOf is a history of snapshots, whose findings are left out.
func historyOf(t *testing.T, all []*collect.Snapshot) *history.Store {
	t.Helper()
	store, err := history.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "h.sqlite"), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	list, err := read(t.Context(), all, &Addition{})
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := store.Begin(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	var readings []history.Reading
	for _, s := range list {
		readings = append(readings, history.Reading{Snapshot: s.Snapshot, Facts: s.facts, Lists: s.lists})
	}
	err = sweep.Add(t.Context(), readings)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// spoken is what expressions on some hosts are drawn from.
type spoken struct {
	*rand.Rand

	kinds, elements, hosts, attributes []string
	values                             map[string][]string
}

func spokenOf(t *testing.T, random *rand.Rand, links *graph.Graph, hosts []string) *spoken {
	t.Helper()
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	kinds, elements := map[string]bool{"vnic": true}, map[string]bool{}
	said := map[string]map[string]bool{}
	for _, h := range hosts {
		for _, e := range links.Of(h) {
			kinds[e.Kind], elements[e.Name] = true, true
			for name, a := range e.Is.Attrs {
				if !cat.Knows(name) {
					continue
				}
				if said[name] == nil {
					said[name] = map[string]bool{"9000": true, "yes": true}
				}
				for _, v := range []*string{a.Running, a.NextBoot, a.Default} {
					if v != nil {
						said[name][*v] = true
					}
				}
			}
		}
	}
	out := &spoken{Rand: random, kinds: slices.Sorted(maps.Keys(kinds)), elements: slices.Sorted(maps.Keys(elements)), hosts: hosts,
		attributes: slices.Sorted(maps.Keys(said)), values: map[string][]string{}}
	for name, v := range said {
		out.values[name] = slices.Sorted(maps.Keys(v))
	}
	return out
}

func one[T any](s *spoken, list ...T) T { return list[s.IntN(len(list))] }

// term is a condition on an element.
func (s *spoken) term(el string) string {
	a := one(s, s.attributes...)
	form := one(s,
		`EL.kind == "KIND"`, `EL.kind == "KIND"`, `EL.kind != "KIND"`, `EL.kind in ["KIND", "sea"]`, `EL.attr("ATTR") == VALUE`,
		`VALUE != EL.attr("ATTR")`, `EL.on("ATTR")`, `EL.off("ATTR")`, `EL.known("ATTR")`, `EL.num("ATTR") > 1`, `EL.num("ATTR") == 9000`,
		`EL.nums("ATTR").exists(n, n > 1000)`, `EL.running_known("ATTR")`, `EL.switched("ATTR").exists(v, v)`,
		`EL.default("ATTR") != EL.attr("ATTR")`, `EL.name == "NAME"`, `EL.host != "HOST"`, `EL.name.startsWith("en")`,
		`(EL.known("ATTR") ? EL.off("ATTR") : EL.kind == "KIND")`)
	return strings.NewReplacer("EL", el, "ATTR", a, "VALUE", strconv.Quote(one(s, s.values[a]...)), "KIND", one(s, s.kinds...),
		"NAME", one(s, s.elements...), "HOST", one(s, s.hosts...)).Replace(form)
}

// near is a condition on elements that are reached from one.
func (s *spoken) near() string {
	form := one(s, `el.real.PLAIN`, `el.adapter.PLAIN`, `el.tunables.PLAIN`, `el.element("NAME").PLAIN`, `has(el.adapter)`,
		`el.ports.exists(p, TERM)`, `el.ports.all(p, TERM)`, `el.members.exists(p, TERM)`, `el.trunks.exists(p, TERM)`,
		`el.ports.size() == 0`, `el.siblings("KIND").exists(p, p != el && TERM)`, `el.adapter.ports.exists_one(p, TERM)`)
	return strings.NewReplacer("PLAIN", strings.TrimPrefix(s.plain("el"), "el."), "TERM", s.term("p"), "KIND", one(s, s.kinds...),
		"NAME", one(s, s.elements...)).Replace(form)
}

// plain is a term that begins with the element.
func (s *spoken) plain(el string) string {
	for {
		text := s.term(el)
		if strings.HasPrefix(text, el+".") && strings.Count(text, el+".") == 1 {
			return text
		}
	}
}

// condition joins terms; more are those that facts may not decide.
func (s *spoken) condition(depth int, more ...string) string {
	if depth == 0 {
		switch n := s.IntN(10); {
		case n == 0 && len(more) > 0:
			return one(s, more...)
		case n < 4:
			return s.near()
		}
		return s.term("el")
	}
	a, b := s.condition(depth-1, more...), s.condition(s.IntN(depth), more...)
	return fmt.Sprintf(one(s, `%s && %s`, `%s && %s`, `(%s || %s)`, `!(%s && %s)`), a, b)
}

// answered is what an expression gives: the elements on which it holds, and what is missing on others.
type answered struct {
	Holds   []string
	Missing map[string][]string
	Failed  bool
}

func answeredBy(o *outcome) answered {
	out := answered{Missing: map[string][]string{}, Failed: o.failed != nil}
	for _, m := range o.matches {
		out.Holds = append(out.Holds, m.Ref.String()+" "+m.Kind+" "+m.Taken.Format(time.DateTime))
	}
	for _, u := range o.undecided {
		out.Missing[u.Ref.String()] = slices.Sorted(slices.Values(u.Missing))
	}
	return out
}

// Facts decide as the raw text of the hosts does, and no host is left out on which an expression holds or is not decided.
func TestFactsDecideAsText(t *testing.T) {
	random := draw.Rand(t)
	var store *history.Store
	if *whereIn == "" {
		store = historyOf(t, saidBy(t, random, 4))
	} else {
		var err error
		store, err = history.Open(t.Context(), *whereIn, func(line string) { t.Error(line) })
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
	}
	at := time.Now()
	list, err := store.Snapshots(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	lives, err := restore(t.Context(), store, list)
	if err != nil {
		t.Fatal(err)
	}
	f, err := collect.Assemble(lives)
	if err != nil {
		t.Fatal(err)
	}
	links := graph.Of(f)
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	var hosts []string
	for _, h := range f.Hosts {
		hosts = append(hosts, h.Name)
	}
	s := spokenOf(t, random, links, hosts)
	var whole, held, open, partial int
	for i := range *whereDrawn {
		var more []string
		if i%20 == 0 { // the text of many hosts is read
			more = []string{`el.counter("rx.Packets") > 0`, `el.carriers.exists(c, c.on("large_send"))`, `el.used`}
		}
		source := s.condition(s.IntN(4), more...)
		x := expr.New(expr.Condition, source)
		err := x.Verify()
		if err != nil {
			t.Fatal(err)
		}
		session := expr.NewSession(t.Context(), links, expr.Context{Catalog: cat})
		want := &outcome{}
		for _, h := range f.Hosts {
			for _, e := range links.Of(h.Name) {
				want.decide(session, x, h, e)
			}
		}
		want.failed = session.Failed
		got, err := Find(t.Context(), store, source, at)
		if err != nil {
			got = &Where{}
		}
		d := cmp.Diff(answeredBy(want), answeredBy(&outcome{matches: got.Matches, undecided: got.Undecided, failed: err}))
		if d != "" {
			t.Errorf("%s (-text +facts, %d hosts read):\n%s", source, got.Read, d)
		}
		whole += count(err == nil && got.Read < len(hosts)/2)
		partial += count(len(more) > 0)
		held += len(got.Matches)
		open += len(got.Undecided)
	}
	t.Logf("%d expressions, %d decided on most hosts by facts; %d elements match, %d are not decided", *whereDrawn, whole, held, open)
	if whole < *whereDrawn/2 || held == 0 || open == 0 || partial == 0 {
		t.Error("too little was decided by facts")
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Each attribute that facts tell is one of the catalogue that no other thing of an element is called like.
func TestAspectsAreNoAttributes(t *testing.T) {
	for what, want := range map[string]bool{diff.Members: false, diff.Adapter: false, diff.ElementExists: false, "state": false, "mtu": true} {
		if told(what) != want {
			t.Errorf("facts tell attribute %s: got %t, want %t", what, !want, want)
		}
	}
}
