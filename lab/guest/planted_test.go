package guest_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/needs"
	"seaworthy/lab"
)

//go:embed testdata/plant.pl
var plantScript string

//go:embed testdata/plants.yaml
var plantFile []byte

// plant is one wrong setting or one fault of testdata/plants.yaml.
type plant struct {
	Kind, Rule, At string
	Of, Facts      []string
	With           string
	Set, To        string
	Do, Undo       string
}

type script struct{ Do, Undo string }

// plants are all of them, with their scripts whole.
func plants(t *testing.T) []plant {
	t.Helper()
	var file struct {
		Scripts map[string]script
		Plants  []plant
	}
	d := yaml.NewDecoder(bytes.NewReader(plantFile))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	for i := range file.Plants {
		p := &file.Plants[i]
		if p.Set != "" {
			p.Do = fmt.Sprintf("sysctl -qn %s >/run/was; sysctl -qw %s='%s'", p.Set, p.Set, p.To)
			p.Undo = fmt.Sprintf(`sysctl -qw %s="$(cat /run/was)"`, p.Set)
		}
		with := file.Scripts[p.With]
		p.Do, p.Undo = with.Do+p.Do, p.Undo+"\n"+with.Undo
	}
	return file.Plants
}

var alternatives = regexp.MustCompile(`\{([^{}]*\|[^{}]*)\}`)

// machine is a running host.
type machine struct {
	name, port, address, peer string
	dir, bin                  string
	reach                     []string // seaworthy's arguments
	try                       func(script string) (string, error)
}

// drawn is a text with its alternatives chosen by a seed.
func (m machine) drawn(text string, r *rand.Rand) string {
	text = alternatives.ReplaceAllStringFunc(text, func(m string) string {
		of := strings.Split(strings.Trim(m, "{}"), "|")
		return of[r.IntN(len(of))]
	})
	return strings.NewReplacer("$P", m.port, "$A", m.address, "$R", m.peer).Replace(text)
}

// What is set wrong on a running host, or goes wrong there, is found at its element; the host
// as it was installed has no finding, before and after.
func TestPlantedMisSettings(t *testing.T) {
	for _, kind := range []string{"server", "pseries"} {
		t.Run(kind, func(t *testing.T) {
			h := boot(t, kind)
			if err := os.Mkdir(filepath.Join(h.dir, "run"), 0o700); err != nil {
				t.Fatal(err)
			}
			planted(t, machine{kind, h.guest.Kind.Interface, "10.10.10.50", "10.10.10.11", h.dir, h.bin, []string{kind, "-F", h.guest.SSHConfig()},
				func(script string) (string, error) {
					c := exec.CommandContext(t.Context(), "ssh", "-F", h.guest.SSHConfig(), kind, "timeout 120 sh -s")
					c.Stdin = strings.NewReader(script)
					out, err := c.CombinedOutput()
					return string(out), err
				}})
		})
	}
}

// The same on a lab's Linux node, whose kernel is this machine's.
func TestPlantedMisSettingsInLab(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: nobody else may write to /sys of a lab's node")
	}
	needs.Tool(t, "ethtool")
	dir := t.TempDir()
	if err := needs.Programs(dir, "seaworthy", "seaworthy-lab"); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	bin := filepath.Join(dir, "seaworthy")
	started(t, lab.Options{Topology: "linux-peer", StateDir: filepath.Join(run, "seaworthy")})
	planted(t, machine{"server1", "eth0", "10.10.20.31", "10.10.20.11", dir, bin, []string{"server1", "-i", "lab"},
		func(script string) (string, error) {
			out, err := exec.CommandContext(t.Context(), bin, "lab", "exec", "-u", "root", "server1", "--", script).CombinedOutput()
			return string(out), err
		}})
}

func planted(t *testing.T, m machine) {
	if out, err := m.try("cat >/run/plant.pl <<'END'\n" + plantScript + "END\n"); err != nil {
		t.Fatalf("plant.pl: %v: %s", err, out)
	}
	since := m.snapshot(t, "stock")
	if got := m.audit(t, m.reach, "--since", since); len(got) > 0 {
		t.Errorf("as installed: got %v, want no finding", got)
	}
	seed := draw.Seed(t)
	chosen := regexp.MustCompile(os.Getenv("PLANT"))
	right, all := 0, 0
	for _, p := range plants(t) {
		if len(p.Of) > 0 && !slices.Contains(p.Of, m.name) || !chosen.MatchString(p.Kind) {
			continue
		}
		sum := fnv.New64a()
		sum.Write([]byte(p.Kind))
		r := rand.New(rand.NewPCG(seed, sum.Sum64()))
		var facts []string
		for _, f := range p.Facts {
			facts = append(facts, "--fact", m.name+" "+f)
		}
		do, undo, want := m.drawn(p.Do, r), m.drawn(p.Undo, r), p.Rule+" "+m.drawn(p.At, r)
		since := m.snapshot(t, "before")
		if len(facts) > 0 && slices.Contains(m.audit(t, []string{since}, facts...), want) {
			t.Errorf("%s: %s before anything was planted", p.Kind, want)
		}
		all++
		if out, err := m.try("set -e\n" + do + m.drawn("\nuntil [ $(cat /sys/class/net/$P/carrier) = 1 ]; do sleep 0.1; done", r)); err != nil {
			t.Errorf("%s: not planted: %v: %s", p.Kind, err, out)
		}
		got := m.audit(t, m.reach, append(facts, "--since", since)...)
		if out, err := m.try(undo); err != nil {
			t.Errorf("%s: not undone: %v: %s", p.Kind, err, out)
		}
		if slices.Contains(got, want) {
			right++
		} else {
			t.Logf("%s: MISSED", p.Kind)
		}
		t.Logf("%s: want %s, got %v", p.Kind, want, got)
	}
	t.Logf("%s: %d of %d kinds found, seed %d", m.name, right, all, seed)
	if right*100 < all*95 {
		t.Errorf("got %d of %d found, want 95 of 100", right, all)
	}
	if got := m.audit(t, m.reach, "--since", m.snapshot(t, "after")); len(got) > 0 {
		t.Errorf("as it was again: got %v, want no finding", got)
	}
}

// seaworthy runs the program.
func (m machine) seaworthy(t *testing.T, args ...string) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), m.bin, args...)
	c.Dir = m.dir
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(m.dir, "state"), "XDG_RUNTIME_DIR="+filepath.Join(m.dir, "run"))
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, errs.String())
	}
	return out
}

// snapshot reads the host into a folder of that name.
func (m machine) snapshot(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(m.dir, name)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	m.seaworthy(t, slices.Concat([]string{"collect", "-o", dir, "--quiet"}, m.reach)...)
	return dir
}

// audit gives the findings of the host as "R110 ens4".
func (m machine) audit(t *testing.T, of []string, args ...string) []string {
	t.Helper()
	type finding struct {
		Rule    string `json:"rule"`
		Element struct {
			Element string `json:"element"`
		} `json:"element"`
	}
	var result struct {
		Findings []finding `json:"findings"`
		Notes    []finding `json:"notes"`
	}
	out := m.seaworthy(t, slices.Concat([]string{"audit", "--no-ping", "--quiet", "--fail-on", "never", "-f", "json"}, of, args)...)
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("audit: %v: %.300s", err, out)
	}
	var found []string
	for _, f := range append(result.Findings, result.Notes...) {
		found = append(found, f.Rule+" "+f.Element.Element)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
