package importer

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/test/draw"
)

const unameOf9 = "Linux web9 6.1.0-13-amd64 #1 SMP Debian x86_64 GNU/Linux\n"

// One file of another host of the same system lies among files that name none: those stay, where the folder's name is a host's
// as others are. Where the name of the folder may be anything, the only name there is, is theirs.
func TestFileOfAnotherHost(t *testing.T) {
	aix := map[string]string{"lsattr_El_en0.txt": enLines, "no_a.txt": tunableLines}
	linux := map[string]string{"ip_addr.txt": portLines, "ethtool.txt": settingLines}
	for name, c := range map[string]struct {
		folder string
		files  map[string]string
		beside map[string]string // files elsewhere, and the foreign one
		want   string
	}{
		"a host of the same scheme": {"web7", linux, map[string]string{"web7/extra.txt": unameOf9}, "web7"},
		"a partition of the same system": {"lpar1", aix, map[string]string{
			"lpar1/extra.txt": "System Model: IBM,9009-22A\nMachine Serial Number: 214D2E4\nNetwork Information\n\tHost Name: lpar9.example.com\n"}, "lpar1"},
		"a session of the same scheme": {"lpar1", aix, map[string]string{"lpar1/extra.txt": "root@lpar9:/# lsattr -El en1\n" + enLines}, "lpar1"},
		"a host with a folder of its own": {"db1", linux, map[string]string{"db1/extra.txt": unameOf9,
			"web9/uname.txt": unameOf9, "web9/ip_addr.txt": portLines}, "db1"},
		"folders named after their hosts": {"db1", linux, map[string]string{"db1/extra.txt": unameOf9,
			"east1/uname.txt": strings.ReplaceAll(unameOf9, "web9", "east1"), "west2/uname.txt": strings.ReplaceAll(unameOf9, "web9", "west2")}, "db1"},
		"a name without a number": {"debian12", linux, map[string]string{
			"debian12/uname.txt": strings.ReplaceAll(unameOf9, "web9", "debian")}, "debian"},
		"a folder with any name":       {"case4711", linux, map[string]string{"case4711/uname.txt": unameOf9}, "web9"},
		"a folder named after a topic": {"networking", linux, map[string]string{"networking/uname.txt": unameOf9}, "web9"},
		"the same number with zeros":   {"web09", linux, map[string]string{"web09/uname.txt": unameOf9}, "web9"},
		"two files that name it":       {"web7", linux, map[string]string{"web7/uname.txt": unameOf9, "web7/s.log": "root@web9:~# ip addr\n" + portLines}, "web9"},
	} {
		dir := t.TempDir()
		for at, text := range c.beside {
			writeForged(t, filepath.Join(dir, "x", at), []byte(text))
		}
		for at, text := range c.files {
			writeForged(t, filepath.Join(dir, "x", c.folder, at), []byte(text))
		}
		got := decided(t, dir, unchanged)
		for _, at := range slices.Sorted(maps.Keys(c.files)) {
			if is := got["/x/"+c.folder+"/"+at]; !strings.HasPrefix(is, c.want+" ") {
				t.Errorf("%s: %s is of %q, want %s", name, at, is, c.want)
			}
		}
	}
}

// Of two files that name a host each, none gets the rest, and that is said.
func TestEqualClaims(t *testing.T) {
	dir := t.TempDir()
	for at, text := range map[string]string{"a.txt": unameOf9, "b.txt": strings.ReplaceAll(unameOf9, "web9", "db2"), "ip_addr.txt": portLines} {
		writeForged(t, filepath.Join(dir, "saved", at), []byte(text))
	}
	r, err := Import(t.Context(), []string{dir}, filepath.Join(t.TempDir(), "out"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Hosts, func(h Host) bool { return h.Host == "saved" })
	if len(r.Hosts) != 3 || at < 0 || !strings.Contains(r.Hosts[at].Found, "name db2, web9, and nothing says which of them") {
		t.Errorf("got %+v, want three hosts, of which one is named after its folder and the reason", r.Hosts)
	}
}

// A file from elsewhere that names a host decides of itself alone, beside real outputs that name none and are named after what
// is in them; one that is named as they are names them all.
func TestLoneName(t *testing.T) {
	texts, bySystem := indexed(t)
	names := map[string]map[string]string{
		"aix":   {"uname": "AIX lpar9 2 7 00C8D2E44C00\n", "session": "root@lpar9:/# uname -n\nlpar9\n", "hostname": "root@lpar9:/# hostname\nlpar9\n"},
		"linux": {"uname": unameOf9, "session": "root@web9:~# uptime\n 09:11:01 up 3 days\nroot@web9:~# uname -r\n6.1.0\n"},
	}
	folders := 0
	for system, list := range bySystem {
		random := draw.Rand(t)
		for range draw.Costly(t, 60, 5, make([]int, 60)) {
			dir := t.TempDir()
			saved := 0
			for _, at := range random.Perm(len(list))[:min(12, len(list))] {
				text := texts[list[at]]
				f, ok := detect.Text([]byte(text), detect.Hint{})
				if !ok || !f.Known || f.Host != "" || f.Element != "" || stem(f.ID+".txt") != "" || saved == 4 {
					continue
				}
				writeForged(t, filepath.Join(dir, "saved", f.ID+".txt"), []byte(text))
				saved++
			}
			want := whose(t, dir)
			if len(want) < leastInStyle {
				continue
			}
			folders++
			for kind, text := range names[system] {
				at := filepath.Join(dir, "saved", "from-elsewhere.txt")
				writeForged(t, at, []byte(text))
				if d := differs(want, whose(t, dir), ""); d != "" {
					t.Errorf("%s, with %s of another host: %s", system, kind, d)
				}
				if err := os.Remove(at); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d folders", folders)
}

// A lone uname beside outputs that are named after their commands names them, if it is named so itself.
func TestLoneNameInStyle(t *testing.T) {
	for file, want := range map[string]string{"uname.txt": "web9 ", "hostname.txt": "web9 ", "extra.txt": "saved "} {
		dir := t.TempDir()
		text := unameOf9
		if file == "hostname.txt" {
			text = "web9\n"
		}
		for at, text := range map[string]string{"ethtool.txt": settingLines, "sockstat.txt": memoryLines, file: text} {
			writeForged(t, filepath.Join(dir, "saved", at), []byte(text))
		}
		if got := decided(t, dir, unchanged)["/saved/ethtool.txt"]; !strings.HasPrefix(got, want) {
			t.Errorf("beside %s, ethtool.txt is of %q, want %s", file, got, want)
		}
	}
}
