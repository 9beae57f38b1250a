package importer_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/test/importertest"
)

const (
	off = "mtu        1500 Maximum IP Packet Size for This Device        True\nmtu_bypass off  Enable/Disable largesend for virtual Ethernet True\n"
	on  = "mtu        9000 Maximum IP Packet Size for This Device        True\nmtu_bypass on   Enable/Disable largesend for virtual Ethernet True\n"
)

func node(name string) string { return "AIX " + name + " 2 7 00C8D2E44C00\n" }

// prefixed is a text as dsh prints it.
func prefixed(host, text string) string {
	return host + ": " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+host+": ") + "\n"
}

// found is which hosts came out, and what of each.
func found(r *importer.Result) map[string]string {
	out := map[string]string{}
	for _, h := range r.Hosts {
		out[h.Host] = h.Platform + ", " + h.Found
	}
	return out
}

func TestHosts(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string
	}{
		"one folder a host": {
			map[string]string{"x/a/u.txt": node("lpar1"), "x/a/n-en0.txt": off, "x/b/u.txt": node("lpar2"), "x/b/n-en0.txt": on},
			map[string]string{"lpar1": "aix, node name of uname -a", "lpar2": "aix, node name of uname -a"},
		},
		"a long and a short name are one host": {
			map[string]string{"u.txt": node("lpar1"), "p.txt": "System Model: IBM,9009-22A\nMachine Serial Number: 214D2E4\nNetwork Information\n\tHost Name: lpar1.example.com\n"},
			map[string]string{"lpar1.example.com": "aix, host name in prtconf"},
		},
		"names in file names": {
			map[string]string{"lpar1_uname.txt": node("lpar1"), "lpar2_uname.txt": node("lpar2"), "lpar1_lsattr_en0.txt": off, "lpar2_lsattr_en0.txt": on},
			map[string]string{"lpar1": "aix, node name of uname -a", "lpar2": "aix, node name of uname -a"},
		},
		"a name that means any machine": {
			map[string]string{"x/u.txt": "Linux localhost 6.1.0 #1 SMP ppc64le GNU/Linux\n", "x/n-en0.txt": off},
			map[string]string{"x": "linux, folder name"},
		},
		"files named after any machine": {
			map[string]string{"127.0.0.1/lsattr_en0.txt": off},
			map[string]string{"unnamed": "aix, folder name gives 127.0.0.1, which means any machine: use --host"},
		},
		"two readings of one device and no name": {
			map[string]string{"d/east_lsattr_en0.txt": off, "d/west_lsattr_en0.txt": on},
			map[string]string{"east": "aix, file name, as the folder holds several hosts and none is named", "west": "aix, file name, as the folder holds several hosts and none is named"},
		},
		"two readings behind dsh": {
			map[string]string{"en0.txt": prefixed("lpar1", off) + prefixed("lpar2", on)},
			map[string]string{"lpar1": "aix, name before each line", "lpar2": "aix, name before each line"},
		},
		"dsh knows a host by another name": {
			map[string]string{"u.txt": prefixed("lpar1-adm", node("lpar1")) + prefixed("10.1.1.12", node("lpar2")), "en0.txt": prefixed("lpar1-adm", off) + prefixed("10.1.1.12", on)},
			map[string]string{"lpar1": "aix, node name of uname -a", "lpar2": "aix, node name of uname -a"},
		},
		"asked from another host": {
			map[string]string{"s.log": "root@nim:/ # ssh lpar1 lsattr -El en0\n" + off + "root@nim:/ # ssh root@lpar2 'lsattr -El en0'\n" + on + "root@nim:/ # uname -a\n" + node("nim")},
			map[string]string{"lpar1": "aix, command line", "lpar2": "aix, command line", "nim": "aix, node name of uname -a"},
		},
		"no name at all": {
			map[string]string{"d/1.txt": off},
			map[string]string{"d": "aix, folder name"},
		},
		"an HMC beside hosts": {
			map[string]string{"d/u.txt": node("lpar1"), "d/eth.txt": "lpar_name=lpar1,lpar_id=2,slot_num=6,port_vlan_id=6,mac_addr=26E6B0002006\n"},
			map[string]string{"lpar1": "aix, node name of uname -a", "d-hmc": "hmc, folder name"},
		},
		"a VIOS by what only a VIOS prints": {
			map[string]string{"v/u.txt": node("vios1"), "v/l.txt": "3.1.4.21\n"},
			map[string]string{"vios1": "vios, node name of uname -a"},
		},
		"Linux": {
			map[string]string{"l/u.txt": "Linux web1 6.4.0-150600 #1 SMP ppc64le GNU/Linux\n", "l/s.txt": "net.ipv4.tcp_rmem = 4096\t131072\t6291456\nnet.core.rmem_max = 212992\n"},
			map[string]string{"web1": "linux, node name of uname -a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := imported(t, importer.Options{}, put(t, c.files))
			if diff := cmp.Diff(c.want, found(r)); diff != "" {
				t.Errorf("hosts (-want +got):\n%s", diff)
			}
			if len(r.Unrecognised) > 0 {
				t.Errorf("not recognised: %v", r.Unrecognised)
			}
		})
	}
}

// Values of one host must never come to another.
func TestNoMixture(t *testing.T) {
	_, fleet := imported(t, importer.Options{}, put(t, map[string]string{
		"lpar1_uname.txt": node("lpar1"), "lpar2_uname.txt": node("lpar2"), "lpar1_lsattr_en0.txt": off, "lpar2_lsattr_en0.txt": on,
	}))
	want := map[string]string{"lpar1": "off", "lpar2": "on"}
	for _, h := range fleet.Hosts {
		if got := *h.Elements["en0"].Attrs["mtu_bypass"].NextBoot; got != want[h.Name] {
			t.Errorf("%s: mtu_bypass: got %s, want %s", h.Name, got, want[h.Name])
		}
	}
}

// Of two readings of one host the later one is taken, and the other is reported.
func TestLaterReading(t *testing.T) {
	dir := put(t, map[string]string{"a/u.txt": node("lpar1"), "a/x-en0.txt": on, "b/u.txt": node("lpar1"), "b/x-en0.txt": off})
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "b", "x-en0.txt"), past, past); err != nil {
		t.Fatal(err)
	}
	r, fleet := imported(t, importer.Options{}, dir)
	if got := *fleet.Hosts[0].Elements["en0"].Attrs["mtu_bypass"].NextBoot; got != "on" {
		t.Errorf("mtu_bypass: got %s, want on, of the later file", got)
	}
	warned := false
	for _, f := range r.Files {
		for _, p := range f.Parts {
			warned = warned || strings.HasSuffix(f.File, "b/x-en0.txt") && !p.Stored && len(p.Warnings) > 0
		}
	}
	if !warned {
		t.Error("nothing says that the earlier reading was left out")
	}
}

// Bad input is reported, and the rest is read.
func TestBadInput(t *testing.T) {
	whole := importertest.Gzip(importertest.Pax(importertest.Snap(importertest.LPAR("lpar1", "10.1.1.11"))))
	dir := put(t, map[string]string{
		"cut.pax.gz": string(whole[:len(whole)*3/4]), "junk.bin": "\x00\x01\x02\x03", "empty.txt": "", "prose.txt": "call the network team\n",
		"long.txt": strings.Repeat("x", 3000), "good/u.txt": node("lpar2"),
		"damaged/ifconfig.txt": node("lpar3") + "en0: flags=1e084863,480<UP,BROADC",
	})
	r, fleet := imported(t, importer.Options{Text: 20_000}, dir)
	hosts := map[string]bool{}
	for _, h := range fleet.Hosts {
		hosts[h.Name] = true
	}
	if !hosts["lpar2"] || !hosts["lpar1"] {
		t.Errorf("hosts: got %v, want lpar1 of the cut-off archive and lpar2", hosts)
	}
	problem := false
	for _, p := range r.Problems {
		problem = problem || strings.Contains(p.File, "cut.pax") && strings.Contains(p.Why, "cut off")
	}
	if !problem {
		t.Errorf("nothing says that the archive is cut off: %v", r.Problems)
	}
	for _, name := range []string{"junk.bin", "prose.txt", "long.txt", "empty.txt"} {
		listed := false
		for _, f := range r.Unrecognised {
			listed = listed || strings.HasSuffix(f, name)
		}
		if !listed {
			t.Errorf("%s is not listed as not recognised: %v", name, r.Unrecognised)
		}
	}
	r, _ = imported(t, importer.Options{Text: 100}, dir)
	if len(r.Problems) < 2 || !strings.Contains(r.Problems[len(r.Problems)-1].Why+r.Problems[0].Why+r.Problems[1].Why, "100") {
		t.Errorf("files of more than 100 bytes: got %v, want them reported", r.Problems)
	}
}

// A text whose values may not be those that were printed is refused, and said
// why; nothing of it is stored.
func TestRefused(t *testing.T) {
	table := "attr_one\t1500\tMaximum IP Packet Size\tTrue\nattr_two\toff\tEnable largesend\tTrue\n"
	dir := put(t, map[string]string{
		"u.txt": node("lpar1"), "lsattr-El.en0.txt": table, "log.txt": "root@lpar1:/ # unam\b\b \r# uname -a\n" + node("lpar1"),
		"core": strings.Repeat("\x00", 5000),
	})
	r, _ := imported(t, importer.Options{}, dir)
	for name, want := range map[string]string{"lsattr-El.en0.txt": "tabs", "log.txt": "col -b", "core": "zero bytes"} {
		why := ""
		for _, f := range r.Files {
			if strings.HasSuffix(f.File, name) {
				for _, p := range f.Parts {
					why += strings.Join(p.Warnings, " ")
				}
			}
		}
		if !strings.Contains(why, want) || !slices.ContainsFunc(r.Unrecognised, func(f string) bool { return strings.HasSuffix(f, name) }) {
			t.Errorf("%s: got %q among %v, want it refused for %q", name, why, r.Unrecognised, want)
		}
	}
	if len(r.Hosts) != 1 || r.Hosts[0].Outputs != 1 {
		t.Errorf("got %+v, want one output of lpar1", r.Hosts)
	}
}

// An import that recognises nothing leaves no folder.
func TestNothingIsLeft(t *testing.T) {
	dir, out := put(t, map[string]string{"a.txt": "hello\n"}), filepath.Join(t.TempDir(), "a", "b")
	if _, err := importer.Import(t.Context(), []string{dir}, out, importer.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(out)); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", filepath.Dir(out), err)
	}
}

// A sparse file of 2 GiB is not read.
func TestHugeFile(t *testing.T) {
	dir := put(t, map[string]string{"u.txt": node("lpar1")})
	if err := os.Truncate(filepath.Join(dir, "u.txt"), int64(len(node("lpar1")))); err != nil {
		t.Fatal(err)
	}
	huge := filepath.Join(dir, "core.dump")
	if err := os.WriteFile(huge, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 2<<30); err != nil {
		t.Skip(err)
	}
	r, fleet := imported(t, importer.Options{}, dir)
	if len(fleet.Hosts) != 1 || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Why, "2147483648 bytes") {
		t.Errorf("got %d hosts and %v, want one and the large file reported", len(fleet.Hosts), r.Problems)
	}
}

// A snapshot that somebody packed keeps its manifest's word.
func TestPackedSnapshot(t *testing.T) {
	src := t.TempDir()
	w, err := collect.NewWriter(src, collect.Manifest{Host: "lpar1", Platform: "aix", User: "root", Started: importertest.Taken}, false)
	if err != nil {
		t.Fatal(err)
	}
	// -D prints as -E does: only the manifest says which.
	for _, o := range []collect.Record{{ID: "lsattr-El", Element: "en0", Line: "lsattr -El en0"}, {ID: "lsattr-Dl", Element: "en0", Line: "lsattr -Dl en0"}} {
		text := off
		if o.ID == "lsattr-Dl" {
			text = on
		}
		if err := w.Add(o, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err = filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(src, path)
		files["today/"+filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, fleet := imported(t, importer.Options{}, put(t, map[string]string{"today.tar.gz": string(importertest.Gzip(importertest.Pax(files)))}))
	h := fleet.Hosts[0]
	a := h.Elements["en0"].Attrs["mtu_bypass"]
	if h.Name != "lpar1" || h.User != "root" || !h.Taken.Equal(importertest.Taken) || *a.NextBoot != "off" || *a.Default != "on" {
		t.Errorf("got %s of %s at %s, mtu_bypass %s, default %s; want lpar1 of root at %s, off, on", h.Name, h.User, h.Taken, *a.NextBoot, *a.Default, importertest.Taken)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := importer.Import(ctx, []string{put(t, map[string]string{"u.txt": node("lpar1")})}, out, importer.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left behind (%v)", err)
	}
	if _, err := importer.Import(context.Background(), []string{filepath.Join(out, "none")}, out, importer.Options{Limits: archive.Limits{}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: got %v, want %v", err, fs.ErrNotExist)
	}
}

// Attributes of a device that no text names are said to be of no use.
func TestAttributesOfNoDevice(t *testing.T) {
	table := "mtu 1500 Maximum IP Packet Size for This Device True\nmtu_bypass off Enable/Disable largesend for virtual Ethernet True\n"
	for name, want := range map[string]bool{"lpar1.txt": true, "lpar1_lsattr_en0.txt": false} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{name: table}))
		if got := strings.Contains(strings.Join(r.Files[0].Parts[0].Warnings, " "), "names the device"); got != want {
			t.Errorf("%s: got warnings %q, want one of the device: %t", name, r.Files[0].Parts[0].Warnings, want)
		}
	}
}
