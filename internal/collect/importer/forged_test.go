package importer

import (
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
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

// foreignFiles could be taken for outputs of another system, or of another host. None names one.
var foreignFiles = map[string]string{
	"cpuacct.usage":  "184400044073\n",
	"interface.yaml": "name: backup-store\nsummary: connects a host to its store\nversion: 1\nmaintainer: storage team\n",
	"sockets.txt": "Active Internet connections (servers and established)\nProto Recv-Q Send-Q Local Address  Foreign Address  State\n" +
		"tcp  0  0 0.0.0.0:22  0.0.0.0:*  LISTEN\n",
	"notes.md":      "# what we tried\n\n* restarted the switch\n* no better\n",
	"features.txt":  "Features for eth9:\nrx-checksumming: on\ntx-checksumming: on\nscatter-gather: on\n",
	"counters.json": `{"a": [1, 2, 3], "host": "none"}` + "\n",
}

// decided is the host and platform of each file's outputs. Each output is shown to those who look.
func decided(t testing.TB, dir string, change func(files []*file), look ...func(*part)) map[string]string {
	t.Helper()
	r := &reader{ctx: t.Context(), options: Options{Text: 1 << 20}, spill: t.TempDir(), root: filepath.ToSlash(dir),
		shown: progress.Begin(t.Context(), "reading", "file", 0), bundles: bundles{known: map[string]*layout{}, seen: map[string]*Aside{}}}
	defer r.shown.End()
	if err := archive.Walk(t.Context(), dir, archive.Limits{}, r); err != nil {
		t.Fatal(err)
	}
	change(r.files)
	assign(r.files, Options{})
	hosts := map[string][]*part{}
	for _, f := range r.files {
		for _, p := range f.parts {
			if p.found != nil && p.Host != "" {
				hosts[key(p.Host)] = append(hosts[key(p.Host)], p)
				for _, l := range look {
					l(p)
				}
			}
		}
	}
	out := map[string]string{}
	for host, parts := range hosts {
		platform := decidePlatform(votes(parts))
		for _, p := range parts {
			at := strings.TrimPrefix(p.file.path, r.root)
			if had := out[at]; !strings.Contains(had, host+" "+platform) {
				out[at] += host + " " + platform + ", "
			}
		}
	}
	return out
}

func unchanged([]*file) {}

// differs says for which of the files in want the decision is another one; empty if it is none.
func differs(want, got map[string]string, but string) string {
	for file, is := range want {
		if strings.Contains(is, " unknown,") { // nothing of the host tells
			continue
		}
		if file != but && sorted(got[file]) != sorted(is) {
			return fmt.Sprintf("%s: %q, was %q", file, got[file], is)
		}
	}
	return ""
}

func sorted(list string) string {
	parts := strings.Split(list, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// Whatever lies beside the files of a host, and in whatever order they come, host and platform of the rest stay: over real
// outputs, where they are at hand.
func TestForgedFolders(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "field", "cases", "*"))
	if err != nil || len(cases) == 0 {
		t.Skip("no real outputs here")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, from := range draw.Costly(t, 18, 6, cases) {
		dir := caseFolder(t, from)
		want := decided(t, dir, unchanged)
		if len(want) == 0 {
			continue
		}
		shuffled := decided(t, dir, func(files []*file) {
			random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		})
		if d := differs(want, shuffled, ""); d != "" {
			t.Errorf("%s, shuffled: %s", filepath.Base(from), d)
		}
		checkForeign(t, from, dir, want, random)
	}
}

// checkForeign puts foreign files, one at a time, beside the files of each host: two of them, or with -v all.
func checkForeign(t *testing.T, from, dir string, want map[string]string, random *rand.Rand) {
	t.Helper()
	folders := map[string]bool{}
	for file := range want {
		folders[filepath.Dir(file)] = true
	}
	names := slices.Sorted(maps.Keys(foreignFiles))
	for folder := range folders {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		some := names[:2]
		if testing.Verbose() {
			some = names
		}
		for _, name := range some {
			text := foreignFiles[name]
			file := filepath.Join(dir, folder, "zz-"+name)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got := decided(t, dir, unchanged)
			if d := differs(want, got, ""); d != "" {
				t.Errorf("%s with %s in %s: %s", filepath.Base(from), name, folder, d)
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// caseFolder unpacks a published case: a folder, or a text whose parts begin with "== PATH".
func caseFolder(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(from)
	if err != nil { // a folder
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(dir, "README.txt"))
		return dir
	}
	for _, part := range strings.Split(string(text), "\n== ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// forgedHosts are the folders of two hosts, of two platforms.
var forgedHosts = map[string]string{
	"web7/uname.txt": "Linux web7 6.1.0-18-amd64 #1 SMP Debian x86_64 GNU/Linux\n",
	"web7/ip_addr.txt": "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether 00:00:5e:00:53:01 brd ff:ff:ff:ff:ff:ff\n" +
		"    inet 192.0.2.15/24 scope global eth0\n",
	"web7/ethtool.txt": "Settings for eth0:\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n",
	"lpar1/log.txt":    "root@lpar1:/# uname -a\nAIX lpar1 2 7 00C8D2E44C00\nroot@lpar1:/# oslevel -s\n7200-05-03-2148\n",
	"lpar1/en0.txt":    "# lsattr -El en0\nmtu 1500 Maximum IP Packet Size for This Device True\nstate up Current Interface Status True\n",
}

// Any text beside the files of two hosts, any order of them and any file that is cut off leave host and platform of the rest.
func FuzzDecision(f *testing.F) {
	for _, text := range foreignFiles {
		f.Add([]byte(text), uint64(1), uint8(0), uint16(40))
	}
	f.Add([]byte("# ip addr\n\x00"), uint64(7), uint8(3), uint16(3))
	f.Fuzz(func(t *testing.T, foreign []byte, order uint64, cut uint8, at uint16) {
		dir := t.TempDir()
		names := []string{}
		for name, text := range forgedHosts {
			names = append(names, name)
			writeForged(t, filepath.Join(dir, name), []byte(text))
		}
		slices.Sort(names)
		want := decided(t, dir, unchanged)
		// What is cut must not be what names its host: nobody else says it.
		short := names[int(cut)%len(names)]
		if strings.HasSuffix(short, "uname.txt") || strings.HasSuffix(short, "log.txt") {
			short = "web7/ethtool.txt"
		}
		text := forgedHosts[short]
		writeForged(t, filepath.Join(dir, short), []byte(text[:int(at)%len(text)]))
		writeForged(t, filepath.Join(dir, "web7", "zz-foreign.txt"), foreign)
		named := false
		got := decided(t, dir, func(files []*file) {
			random := rand.New(rand.NewPCG(order, 1))
			random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			for _, f := range files {
				named = named || strings.HasSuffix(f.path, "zz-foreign.txt") && slices.ContainsFunc(f.parts, func(p *part) bool {
					return p.named != "" || p.found != nil && namesSystem[p.found.ID]
				})
			}
		})
		if named {
			t.Skip("it names a host or a system itself")
		}
		if d := differs(want, got, "/"+short); d != "" {
			t.Errorf("with %q: %s", foreign, d)
		}
	})
}

func writeForged(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// realTexts are the real outputs, by name, but long ones, which are no likelier to be taken for another host's.
func realTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, file := range codectest.Files(t, "*/*.txt", "*/*/*.txt") {
		text := codectest.Text(t, file)
		if len(text) < 16<<10 {
			texts[filepath.Base(filepath.Dir(file))+"-"+filepath.Base(file)] = text
		}
	}
	return texts
}

// trial is a published case with a real output of elsewhere beside its files.
type trial struct{ from, foreign string }

// A real output of another host, of another platform too, that lies in a host's folder and names no host, changes host and
// platform of no file beside it, nor does cutting one of those files.
func TestForeignOutputs(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "field", "cases", "*"))
	if err != nil || len(cases) == 0 {
		t.Skip("no real outputs here")
	}
	texts := realTexts(t)
	names := slices.Sorted(maps.Keys(texts))
	random := draw.Rand(t)
	var all []trial
	for _, from := range cases {
		all = append(all, trial{from, names[random.IntN(len(names))]})
	}
	for _, c := range draw.Costly(t, 47, 8, all) {
		dir := caseFolder(t, c.from)
		want := decided(t, dir, unchanged)
		if len(want) == 0 {
			continue
		}
		files := slices.Sorted(maps.Keys(want))
		beside := files[random.IntN(len(files))]
		c.check(t, dir, filepath.Dir(beside), texts[c.foreign], want)
		cutOne(t, c.from, dir, beside, want, random)
	}
}

// check puts the foreign output into a folder and takes it out again.
func (c trial) check(t *testing.T, dir, folder, text string, want map[string]string) {
	t.Helper()
	at := filepath.Join(dir, folder, c.foreign)
	writeForged(t, at, []byte(text))
	named := false
	got := decided(t, dir, func(files []*file) {
		for _, f := range files {
			named = named || strings.HasSuffix(f.path, c.foreign) && slices.ContainsFunc(f.parts, func(p *part) bool {
				return p.named != "" || p.found != nil && (namesSystem[p.found.ID] || p.found.Family == registry.VIOS) // AIX may be a VIOS
			})
		}
	})
	if d := differs(want, got, ""); d != "" && !named {
		t.Errorf("%s with %s in %s: %s", filepath.Base(c.from), c.foreign, folder, d)
	}
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
}

// cutOne cuts a file in two, of a case whose folders are called as their hosts: those beside it stay what they are.
func cutOne(t *testing.T, from, dir, name string, want map[string]string, random *rand.Rand) {
	t.Helper()
	file := filepath.Join(dir, name)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := random.IntN(len(text) + 1)
	writeForged(t, file, text[:at])
	got := decided(t, dir, unchanged)
	want = maps.Clone(want)
	maps.DeleteFunc(want, func(file, _ string) bool { return strings.Contains(got[file], " unknown,") }) // only what was cut told the platform
	if d := differs(want, got, name); d != "" {
		t.Errorf("%s with %s cut at byte %d: %s", filepath.Base(from), name, at, d)
	}
}
