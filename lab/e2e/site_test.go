package e2e

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/audit/rule"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/collect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/labtest"
	"seaworthy/lab"
)

// site is a running lab, and what its hosts last said of themselves.
type site struct {
	t     *testing.T
	lab   *lab.Lab
	cat   *knowledge.Catalog
	rules *rule.Set
	hosts map[string]remote.Host
	read  map[string]*model.Host
	texts map[string]map[string]string // host → command → what it printed
}

// start brings up a topology of testdata, or a built-in one, and reads every
// host of it. as is how to log in to a VIOS: padmin, or root.
func start(t *testing.T, topology, as string) *site {
	t.Helper()
	if file := filepath.Join("testdata", topology+".yaml"); exists(file) {
		topology = file
	}
	l := labtest.Up(t, lab.Options{Topology: topology}, "delay of")
	s := &site{t: t, lab: l, hosts: map[string]remote.Host{}, read: map[string]*model.Host{}, texts: map[string]map[string]string{}}
	t.Cleanup(func() {
		for _, h := range s.hosts {
			h.Close()
		}
	})
	inv, err := targets.Load(t.Context(), l.HostsFile())
	if err != nil {
		t.Fatal(err)
	}
	names := inv.Names()
	for i, n := range names {
		if strings.HasPrefix(n, "vios") && as == "root" {
			names[i] = n + "-root"
		}
	}
	list, err := targets.Open(t.Context(), names, targets.Options{SSHConfig: l.SSHConfig()})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range list {
		s.hosts[h.Name()] = h
	}
	if s.cat, s.rules, err = loadKnowledge(); err != nil {
		t.Fatal(err)
	}
	s.recall(topology, names)
	return s
}

// loadKnowledge returns the catalog with its rules compiled, once for all sites.
func loadKnowledge() (*knowledge.Catalog, *rule.Set, error) {
	cat, err := loaded()
	if err != nil {
		return nil, nil, err
	}
	set, err := compiled()
	return cat, set, err
}

var (
	loaded   = sync.OnceValues(knowledge.Load)
	compiled = sync.OnceValues(func() (*rule.Set, error) {
		cat, err := loaded()
		if err != nil {
			return nil, err
		}
		return rule.Compile(cat.Rules())
	})
)

// healthy has what the hosts of a topology say before anything is mis-set: the
// same in every lab of it, so it is read once.
var healthy sync.Map // topology and login → *healthyFleet

type healthyFleet struct {
	once sync.Once
	read map[string]*model.Host
	text map[string]map[string]string
}

func (s *site) recall(topology string, names []string) {
	s.t.Helper()
	v, _ := healthy.LoadOrStore(topology+" "+strings.Join(names, " "), &healthyFleet{})
	h := v.(*healthyFleet)
	h.once.Do(func() {
		s.look(names...)
		h.read, h.text = maps.Clone(s.read), maps.Clone(s.texts)
	})
	if h.read == nil {
		s.t.Fatal("the healthy lab could not be read")
	}
	s.read, s.texts = maps.Clone(h.read), maps.Clone(h.text)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// login gives a host by its name in a case: vios1 is vios1-root where root logs in.
func (s *site) login(name string) string {
	if _, ok := s.hosts[name]; !ok {
		return name + "-root"
	}
	return name
}

// look reads hosts again.
func (s *site) look(names ...string) {
	s.t.Helper()
	var list []remote.Host
	for _, n := range names {
		list = append(list, s.hosts[n])
	}
	dir := s.t.TempDir()
	outcomes, err := collect.Fleet(s.t.Context(), list, dir, collect.Options{}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Err != nil {
			s.t.Fatal(o.Err)
		}
	}
	snaps, err := collect.Open(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, snap := range snaps {
		h, err := collect.Inventory(snap)
		if err != nil {
			s.t.Fatal(err)
		}
		s.read[h.Name] = h
		s.texts[h.Name] = map[string]string{}
		for i := range snap.Manifest.Commands {
			r := &snap.Manifest.Commands[i]
			text, err := snap.Text(r)
			if err != nil && r.Stdout != "" {
				s.t.Fatal(err)
			}
			s.texts[h.Name][r.Line] = string(text)
		}
	}
}

// settings are the outputs that hold values, without counters.
func (s *site) settings() map[string]string {
	out := map[string]string{}
	for host, texts := range s.texts {
		for line, text := range texts {
			if setting.MatchString(line) {
				out[host+" $ "+line] = text
			}
		}
	}
	return out
}

var setting = regexp.MustCompile(`\b(lsattr -El|lsdev|ifconfig -a|no -[aLo]|lsmap|netstat -rn)\b`)

func (s *site) fleet() *model.Fleet {
	f := &model.Fleet{}
	for _, h := range s.read {
		f.Hosts = append(f.Hosts, h)
	}
	slices.SortFunc(f.Hosts, func(a, b *model.Host) int { return strings.Compare(a.Name, b.Name) })
	return f
}

func (s *site) audit() []finding.Finding {
	s.t.Helper()
	all, err := s.rules.Run(s.t.Context(), s.fleet(), rule.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// named lists findings that are more than notes: "R001 lpar1:en0".
func named(all []finding.Finding) []string {
	out := []string{}
	for _, f := range atLeast(all, finding.Low) {
		out = append(out, f.Rule+" "+strings.Replace(f.Element.String(), "-root:", ":", 1))
	}
	slices.Sort(out)
	return out
}

// do runs a line on a host: as root through oem_setup_env where padmin logs in
// and the line is none of ioscli.
func (s *site) do(host, line string) error {
	h := s.hosts[s.login(host)]
	if s.read[h.Name()].Platform == model.VIOS && s.read[h.Name()].User != "root" && !strings.HasPrefix(line, "ioscli") {
		line = "echo '" + strings.ReplaceAll(line, "'", `'\''`) + "' | oem_setup_env"
	}
	r, err := h.Run(s.t.Context(), remote.Command{Line: line, Limit: 30 * time.Second})
	if err != nil {
		return err
	}
	if said := bytes.TrimSpace(r.Stderr); r.Exit != 0 || len(said) > 0 {
		return fmt.Errorf("%s: %s: exit status %d: %s", host, line, r.Exit, said)
	}
	return nil
}

func (s *site) runner() *execute.Runner {
	return &execute.Runner{
		Done:  []string{plan.SwitchPorts},
		Hosts: s.hosts, Journals: execute.Journals{Dir: s.t.TempDir()},
		Read: func(ctx context.Context, name string) (*model.Host, error) {
			return collect.Read(ctx, s.hosts[name], collect.Options{})
		},
	}
}

// atLeast gives the FINDINGs of a severity or above, in their order.
func atLeast(all []finding.Finding, least finding.Severity) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f finding.Finding) bool {
		return f.Verdict != finding.Found || !f.Severity.AtLeast(least)
	})
}
