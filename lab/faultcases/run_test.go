package faultcases

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/test/needs"
	"seaworthy/lab/topology"
)

var (
	singles = flag.Int("singles", 2, "cases of one fault")
	multi   = flag.Int("several", 1, "cases of two or three faults")
	healthy = flag.Int("healthy", 1, "cases of a lab in order")
	seed    = flag.Uint64("seed", 1, "of the cases")
	some    = flag.Int("topologies", 2, "built-in topologies that are used, drawn by the seed; 0: all")
	chosen  = flag.String("kinds", "", "kinds of the single faults, with commas between; empty: all")
	only    = flag.Int("only", 0, "this case alone")
	labs    = flag.Int("labs", 2, "labs side by side; see -parallel")
	copied  = flag.Bool("copied", false, "also look for the causes in a copy: diagnose --confirm-in-lab")
	results = flag.String("results", "", "a file for a line of JSON per case; the table stands beside it, as .txt")
)

// The share of cases that have to be right: the true cause first, of as many as
// show a share, and all causes of several named. Among the first three it is in all.
const (
	firstAtLeast = 0.95
	enough       = 20
	allAtLeast   = 0.90
	shownAtLeast = 0.80 // in a copy, of the causes that are planted there
)

// result holds what became of a case.
type result struct {
	Case int `json:"case"`
	testCase
	Places  []int    `json:"places"` // of each fault's cause in the answer, from 1; 0: not there
	Causes  []string `json:"causes"` // ID/HOST:ELEMENT, in the answer's order
	Verdict string   `json:"verdict"`
	Seconds float64  `json:"seconds"`
	Wrong   string   `json:"wrong,omitempty"`
	Copied  []string `json:"copied,omitempty"` // with -copied: what the copy showed of each fault's cause, and why
}

func TestDiagnoseCases(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	s := build(t)
	dice := rand.New(rand.NewPCG(*seed, 0))
	names := topology.Builtins()
	dice.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if *some > 0 {
		names = names[:min(*some, len(names))]
	}
	var paths []*path
	for _, name := range names {
		if p := s.path(t, name, dice); p != nil {
			paths = append(paths, p)
		}
	}
	var cases []testCase
	for i := range *healthy {
		cases = append(cases, paths[i%len(paths)].newCase(i%2 == 1))
	}
	one := single(paths, os.Geteuid() == 0, dice)
	one = slices.DeleteFunc(one, func(x testCase) bool {
		return *chosen != "" && !slices.Contains(strings.Split(*chosen, ","), x.Faults[0].Kind)
	})
	t.Logf("%d of %d cases of one fault", min(*singles, len(one)), len(one))
	cases = append(cases, one[:min(*singles, len(one))]...)
	for range *multi {
		cases = append(cases, several(paths, dice))
	}
	queue := make(chan int, len(cases))
	for n := range cases {
		if *only == 0 || n+1 == *only {
			queue <- n
		}
	}
	close(queue)
	tally := &tally{}
	if *results != "" {
		out, err := os.Create(*results)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		tally.out = out
	}
	t.Run("cases", func(t *testing.T) {
		for i := range max(1, *labs) {
			t.Run(fmt.Sprintf("lab %d", i+1), func(t *testing.T) {
				t.Parallel()
				for n := range queue {
					r := s.diagnoseCase(t, cases[n])
					r.Case = n + 1
					tally.add(t, r)
				}
			})
		}
	})
	table := tally.table()
	t.Logf("seed %d:\n%s", *seed, table)
	if *results != "" {
		if err := os.WriteFile(strings.TrimSuffix(*results, filepath.Ext(*results))+".txt", []byte(table), 0o644); err != nil {
			t.Error(err)
		}
	}
	tally.judge(t)
}

// site is the program, with a folder of its own for each lab.
type site struct{ bin string }

// build makes the programs.
func build(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	if err := needs.Programs(dir, "seaworthy", "seaworthy-lab"); err != nil {
		t.Fatal(err)
	}
	return &site{filepath.Join(dir, "seaworthy")}
}

// instance is a fresh lab.
type instance struct {
	*site
	t   *testing.T
	dir string
}

func (s *site) up(t *testing.T, name string) *instance { return s.upWith(t, name, nil) }

// upWith starts a topology in which some nodes are changed.
func (s *site) upWith(t *testing.T, name string, edits map[string]func(map[string]any)) *instance {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "swc")
	if err != nil {
		t.Fatal(err)
	}
	w := &instance{s, t, dir}
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	if len(edits) > 0 {
		name = w.edited(name, edits)
	}
	if out, err := w.command(t.Context(), "lab", "up", name, "--name", "c").CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		if strings.Contains(string(out), "namespaces") && os.Getenv("CI") != "true" {
			t.Skipf("no lab on this machine: %s", out)
		}
		t.Fatalf("lab up %s: %v: %s", name, err, out)
	}
	return w
}

// edited writes a changed topology into the lab's folder.
func (w *instance) edited(name string, edits map[string]func(map[string]any)) string {
	w.t.Helper()
	text, err := w.command(w.t.Context(), "lab", "topologies", name).Output()
	if err != nil {
		w.t.Fatal(err)
	}
	var top map[string]any
	if err := yaml.Unmarshal(text, &top); err != nil {
		w.t.Fatal(err)
	}
	for _, system := range top["systems"].([]any) {
		for _, node := range system.(map[string]any)["nodes"].([]any) {
			n := node.(map[string]any)
			if edit := edits[n["name"].(string)]; edit != nil {
				edit(n)
			}
		}
	}
	if text, err = yaml.Marshal(top); err != nil {
		w.t.Fatal(err)
	}
	file := filepath.Join(w.dir, "changed.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return file
}

// order puts the settings of the path right that a fresh lab leaves as AIX ships them.
func (w *instance) order(x testCase) {
	w.t.Helper()
	top, err := topology.Load(w.t.Context(), x.Topology)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, at := range []string{x.From, x.To} {
		host, en, _ := strings.Cut(at, ":")
		if _, n, ok := top.Node(host); ok && n.OS == "" {
			w.exec(host, "chdev -l "+en+" -a mtu_bypass=on")
		}
	}
	for _, s := range top.Systems {
		if slices.ContainsFunc(s.Nodes, func(n topology.Node) bool { return n.OS != "" }) {
			continue // a Linux client may not take what large receive hands on
		}
		for i := range s.Nodes {
			n := &s.Nodes[i]
			for _, a := range n.Adapters {
				if a.Kind == topology.SEA && n.Set[a.Name]["large_receive"] != "yes" {
					w.exec(n.Name, "chdev -l "+a.Name+" -a largesend=1 -a large_receive=yes")
				}
			}
		}
	}
}

func (w *instance) exec(host, line string) {
	w.t.Helper()
	if err := w.run(host, line); err != nil {
		w.t.Fatal(err)
	}
}

// run runs a command line on a host as root.
func (w *instance) run(host, line string) error {
	out, err := w.command(w.t.Context(), "lab", "exec", "--lab", "c", "-u", "root", host, "--", line).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %s: %w: %s", host, line, err, out)
	}
	return nil
}

func (w *instance) down() {
	if out, err := w.command(context.Background(), "lab", "down", "c").CombinedOutput(); err != nil {
		w.t.Errorf("lab down: %v: %s", err, out)
	}
	os.RemoveAll(w.dir)
}

func (w *instance) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, w.bin, args...)
	c.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Join(w.dir, "run"), "XDG_STATE_HOME="+filepath.Join(w.dir, "state"))
	return c
}

// named is a cause, with what a copy showed of it.
type named struct {
	ID, Host, Element string
	Copy              struct{ Outcome, Planted, Why string } `json:"in_copy"`
}

// answer holds what is read of diagnose's JSON.
type answer struct {
	Verdict string
	Path    []element
	Causes  []named
	Seconds float64

	Possible []struct {
		named
		Limits bool
	}
}

func (w *instance) diagnose(from, to string, flags ...string) (a answer, wrong string) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 8*time.Minute)
	defer cancel()
	c := w.command(ctx, append([]string{"diagnose", from, to, "-i", "lab:c", "-f", "json"}, flags...)...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	began := time.Now()
	_ = c.Run() // its exit status is in the answer too
	var text struct {
		answer
		Result answer
	}
	if err := json.Unmarshal(out.Bytes(), &text); err != nil {
		return a, fmt.Sprintf("diagnose: exit %d: %v: %s", c.ProcessState.ExitCode(), err, errs.String())
	}
	a = text.answer
	if a.Verdict == "" {
		a = text.Result
	}
	a.Seconds = time.Since(began).Round(10 * time.Millisecond).Seconds()
	return a, ""
}

// path finds two partitions of different managed systems that are in one subnet,
// and what is between them while nothing is broken; nil if there are none.
func (s *site) path(t *testing.T, name string, dice *rand.Rand) *path {
	t.Helper()
	top, err := topology.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	type partition struct {
		system, host string
		i            topology.Interface
	}
	var all []partition
	for sys, n := range top.Nodes() {
		for _, i := range n.Interfaces {
			if n.Role == topology.LPAR {
				all = append(all, partition{sys.Name, n.Name, i})
			}
		}
	}
	dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, a := range all {
		for _, b := range all {
			if a.system == b.system || !a.i.Address.Contains(b.i.Address.Addr()) {
				continue
			}
			w := s.up(t, name)
			defer w.down()
			p := &path{top: top, from: end{a.host, a.i.Name}, to: end{b.host, b.i.Name}}
			got, wrong := w.diagnose(a.host+":"+a.i.Name, b.host+":"+b.i.Name)
			p.elements = got.Path
			if len(p.elements) == 0 {
				t.Fatalf("%s: %s to %s: no path: %s", name, a.host, b.host, wrong)
			}
			return p
		}
	}
	return nil
}

// diagnoseCase breaks a fresh lab and asks for the cause.
func (s *site) diagnoseCase(t *testing.T, x testCase) result {
	t.Helper()
	r := result{testCase: x, Places: []int{}, Causes: []string{}}
	w := s.upWith(t, x.Topology, x.edits)
	defer w.down()
	w.order(x)
	var flags []string
	settings := slices.ContainsFunc(x.want, func(w wanted) bool { return w.limits })
	if x.Load && settings {
		flags = []string{"--load"}
	}
	if *copied {
		flags = append(flags, "--confirm-in-lab")
	}
	for _, c := range x.commands {
		if err := w.run(c.Host, c.Line); err != nil {
			r.Wrong = err.Error()
			return r
		}
	}
	if x.Load && !settings {
		w.load(x)
	}
	for _, f := range x.Faults {
		if len(x.commands) > 0 || len(x.edits) > 0 {
			continue // a setting, no fault of lab break
		}
		args := []string{"lab", "break", "--lab", "c", f.Target, f.Kind}
		if f.Value != "" {
			args = append(args, f.Value)
		}
		if out, err := w.command(t.Context(), args...).CombinedOutput(); err != nil {
			r.Wrong = fmt.Sprintf("break %s: %v: %s", f, err, out)
			return r
		}
	}
	var a answer
	a, r.Wrong = w.diagnose(x.From, x.To, flags...)
	if r.Wrong != "" {
		return r
	}
	r.Verdict, r.Seconds = a.Verdict, a.Seconds
	for _, c := range a.Causes {
		r.Causes = append(r.Causes, c.ID+"/"+c.Host+":"+c.Element)
	}
	if a.Verdict == "settings to fix" { // then these are the answer
		for _, c := range a.Possible {
			if c.Limits {
				a.Causes = append(a.Causes, c.named)
			}
		}
	}
	for _, want := range x.want {
		at := 0
		for i, c := range a.Causes {
			if at == 0 && slices.Contains(want.causes, c.ID) && (want.hosts == nil || slices.Contains(want.hosts, c.Host)) {
				at = i + 1
			}
		}
		r.Places = append(r.Places, at)
		if *copied && at > 0 {
			c := a.Causes[at-1].Copy
			r.Copied = append(r.Copied, fmt.Sprintf("%s (%s): %s", c.Outcome, c.Planted, c.Why))
		}
	}
	return r
}

// load sends streams over the path, more than one where buffers are to run out.
func (w *instance) load(x testCase) {
	w.t.Helper()
	streams := 1
	if slices.ContainsFunc(x.want, func(k wanted) bool { return slices.Contains(k.causes, "slow-receiver") }) {
		streams = 32
	}
	from, _, _ := strings.Cut(x.From, ":")
	to, en, _ := strings.Cut(x.To, ":")
	top, err := topology.Load(w.t.Context(), x.Topology)
	if err != nil {
		w.t.Fatal(err)
	}
	_, n, _ := top.Node(to)
	i := slices.IndexFunc(n.Interfaces, func(i topology.Interface) bool { return i.Name == en })
	address := n.Interfaces[i].Address.Addr()
	for _, line := range [][2]string{{to, "netserver >/dev/null 2>&1"}, {from, fmt.Sprintf(
		"i=0; while [ $i -lt %d ]; do i=$((i+1)); netperf -H %s -l 120 >/dev/null 2>&1 </dev/null & done", streams, address)}} {
		if out, err := w.command(w.t.Context(), "lab", "exec", "--lab", "c", "-u", "root", line[0], "--", line[1]).CombinedOutput(); err != nil {
			w.t.Fatalf("%s: %s: %v: %s", line[0], line[1], err, out)
		}
	}
}
