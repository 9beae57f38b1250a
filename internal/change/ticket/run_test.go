package ticket_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/change/ticket"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/plantest"
)

type anything struct{}

func (anything) Attribute(layer, name string) (*knowledge.Attribute, bool) {
	a := &knowledge.Attribute{Layer: layer, Name: name, Class: knowledge.O0}
	if name == "bounced" {
		a.Class = knowledge.O2
	}
	return a, true
}

// tools stand for a host's commands. They keep every value in a file of its
// own, byte for byte, and leave a mark if anything runs that must not.
var tools = map[string]string{
	"chdev": `[ -f "$DB/deaf" ] && exit 0
while [ $# -gt 0 ]; do
case $1 in
-l|-dev) el=$2; shift ;;
-a|-attr|-P|-perm) ;;
*=*) [ -f "$DB/refuse" ] && [ "${1%%=*}" != state ] && exit 1
	printf %s "${1#*=}" >"$DB/$el.${1%%=*}" ;;
*) echo "chdev: $1?" >&2; exit 1 ;;
esac
shift
done`,
	"lsattr":   `cat "$DB/$2.$4"; echo`,
	"lsdev":    `echo value; echo; cat "$DB/$2.$4"; echo`,
	"ioscli":   `exec "$@"`,
	"mkdev":    `exit 0`,
	"no":       `case $1 in -o) printf '%s = ' "$2"; cat "$DB/no.$2"; echo ;; *) printf %s "${3#*=}" >"$DB/no.${3%%=*}" ;; esac`,
	"sysctl":   `case $1 in -n) cat "$DB/sysctl.$2"; echo ;; *) printf %s "${2#*=}" >"$DB/sysctl.${2%%=*}" ;; esac`,
	"reboot":   `: >"$DB/RAN"`,
	"touch":    `: >"$DB/RAN"`,
	"shutdown": `: >"$DB/RAN"`,
}

type bench struct {
	t         *testing.T
	db, tools string
	shell     []string
}

func (b *bench) run(script string, args ...string) (string, error) {
	b.t.Helper()
	c := exec.Command(b.shell[0], append(append(append([]string{}, b.shell[1:]...), script), args...)...)
	c.Env = []string{"PATH=" + b.tools + ":/usr/bin:/bin", "DB=" + b.db}
	out, err := c.CombinedOutput()
	if _, ran := os.Stat(filepath.Join(b.db, "RAN")); ran == nil {
		b.t.Fatalf("%s %s: a value was run as a command\n%s", b.shell[0], script, out)
	}
	return string(out), err
}

func (b *bench) put(values map[string]string) {
	b.t.Helper()
	for k, v := range values {
		if err := os.WriteFile(filepath.Join(b.db, k), []byte(v), 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) get(values map[string]string) map[string]string {
	b.t.Helper()
	got := map[string]string{}
	for k := range values {
		text, err := os.ReadFile(filepath.Join(b.db, k))
		if err != nil {
			b.t.Fatal(err)
		}
		got[k] = string(text)
	}
	return got
}

// shells are those of this machine; $SEAWORTHY_SHELLS names more, by path.
func shells(t *testing.T) [][]string {
	t.Helper()
	var out [][]string
	for _, s := range append([]string{"dash", "bash", "mksh", "ksh93", "ksh", "busybox"},
		filepath.SplitList(os.Getenv("SEAWORTHY_SHELLS"))...) {
		path, err := exec.LookPath(s)
		switch {
		case err != nil:
		case s == "busybox":
			out = append(out, []string{path, "sh"})
		case s == "bash":
			out = append(out, []string{path}, []string{path, "--posix"})
		default:
			out = append(out, []string{path})
		}
	}
	if len(out) == 0 {
		t.Fatal("no POSIX shell on this machine")
	}
	return draw.OneIn(t, min(2, len(out)), out)
}

func newBench(t *testing.T, shell []string) *bench {
	t.Helper()
	b := &bench{t: t, db: t.TempDir(), tools: t.TempDir(), shell: shell}
	for name, text := range tools {
		if err := os.WriteFile(filepath.Join(b.tools, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

var nasty = []string{"'", `"`, "$(reboot)", "`reboot`", "; reboot", "&& reboot", "|reboot", " ", "\t", "*", "~", "#", "$HOME",
	"${IFS}", "!", "a", "=", "-", "é", "\xff", "(", ")", "<", ">", "%s", `'; reboot; '`}

func value(r *rand.Rand, more ...string) string {
	var s strings.Builder
	s.WriteString("v") // a value of blanks alone reads back as none
	all := append(append([]string{}, nasty...), more...)
	for range r.IntN(8) {
		s.WriteString(all[r.IntN(len(all))])
	}
	return s.String() + "v"
}

func host(platform model.Platform, user, name string) *model.Host {
	h := &model.Host{Name: name, Platform: platform, User: user, Tunables: map[string]*model.Attr{}}
	h.Elements = map[string]*model.Element{
		"en0":  {Name: "en0", Kind: model.Interface, On: "ent0", Attrs: map[string]*model.Attr{}},
		"ent0": {Name: "ent0", Kind: model.Virtual, Attrs: map[string]*model.Attr{}},
	}
	return h
}

// Whatever the values are: implement leads to the new ones, backout back to
// the old ones, byte for byte, and nothing else runs.
func TestScriptsRunInEveryShell(t *testing.T) {
	platforms := []model.Platform{model.AIX, model.VIOS, model.Linux}
	for _, shell := range shells(t) {
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 1))
			b := newBench(t, shell)
			before, after := map[string]string{}, map[string]string{}
			fleet := &model.Fleet{}
			var desired []plan.DesiredSetting
			add := func(h *model.Host, element, attr, file, old, new string) {
				a := &model.Attr{Name: attr, Running: &old, NextBoot: &old}
				if element == "no" || element == "sysctl" {
					h.Tunables[attr] = a
				} else {
					h.Elements[element].Attrs[attr] = a
				}
				new = "n" + new // never the same by chance
				before[file], after[file] = old, new
				desired = append(desired, plan.DesiredSetting{Setting: finding.Setting{Ref: model.Ref{Host: h.Name, Element: element},
					Attr: attr, Value: new}})
			}
			platform := platforms[seed%3]
			user := ""
			if platform == model.VIOS {
				user = "padmin"
			}
			h := host(platform, user, "h"+value(r, "\n", "/../", "\n\nreboot\n"))
			fleet.Hosts = append(fleet.Hosts, h)
			if platform == model.Linux {
				add(h, "sysctl", "net.ipv4.x", "sysctl.net.ipv4.x", value(r, "\n", `\`), value(r, `\`, `\0047`))
			} else {
				add(h, "en0", "one", "en0.one", value(r, "\n", `\`, "\nreboot\n"), value(r, `\`, `\0047`, `\n`))
				add(h, "ent0", "two", "ent0.two", value(r, "\n", `\`), value(r, `\`))
				add(h, "no", "three", "no.three", value(r, "\n"), value(r))
			}
			p, err := plan.Build(fleet, anything{}, desired)
			if err != nil || len(p.Refused) > 0 || len(p.Steps) != len(before) {
				t.Fatalf("seed %d: %v, refused %+v, %d steps for %d values", seed, err, p.Refused, len(p.Steps), len(before))
			}
			dir := t.TempDir()
			if err := ticket.Write(dir, p, ticket.Evidence{}); err != nil {
				t.Fatal(err)
			}
			folders, _ := filepath.Glob(filepath.Join(dir, "*", "implement.sh"))
			if len(folders) != 1 {
				t.Fatalf("seed %d: host %q: got scripts %v, want one folder inside %s", seed, h.Name, folders, dir)
			}
			at := filepath.Dir(folders[0])
			b.put(before)
			name := fmt.Sprintf("%s, seed %d", shell[len(shell)-1], seed)
			if out, err := b.run(at + "/implement.sh"); err != nil {
				t.Fatalf("%s: implement: %v\n%s", name, err, out)
			}
			if d := cmp.Diff(after, b.get(after)); d != "" {
				t.Fatalf("%s: after implement (-want +got):\n%s", name, d)
			}
			if out, err := b.run(at + "/verify.sh"); err != nil {
				t.Errorf("%s: verify: %v\n%s", name, err, out)
			}
			if out, err := b.run(at + "/backout.sh"); err != nil {
				t.Fatalf("%s: backout: %v\n%s", name, err, out)
			}
			if d := cmp.Diff(before, b.get(before)); d != "" {
				t.Fatalf("%s: after backout (-want +got):\n%s", name, d)
			}
			if out, err := b.run(at + "/verify.sh"); err == nil {
				t.Errorf("%s: verify after backout says all is as planned:\n%s", name, out)
			}
		}
	}
}

func TestImplementStopsAndBackoutRepairs(t *testing.T) {
	old, set, up := "old", "new", "up"
	h := host(model.AIX, "", "lpar1")
	h.Elements["ent0"].Attrs["bounced"] = &model.Attr{Name: "bounced", Running: &old, NextBoot: &old}
	h.Elements["en0"].Addrs = plantest.Prefixes(t, "10.0.0.1/24")
	p, err := plan.Build(&model.Fleet{Hosts: []*model.Host{h}}, anything{},
		[]plan.DesiredSetting{{Setting: finding.Setting{Ref: model.Ref{Host: "lpar1", Element: "ent0"}, Attr: "bounced", Value: set}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, shell := range shells(t) {
		b := newBench(t, shell)
		dir := t.TempDir()
		if err := ticket.Write(dir, p, ticket.Evidence{}); err != nil {
			t.Fatal(err)
		}
		good := map[string]string{"ent0.bounced": old, "en0.state": up}
		b.put(good)
		b.put(map[string]string{"refuse": ""})
		out, err := b.run(dir + "/lpar1/implement.sh")
		if err == nil || !strings.Contains(out, "backout.sh") {
			t.Errorf("%s: a step that fails: got %v, %q, want advice to run backout.sh", shell, err, out)
		}
		if d := cmp.Diff(good, b.get(good)); d != "" {
			t.Errorf("%s: a failed step left the interface down (-want +got):\n%s", shell, d)
		}
		if out, err := b.run(dir + "/lpar1/backout.sh"); err == nil && !strings.Contains(out, "undone") {
			t.Errorf("%s: backout: got %v, %q", shell, err, out)
		}
		os.Remove(filepath.Join(b.db, "refuse"))
		// A host that has changed since the plan was made is left alone.
		b.put(map[string]string{"ent0.bounced": "third"})
		out, err = b.run(dir+"/lpar1/implement.sh", "1")
		if err == nil || !strings.Contains(out, "lpar1 ent0 bounced is third, not old") {
			t.Errorf("%s: drift: got %v, %q, want it named", shell, err, out)
		}
		if out, err := b.run(dir+"/lpar1/implement.sh", "2"); err == nil || !strings.Contains(out, "not a step") {
			t.Errorf("%s: an unknown step: got %v, %q", shell, err, out)
		}
	}
}
