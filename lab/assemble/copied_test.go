package assemble_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/app/collection"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/audit/diff"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/labtest"
	"seaworthy/lab"
	"seaworthy/lab/odm"
	"seaworthy/lab/replica"
	"seaworthy/lab/topology"
	"seaworthy/lab/wire"
)

// network is one that is copied.
type network struct {
	name string
	read func(t *testing.T) *model.Fleet
	// partly: the network has what a lab lacks, and each difference has to be on a host of which the copy says so.
	partly bool
	lines  []string // of the copy's topology
}

// What is read of a copy is what was read of the network: settings, levels, how elements are joined, and the
// findings that rest on them.
func TestCopyIsTrue(t *testing.T) {
	all := networks(t)
	if len(all) < 20 {
		t.Errorf("%d networks, want 20 at least", len(all))
	}
	for _, n := range draw.Costly(t, len(all), 8, all) {
		t.Run(n.name, func(t *testing.T) {
			original := n.read(t)
			made, err := replica.Of(original, knowledgeOf(t), replica.Options{NoBonding: !makesBonds(t)})
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range n.lines {
				if !strings.Contains(string(made.Text), line) {
					t.Errorf("no %q in the copy:\n%s", line, made.Text)
				}
			}
			copied := readLab(t, lab.Options{Name: "copied", Text: made.Text})
			host := map[string]string{}
			for h, node := range made.Nodes {
				host[node] = h
			}
			for _, h := range copied.Hosts {
				h.Name = host[h.Name]
			}
			original.Hosts = slices.DeleteFunc(original.Hosts, func(h *model.Host) bool { return made.Nodes[h.Name] == "" })
			for _, line := range differences(t, original, copied) {
				if !n.partly || !said(made, line) {
					t.Errorf("differs: %s", line)
				}
			}
		})
	}
}

// makesBonds says whether this machine's kernel has the driver of bonds.
func makesBonds(t *testing.T) bool {
	t.Helper()
	drivers, err := lab.Drivers()
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(drivers, func(d wire.Driver) bool { return d.Name == "bonding" && d.Here })
}

// said says whether the copy's table has something of the host or element of a difference that is not as read.
func said(c *replica.Copy, line string) bool {
	where, _, _ := strings.Cut(line, " ")
	host, _, _ := strings.Cut(where, ":")
	return slices.ContainsFunc(c.Parts, func(p replica.Part) bool {
		ofHost := where == host+":host" && strings.HasPrefix(p.What, host+":")
		return p.Fate != replica.AsRead && (p.What == where || p.What == host || ofHost)
	})
}

var (
	loadKnowledge = sync.OnceValues(knowledge.Load)
	compiledRules = sync.OnceValues(func() (*rule.Set, error) {
		c, err := loadKnowledge()
		if err != nil {
			return nil, err
		}
		return rule.Compile(c.Rules())
	})
)

func knowledgeOf(t *testing.T) *knowledge.Catalog {
	t.Helper()
	c, err := loadKnowledge()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// differences are those of diff --settings, in a line each that begins with the element.
func differences(t *testing.T, before, now *model.Fleet) (out []string) {
	t.Helper()
	set, err := compiledRules()
	if err != nil {
		t.Fatal(err)
	}
	d, err := diff.Audited(t.Context(), set, diff.Configured(before), diff.Configured(now))
	if err != nil {
		t.Fatal(err)
	}
	d.OnlySettings()
	text := func(s *string) string {
		if s == nil {
			return "none"
		}
		return *s
	}
	for _, c := range d.Changes {
		out = append(out, fmt.Sprintf("%s %s %s: %s → %s", c.Ref, c.What, c.Value, text(c.Before), text(c.After)))
	}
	for _, f := range d.Findings.New {
		out = append(out, fmt.Sprintf("%s %s is new: %s", f.Element, f.ID, f.Title))
	}
	for _, f := range d.Findings.Gone {
		out = append(out, fmt.Sprintf("%s %s is gone: %s", f.Element, f.ID, f.Title))
	}
	for _, h := range slices.Concat(d.Added, d.Removed) {
		out = append(out, h+" is in one of the two")
	}
	return out
}

// readLab reads the hosts of a lab that is up for as long.
func readLab(t *testing.T, o lab.Options) *model.Fleet {
	t.Helper()
	l := labtest.Up(t, o, "bonding driver")
	access := fleet.Access{HostsFile: l.HostsFile()}
	r, err := access.Read(t.Context(), nil, fleet.Options{})
	if err == nil && len(r.Failed) > 0 {
		err = fmt.Errorf("%v", r.Failed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Fleet
}

// networks are the built-in topologies, generated ones, those with settings drawn, the catalogue's fleets, and
// outputs of real hosts where they are at hand.
func networks(t *testing.T) (all []network) {
	built := func(name string, o lab.Options) {
		all = append(all, network{name: name, read: func(t *testing.T) *model.Fleet { return readLab(t, o) }})
	}
	for _, name := range topology.Builtins() {
		built(name, lab.Options{Topology: name})
		// A Linux partition of a lab does not say that its adapters are virtual: it is copied as a server.
		all[len(all)-1].partly = name == "linux-peer"
	}
	built("routes and Linux", lab.Options{Text: withRoutes(t)})
	all[len(all)-1].partly = true // as linux-peer
	all[len(all)-1].lines = []string{"10.30.0.0/16: 10.10.20.254", "192.0.2.7/32: 10.10.20.12", `net.ipv4.tcp_sack: "0"`,
		"net.ipv4.tcp_rmem: 4096 65536 1048576", `mtu: "1400"`, `tso: "off"`, `gro: "off"`}
	for i, s := range []topology.Spec{
		{Systems: 1, LPARs: 3, VIOSes: 1, VLANs: 1, HA: "auto", Ports: 1, Rate: "1G", MTU: 1500},
		{Systems: 2, LPARs: 3, VIOSes: 2, VLANs: 2, HA: "auto", Ports: 2, Rate: "25G", MTU: 9000},
		{Systems: 1, LPARs: 4, VIOSes: 2, VLANs: 4, HA: "sharing", Ports: 1, Rate: "10G", MTU: 1500},
		{Systems: 1, LPARs: 2, VIOSes: 2, VLANs: 22, HA: "standby", Ports: 3, Rate: "100G", MTU: 1500},
		{Systems: 3, LPARs: 3, VIOSes: 3, VLANs: 1, HA: "auto", Ports: 1, Rate: "40G", MTU: 1400},
		{Systems: 1, LPARs: 2, VIOSes: 4, VLANs: 6, HA: "auto", Ports: 2, Rate: "10G", MTU: 9000},
	} {
		s.Name = fmt.Sprintf("generated-%d", i+1)
		text, err := topology.Generate(s)
		if err != nil {
			t.Fatal(err)
		}
		built(s.Name, lab.Options{Text: text})
	}
	for i, name := range []string{"dual-vios", "etherchannel", "vlans", "dedicated"} {
		read := func(t *testing.T) *model.Fleet {
			return readLab(t, lab.Options{Text: drawnSettings(t, name, uint64(i))})
		}
		all = append(all, network{name: name + " with other settings", read: read})
	}
	for _, name := range []string{"pair", "two-systems", "dedicated", "linux"} {
		all = append(all, network{name: "fleet " + name, partly: true, read: func(t *testing.T) *model.Fleet {
			base, _ := knowledgeOf(t).Fleet(name)
			f, err := rule.BuildFleet(base, nil)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}})
	}
	all = append(all, network{name: "Linux bond and VLANs", partly: true, read: bondedFleet, lines: []string{
		"vlan: 100", "198.51.100.13/28", "aliases: [198.51.100.14/28]", "address: 203.0.113.9/30", "mtu: \"9000\""}})
	for _, dir := range realHosts(t) {
		all = append(all, network{name: filepath.Base(dir), partly: true, read: func(t *testing.T) *model.Fleet { return imported(t, dir) }})
	}
	return all
}

// withRoutes is linux-peer with static routes, and with settings of its Linux hosts.
func withRoutes(t *testing.T) []byte {
	t.Helper()
	_, text, err := topology.Source(t.Context(), "linux-peer")
	if err != nil {
		t.Fatal(err)
	}
	out := string(text)
	for _, x := range []struct{ address, more string }{
		{"10.10.20.11/24", "routes: {10.30.0.0/16: 10.10.20.254, 192.0.2.7/32: 10.10.20.12}"},
		{"10.10.20.12/24", "routes: {10.30.0.0/16: 10.10.20.254}"},
		{"10.10.20.31/24", "set: {eth0: {mtu: 1400, tso: off, gro: off}}\nsysctls: {net.ipv4.tcp_rmem: 4096 65536 1048576, net.ipv4.tcp_sack: 0}"},
	} {
		i := strings.Index(out, x.address)
		line := out[strings.LastIndexByte(out[:i], '\n')+1 : i]
		indent := strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " "))-2)
		end := i + strings.IndexByte(out[i:], '\n') + 1
		out = out[:end] + indent + strings.ReplaceAll(x.more, "\n", "\n"+indent) + "\n" + out[end:]
	}
	return []byte(out)
}

// bondedFleet is the catalogue's fleet with Linux hosts, one of which has VLAN devices on its bond and its virtual adapter.
func bondedFleet(t *testing.T) *model.Fleet {
	t.Helper()
	base, _ := knowledgeOf(t).Fleet("linux")
	f, err := rule.BuildFleet(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := f.Host("linux1")
	set := func(v string) *model.Attr { return &model.Attr{Running: &v} }
	vlan := func(name, on string, tag int, addresses ...string) {
		e := &model.Element{Name: name, Kind: model.VLANDevice, Driver: "vlan", On: on, Up: new(true),
			VirtualFacts: model.VirtualFacts{VLANs: []int{tag}}, Attrs: map[string]*model.Attr{"mtu": set("9000"), "tso": set("on")}}
		for _, a := range addresses {
			e.Addrs = append(e.Addrs, netip.MustParsePrefix(a))
		}
		h.Elements[name] = e
	}
	h.Elements["bond0"].Addrs = []netip.Prefix{netip.MustParsePrefix("198.51.100.13/28"), netip.MustParsePrefix("198.51.100.14/28")}
	vlan("bond0.100", "bond0", 100, "203.0.113.9/30")
	vlan("vlan30", "eth0", 30, "203.0.113.17/29")
	h.Elements["eth1"].Attrs["rings"] = set("511")
	return f
}

// realHosts are folders with outputs of at least one whole AIX host or VIOS; none where they are not at hand.
func realHosts(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "field", "cases", "aix-*"))
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// imported reads a folder of outputs; the test is skipped where no host of it can be built.
func imported(t *testing.T, dir string) *model.Fleet {
	t.Helper()
	out := filepath.Join(t.TempDir(), "saved")
	quiet := func(string, ...any) {}
	if _, err := collection.Import(t.Context(), []string{dir}, out, "", importer.Options{}, quiet); err != nil {
		t.Skipf("not imported: %v", err)
	}
	r, err := fleet.Access{}.ReadNewest(t.Context(), []string{out}, fleet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replica.Of(r.Fleet, knowledgeOf(t), replica.Options{}); err != nil {
		t.Skipf("not built: %v", err)
	}
	return r.Fleet
}

// drawnSettings is a built-in topology in which a third of the attributes of each node have another value that its
// devices take, in part at the next boot only.
func drawnSettings(t *testing.T, name string, seed uint64) []byte {
	t.Helper()
	dice := draw.Fixed(t, 37, seed)
	top, err := topology.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	_, text, err := topology.Source(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, system := range file["systems"].([]any) {
		for _, node := range system.(map[string]any)["nodes"].([]any) {
			entry := node.(map[string]any)
			system, n, _ := top.Node(entry["name"].(string))
			if n == nil {
				continue
			}
			store, err := odm.New(system, n, knowledgeOf(t))
			if err != nil {
				t.Fatal(err)
			}
			setOthers(entry, n, store, dice)
		}
	}
	if text, err = yaml.Marshal(file); err != nil {
		t.Fatal(err)
	}
	return text
}

// setOthers draws values for a node of a topology's text.
func setOthers(entry map[string]any, n *topology.Node, store *odm.Store, dice *rand.Rand) {
	put := func(key, device, attribute, value string) {
		for _, k := range []string{key, device} {
			if entry[k] == nil {
				entry[k] = map[string]any{}
			}
			entry = entry[k].(map[string]any)
		}
		entry[attribute] = value
	}
	node := entry
	for _, d := range store.Devices() {
		addressed := slices.ContainsFunc(n.Interfaces, func(i topology.Interface) bool { return i.Name == d.Name })
		if n.Adapter(d.Name) == nil && !addressed {
			continue
		}
		for i := range d.Attrs {
			a := d.Attrs[i]
			value := otherValue(a, dice)
			if dice.IntN(3) > 0 || value == "" || slices.Contains(joining, a.Name) {
				continue
			}
			entry = node
			key := "set"
			if dice.IntN(3) == 0 {
				key = "next_boot"
			}
			put(key, d.Name, a.Name, value)
		}
	}
}

// otherValue is one that a device takes; empty: none is known.
func otherValue(a *odm.Attribute, dice *rand.Rand) string {
	value := ""
	switch {
	case !a.Settable:
	case len(a.Values) > 1:
		value = a.Values[dice.IntN(len(a.Values))]
	case a.Type == "int" && a.Min != nil && a.Max != nil && *a.Max > *a.Min:
		step := int64(1)
		if a.Step != nil && *a.Step > 0 {
			step = *a.Step
		}
		value = strconv.FormatInt(*a.Min+step*dice.Int64N((*a.Max-*a.Min)/step), 10)
	}
	if value == a.Running || !a.Allows(value) {
		return ""
	}
	return value
}

// joining are attributes that say how devices are joined or reached, which a topology has in words of its own.
var joining = []string{"state", "ha_mode", "mode", "netaddr", "netmask", "mtu", "thread"}
